"""Made-up requests go to the model that there is, and ask for few tokens: else most would end at the model's name."""

import os

import schemathesis

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict")
TOKENS = 2


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict):
        return body
    if isinstance(body.get("model"), str):
        body["model"] = os.environ["OPENAPI_MODEL"]
    for name in LIMITS:
        if isinstance(body.get(name), int) and TOKENS < body[name] < 2**31:
            body[name] = TOKENS
    return body

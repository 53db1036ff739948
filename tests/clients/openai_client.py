"""Drives a running server with the PyPI package `openai`, unchanged: openai_client.py BASE_URL."""

import sys

import openai

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


def whole_and_stream_agree(client, model):
    whole = client.chat.completions.create(model=model, messages=MESSAGES, max_tokens=16, temperature=0)
    stream = client.chat.completions.create(
        model=model,
        messages=MESSAGES,
        max_tokens=16,
        temperature=0,
        stream=True,
        stream_options={"include_usage": True},
    )
    text, usage = "", None
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
    assert text == whole.choices[0].message.content, (text, whole)
    assert usage.completion_tokens == whole.usage.completion_tokens == 16
    assert whole.choices[0].finish_reason == "length"


def completions_take_lists(client, model):
    reply = client.completions.create(
        model=model, prompt=["One", "Two"], n=2, max_tokens=4, temperature=0, logprobs=2
    )
    assert [choice.index for choice in reply.choices] == [0, 1, 2, 3]
    assert all(len(choice.logprobs.tokens) == 4 for choice in reply.choices)
    assert reply.choices[0].text == reply.choices[1].text


def choices_are_scored_as_evaluation_suites_do(client, model):
    """The likelier of two continuations, from the log-probabilities of their echoed tokens (A08)."""
    scores = []
    for choice in [" blue", " cheese"]:
        told = client.completions.create(
            model=model, prompt="The sky is" + choice, echo=True, logprobs=1, max_tokens=0
        ).choices[0].logprobs
        assert told.token_logprobs[0] is None and told.text_offset[:2] == [0, 3], told
        scores.append(sum(told.token_logprobs[3:]))
    assert scores[0] > scores[1], scores


def a_json_object_is_one(client, model):
    reply = client.chat.completions.create(
        model=model,
        messages=[{"role": "user", "content": "A JSON object, please."}],
        max_tokens=64,
        response_format={"type": "json_object"},
    )
    assert reply.choices[0].message.content.startswith("{")


def errors_are_the_packages_own(client, model):
    try:
        client.chat.completions.create(model="nobody", messages=MESSAGES)
        raise AssertionError("an unknown model was answered")
    except openai.NotFoundError as error:
        assert error.param == "model" and model in error.message
    try:
        client.chat.completions.create(model=model, messages=MESSAGES, temperature=-1)
        raise AssertionError("a negative temperature was taken")
    except openai.BadRequestError as error:
        assert error.param == "temperature", error


def a_stream_can_be_dropped(client, model):
    stream = client.chat.completions.create(model=model, messages=MESSAGES, stream=True)
    next(iter(stream))
    stream.close()


CHECKS = [
    whole_and_stream_agree,
    completions_take_lists,
    choices_are_scored_as_evaluation_suites_do,
    a_json_object_is_one,
    errors_are_the_packages_own,
    a_stream_can_be_dropped,
]

if __name__ == "__main__":
    client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
    model = client.models.list().data[0].id
    for check in CHECKS:
        check(client, model)
        print("ok", check.__name__)
    print(f"{len(CHECKS)} checks with openai {openai.__version__}")

"""Holds cairn's replies against the models of the `openai` package (PyPI), strictly.

Usage: print_replies | python openai_shapes.py
Every line is "KIND<tab>JSON". A chunk of a streamed completion has no finish_reason yet, which the
package's model does not allow although its stream does, so that one field may be null.
"""

import json
import sys

from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response
from pydantic import ValidationError

MODELS = {"completion": Completion, "chat": ChatCompletion, "chunk": ChatCompletionChunk, "response": Response}


def faults(kind: str, reply: dict) -> list[str]:
    try:
        MODELS[kind].model_validate(reply, strict=False)
        return []
    except ValidationError as error:
        found = [".".join(map(str, each["loc"])) + ": " + each["msg"] for each in error.errors()]
    if kind == "completion":
        found = [each for each in found if not each.split(":")[0].endswith("finish_reason")]
    return found


def main() -> int:
    lines = [line.rstrip("\n").split("\t", 1) for line in sys.stdin]
    failed = 0
    for kind, text in lines:
        for fault in faults(kind, json.loads(text)):
            print(f"{kind}: {fault}: {text}")
            failed += 1
    broken = json.loads(lines[0][1])
    broken["choices"][0]["index"] = "first"
    if not faults("completion", broken):
        print("the check passes a reply that is wrong")
        failed += 1
    print(f"{len(lines)} replies, {failed} faults")
    return 1 if failed or len(lines) < len(MODELS) else 0


if __name__ == "__main__":
    sys.exit(main())

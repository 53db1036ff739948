"""Drives a running server with the PyPI package `openai`, unchanged: openai_client.py BASE_URL."""

import json
import sys
import time

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


def embeddings_decode_to_the_same_floats(client, model):
    packed = client.embeddings.create(model=model, input=["The sky is blue", "Two"])  # base64
    plain = client.embeddings.create(
        model=model, input=["The sky is blue", "Two"], encoding_format="float"
    )
    assert [each.index for each in packed.data] == [0, 1]
    for one, other in zip(packed.data, plain.data):
        assert len(one.embedding) == len(other.embedding) > 0
        assert max(abs(a - b) for a, b in zip(one.embedding, other.embedding)) < 1e-7
        assert abs(sum(a * a for a in one.embedding) - 1) < 1e-5
    assert packed.usage.prompt_tokens == packed.usage.total_tokens > 0


def responses_are_created_streamed_and_gone_on_from(client, model):
    whole = client.responses.create(
        model=model, input="Why is the sky blue?", max_output_tokens=16, temperature=0
    )
    assert whole.status == "incomplete" and whole.usage.output_tokens == 16, whole
    text, last = "", None
    for event in client.responses.create(
        model=model, input="Why is the sky blue?", max_output_tokens=16, temperature=0, stream=True
    ):
        if event.type == "response.output_text.delta":
            text += event.delta
        last = event
    assert text == whole.output_text != ""
    assert last.type == "response.incomplete" and last.response.output_text == text
    with client.responses.stream(
        model=model, input="Why is the sky blue?", max_output_tokens=16, temperature=0
    ) as stream:
        deltas = [e.delta for e in stream if e.type == "response.output_text.delta"]
    assert "".join(deltas) == text
    following = client.responses.create(
        model=model, input="And at night?", previous_response_id=whole.id, max_output_tokens=4
    )
    assert following.usage.input_tokens > whole.usage.input_tokens + 16


def responses_are_kept_until_they_are_deleted(client, model):
    made = client.responses.create(
        model=model, input="Hi", instructions="Be brief.", max_output_tokens=4, metadata={"a": "b"}
    )
    assert client.responses.retrieve(made.id).output_text == made.output_text
    items = list(client.responses.input_items.list(made.id))
    assert items[0].content[0].text == "Hi", items
    try:
        client.responses.cancel(made.id)
        raise AssertionError("a response that has ended was cancelled")
    except openai.BadRequestError as error:
        assert "background" in error.message
    client.responses.delete(made.id)
    try:
        client.responses.retrieve(made.id)
        raise AssertionError("a deleted response was there")
    except openai.NotFoundError:
        pass


def a_batch_answers_every_line_of_its_file(client, model):
    body = {"model": model, "messages": MESSAGES, "max_tokens": 8, "temperature": 0}
    lines = [
        {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
        for name in ("one", "two")
    ]
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    file = client.files.create(file=("in.jsonl", content), purpose="batch")
    assert file.bytes == len(content) and client.files.content(file.id).read() == content
    assert file.id in [each.id for each in client.files.list()]
    batch = client.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
    )
    for _ in range(600):
        batch = client.batches.retrieve(batch.id)
        if batch.status == "completed":
            break
        time.sleep(0.1)
    assert batch.status == "completed" and batch.request_counts.completed == 2, batch
    results = [json.loads(line) for line in client.files.content(batch.output_file_id).text.split("\n") if line]
    expected = client.chat.completions.create(**body).choices[0].message.content
    assert sorted(each["custom_id"] for each in results) == ["one", "two"]
    for each in results:
        assert each["response"]["body"]["choices"][0]["message"]["content"] == expected
    assert batch.id in [each.id for each in client.batches.list()]
    client.files.delete(file.id)


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
    embeddings_decode_to_the_same_floats,
    responses_are_created_streamed_and_gone_on_from,
    responses_are_kept_until_they_are_deleted,
    a_batch_answers_every_line_of_its_file,
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

"""Drives a running server with the PyPI package `anthropic`, unchanged: anthropic_client.py BASE_URL."""

import sys

import anthropic

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]
GREEDY = {"temperature": 0}  # the package has no argument for it any more


def whole_and_stream_agree(client, model):
    whole = client.messages.create(model=model, messages=MESSAGES, max_tokens=16, extra_body=GREEDY)
    assert whole.type == "message" and whole.role == "assistant", whole
    assert whole.stop_reason == "max_tokens" and whole.usage.output_tokens == 16, whole
    with client.messages.stream(
        model=model, messages=MESSAGES, max_tokens=16, extra_body=GREEDY
    ) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert text == whole.content[0].text == final.content[0].text, (text, whole)
    assert final.stop_reason == "max_tokens" and final.usage.output_tokens == 16, final


def system_and_blocks_are_read(client, model):
    reply = client.messages.create(
        model=model,
        system=[{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        messages=[{"role": "user", "content": [{"type": "text", "text": "Say hello."}]}],
        max_tokens=8,
    )
    assert reply.content[0].type == "text"


def a_stop_sequence_is_named(client, model):
    text = client.messages.create(
        model=model, messages=MESSAGES, max_tokens=16, extra_body=GREEDY
    ).content[0].text
    stop = text[6:9]
    reply = client.messages.create(
        model=model, messages=MESSAGES, max_tokens=16, extra_body=GREEDY, stop_sequences=[stop, "\x00never"]
    )
    assert reply.stop_reason == "stop_sequence" and reply.stop_sequence == stop, reply
    assert stop not in reply.content[0].text


def tokens_are_counted(client, model):
    counted = client.messages.count_tokens(model=model, messages=MESSAGES)
    usage = client.messages.create(model=model, messages=MESSAGES, max_tokens=1).usage
    assert counted.input_tokens == usage.input_tokens + usage.cache_read_input_tokens


def errors_are_the_packages_own(client, model):
    try:
        client.messages.create(model="nobody", messages=MESSAGES, max_tokens=1)
        raise AssertionError("an unknown model was answered")
    except anthropic.NotFoundError as error:
        assert model in str(error)
    try:
        client.messages.create(model=model, messages=MESSAGES, max_tokens=1, extra_body={"top_p": 7})
        raise AssertionError("top_p 7 was taken")
    except anthropic.BadRequestError as error:
        assert "top_p" in str(error)


def a_stream_can_be_dropped(client, model):
    stream = client.messages.create(model=model, messages=MESSAGES, max_tokens=64, stream=True)
    next(iter(stream))
    stream.close()


CHECKS = [
    whole_and_stream_agree,
    system_and_blocks_are_read,
    a_stop_sequence_is_named,
    tokens_are_counted,
    errors_are_the_packages_own,
    a_stream_can_be_dropped,
]

if __name__ == "__main__":
    client = anthropic.Anthropic(base_url=sys.argv[1], api_key="none", max_retries=0)
    model = "SmolLM2-135M-Instruct.Q4_1"
    for check in CHECKS:
        check(client, model)
        print("ok", check.__name__)
    print(f"{len(CHECKS)} checks with anthropic {anthropic.__version__}")

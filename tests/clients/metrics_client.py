"""Reads /metrics of a running server with the PyPI package `prometheus_client`: metrics_client.py BASE_URL.

A request in between shows that counters only grow and that what a dashboard for vLLM asks for is there (O06, O08).
"""

import json
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

WANTED = {
    "vllm:num_requests_running": "gauge",
    "vllm:num_requests_waiting": "gauge",
    "vllm:kv_cache_usage_perc": "gauge",
    "vllm:prompt_tokens": "counter",
    "vllm:generation_tokens": "counter",
    "vllm:request_success": "counter",
    "vllm:time_to_first_token_seconds": "histogram",
    "vllm:inter_token_latency_seconds": "histogram",
    "vllm:e2e_request_latency_seconds": "histogram",
    "http_requests": "counter",
}


def ask(address, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address + path, data, headers)) as reply:
        return reply.headers["Content-Type"], reply.read().decode()


def scrape(address):
    kind, text = ask(address, "/metrics")
    assert kind.startswith("text/plain; version=0.0.4"), kind
    assert text.endswith("\n")
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert text.count("# TYPE ") == len(families), "a metric has two TYPE lines"
    return families


def total(families, name):
    return sum(s.value for s in families[name].samples if s.name == name + "_total")


def main(address):
    body = {"prompt": "Hello", "max_tokens": 5, "temperature": 0}
    ask(address, "/v1/completions", body)
    first = scrape(address)
    for name, kind in WANTED.items():
        assert first[name].type == kind, (name, first.get(name))
    reply = json.loads(ask(address, "/v1/completions", body)[1])
    second = scrape(address)
    assert total(second, "vllm:generation_tokens") - total(first, "vllm:generation_tokens") == 5
    for name, family in first.items():
        if family.type == "counter":
            assert total(second, name) >= total(first, name), name
    record = json.loads(ask(address, "/v1/requests/" + reply["id"])[1])
    assert record["usage"]["completion_tokens"] == 5 and record["status"] == "ended", record
    print(f"ok {len(second)} families, {len(WANTED)} of them looked for, and the record of a request")


if __name__ == "__main__":
    main(sys.argv[1])

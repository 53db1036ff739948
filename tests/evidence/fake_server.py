"""A server of OpenAI's streamed chats that says what it is told, for `cairn bench serve`.

fake_server.py BEHAVIOUR, one of: plain, no-usage, refuse, early. Prints its port, then serves until its
standard input ends.
"""
import http.server
import json
import sys
import threading


def events(behaviour, asked):
    yield {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}
    made = 1 if behaviour == "early" else asked
    for i in range(made):
        yield {"choices": [{"index": 0, "delta": {"content": " w%d" % i}}]}
    if behaviour != "early":
        yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}
    if behaviour != "no-usage":
        yield {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": made}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or every answer waits for a delayed acknowledgement

    def do_GET(self):
        text = b'{"object":"list","data":[{"id":"fake","object":"model"}]}'
        self.send_response(200 if self.path == "/v1/models" else 404)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour = self.server.behaviour
        if behaviour == "refuse" or body["model"] != "fake" or self.path != "/v1/chat/completions":
            text = b'{"error":{"message":"too busy"}}'
            self.send_response(503)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            return
        text = "".join("data: %s\n\n" % json.dumps(e) for e in events(behaviour, body["max_tokens"]))
        text = (text + "data: [DONE]\n\n").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def main():
    http.server.ThreadingHTTPServer.request_queue_size = 128  # clients connect at once
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.behaviour = sys.argv[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

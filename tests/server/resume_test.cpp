// Streams that go on behind a lost connection, with a real model.
#include "server/resume/stream_keeper.h"
#include "tests/server/api_fixture.h"

namespace cairn::server {
namespace {

std::string stream_of(const std::string& headers, int tokens) {
  Json body = chat("Count to twenty.", tokens);
  body["stream"] = true;
  body["seed"] = 1;
  const std::string text = body.dump();
  return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
         "application/json\r\n" +
         headers + "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

/// What the model said in the events of a body.
std::string said(const std::string& body) {
  std::string text;
  for (std::size_t at = body.find("data: {"); at != std::string::npos;
       at = body.find("data: {", at + 1)) {
    const std::size_t end = body.find('\n', at);
    const Json chunk = parse_json(body.substr(at + 6, end - at - 6)).value();
    text += chunk["choices"][0]["delta"].value("content", "");
  }
  return text;
}

/// The events up to the one with that id, which is among them.
std::string up_to(const std::string& body, int id) {
  const std::size_t at = body.find("id: " + std::to_string(id) + "\n");
  return body.substr(0, body.find("\n\n", at) + 2);
}

TEST_F(ApiTest, AStreamGoesOnBehindALostConnection) {
  const std::string whole =
      ask(kChat, chat("Count to twenty.", 40))["choices"][0]["message"]["content"];
  std::string first;
  {
    Client lost(address());
    ASSERT_TRUE(lost.send(stream_of("X-Conversation-Id: talk-1\r\n", 40)));
    first = lost.read_until("id: 3\n");
    first += lost.read_until("\n\n");
  }
  first = up_to(first, 3);
  const Received rest =
      Client(address()).ask("GET", "/v1/stream?conv_id=talk-1", "", "Last-Event-ID: 3\r\n");
  EXPECT_EQ(rest.status, 200) << rest.body;
  EXPECT_THAT(rest.body, testing::StartsWith("id: 4\n"));
  EXPECT_THAT(rest.body, testing::EndsWith("data: [DONE]\n\n"));
  EXPECT_EQ(said(first) + said(rest.body), whole);
  const Received all = Client(address()).ask("GET", "/v1/stream/talk-1?from=0");
  EXPECT_EQ(said(all.body), whole);
}

TEST_F(ApiTest, TheSameRequestWithTheLastEventGoesOnToo) {
  Json body = chat("Hi", 8);
  body["stream"] = true;
  const Received all = Client(address()).ask("POST", kChat, body.dump(),
                                             "Content-Type: application/json\r\n"
                                             "X-Conversation-Id: talk-2\r\n");
  ASSERT_EQ(all.status, 200) << all.body;
  const Received rest = Client(address()).ask("POST", kChat, "{}",
                                              "Content-Type: application/json\r\n"
                                              "X-Conversation-Id: talk-2\r\nLast-Event-ID: 2\r\n");
  EXPECT_EQ(rest.status, 200) << rest.body;
  EXPECT_EQ(up_to(all.body, 2) + rest.body, all.body);
}

TEST_F(ApiTest, WhatCannotBeGoneOnWithIsRefused) {
  EXPECT_EQ(Client(address()).ask("GET", "/v1/stream").status, 400);
  EXPECT_EQ(Client(address()).ask("GET", "/v1/stream?conv_id=nobody").status, 404);
  EXPECT_EQ(Client(address()).ask("GET", "/v1/stream/nobody?from=x").status, 400);
  EXPECT_EQ(Client(address()).ask("GET", "/v1/stream/nobody", "", "Last-Event-ID: x\r\n").status,
            400);
  EXPECT_THAT(Client(address()).ask("DELETE", "/v1/stream/nobody").body, HasSubstr("false"));
}

TEST_F(ApiTest, AStreamThatIsDeletedEndsAndStopsGenerating) {
  Client stream(address());
  ASSERT_TRUE(stream.send(stream_of("X-Conversation-Id: talk-3\r\n", 400)));
  stream.read_until("id: 1\n");
  EXPECT_THAT(Client(address()).ask("DELETE", "/v1/stream/talk-3").body, HasSubstr("true"));
  EXPECT_TRUE(eventually([] { return running_->model->activity().running == 0; }));
  EXPECT_EQ(Client(address()).ask("GET", "/v1/stream/talk-3").status, 404);
}

}  // namespace
}  // namespace cairn::server

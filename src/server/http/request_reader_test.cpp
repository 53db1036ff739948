#include "server/http/request_reader.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

using State = RequestReader::State;

constexpr ReadLimits kSmall = {.header_bytes_max = 512, .headers_max = 8, .body_bytes_max = 100};

/// Reads all that belongs to the first request, in pieces of `step` bytes.
struct Reading {
  RequestReader reader{kSmall};
  std::size_t taken = 0;

  explicit Reading(std::string_view bytes, std::size_t step = 1) {
    while (reader.state() != State::kDone && reader.state() != State::kFailed) {
      if (reader.state() == State::kHead && !reader.body_follows()) {
        reader.feed("");
        continue;
      }
      if (taken == bytes.size()) break;
      taken += reader.feed(bytes.substr(taken, step));
    }
  }
};

const std::string kHost = "Host: h\r\n";

TEST(RequestReaderTest, ARequestIsTheSameInPiecesOfAnySize) {
  const std::string first =
      "\r\nPOST /a?b=c HTTP/1.1\r\n" + kHost + "Content-Length: 5\r\nX-Y:  z \r\n\r\nhello";
  const std::string both = first + "GET / HTTP/1.1\r\n\r\n";
  for (std::size_t step = 1; step <= both.size(); ++step) {
    Reading reading(both, step);
    ASSERT_EQ(reading.reader.state(), State::kDone) << reading.reader.error().message;
    EXPECT_EQ(reading.taken, first.size());
    const Request& request = reading.reader.request();
    EXPECT_EQ(request.method, Method::kPost);
    EXPECT_EQ(request.path, "/a");
    EXPECT_EQ(request.query, "b=c");
    EXPECT_EQ(request.header("x-y"), "z");
    EXPECT_EQ(request.body, "hello");
    EXPECT_TRUE(reading.reader.keep_alive());
  }
}

TEST(RequestReaderTest, ChunksWithExtensionsAndTrailersGiveTheirDataAlone) {
  const std::string bytes = "POST / HTTP/1.1\r\n" + kHost +
                            "Transfer-Encoding: Chunked\r\n\r\n"
                            "5;a=\"b\"\r\nhello\r\n0A\r\n, 12345678\r\n0\r\nX-Admin: 1\r\n\r\nGET";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    Reading reading(bytes, step);
    ASSERT_EQ(reading.reader.state(), State::kDone) << reading.reader.error().message;
    EXPECT_EQ(reading.reader.request().body, "hello, 12345678");
    EXPECT_EQ(reading.reader.request().header("x-admin"), std::nullopt);
    EXPECT_EQ(reading.taken, bytes.size() - 3);
  }
}

TEST(RequestReaderTest, ASizeThatIsNoPlainNumberIsRefused) {  // Z08
  for (const std::string_view line :
       {"-2", "0x5", "FFFFFFFFFFFFFFFFF", "5 ", "", "+5", " 5", "5\n", "g", "100000000", "5;\n"}) {
    Reading reading("POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n" +
                    std::string(line) + "\r\nhello\r\n0\r\n\r\n");
    EXPECT_EQ(reading.reader.state(), State::kFailed) << line;
    EXPECT_EQ(reading.reader.error().cause, Cause::kBadRequest) << line;
  }
}

TEST(RequestReaderTest, ChunkedBodiesCountAgainstTheLimitToo) {  // Z09
  const std::string head = "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string fifty = "32\r\n" + std::string(50, 'x') + "\r\n";
  EXPECT_EQ(Reading(head + fifty + fifty + "0\r\n\r\n").reader.state(), State::kDone);
  EXPECT_EQ(Reading(head + fifty + fifty + "1\r\n").reader.error().cause, Cause::kBodyTooLarge);
  EXPECT_EQ(Reading(head + "65\r\n").reader.error().cause, Cause::kBodyTooLarge);
  EXPECT_EQ(Reading(head + "1;" + std::string(600, 'x')).reader.state(), State::kFailed);
  EXPECT_EQ(Reading(head + "0\r\nA: " + std::string(600, 'x')).reader.state(), State::kFailed);
}

TEST(RequestReaderTest, ABodyAtTheLimitPassesAndOneOverIsRefusedAtItsHead) {
  const auto with_length = [](std::string_view length) {
    return "POST / HTTP/1.1\r\n" + kHost + "Content-Length: " + std::string(length) + "\r\n\r\n";
  };
  EXPECT_EQ(Reading(with_length("100") + std::string(100, 'x')).reader.state(), State::kDone);
  EXPECT_EQ(Reading(with_length("101")).reader.error().cause, Cause::kBodyTooLarge);
  EXPECT_EQ(Reading(with_length("18446744073709551615")).reader.error().cause,
            Cause::kBodyTooLarge);
  EXPECT_EQ(Reading(with_length("18446744073709551616")).reader.state(), State::kFailed);
}

TEST(RequestReaderTest, WhatTwoReadersCouldTakeDifferentlyIsRefused) {
  const std::string start = "POST / HTTP/1.1\r\n";
  const std::vector<std::string> heads = {
      start + kHost + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
      start + kHost + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
      start + kHost + "Content-Length: 5, 5\r\n\r\n",
      start + kHost + "Content-Length: +5\r\n\r\n",
      start + kHost + "Content-Length: -1\r\n\r\n",
      start + kHost + "Content-Length: 0x5\r\n\r\n",
      start + kHost + "Content-Length: \r\n\r\n",
      start + kHost + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
      start + kHost + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
      start + kHost + "Transfer-Encoding: gzip, chunked\r\n\r\n",
      start + kHost + "Transfer-Encoding: chunked, identity\r\n\r\n",
      start + kHost + "Transfer-Encoding: xchunked\r\n\r\n",
      start + kHost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      start + kHost + "Content-Length : 5\r\n\r\n",
      start + kHost + "X: a\r\n b\r\n\r\n",
      start + " X: a\r\n" + kHost + "\r\n",
      "POST / HTTP/1.1\nHost: h\n\n",
      start + "Host: h\n\r\n",
      start + kHost + "X: a\rb\r\n\r\n",
      start + kHost + std::string("X: a\0b\r\n\r\n", 11),
      start + "X: y\r\n\r\n",
      start + kHost + kHost + "\r\n",
      "POST  / HTTP/1.1\r\n" + kHost + "\r\n",
      "POST /a\tb HTTP/1.1\r\n" + kHost + "\r\n",
      "POST h:1 HTTP/1.1\r\n" + kHost + "\r\n",
      "\x16\x03\x01\x02",
  };
  for (const std::string& head : heads) {
    Reading reading(head + "hello");
    EXPECT_EQ(reading.reader.state(), State::kFailed) << head;
    EXPECT_EQ(reading.reader.error().cause, Cause::kBadRequest) << head;
  }
}

TEST(RequestReaderTest, SizesAndCountsOfTheHeadAreBounded) {  // Z10
  EXPECT_EQ(Reading("GET /" + std::string(10'000'000, 'a'), 4096).reader.error().cause,
            Cause::kTargetTooLong);
  EXPECT_EQ(
      Reading("GET / HTTP/1.1\r\nX: " + std::string(5'000'000, 'a'), 4096).reader.error().cause,
      Cause::kHeadersTooLarge);
  std::string many = "GET / HTTP/1.1\r\n" + kHost;
  for (int i = 0; i < 7; ++i) many += "a:b\r\n";
  EXPECT_EQ(Reading(many + "\r\n").reader.state(), State::kDone);
  EXPECT_EQ(Reading(many + "a:b\r\n\r\n").reader.error().cause, Cause::kHeadersTooLarge);
  EXPECT_EQ(Reading("\r\n\r\n\r\n").reader.state(), State::kFailed);
}

TEST(RequestReaderTest, VersionAndConnectionDecideWhetherTheConnectionIsKept) {
  const auto keeps = [](const std::string& head) {
    Reading reading(head + "\r\n");
    EXPECT_EQ(reading.reader.state(), State::kDone) << head;
    return reading.reader.keep_alive();
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\n" + kHost));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\n" + kHost + "Connection: x, Close\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nConnection: keep-alive\r\n"));
  EXPECT_EQ(Reading("GET / HTTP/2.0\r\n\r\n").reader.error().cause, Cause::kVersion);
}

TEST(RequestReaderTest, AClientMayWaitForItsGoAhead) {
  Reading reading("POST / HTTP/1.1\r\n" + kHost +
                  "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
  EXPECT_EQ(reading.reader.state(), State::kHead);
  EXPECT_TRUE(reading.reader.expects_continue());
  EXPECT_TRUE(reading.reader.body_follows());
  EXPECT_EQ(Reading("POST / HTTP/1.1\r\n" + kHost + "Expect: tea\r\n\r\n").reader.error().cause,
            Cause::kExpectation);
}

}  // namespace
}  // namespace cairn::server

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/server/client.h"
#include "tests/server/routes.h"
#include "tests/server/tls_files.h"

namespace cairn::server {
namespace {

const std::string kRequest = "GET /text HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

std::string text_of(const std::string& path) { return *read_file(path, 1 << 20); }

class TlsTest : public testing::Test {
 protected:
  TlsTest() : options_(test_options(watched_)) {
    options_.tls = {.certificate = pair_.certificate, .key = pair_.key, .client_ca = {}};
  }

  TlsAnswer ask(const TlsPair& own = {}) {
    Client client(server_->addresses().at(0));
    return ask_over_tls(client.descriptor(), kRequest, own);
  }

  std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  TlsPair pair_ = make_tls_pair("server");
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(TlsTest, AnswersComeUnderTls13) {
  server_ = start_or_die(options_);
  EXPECT_TRUE(server_->addresses().at(0).starts_with("https://"));
  const TlsAnswer answer = ask();
  EXPECT_EQ(answer.version, "TLSv1.3");
  EXPECT_TRUE(answer.text.ends_with("\r\n\r\nhello")) << answer.text;
}

TEST_F(TlsTest, WhoDoesNotSpeakTlsIsSentAway) {
  server_ = start_or_die(options_);
  Client plain(server_->addresses().at(0));
  plain.send(kRequest);
  EXPECT_EQ(plain.read_to_end().find("hello"), std::string::npos);
  EXPECT_TRUE(plain.ended());
}

TEST_F(TlsTest, AHandshakeThatStallsEnds) {
  options_.settings.first_byte_ms = 200;
  server_ = start_or_die(options_);
  Client silent(server_->addresses().at(0));
  EXPECT_EQ(silent.read_to_end(), "");
  EXPECT_TRUE(silent.ended());
}

TEST_F(TlsTest, AClientNeedsACertificateWhereOneIsAskedFor) {
  const TlsPair own = make_tls_pair("client");
  options_.tls.client_ca = own.certificate;
  server_ = start_or_die(options_);
  EXPECT_TRUE(ask(own).text.ends_with("hello"));
  EXPECT_EQ(ask().text, "");
  EXPECT_EQ(ask(make_tls_pair("stranger")).text, "");
}

TEST_F(TlsTest, ANewCertificateIsTakenWithoutARestart) {
  server_ = start_or_die(options_);
  const std::string before = text_of(pair_.certificate);
  EXPECT_EQ(ask().certificate, before);
  make_tls_pair("server");
  const std::string after = text_of(pair_.certificate);
  ASSERT_NE(after, before);
  EXPECT_EQ(ask().certificate, before);
  ASSERT_TRUE(server_->reload().ok());
  EXPECT_TRUE(eventually([&] { return ask().certificate == after; }));
  write_test_file("server.crt", "no certificate");
  EXPECT_FALSE(server_->reload().ok());
  EXPECT_EQ(ask().certificate, after);
}

TEST_F(TlsTest, FilesThatDoNotBelongTogetherAreRefusedAtStart) {
  options_.tls.key = make_tls_pair("other").key;
  EXPECT_FALSE(Server::start(options_).ok());
  options_.tls.key.clear();
  EXPECT_FALSE(Server::start(options_).ok());
  options_.tls = {.certificate = "/does/not/exist", .key = "/does/not/exist", .client_ca = {}};
  EXPECT_EQ(Server::start(options_).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace cairn::server

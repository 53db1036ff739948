#include "server/files/multipart.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

constexpr char kType[] = "multipart/form-data; boundary=XyZ";

std::string form(const std::string& inside) { return "--XyZ\r\n" + inside + "\r\n--XyZ--\r\n"; }

TEST(MultipartTest, AFormIsItsParts) {
  const std::string body =
      "--XyZ\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
      "--XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a \\\"b\\\".jsonl\"\r\n"
      "Content-Type: application/octet-stream\r\n\r\n{}\r\n--Xy\r\n\r\n--XyZ--\r\n";
  const auto parts = parse_form(kType, body);
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ(parts->at(0).name, "purpose");
  EXPECT_EQ(parts->at(0).content, "batch");
  EXPECT_EQ(parts->at(1).filename, "a \"b\".jsonl");
  EXPECT_EQ(parts->at(1).content, "{}\r\n--Xy\r\n") << "a boundary is whole or none";
}

TEST(MultipartTest, TheBoundaryMayBeQuotedAndAPreambleStandBeforeIt) {
  const std::string body = "hello\r\n" + form("content-disposition: form-data; NAME=a\r\n\r\n");
  const auto parts = parse_form("Multipart/Form-Data;charset=x; Boundary=\"XyZ\"", body);
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  EXPECT_EQ(parts->at(0).name, "a");
  EXPECT_EQ(parts->at(0).content, "");
}

TEST(MultipartTest, WhatIsNoFormIsRefusedAndEveryCutOfOneToo) {
  const std::string whole = form("Content-Disposition: form-data; name=\"a\"\r\n\r\nx");
  ASSERT_TRUE(parse_form(kType, whole).ok());
  const std::size_t needed = whole.size() - std::string("\r\n").size();
  for (std::size_t size = 0; size < needed; ++size) {
    EXPECT_FALSE(parse_form(kType, whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(parse_form("application/json", whole).ok());
  EXPECT_FALSE(parse_form("multipart/form-data", whole).ok());
  EXPECT_FALSE(parse_form("multipart/form-data; boundary=" + std::string(71, 'x'), whole).ok());
  EXPECT_FALSE(parse_form(kType, form("\r\nx")).ok()) << "a part without a name";
  std::string many;
  for (int i = 0; i < 65; ++i) many += "--XyZ\r\nContent-Disposition: x; name=a\r\n\r\nx\r\n";
  EXPECT_FALSE(parse_form(kType, many + "--XyZ--").ok());
}

}  // namespace
}  // namespace cairn::server

#include "server/api/response_store.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

StoredResponse of(std::size_t bytes) { return {.response = std::string(bytes, 'x')}; }

TEST(ResponseStoreTest, WhatIsKeptIsFoundUntilItIsForgotten) {
  ResponseStore store({});
  store.keep("a", {.response = "1", .items = "2", .messages = "3"});
  ASSERT_TRUE(store.find("a").has_value());
  EXPECT_EQ(store.find("a")->messages, "3");
  EXPECT_EQ(store.bytes(), 3U);
  EXPECT_TRUE(store.forget("a"));
  EXPECT_FALSE(store.forget("a"));
  EXPECT_FALSE(store.find("a").has_value());
  EXPECT_EQ(store.bytes(), 0U);
}

TEST(ResponseStoreTest, TheOldestGoWhenThereAreTooManyOrTooLargeOnes) {
  ResponseStore store({.count = 2, .bytes = 10});
  store.keep("a", of(1));
  store.keep("b", of(1));
  store.keep("c", of(1));
  EXPECT_FALSE(store.find("a").has_value());
  EXPECT_TRUE(store.find("b").has_value());
  store.keep("d", of(10));
  EXPECT_FALSE(store.find("c").has_value());
  EXPECT_TRUE(store.find("d").has_value());
  store.keep("e", of(11));
  EXPECT_FALSE(store.find("e").has_value()) << "larger than all there is room for";
  EXPECT_EQ(store.bytes(), 0U);
}

TEST(ResponseStoreTest, AResponseIsForgottenAfterItsTime) {
  std::int64_t now_s = 1000;
  ResponseStore store({.seconds = 60, .clock_s = [&] { return now_s; }});
  store.keep("a", of(1));
  now_s += 59;
  EXPECT_TRUE(store.find("a").has_value());
  now_s += 1;
  EXPECT_FALSE(store.find("a").has_value());
  EXPECT_EQ(store.bytes(), 0U);
}

}  // namespace
}  // namespace cairn::server

#include "base/status.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return invalid_argument("value: found an odd number, expected an even one");
  return value / 2;
}

Result<int> quarter(int value) {
  CAIRN_ASSIGN(const int halved, half(value));
  CAIRN_ASSIGN(const int quartered, half(halved));
  return quartered;
}

Status check_divisible_by_four(int value) {
  CAIRN_TRY(quarter(value).status());
  return {};
}

TEST(StatusTest, EveryCodeHasItsOwnRow) {
  for (int code = 0; code <= static_cast<int>(StatusCode::kInternal); ++code) {
    EXPECT_EQ(info(static_cast<StatusCode>(code)).code, static_cast<StatusCode>(code));
    EXPECT_EQ(info(static_cast<StatusCode>(code)).c_code, code);
  }
}

TEST(StatusTest, AssignGivesTheValueOrLeavesWithTheStatus) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(check_divisible_by_four(8).ok());
  EXPECT_FALSE(check_divisible_by_four(2).ok());
}

TEST(StatusTest, InPutsThePlaceInFront) {
  EXPECT_EQ(not_found("no such key").in("a.gguf").message(), "a.gguf: no such key");
  EXPECT_TRUE(Status().in("a.gguf").ok());
}

}  // namespace
}  // namespace cairn

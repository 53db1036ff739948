#include "server/models/asked_model.h"

#include <gtest/gtest.h>

namespace cairn::server {
namespace {

TEST(AskedModelTest, TheNameIsFoundWhereverItStands) {
  EXPECT_EQ(asked_model(R"({"model": "a", "prompt": "x"})"), "a");
  EXPECT_EQ(asked_model(R"({"messages": [{"model": "no"}, []], "model": "a"})"), "a");
}

TEST(AskedModelTest, OnlyATextOfTheOutermostObjectIsAName) {
  for (const char* body : {"", "{", "[\"model\", \"a\"]", R"({"prompt": {"model": "a"}})",
                           R"({"model": 5, "x": "a"})", R"({"model": null, "x": "a"})",
                           R"({"model": ["a"]})", R"({"model": {"model": "a"}})", "\"model\""}) {
    EXPECT_FALSE(asked_model(body).has_value()) << body;
  }
}

}  // namespace
}  // namespace cairn::server

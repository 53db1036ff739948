#include "tokenizer/template/messages.h"

#include <gtest/gtest.h>

#include "tokenizer/template/chat_template.h"

namespace cairn::tokenizer {
namespace {

Json json(std::string_view text) { return parse_json(text).value(); }

Json normalized(std::string_view text, const MessageOptions& options = {}) {
  const auto result = normalize_messages(json(text), options);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : Json();
}

std::string with_arguments(std::string_view arguments) {
  return R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": )" +
         std::string(arguments) + "}}]}]";
}

Json arguments_of(const Json& messages) {
  return messages[0]["tool_calls"][0]["function"]["arguments"];
}

// C08, C10: clients send arguments as text, as an object, empty or null.
TEST(MessagesTest, MakesAnObjectOfToolCallArguments) {
  EXPECT_EQ(arguments_of(normalized(with_arguments(R"("{\"a\":1}")"))), json(R"({"a": 1})"));
  EXPECT_EQ(arguments_of(normalized(with_arguments(R"({"x": 4, "y": 9})"))),
            json(R"({"x": 4, "y": 9})"));
  for (const char* nothing : {R"("")", R"("  ")", "null", R"("null")"}) {
    EXPECT_EQ(arguments_of(normalized(with_arguments(nothing))), Json::object()) << nothing;
  }
}

// C08: a template that walks over arguments|items works for the text form.
TEST(MessagesTest, LetsATemplateWalkOverArgumentsThatCameAsText) {
  const auto made = ChatTemplate::parse(
      "{% for k, v in messages[0].tool_calls[0].function.arguments|items %}{{ k }}={{ v }};"
      "{% endfor %}");
  ASSERT_TRUE(made.ok());
  Json context;
  context["messages"] = normalized(with_arguments(R"("{\"a\":1,\"b\":\"x\"}")"));
  const auto rendered = made->render(context, {});
  ASSERT_TRUE(rendered.ok()) << rendered.status().message();
  EXPECT_EQ(rendered->text, "a=1;b=x;");
}

TEST(MessagesTest, RefusesArgumentsThatAreNoObjectAndNamesTheMessage) {
  for (const char* wrong : {R"("{\"a\":")", R"("[1]")", "5", "[]"}) {
    const auto result = normalize_messages(json(with_arguments(wrong)), {});
    ASSERT_FALSE(result.ok()) << wrong;
    EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(result.status().message().find("messages[0]"), std::string::npos);
  }
}

// C18, C21: content that is absent, null or empty gives the same message.
TEST(MessagesTest, TakesAbsentNullAndEmptyContentAsTheSame) {
  const Json wanted = json(R"([{"role": "assistant", "content": ""}])");
  EXPECT_EQ(normalized(R"([{"role": "assistant"}])"), wanted);
  EXPECT_EQ(normalized(R"([{"role": "assistant", "content": null}])"), wanted);
  EXPECT_EQ(normalized(R"([{"role": "assistant", "content": ""}])"), wanted);
}

TEST(MessagesTest, KeepsAbsentContentAbsentWhenAsked) {
  EXPECT_EQ(
      normalized(R"([{"role": "assistant", "content": null}])", {.content = AbsentContent::kKeep}),
      json(R"([{"role": "assistant"}])"));
}

// C23: the developer role and several system messages.
TEST(MessagesTest, MapsDeveloperToSystemAndMergesSystemMessages) {
  EXPECT_EQ(normalized(R"([{"role": "developer", "content": "Be brief"},
                           {"role": "user", "content": "Hi"},
                           {"role": "system", "content": "Be kind"}])"),
            json(R"([{"role": "system", "content": "Be brief\n\nBe kind"},
                     {"role": "user", "content": "Hi"}])"));
  EXPECT_EQ(normalized(R"([{"role": "developer", "content": "x"}])",
                       {.developer = DeveloperRole::kKeep, .system = SystemMessages::kKeep}),
            json(R"([{"role": "developer", "content": "x"}])"));
}

TEST(MessagesTest, RefusesMessagesWithoutARole) {
  EXPECT_FALSE(normalize_messages(json(R"([{"content": "x"}])"), {}).ok());
  EXPECT_FALSE(normalize_messages(json(R"(["x"])"), {}).ok());
  EXPECT_FALSE(normalize_messages(json(R"({})"), {}).ok());
}

}  // namespace
}  // namespace cairn::tokenizer

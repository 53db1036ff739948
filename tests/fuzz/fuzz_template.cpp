// room: tokenizer
// Any bytes as a chat template: parsing and rendering answer, within small limits, and never crash.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/json.h"
#include "tokenizer/template/chat_template.h"

namespace {

const cairn::Json& context() {
  static const cairn::Json kContext = {
      {"messages",
       {{{"role", "system"}, {"content", "Be brief."}},
        {{"role", "user"}, {"content", "h\u00e9 <|im_end|>"}},
        {{"role", "assistant"},
         {"content", ""},
         {"tool_calls", {{{"function", {{"name", "f"}, {"arguments", {{"a", {1, 2.5}}}}}}}}}}}},
      {"tools", {{{"type", "function"}, {"function", {{"name", "f"}}}}}},
      {"bos_token", "<s>"},
      {"x", {1, -2, 3.5, true, nullptr, "text"}},
      {"add_generation_prompt", true}};
  return kContext;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string source;
  source.assign(data, data + size);
  const auto parsed = cairn::tokenizer::ChatTemplate::parse(source);
  if (!parsed.ok()) return 0;
  cairn::tokenizer::RenderOptions options;
  options.now = {.year = 2024, .month = 2, .day = 29};
  options.limits.steps_max = 100'000;
  options.limits.output_bytes_max = 1U << 20U;
  options.limits.memory_bytes_max = 8U << 20U;
  const auto rendered = parsed->render(context(), options);
  if (rendered.ok()) {
    std::size_t end = 0;
    for (const auto& span : rendered->from_input) {
      CAIRN_CHECK(span.begin >= end && span.begin < span.end && span.end <= rendered->text.size());
      end = span.end;
    }
  }
  return 0;
}

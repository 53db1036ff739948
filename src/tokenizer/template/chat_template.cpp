#include "tokenizer/template/chat_template.h"

#include <fmt/format.h>

#include <utility>

#include "base/utf8.h"
#include "tokenizer/template/ast.h"
#include "tokenizer/template/from_json.h"
#include "tokenizer/template/interpreter.h"
#include "tokenizer/template/parser.h"
#include "tokenizer/template/run.h"

namespace cairn::tokenizer {
namespace {

constexpr std::size_t kSourceBytesMax = 4U << 20U;

}  // namespace

ChatTemplate::ChatTemplate(std::unique_ptr<const jinja::Program> program)
    : program_(std::move(program)) {}
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view source) {
  if (source.size() > kSourceBytesMax) {
    return too_large(fmt::format("chat template: {} bytes, at most {} are accepted", source.size(),
                                 kSourceBytesMax));
  }
  if (replace_invalid_utf8(source) != source) {
    return invalid_argument("chat template: the text is not valid UTF-8");
  }
  CAIRN_ASSIGN(jinja::Program program, jinja::parse_template(source));
  return ChatTemplate(std::make_unique<const jinja::Program>(std::move(program)));
}

Result<Rendered> ChatTemplate::render(const Json& context, const RenderOptions& options) const {
  jinja::Run run(options);
  const jinja::Value values = jinja::context_from_json(run, context);
  jinja::TextBuilder out;
  if (!run.failed()) jinja::Interpreter(run, values).execute(*program_, out);
  CAIRN_TRY(run.status());
  Rendered rendered;
  rendered.text = out.take_bytes();
  rendered.from_input = out.take_input();
  return rendered;
}

}  // namespace cairn::tokenizer

#include "server/parts/call_form.h"

#include <utility>

namespace cairn::server {
namespace {

using runtime::GrammarNode;

GrammarNode nothing(const CallForm& form) { return form.grammar.literal(""); }

}  // namespace

GrammarNode pieces(const CallForm& form, const Pieces& texts) {
  std::vector<GrammarNode> parts = {nothing(form)};
  for (const std::string_view text : texts) {
    parts.push_back(form.grammar.literal(std::string(text), form.control(text)));
  }
  return form.grammar.sequence(std::move(parts));
}

Result<GrammarNode> arguments_of(const CallForm& form, const FormTool& tool) {
  if (tool.parameters.is_null()) return form.grammar.any_object();
  Json schema = tool.parameters;
  const bool elsewhere = schema.contains("$ref");
  if (!schema.contains("type") && !elsewhere) schema["type"] = "object";
  if (!elsewhere && schema["type"] != "object") {
    return invalid_argument("#: type has to be object, since arguments have names")
        .in(tool.where + ".parameters");
  }
  Result<GrammarNode> node = runtime::add_json_schema(form.grammar, schema);
  if (!node.ok()) return node.status().in(tool.where + ".parameters");
  return *node;
}

Result<GrammarNode> one_call(const CallForm& form, const std::vector<CallLayout>& layouts) {
  std::vector<GrammarNode> ways;
  for (const FormTool& tool : form.tools) {
    CAIRN_ASSIGN(const GrammarNode arguments, arguments_of(form, tool));
    for (const CallLayout& layout : layouts) {
      ways.push_back(form.grammar.sequence(
          {pieces(form, layout.before_name), form.grammar.literal(tool.name),
           pieces(form, layout.after_name), arguments, pieces(form, layout.after_arguments)}));
    }
  }
  return form.grammar.choice(std::move(ways));
}

GrammarNode calls_after(const CallForm& form, GrammarNode one, GrammarNode separator) {
  if (form.count == CallCount::kOne) return one;
  const GrammarNode more = form.grammar.reserve();
  form.grammar.set_parts(more, {nothing(form), form.grammar.sequence({separator, one, more})});
  return form.grammar.sequence({one, more});
}

GrammarNode marked_calls(const CallForm& form, const CallShape& shape, GrammarNode one) {
  runtime::Grammar& grammar = form.grammar;
  if (form.calls == CallsAre::kOptional) {
    const GrammarNode text = grammar.reserve();
    const GrammarNode marker =
        grammar.until(std::string(shape.open), form.control(shape.open), runtime::MayEnd::kYes);
    const bool several = form.count == CallCount::kAny;
    // The way without anything more gives the rule, which holds itself, an end.
    grammar.set_parts(
        text, {nothing(form), grammar.sequence({marker, one, several ? text : nothing(form)})});
    return text;
  }
  const GrammarNode marked = grammar.sequence({pieces(form, {shape.open}), one});
  const GrammarNode between =
      grammar.choice({nothing(form), grammar.literal(std::string(shape.separator))});
  const GrammarNode tail = grammar.choice({nothing(form), pieces(form, {shape.tail})});
  return grammar.sequence({pieces(form, {shape.lead}), calls_after(form, marked, between), tail});
}

}  // namespace cairn::server

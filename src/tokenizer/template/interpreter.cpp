#include "tokenizer/template/interpreter.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tokenizer/template/filters.h"
#include "tokenizer/template/frame.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {

void Interpreter::execute(const Program& program, TextBuilder& out) {
  const Frame frame(*this, nullptr, &out);
  execute_body(program.body);
}

Interpreter::Flow Interpreter::execute_body(const Body& body) {
  for (const StatementPtr& statement : body) {
    if (run_.failed()) return Flow::kNext;
    const Flow flow = execute_statement(*statement);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Interpreter::Flow Interpreter::execute_statement(const Statement& statement) {
  const Level level(run_);
  if (!level.fits() || !run_.step()) return Flow::kNext;
  run_.set_line(statement.line);
  switch (statement.kind) {
    case StatementKind::kData:
    case StatementKind::kOutput:
      execute_output(statement);
      return Flow::kNext;
    case StatementKind::kFor:
      execute_for(statement);
      return Flow::kNext;
    case StatementKind::kIf:
      return execute_if(statement);
    case StatementKind::kSet:
      assign(*statement.target, evaluate(*statement.value));
      return Flow::kNext;
    case StatementKind::kSetBlock:
      return execute_set_block(statement);
    case StatementKind::kMacro:
      define_macro(statement);
      return Flow::kNext;
    case StatementKind::kCallBlock:
      execute_call_block(statement);
      return Flow::kNext;
    case StatementKind::kFilterBlock:
      return execute_filter_block(statement);
    case StatementKind::kWith:
      return execute_with(statement);
    case StatementKind::kGeneration:
      execute_generation(statement);
      return Flow::kNext;
    case StatementKind::kBreak:
      return Flow::kBreak;
    case StatementKind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNext;
}

void Interpreter::execute_output(const Statement& statement) {
  if (statement.kind == StatementKind::kData) {
    print(run_, statement.text, *out_);
    return;
  }
  for (const ExpressionPtr& expression : statement.expressions) {
    const Value value = evaluate(*expression);
    if (!run_.failed()) print(run_, value, *out_);
  }
}

Interpreter::Flow Interpreter::execute_if(const Statement& statement) {
  for (std::size_t i = 0; i < statement.branches.size(); ++i) {
    const bool taken = truthy(evaluate(*statement.expressions[i]));
    if (run_.failed()) return Flow::kNext;
    if (taken) return execute_body(statement.branches[i]);
  }
  return execute_body(statement.otherwise);
}

void Interpreter::execute_for(const Statement& statement) {
  const Value items = evaluate(*statement.value);
  if (run_.failed()) return;
  run_loop(statement, items, 0);
}

void Interpreter::run_loop(const Statement& statement, const Value& items, std::size_t depth0) {
  const std::shared_ptr<Scope> outer = scope_;
  auto loop = std::make_shared<Loop>();
  if (!statement.test) loop->length = length_of(items);
  loop->source = [source = ItemSource(run_, items)]() mutable { return source.next(); };
  loop->depth0 = depth0;
  if (statement.recursive) {
    loop->recursive = &statement;
    loop->outer = outer;
  }
  if (statement.test) {
    loop->accepts = [this, &statement, outer](const Value& item) {
      const Frame frame(*this, outer, out_);
      assign(*statement.target, item);
      return truthy(evaluate(*statement.test)) || run_.failed();
    };
  }
  bool finished_one = false;
  while (!run_.failed() && loop->advance()) {
    if (!run_.step()) break;
    const Frame frame(*this, outer, out_);
    scope_->names["loop"] = Value(loop);
    assign(*statement.target, loop->current);
    const Flow flow = execute_body(statement.body);
    if (flow == Flow::kBreak) break;
    finished_one = finished_one || flow == Flow::kNext;
  }
  loop->close();
  // As jinja2 compiles it: `else` runs unless some round reached the end of the body.
  if (!finished_one && !statement.otherwise.empty() && !run_.failed()) {
    const Frame frame(*this, outer, out_);
    execute_body(statement.otherwise);
  }
}

Interpreter::Flow Interpreter::execute_with(const Statement& statement) {
  std::vector<Value> values;
  for (std::size_t i = 1; i < statement.expressions.size(); i += 2) {
    values.push_back(evaluate(*statement.expressions[i]));
  }
  const Frame frame(*this, scope_, out_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    assign(*statement.expressions[2 * i], values[i]);
  }
  return execute_body(statement.body);
}

Interpreter::Flow Interpreter::execute_set_block(const Statement& statement) {
  TextBuilder out;
  {
    const Frame frame(*this, scope_, &out);
    const Flow flow = execute_body(statement.body);
    if (flow != Flow::kNext) return flow;
  }
  Value text = run_.text(std::move(out));
  if (statement.value) text = evaluate_filter(*statement.value, text);
  assign(*statement.target, text);
  return Flow::kNext;
}

Interpreter::Flow Interpreter::execute_filter_block(const Statement& statement) {
  TextBuilder out;
  {
    const Frame frame(*this, scope_, &out);
    const Flow flow = execute_body(statement.body);
    if (flow != Flow::kNext) return flow;
  }
  const Value text = run_.text(std::move(out));
  const Value filtered = evaluate_filter(*statement.value, text);
  if (!run_.failed()) print(run_, filtered, *out_);
  return Flow::kNext;
}

void Interpreter::execute_generation(const Statement& statement) {
  TextBuilder out;
  {
    const Frame frame(*this, scope_, &out);
    execute_body(statement.body);
  }
  const Value text = run_.text(std::move(out));
  if (!run_.failed()) print(run_, text, *out_);
}

void Interpreter::assign(const Expression& target, const Value& value) {
  if (run_.failed()) return;
  switch (target.kind) {
    case ExpressionKind::kName:
      scope_->names[target.name] = value;
      return;
    case ExpressionKind::kNamespaceField:
      return assign_field(target, value);
    default:
      return assign_tuple(target, value);
  }
}

void Interpreter::assign_field(const Expression& target, const Value& value) {
  const Value space = evaluate_name(target);
  if (!space.is(ValueKind::kNamespace)) {
    run_.fail("cannot assign attribute on non-namespace object");
  } else if (target.field[0] == '_') {
    run_.fail("namespace fields cannot begin with an underscore");
  } else if (Value* field = space.name_space().find(target.field)) {
    *field = value;
  } else {
    space.name_space().fields.emplace_back(target.field, value);
  }
}

void Interpreter::assign_tuple(const Expression& target, const Value& value) {
  const std::vector<Value> parts = iterate(run_, value);
  if (run_.failed()) return;
  if (parts.size() != target.items.size()) {
    run_.fail(
        fmt::format("cannot unpack {} values into {} names", parts.size(), target.items.size()));
    return;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) assign(*target.items[i], parts[i]);
}

}  // namespace cairn::tokenizer::jinja

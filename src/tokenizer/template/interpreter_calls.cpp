// Calls: functions, methods, macros, call blocks, loop(...).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "tokenizer/template/arguments.h"
#include "tokenizer/template/frame.h"
#include "tokenizer/template/interpreter.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

/// Takes the keyword `name` out of `arguments`; missing when it was not given.
Value take_keyword(Arguments& arguments, std::string_view name) {
  auto& keywords = arguments.keywords;
  const auto found = std::find_if(keywords.begin(), keywords.end(),
                                  [name](const auto& keyword) { return keyword.first == name; });
  if (found == keywords.end()) return {};
  Value value = std::move(found->second);
  keywords.erase(found);
  return value;
}

}  // namespace

Arguments Interpreter::evaluate_arguments(const CallArguments& call) {
  Arguments arguments;
  for (const ExpressionPtr& value : call.positional) {
    arguments.positional.push_back(evaluate(*value));
  }
  if (call.star) {
    for (Value& item : iterate(run_, evaluate(*call.star))) {
      arguments.positional.push_back(std::move(item));
    }
  }
  for (const auto& [name, value] : call.keywords) {
    arguments.keywords.emplace_back(name, evaluate(*value));
  }
  if (call.double_star) add_keywords(evaluate(*call.double_star), arguments);
  return arguments;
}

void Interpreter::add_keywords(const Value& mapping, Arguments& arguments) {
  if (run_.failed()) return;
  if (!mapping.is(ValueKind::kDict)) {
    run_.fail(fmt::format("argument after ** must be a mapping, not {}", type_name(mapping)));
    return;
  }
  const std::size_t named = arguments.keywords.size();
  for (const Entry& entry : mapping.dict().entries) {
    if (!entry.key.is_string()) {
      run_.fail("keywords must be strings");
      return;
    }
    const std::string& name = entry.key.text().bytes;
    for (std::size_t i = 0; i < named; ++i) {
      if (arguments.keywords[i].first == name) {
        run_.fail(fmt::format("got multiple values for keyword argument '{}'", name));
        return;
      }
    }
    if (!run_.step(1 + named)) return;
    arguments.keywords.emplace_back(name, entry.value);
  }
}

Value Interpreter::evaluate_call(const Expression& expression, const Value* caller) {
  Value callee = evaluate(*expression.items[0]);
  if (run_.failed()) return callee;
  Arguments arguments = evaluate_arguments(*expression.call);
  if (caller != nullptr) arguments.keywords.emplace_back("caller", *caller);
  run_.set_line(expression.line);
  if (run_.failed()) return callee;
  return call(callee, std::move(arguments));
}

Value Interpreter::call(const Value& callee, Arguments arguments) {
  switch (callee.kind()) {
    case ValueKind::kFunction:
      return call_builtin(run_, callee.function(), Value(), std::move(arguments));
    case ValueKind::kMethod:
      return call_builtin(run_, *callee.method().row, callee.method().self, std::move(arguments));
    case ValueKind::kMacro:
      return call_macro(callee.macro(), std::move(arguments));
    case ValueKind::kLoop:
      return recurse(callee.loop(), arguments);
    case ValueKind::kCounter: {
      Counter& counter = callee.counter();
      if (counter.kind != CounterKind::kJoiner) break;
      const bool first = counter.position++ == 0;
      return first ? run_.text(std::string()) : counter.items[0];
    }
    case ValueKind::kMissing:
    case ValueKind::kUndefined:
      return fail_undefined(run_, callee);
    default:
      break;
  }
  return run_.fail(fmt::format("'{}' object is not callable", type_name(callee)));
}

Value Interpreter::recurse(Loop& loop, const Arguments& arguments) {
  if (loop.recursive == nullptr) {
    return run_.fail("the loop must have the 'recursive' marker to be called recursively");
  }
  if (!loop.open) return run_.fail("a loop that has ended cannot be called");
  if (arguments.positional.size() != 1 || !arguments.keywords.empty()) {
    return run_.fail("loop() takes one iterable");
  }
  const Level level(run_);
  if (!level.fits()) return run_.fail("");
  TextBuilder out;
  {
    const std::shared_ptr<Scope> scope = std::exchange(scope_, loop.outer);
    TextBuilder* const before = std::exchange(out_, &out);
    run_loop(*loop.recursive, arguments.positional[0], loop.depth0 + 1);
    scope_ = scope;
    out_ = before;
  }
  return run_.text(std::move(out));
}

void Interpreter::define_macro(const Statement& statement) {
  auto macro = std::make_unique<Macro>();
  macro->definition = &statement;
  macro->closure = scope_;
  macro->charge = Charge(run_.meter(), sizeof(Macro) + sizeof(Scope) + 256);
  scope_->names[statement.name] = Value(run_.keep(std::move(macro)));
  if (run_.meter().full()) run_.allow_bytes(1);
}

void Interpreter::execute_call_block(const Statement& statement) {
  auto macro = std::make_unique<Macro>();
  macro->definition = &statement;
  macro->closure = scope_;
  macro->charge = Charge(run_.meter(), sizeof(Macro) + sizeof(Scope) + 256);
  const Value caller(run_.keep(std::move(macro)));
  if (run_.meter().full()) run_.allow_bytes(1);
  const Value result = evaluate_call(*statement.value, &caller);
  if (!run_.failed()) print(run_, result, *out_);
}

Value Interpreter::call_macro(const Macro& macro, Arguments arguments) {
  const Level level(run_);
  if (!level.fits() || !run_.step()) return run_.fail("");
  TextBuilder out;
  {
    const Frame frame(*this, macro.closure, &out);
    bind_macro(macro, arguments, *scope_);
    if (!run_.failed()) execute_body(macro.definition->body);
  }
  return run_.text(std::move(out));
}

void Interpreter::bind_macro(const Macro& macro, Arguments& arguments, Scope& scope) {
  const Statement& definition = *macro.definition;
  std::vector<Value> given;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    given.push_back(i < arguments.positional.size()
                        ? arguments.positional[i]
                        : take_keyword(arguments, definition.parameters[i].name));
  }
  bind_specials(definition, arguments, scope);
  // Defaults see the parameters before them.
  for (std::size_t i = 0; i < given.size() && !run_.failed(); ++i) {
    const Parameter& parameter = definition.parameters[i];
    if (given[i].missing()) {
      given[i] =
          parameter.fallback
              ? evaluate(*parameter.fallback)
              : run_.undefined(fmt::format("parameter '{}' was not provided", parameter.name));
    }
    scope.names[parameter.name] = given[i];
  }
}

void Interpreter::bind_specials(const Statement& definition, Arguments& arguments, Scope& scope) {
  const std::size_t count = definition.parameters.size();
  if (definition.takes_caller) {
    Value caller = take_keyword(arguments, "caller");
    if (caller.missing()) caller = run_.undefined("No caller defined");
    scope.names["caller"] = std::move(caller);
  }
  if (definition.takes_kwargs) {
    std::vector<Entry> entries;
    for (auto& [name, value] : arguments.keywords) {
      entries.push_back({.key = run_.text(name), .value = std::move(value)});
    }
    scope.names["kwargs"] = run_.dict(std::move(entries));
  } else if (!arguments.keywords.empty()) {
    run_.fail(fmt::format("macro '{}' takes no keyword argument '{}'", definition.name,
                          arguments.keywords[0].first));
  }
  std::vector<Value>& positional = arguments.positional;
  if (definition.takes_varargs) {
    const auto from =
        positional.begin() + static_cast<std::ptrdiff_t>(std::min(count, positional.size()));
    scope.names["varargs"] =
        run_.list(std::vector<Value>(from, positional.end()), ListKind::kTuple);
  } else if (positional.size() > count) {
    run_.fail(fmt::format("macro '{}' takes not more than {} argument(s)", definition.name, count));
  }
}

}  // namespace cairn::tokenizer::jinja

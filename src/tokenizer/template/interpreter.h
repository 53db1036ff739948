// Runs a parsed template.
#pragma once

#include <cstdint>
#include <memory>

#include "tokenizer/template/ast.h"
#include "tokenizer/template/loop.h"
#include "tokenizer/template/macro.h"
#include "tokenizer/template/run.h"
#include "tokenizer/template/text.h"

namespace cairn::tokenizer::jinja {

/// Evaluates statements and expressions of one render. One thread.
class Interpreter {
 public:
  /// `context` is a dict: the names a template finds when no block has set them.
  Interpreter(Run& run, const Value& context) : run_(run), context_(context) {}

  /// Runs the template; the text is in `out`, the error in the Run.
  void execute(const Program& program, TextBuilder& out);

 private:
  /// How a statement ended.
  enum class Flow : std::uint8_t { kNext, kBreak, kContinue };

  /// Sets scope and output while it lives.
  class Frame;
  /// Counts one level of evaluation while it lives.
  class Level;

  Flow execute_body(const Body& body);
  Flow execute_statement(const Statement& statement);
  void execute_output(const Statement& statement);
  Flow execute_if(const Statement& statement);
  void execute_for(const Statement& statement);
  Flow execute_with(const Statement& statement);
  Flow execute_set_block(const Statement& statement);
  Flow execute_filter_block(const Statement& statement);
  void execute_call_block(const Statement& statement);
  void execute_generation(const Statement& statement);
  void define_macro(const Statement& statement);

  /// One run of a for statement over `items`, into the current output.
  void run_loop(const Statement& statement, const Value& items, std::size_t depth0);
  Value recurse(Loop& loop, const Arguments& arguments);

  void assign(const Expression& target, const Value& value);
  void assign_field(const Expression& target, const Value& value);
  void assign_tuple(const Expression& target, const Value& value);

  Value evaluate(const Expression& expression);
  Value evaluate_kind(const Expression& expression);
  Value evaluate_name(const Expression& expression);
  Value evaluate_sequence(const Expression& expression, ListKind kind);
  Value evaluate_dict(const Expression& expression);
  Value evaluate_slice(const Expression& expression);
  Value evaluate_conditional(const Expression& expression);
  Value evaluate_compare(const Expression& expression);
  Value evaluate_sign(const Expression& expression);
  Value evaluate_concat(const Expression& expression);
  Value evaluate_call(const Expression& expression, const Value* caller);
  Value evaluate_filter(const Expression& expression, const Value& input);
  Value evaluate_test(const Expression& expression);
  Arguments evaluate_arguments(const CallArguments& call);
  void add_keywords(const Value& mapping, Arguments& arguments);

  Value call(const Value& callee, Arguments arguments);
  Value call_macro(const Macro& macro, Arguments arguments);
  void bind_macro(const Macro& macro, Arguments& arguments, Scope& scope);
  void bind_specials(const Statement& definition, Arguments& arguments, Scope& scope);

  Run& run_;
  const Value& context_;
  std::shared_ptr<Scope> scope_;
  TextBuilder* out_ = nullptr;
};

}  // namespace cairn::tokenizer::jinja

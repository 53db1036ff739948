// One render: what it has spent, its first error, and the makers of values.
//
// An error is kept here rather than returned by every function: fail() stores the first one and
// gives back an undefined value; whoever loops or has effects asks failed(), and the interpreter
// leaves at the next statement. The text of a failed render is thrown away.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/template/chat_template.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// State of one render. One thread.
class Run {
 public:
  explicit Run(const RenderOptions& options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const RenderOptions& options() const { return options_; }
  const Status& status() const { return status_; }
  bool failed() const { return !status_.ok(); }
  Meter& meter() { return meter_; }

  /// The template line that errors are reported on.
  void set_line(int line) { line_ = line; }
  int line() const { return line_; }

  /// Keep the first error: wrong use, a limit, the template's own refusal. All give undefined.
  Value fail(std::string_view reason);
  Value refuse(std::string_view limit);
  Value raise(std::string message);

  /// Spends `count` steps; false when the run has failed or these were too many.
  bool step(std::uint64_t count = 1);
  /// Asks whether `bytes` more of text may be made, and spends steps for them.
  bool allow_bytes(std::uint64_t bytes);

  /// Makers: each checks the limits and charges the memory.
  Value text(std::string_view bytes);
  Value text(TextBuilder builder);
  /// Made from `origin`: input as a whole when any byte of `origin` is; stays markup.
  Value text_from(const Text& origin, std::string_view bytes);
  Value slice_text(const Text& origin, std::size_t begin, std::size_t end);
  Value markup(TextBuilder builder);
  Value list(std::vector<Value> items, ListKind kind = ListKind::kList);
  Value range(std::vector<Value> items, const RangeBounds& bounds);
  /// A pair of groupby().
  Value group(const Value& key, const Value& members);
  Value dict(std::vector<Entry> entries);
  Value generator(std::vector<Value> items);
  /// Makes its items when they are asked for, from `source`, which `make` holds.
  Value generator(std::function<Value()> make, const Value& source);
  Value bound(const Value& self, const Builtin& row);
  Value undefined(std::string message);
  Namespace* make_namespace();
  const Macro* keep(std::unique_ptr<const Macro> macro);

  std::size_t depth = 0;  // of nested evaluation; the interpreter counts

 private:
  std::shared_ptr<List> make_list(std::vector<Value> items, ListKind kind);
  bool depth_fits(unsigned value_depth);

  const RenderOptions& options_;
  Status status_;
  Meter meter_;
  std::uint64_t steps_ = 0;
  int line_ = 1;
  std::vector<std::unique_ptr<Namespace>> namespaces_;
  std::vector<std::unique_ptr<const Macro>> macros_;
};

}  // namespace cairn::tokenizer::jinja

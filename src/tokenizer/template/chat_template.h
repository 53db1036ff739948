// Chat templates: the Jinja subset that model files carry, rendered as transformers renders them.
//
// Purpose     parse() turns a template into a tree once; render() runs it over a JSON context and
//             also says which bytes of the text came from the context's strings.
// Invariants  output and refusals equal Python's jinja2 3.1.6 in the immutable sandbox with
//             trim_blocks, lstrip_blocks and loop controls (tests/templates compares them);
//             lists and dicts never change, so templates that call append or pop are refused;
//             nothing a template can say runs past RenderLimits.
// Threads     a ChatTemplate never changes: render() may run on many threads at once.
// Adding      a filter, test, method or global: one function and one row in filters_*.cpp,
//             builtin_tests.cpp, methods_*.cpp or globals.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "tokenizer/template/text.h"

namespace cairn::tokenizer {

namespace jinja {
struct Program;
}

/// The local time that strftime_now() prints.
struct LocalTime {
  int year = 1970;
  int month = 1;  // 1 to 12
  int day = 1;    // 1 to 31
  int hour = 0;
  int minute = 0;
  int second = 0;
  int microsecond = 0;
};

/// What one render may spend; past any of these it is refused with kTooLarge.
struct RenderLimits {
  std::uint64_t steps_max = 10'000'000;        // nodes, loop rounds, items, 256 bytes of text
  std::size_t output_bytes_max = 64U << 20U;   // the rendered text, and any one string
  std::size_t memory_bytes_max = 256U << 20U;  // strings, lists and dicts alive at once
  std::size_t depth_max = 600;                 // nested expressions, statements and macros
  std::size_t range_items_max = 100'000;       // range(): Python's sandbox has the same bound
};

/// How a context is read and what a render may spend.
struct RenderOptions {
  /// For strftime_now(); without it a template that asks for the time is refused.
  std::optional<LocalTime> now;
  /// Names at the top of the context whose strings are the model's own, not input.
  std::vector<std::string> trusted_keys = {"bos_token", "eos_token", "unk_token", "sep_token",
                                           "pad_token", "cls_token", "mask_token"};
  /// Values of messages[].role that are not input: templates build turn markers from them.
  std::vector<std::string> trusted_roles = {"system",   "user",      "assistant", "tool",
                                            "function", "developer", "ipython"};
  RenderLimits limits = {};
};

/// A rendered prompt.
struct Rendered {
  std::string text;
  /// Byte ranges that came from strings (and keys) of the context: in order, never touching. They
  /// are to be tokenized as plain text. Text that was changed beyond slicing, joining, stripping,
  /// splitting and replacing counts as input whole.
  std::vector<TextSpan> from_input;
};

/// One parsed template.
class ChatTemplate {
 public:
  /// Errors: kInvalidArgument with the line and the reason, also for text that is not UTF-8;
  /// kTooLarge for more than 4 MiB.
  static Result<ChatTemplate> parse(std::string_view source);

  ChatTemplate(ChatTemplate&&) noexcept;
  ChatTemplate& operator=(ChatTemplate&&) noexcept;
  ~ChatTemplate();

  /// Renders over `context`, an object (messages, tools, add_generation_prompt, ...).
  /// Errors: kInvalidArgument with the line and the reason, or with exactly the template's own
  /// message where it calls raise_exception; kTooLarge when a limit is reached.
  Result<Rendered> render(const Json& context, const RenderOptions& options) const;

 private:
  explicit ChatTemplate(std::unique_ptr<const jinja::Program> program);

  std::unique_ptr<const jinja::Program> program_;
};

}  // namespace cairn::tokenizer

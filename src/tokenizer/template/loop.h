// The `loop` variable of a for statement: its items, which it may have to ask for one by one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

struct Scope;

/// The state of one for loop. close() at its end lets go of everything that could refer back.
struct Loop {
  std::function<Value()> source;              // the next item; missing at the end
  std::function<bool(const Value&)> accepts;  // the `if` of the for statement; none: all
  std::optional<std::size_t> length;          // once it is known
  std::size_t index0 = 0;
  Value before;
  Value current;
  Value after;  // the item peeked at; missing: none
  Value changed;
  std::size_t depth0 = 0;
  const Statement* recursive = nullptr;  // set for `recursive` loops
  std::shared_ptr<Scope> outer;
  bool open = true;

  /// Steps to the next item, the new `current`; false at the end.
  bool advance();
  /// The item after the current one; missing at the end.
  const Value& peek();
  std::size_t count();
  void close();

 private:
  Value pull();
};

/// The property `name` of a loop (index, first, previtem, ...); missing when it has none.
Value loop_property(Run& run, Loop& loop, std::string_view name);

}  // namespace cairn::tokenizer::jinja

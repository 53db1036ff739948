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
  std::vector<Value> items;
  std::size_t position = 0;                   // of the next item to ask for
  std::function<bool(const Value&)> accepts;  // the `if` of the for statement; none: all
  bool sized = false;                         // Python knows the length without looking
  std::optional<std::size_t> length;
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

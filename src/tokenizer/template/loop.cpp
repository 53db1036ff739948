#include "tokenizer/template/loop.h"

#include "tokenizer/template/run.h"

namespace cairn::tokenizer::jinja {

Value Loop::pull() {
  if (!source) return {};
  for (Value item = source(); !item.missing(); item = source()) {
    if (!accepts || accepts(item)) return item;
  }
  return {};
}

bool Loop::advance() {
  Value next = after.missing() ? pull() : std::move(after);
  after = Value();
  if (next.missing()) return false;
  if (!current.missing()) ++index0;
  before = std::move(current);
  current = std::move(next);
  return true;
}

const Value& Loop::peek() {
  if (after.missing()) after = pull();
  return after;
}

std::size_t Loop::count() {
  if (length) return *length;
  // Python reads the rest of the iterator to know its length; so is it here.
  std::vector<Value> rest;
  if (!after.missing()) rest.push_back(std::move(after));
  after = Value();
  for (Value item = pull(); !item.missing(); item = pull()) rest.push_back(std::move(item));
  const std::size_t started = current.missing() ? 0 : index0 + 1;
  length = started + rest.size();
  accepts = nullptr;
  source = [items = std::move(rest), position = std::size_t{0}]() mutable {
    return position < items.size() ? items[position++] : Value();
  };
  return *length;
}

void Loop::close() {
  open = false;
  source = nullptr;
  accepts = nullptr;
  outer.reset();
  changed = Value();
  before = Value();
  after = Value();
  current = Value();
}

Value loop_property(Run& run, Loop& loop, std::string_view name) {
  const auto number = [](std::size_t value) { return Value(static_cast<Int>(value)); };
  if (name == "index") return number(loop.index0 + 1);
  if (name == "index0") return number(loop.index0);
  if (name == "first") return Value(loop.index0 == 0);
  if (name == "last") return Value(loop.peek().missing());
  if (name == "length") return number(loop.count());
  if (name == "revindex") return number(loop.count() - loop.index0);
  if (name == "revindex0") return number(loop.count() - loop.index0 - 1);
  if (name == "depth") return number(loop.depth0 + 1);
  if (name == "depth0") return number(loop.depth0);
  if (name == "previtem") {
    return loop.index0 == 0 ? run.undefined("there is no previous item") : loop.before;
  }
  if (name == "nextitem") {
    const Value& next = loop.peek();
    return next.missing() ? run.undefined("there is no next item") : next;
  }
  return {};
}

}  // namespace cairn::tokenizer::jinja

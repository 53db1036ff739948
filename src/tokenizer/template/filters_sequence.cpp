// Filters that count, sum, cut and turn sequences.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

Value sum(Run& run, const Value& self, const Arguments& arguments) {
  Value total = arguments.has(1) ? arguments.at(1) : Value(Int{0});
  if (total.is_string()) return run.fail("sum() can't sum strings");
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    const Value& path = arguments.at(0);
    const bool whole = path.missing() || path.none();
    total = calculate(run, Operator::kAdd, total, whole ? item : get_path(run, item, path));
  }
  return total;
}

Value length(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const auto size = length_of(self);
  if (size) return Value(static_cast<Int>(*size));
  return run.fail(fmt::format("object of type '{}' has no len()", type_name(self)));
}

Value list(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return run.list(iterate(run, self));
}

Value items(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.undefined()) return run.generator({});
  if (!self.is(ValueKind::kDict)) return run.fail("Can only get item pairs from a mapping.");
  return run.generator(pairs_of(run, self.dict()));
}

Value first(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const Value item = ItemSource(run, self).next();
  return item.missing() ? run.undefined("No first item, sequence was empty.") : item;
}

bool reversible(const Value& value) {
  return value.is_string() || value.is(ValueKind::kList) || value.is(ValueKind::kDict);
}

Value last(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.undefined()) return fail_undefined(run, self);
  if (!reversible(self)) {
    return run.fail(fmt::format("'{}' object is not reversible", type_name(self)));
  }
  const std::vector<Value> all = iterate(run, self);
  return all.empty() ? run.undefined("No last item, sequence was empty.") : all.back();
}

Value reverse(Run& run, const Value& self, const Arguments& /*arguments*/) {
  std::vector<Value> all = iterate(run, self);
  std::reverse(all.begin(), all.end());
  if (self.is_string()) {
    std::string out;
    for (const Value& item : all) {
      if (!item.is_string()) break;
      out += item.text().bytes;
    }
    return run.text_from(self.text(), std::move(out));
  }
  return reversible(self) ? run.generator(std::move(all)) : run.list(std::move(all));
}

Value batch(Run& run, const Value& self, const Arguments& arguments) {
  const Int count = int_argument(run, arguments, 0, 0);
  const std::vector<Value> all = iterate(run, self);
  const bool fills = arguments.has(1) && !arguments.at(1).none();
  std::vector<Value> rows;
  std::vector<Value> row;
  // A count of 0 gives an empty row and then one of all items, one below 0 the latter.
  for (const Value& item : all) {
    if (run.failed()) break;
    if (static_cast<Int>(row.size()) == count) rows.push_back(run.list(std::exchange(row, {})));
    row.push_back(item);
  }
  const auto size = static_cast<Int>(row.size());
  if (fills && size != 0 && size < count) {
    const Int bytes = (std::min(count, Int{1} << 40) - size) * static_cast<Int>(sizeof(Value));
    if (!run.allow_bytes(static_cast<std::uint64_t>(bytes))) return run.fail("");
    row.resize(static_cast<std::size_t>(count), arguments.at(1));
  }
  if (!row.empty()) rows.push_back(run.list(std::move(row)));
  return run.generator(std::move(rows));
}

Value slice(Run& run, const Value& self, const Arguments& arguments) {
  const Int wanted = int_argument(run, arguments, 0, 0);
  const std::vector<Value> all = iterate(run, self);
  if (wanted == 0) return run.fail("integer division or modulo by zero");
  if (wanted > Int{1'000'000}) return run.refuse("slice wants at most 1000000 slices");
  const auto count = static_cast<std::size_t>(std::max(wanted, Int{0}));
  if (run.failed() || !run.step(count)) return run.fail("");
  const bool fills = arguments.has(1) && !arguments.at(1).none();
  std::vector<Value> columns;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count && !run.failed(); ++i) {
    const std::size_t size = all.size() / count + (i < all.size() % count ? 1 : 0);
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<Value> column(from, from + static_cast<std::ptrdiff_t>(size));
    if (fills && i >= all.size() % count) column.push_back(arguments.at(1));
    columns.push_back(run.list(std::move(column)));
    begin += size;
  }
  return run.generator(std::move(columns));
}

constexpr std::array<Builtin, 10> kFiltersSequenceRows = {{
    {"batch", "linecount fill_with", 1, &batch},
    {"count", "", 0, &length},
    {"first", "", 0, &first},
    {"items", "", 0, &items},
    {"last", "", 0, &last},
    {"length", "", 0, &length},
    {"list", "", 0, &list},
    {"reverse", "", 0, &reverse},
    {"slice", "slices fill_with", 1, &slice},
    {"sum", "attribute start", 0, &sum},
}};

}  // namespace

std::span<const Builtin> sequence_filters() { return kFiltersSequenceRows; }

}  // namespace cairn::tokenizer::jinja

// Attributes, subscripts and slices.
#pragma once

#include <string_view>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// value.name: the method or property first, then the item; undefined where there is neither.
/// What would change a list or dict, and names with a leading underscore, are undefined with the
/// reason. Fails the run on an undefined value.
Value get_attribute(Run& run, const Value& value, std::string_view name);

/// value[key]: the item first, then for a string key the method or property.
Value get_item(Run& run, const Value& value, const Value& key);

/// The three bounds of a slice; missing or None: left out.
struct SliceBounds {
  Value begin;
  Value end;
  Value step;
};
/// value[begin:end:step]; fails the run where Python raises.
Value get_slice(Run& run, const Value& value, const SliceBounds& bounds);

/// The value at an attribute path as filters take it ("a.b.0", or an integer).
Value get_path(Run& run, const Value& value, const Value& path);

/// The row of `name` among the methods of the type of `value`, or nullptr.
const Builtin* find_method(const Value& value, std::string_view name);
/// Whether the method `name` would change a list or dict.
bool changes(const Value& value, std::string_view name);

}  // namespace cairn::tokenizer::jinja

#include "evidence/wire/encode.h"

namespace cairn::evidence {

Value encode_value(const std::string& value) { return Value(value); }
Value encode_value(bool value) { return Value(value); }
Value encode_value(std::int64_t value) { return number_value(value); }
Value encode_value(std::uint64_t value) { return number_value(value); }
Value encode_value(double value) { return number_value(value); }
Value encode_value(const Value& value) { return value; }

}  // namespace cairn::evidence

#include "evidence/wire/decode.h"

#include <charconv>

#include "base/ascii.h"

namespace cairn::evidence {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return lower_ascii(a) == lower_ascii(b);
}

/// "a string", with the value where it is short.
std::string describe_value(const Value& value) {
  if (value.kind() == Kind::kString) return "the string " + quote(value.text());
  if (value.kind() == Kind::kNumber) return "the number " + value.number().text;
  return std::string(kind_name(value.kind()));
}

template <typename T>
void decode_integer(const Value& value, const std::string& path, T& out, Decoding& state,
                    std::string_view accepted) {
  if (value.kind() == Kind::kNull) {
    expect_kind(value, Kind::kNumber, path, state);
    return;
  }
  if (value.kind() == Kind::kNumber) {
    const std::string& text = value.number().text;
    T parsed = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (end.ec == std::errc() && end.ptr == text.data() + text.size()) {
      out = parsed;
      return;
    }
  }
  state.fail("J-03", path, describe_value(value), std::string(accepted));
}

}  // namespace

void Decoding::fail(std::string_view id, std::string path, std::string found,
                    std::string accepted) {
  if (failed() || !on(id)) return;
  Report(id, findings_).add(std::move(path), std::move(found), std::move(accepted));
}

void Decoding::fail_missing(std::string_view id, std::string path, std::string found,
                            std::string accepted) {
  if (failed() || !on(id) || !on(missing_id_)) return;
  fail(id, std::move(path), std::move(found), std::move(accepted));
  if (missing_id_ != "J-16")
    findings_[0].ids.insert(findings_[0].ids.begin(), std::string(missing_id_));
}

bool expect_kind(const Value& value, Kind kind, const std::string& path, Decoding& state) {
  if (value.kind() == kind) return true;
  const std::string accepted(kind_name(kind));
  if (value.kind() == Kind::kNull) {
    state.fail_missing("J-07", path, "null", accepted);
  } else {
    state.fail("J-16", path, describe_value(value), accepted);
  }
  return false;
}

void decode_value(const Value& value, const std::string& path, std::string& out, Decoding& state) {
  if (expect_kind(value, Kind::kString, path, state)) out = value.text();
}

void decode_value(const Value& value, const std::string& path, bool& out, Decoding& state) {
  if (expect_kind(value, Kind::kBool, path, state)) out = value.flag();
}

void decode_value(const Value& value, const std::string& path, std::int64_t& out, Decoding& state) {
  decode_integer(value, path, out, state, "an integer of 64 bits, without fraction or exponent");
}

void decode_value(const Value& value, const std::string& path, std::uint64_t& out,
                  Decoding& state) {
  decode_integer(value, path, out, state,
                 "an integer from 0 of 64 bits, without fraction or exponent");
}

void decode_value(const Value& value, const std::string& path, double& out, Decoding& state) {
  if (value.kind() == Kind::kNumber) {
    out = value.number().value;
  } else if (value.kind() == Kind::kNull) {
    expect_kind(value, Kind::kNumber, path, state);
  } else {
    state.fail("J-04", path, describe_value(value), "a finite number");
  }
}

void decode_value(const Value& value, const std::string&, Value& out, Decoding&) { out = value; }

void DecodeObject::refuse_unknown(const std::vector<std::string_view>& keys) {
  for (const Member& member : object_.members()) {
    if (state_.failed()) return;
    if (std::ranges::find(keys, member.key) != keys.end()) continue;
    const auto other_case = std::ranges::find_if(
        keys, [&](std::string_view key) { return equal_ignoring_case(key, member.key); });
    if (other_case != keys.end()) {
      state_.fail("J-06", member_path(path_, member.key), "this key",
                  "the key " + quote(*other_case) + " in exactly this case");
    } else {
      state_.fail("J-01", member_path(path_, member.key), "an unknown key",
                  "only the document's own keys");
    }
  }
}

const Value* DecodeObject::find(std::string_view key) const {
  if (state_.failed()) return nullptr;
  const Value* value = object_.find(key);
  if (value != nullptr || state_.on("J-06")) return value;
  const auto found = std::ranges::find_if(object_.members(), [&](const Member& member) {
    return equal_ignoring_case(key, member.key);
  });
  return found == object_.members().end() ? nullptr : &found->value;
}

const Value* DecodeObject::find_required(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) {
    state_.fail_missing("J-16", member_path(path_, key), "no such key", "a required key");
  }
  return value;
}

}  // namespace cairn::evidence

// Structs from JSON: one description of a document's keys serves reading and writing.
//
// Purpose     a document's struct has one describe() that names its keys in wire order;
// DecodeObject
//             reads it strictly (J-01, J-03, J-04, J-06..J-08, J-16), encode.h writes it.
// Invariants  the first thing that is wrong stops the reading; nothing missing reads as zero.
// Threads     values; no shared state.
// Adding      a document: a struct, its describe(), and decode<Struct>(text).
//
//   template <class Visitor, Is<Machine> Self>
//   void describe(Visitor& visit, Self& self) {
//     visit.field("scrubbed_id", self.scrubbed_id);
//     visit.optional("note", self.note);  // std::optional: the key may be absent
//   }
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "evidence/wire/finding.h"
#include "evidence/wire/parse.h"
#include "evidence/wire/value.h"

namespace cairn::evidence {

/// `Self` is T or const T.
template <typename Self, typename T>
concept Is = std::same_as<std::remove_const_t<Self>, T>;

/// A type that has a describe().
template <typename T>
concept Struct = std::is_class_v<T>;

/// What a document's readers share: the rules, and the first thing that was wrong.
class Decoding {
 public:
  explicit Decoding(Rules rules, std::string_view missing_id = "J-16")
      : rules_(rules), missing_id_(missing_id) {}

  bool failed() const { return !findings_.empty(); }
  bool on(std::string_view id) const { return rules_.on(id); }
  Rules rules() const { return rules_; }

  /// A finding of `id`, unless that rule is off or there is one already.
  void fail(std::string_view id, std::string path, std::string found, std::string accepted);
  /// J-16 for an absent key, J-07 for a null one; a document with a rule of its own for both
  /// (P-01) leads with that.
  void fail_missing(std::string_view id, std::string path, std::string found, std::string accepted);

  Findings take() && { return std::move(findings_); }

 private:
  Rules rules_;
  std::string_view missing_id_;
  Findings findings_;
};

/// Each reads one value at `path`; on a wrong one `out` stays as it was.
void decode_value(const Value& value, const std::string& path, std::string& out, Decoding& state);
void decode_value(const Value& value, const std::string& path, bool& out, Decoding& state);
void decode_value(const Value& value, const std::string& path, std::int64_t& out, Decoding& state);
void decode_value(const Value& value, const std::string& path, std::uint64_t& out, Decoding& state);
void decode_value(const Value& value, const std::string& path, double& out, Decoding& state);
/// Keeps the tree itself, for a document inside another one.
void decode_value(const Value& value, const std::string& path, Value& out, Decoding& state);
template <typename T>
void decode_value(const Value& value, const std::string& path, std::vector<T>& out,
                  Decoding& state);
template <Struct T>
void decode_value(const Value& value, const std::string& path, T& out, Decoding& state);

/// True when `value` has the kind; else J-07 for null and J-16 for any other kind.
bool expect_kind(const Value& value, Kind kind, const std::string& path, Decoding& state);

/// The keys of a described struct.
class KeyCollector {
 public:
  explicit KeyCollector(std::vector<std::string_view>& keys) : keys_(keys) {}

  template <typename T>
  void field(std::string_view key, const T&) {
    keys_.push_back(key);
  }
  template <typename T>
  void optional(std::string_view key, const T&) {
    keys_.push_back(key);
  }
  template <typename T>
  void omit_zero(std::string_view key, const T&) {
    keys_.push_back(key);
  }
  template <typename T>
  void nullable(std::string_view key, const T&) {
    keys_.push_back(key);
  }
  template <typename T>
  void list(std::string_view key, const T&) {
    keys_.push_back(key);
  }
  template <typename T>
  void optional_list(std::string_view key, const T&) {
    keys_.push_back(key);
  }

 private:
  std::vector<std::string_view>& keys_;
};

/// Reads the members of one object.
class DecodeObject {
 public:
  DecodeObject(const Value& object, const std::string& path, Decoding& state)
      : object_(object), path_(path), state_(state) {}

  /// Refuses members that are not in `keys` (J-01, J-06).
  void refuse_unknown(const std::vector<std::string_view>& keys);

  /// A required key.
  template <typename T>
  void field(std::string_view key, T& out) {
    const Value* value = find_required(key);
    if (value != nullptr) decode_value(*value, member_path(path_, key), out, state_);
  }
  /// A key that may be absent; then `out` keeps its default (T) or stays empty (optional<T>).
  template <typename T>
  void optional(std::string_view key, T& out) {
    const Value* value = find(key);
    if (value != nullptr) decode_value(*value, member_path(path_, key), out, state_);
  }
  template <typename T>
  void optional(std::string_view key, std::optional<T>& out) {
    if (find(key) != nullptr) optional(key, out.emplace());
  }
  /// A key that writers leave out when its value is zero, false or empty.
  template <typename T>
  void omit_zero(std::string_view key, T& out) {
    optional(key, out);
  }
  /// A required key that may be null.
  template <typename T>
  void nullable(std::string_view key, std::optional<T>& out) {
    const Value* value = find_required(key);
    if (value == nullptr || value->kind() == Kind::kNull) return;
    decode_value(*value, member_path(path_, key), out.emplace(), state_);
  }
  /// J-08: a required array whose null means empty.
  template <typename T>
  void list(std::string_view key, std::vector<T>& out) {
    const Value* value = find_required(key);
    if (value != nullptr) decode_list(*value, key, out);
  }
  /// J-08: the same, and it may be absent.
  template <typename T>
  void optional_list(std::string_view key, std::vector<T>& out) {
    const Value* value = find(key);
    if (value != nullptr) decode_list(*value, key, out);
  }

 private:
  /// The member, or null when it is absent or something is wrong already.
  const Value* find(std::string_view key) const;
  const Value* find_required(std::string_view key) const;

  template <typename T>
  void decode_list(const Value& value, std::string_view key, std::vector<T>& out) {
    if (value.kind() == Kind::kNull && state_.on("J-08")) return;
    decode_value(value, member_path(path_, key), out, state_);
  }

  const Value& object_;
  const std::string& path_;
  Decoding& state_;
};

/// An array, item by item.
template <typename T>
void decode_value(const Value& value, const std::string& path, std::vector<T>& out,
                  Decoding& state) {
  if (!expect_kind(value, Kind::kArray, path, state)) return;
  out.clear();
  out.reserve(value.items().size());
  for (std::size_t i = 0; i < value.items().size() && !state.failed(); ++i) {
    decode_value(value.items()[i], item_path(path, i), out.emplace_back(), state);
  }
}

/// An object by its describe().
template <Struct T>
void decode_value(const Value& value, const std::string& path, T& out, Decoding& state) {
  if (!expect_kind(value, Kind::kObject, path, state)) return;
  std::vector<std::string_view> keys;
  KeyCollector collector(keys);
  describe(collector, out);
  DecodeObject reader(value, path, state);
  reader.refuse_unknown(keys);
  describe(reader, out);
}

/// A document, or the first thing that is wrong with it.
template <typename T>
struct Decoded {
  T value;
  Findings findings;

  bool ok() const { return findings.empty(); }
};

/// Reads a tree as a T, over `value`. `missing_id`: see Decoding::fail_missing.
template <typename T>
Decoded<T> decode_tree(const Value& root, Rules rules = {}, std::string_view missing_id = "J-16",
                       T value = {}) {
  Decoded<T> decoded = {.value = std::move(value), .findings = {}};
  Decoding state(rules, missing_id);
  decode_value(root, "", decoded.value, state);
  decoded.findings = std::move(state).take();
  return decoded;
}

/// Parses and reads a text as a T.
template <typename T>
Decoded<T> decode(std::string_view text, Rules rules = {}, std::string_view missing_id = "J-16") {
  Parsed parsed = parse_document(text, rules);
  if (!parsed.ok()) return {.value = {}, .findings = std::move(parsed.findings)};
  return decode_tree<T>(parsed.root, rules, missing_id);
}

/// The same for a document whose keys depend on its schema, which is therefore read first.
template <typename T>
Decoded<T> decode_by_schema(std::string_view text, Rules rules = {},
                            std::string_view missing_id = "J-16") {
  Parsed parsed = parse_document(text, rules);
  if (!parsed.ok()) return {.value = {}, .findings = std::move(parsed.findings)};
  T value;
  value.schema = schema_of(parsed);
  return decode_tree<T>(parsed.root, rules, missing_id, std::move(value));
}

}  // namespace cairn::evidence

// Every string of a described struct with its path, for rules about any string of a document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/wire/decode.h"

namespace cairn::evidence {

/// Calls visit(path, text) for each string below one object; keys in `skip` are left out.
template <typename Visit>
class StringWalker {
 public:
  StringWalker(std::string path, std::string_view skip, const Visit& visit)
      : path_(std::move(path)), skip_(skip), visit_(visit) {}

  template <typename T>
  void field(std::string_view key, const T& value) {
    if (key != skip_) walk(member_path(path_, key), value);
  }
  template <typename T>
  void optional(std::string_view key, const T& value) {
    field(key, value);
  }
  template <typename T>
  void omit_zero(std::string_view key, const T& value) {
    field(key, value);
  }
  template <typename T>
  void nullable(std::string_view key, const T& value) {
    field(key, value);
  }
  template <typename T>
  void list(std::string_view key, const T& value) {
    field(key, value);
  }
  template <typename T>
  void optional_list(std::string_view key, const T& value) {
    field(key, value);
  }

 private:
  void walk(const std::string& path, const std::string& text) { visit_(path, text); }
  void walk(const std::string&, bool) {}
  void walk(const std::string&, std::int64_t) {}
  void walk(const std::string&, std::uint64_t) {}
  void walk(const std::string&, double) {}
  template <typename T>
  void walk(const std::string& path, const std::optional<T>& value) {
    if (value) walk(path, *value);
  }
  template <typename T>
  void walk(const std::string& path, const std::vector<T>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) walk(item_path(path, i), values[i]);
  }
  template <Struct T>
  void walk(const std::string& path, const T& value) {
    StringWalker below(path, skip_, visit_);
    describe(below, value);
  }

  std::string path_;
  std::string_view skip_;
  const Visit& visit_;
};

/// Walks all strings of `document` but those under the key `skip`.
template <typename T, typename Visit>
void for_each_string(const T& document, std::string_view skip, const Visit& visit) {
  StringWalker<Visit> walker("", skip, visit);
  describe(walker, document);
}

}  // namespace cairn::evidence

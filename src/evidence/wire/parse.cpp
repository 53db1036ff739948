#include "evidence/wire/parse.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

namespace cairn::evidence {
namespace {

constexpr int kNumberOverflow = 406;  // nlohmann's id for a number that no double holds
constexpr std::size_t kIndexedMembers = 16;

/// One open array or object.
struct Level {
  Value value;
  std::string key;                                     // of an object: the key being read
  std::unordered_map<std::string, std::size_t> index;  // of an object with many keys
};

/// Builds the tree from nlohmann's events.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, Rules rules) : text_(text), rules_(rules) {}

  bool null() override { return put(Value()); }
  bool boolean(bool flag) override { return put(Value(flag)); }
  bool number_integer(number_integer_t number) override { return put(number_value(number)); }
  bool number_unsigned(number_unsigned_t number) override { return put(number_value(number)); }
  bool number_float(number_float_t number, const string_t& spelling) override {
    return put(Value(Number{.value = number, .text = spelling}));
  }
  bool string(string_t& text) override { return put(Value(std::move(text))); }
  bool binary(binary_t&) override { return false; }  // only binary formats have it
  bool start_object(std::size_t) override { return open(Value(Value::Object())); }
  bool start_array(std::size_t) override { return open(Value(Value::Array())); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& error) override;

  Parsed take() && { return std::move(parsed_); }

 private:
  bool put(Value value);
  bool open(Value value);
  bool close();
  bool fail(std::string id, std::string path, std::string found, std::string accepted);
  std::size_t find_key(Level& level, const std::string& key) const;
  std::string path() const;

  std::string_view text_;
  Rules rules_;
  std::vector<Level> levels_;
  Parsed parsed_;
};

std::string Builder::path() const {
  std::string path;
  for (const Level& level : levels_) {
    path = level.value.kind() == Kind::kArray ? item_path(path, level.value.items().size())
                                              : member_path(path, level.key);
  }
  return path;
}

bool Builder::fail(std::string id, std::string path, std::string found, std::string accepted) {
  if (!rules_.on(id)) return false;  // what was read until here stands
  parsed_.findings.push_back({.ids = {std::move(id)},
                              .path = std::move(path),
                              .found = std::move(found),
                              .accepted = std::move(accepted)});
  return false;
}

/// The place of `key` in the object, or its size.
std::size_t Builder::find_key(Level& level, const std::string& key) const {
  const Value::Object& members = level.value.members();
  if (members.size() < kIndexedMembers) {
    const auto found = std::ranges::find(members, key, &Member::key);
    return static_cast<std::size_t>(found - members.begin());
  }
  for (std::size_t i = level.index.size(); i < members.size(); ++i) {
    level.index.emplace(members[i].key, i);
  }
  const auto found = level.index.find(key);
  return found == level.index.end() ? members.size() : found->second;
}

bool Builder::key(string_t& key) {
  Level& level = levels_.back();
  level.key = std::move(key);
  if (find_key(level, level.key) == level.value.members().size() || !rules_.on("J-05")) return true;
  return fail("J-05", path(), "this key a second time", "each key once in an object");
}

bool Builder::put(Value value) {
  if (levels_.empty()) {
    parsed_.root = std::move(value);
    return true;
  }
  Level& level = levels_.back();
  if (level.value.kind() == Kind::kArray) {
    level.value.items().push_back(std::move(value));
    return true;
  }
  const std::size_t at = find_key(level, level.key);
  Value::Object& members = level.value.members();
  if (at < members.size()) {
    members[at].value = std::move(value);
  } else {
    members.push_back({.key = level.key, .value = std::move(value)});
  }
  return true;
}

bool Builder::open(Value value) {
  if (levels_.size() == kDepthMax) {
    return fail("J-02", path(), "nesting deeper than " + std::to_string(kDepthMax),
                "at most " + std::to_string(kDepthMax) + " levels");
  }
  levels_.push_back({.value = std::move(value), .key = {}, .index = {}});
  return true;
}

bool Builder::close() {
  Value done = std::move(levels_.back().value);
  levels_.pop_back();
  return put(std::move(done));
}

/// True for the words that some writers use for a number that is none.
bool is_number_word(std::string_view rest) {
  if (rest.starts_with('-')) rest.remove_prefix(1);
  return rest.starts_with("NaN") || rest.starts_with("nan") || rest.starts_with("Inf") ||
         rest.starts_with("inf");
}

bool Builder::parse_error(std::size_t position, const std::string& last_token,
                          const nlohmann::json::exception& error) {
  const std::string_view message = error.what();
  const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
  const std::string place = "byte " + std::to_string(at);
  if (error.id == kNumberOverflow && rules_.on("J-04")) {
    return fail("J-04", path(), quote(last_token), "a number that a double can hold");
  }
  if (is_number_word(text_.substr(at)) && rules_.on("J-04")) {
    return fail("J-04", path(), quote(text_.substr(at, 9)), "a finite number");
  }
  const bool bad_text = message.find("UTF-8") != std::string_view::npos ||
                        message.find("surrogate") != std::string_view::npos;
  if (bad_text && rules_.on("J-09")) {
    return fail("J-09", place, "bytes that are no UTF-8", "strings in UTF-8");
  }
  const std::size_t colon = message.rfind(": ");
  const std::string found(colon == std::string_view::npos ? message : message.substr(colon + 2));
  return fail("J-02", place, found, "exactly one JSON value");
}

}  // namespace

Parsed parse_document(std::string_view text, Rules rules) {
  if (text.starts_with("\xEF\xBB\xBF") && rules.on("J-02")) {
    return {.root = {},
            .findings = {{.ids = {"J-02"},
                          .path = "byte 0",
                          .found = "a byte order mark",
                          .accepted = "exactly one JSON value"}}};
  }
  Builder builder(text, rules);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).take();
}

std::string schema_of(const Parsed& parsed) {
  const Value* schema = parsed.ok() ? parsed.root.find("schema") : nullptr;
  return schema != nullptr && schema->kind() == Kind::kString ? schema->text() : "";
}

}  // namespace cairn::evidence

#include "formats/huggingface/tokenizer_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

/// Of ids that no token has. A vocabulary has few of them, a broken file may have billions.
constexpr std::uint64_t kGapsMax = 4096;
constexpr int kDepthMax = 32;

/// Takes model.vocab and model.merges out of the tree while it is read: gigabytes less for a
/// vocabulary of 262,144 tokens.
class ListReader {
 public:
  /// What the parser asks: whether a part is kept in the tree.
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::key) {
      if (static_cast<std::size_t>(depth) < path_.size()) {
        path_[static_cast<std::size_t>(depth)] = parsed.get<std::string>();
      }
      return depth != kEntryDepth || !in_list();
    }
    if (depth < kEntryDepth || !in_list()) return true;
    if (event == Event::value) take(depth, parsed);
    if (event == Event::array_end && depth == kEntryDepth) end_entry();
    return event == Event::array_start;  // inner lists must be walked through
  }

  Status status() const { return status_; }
  std::vector<std::pair<std::string, std::uint64_t>> ids;  // of vocab
  std::vector<double> scores;                              // of Unigram, in the order of ids
  std::vector<std::string> merges;

 private:
  static constexpr int kEntryDepth = 3;  // {"model": {"vocab": {HERE

  bool in_vocab() const { return path_[1] == "model" && path_[2] == "vocab"; }
  bool in_list() const { return in_vocab() || (path_[1] == "model" && path_[2] == "merges"); }

  void take(int depth, const Json& value) {
    if (depth > kEntryDepth) {
      entry_.push_back(value);
    } else if (in_vocab() && value.is_number_unsigned()) {
      ids.emplace_back(path_[kEntryDepth], value.get<std::uint64_t>());
    } else if (!in_vocab() && is_merge(value)) {
      merges.push_back(value.get<std::string>());
    } else {
      refuse(fmt::format("model.{}: found {}", path_[2], printable(line_of(value))));
    }
  }

  /// "left right": the first part has at least one character, which may be a space.
  static bool is_merge(const Json& value) {
    if (!value.is_string()) return false;
    const auto text = value.get<std::string>();
    const std::size_t space = text.find(' ', 1);
    return space != std::string::npos && space + 1 < text.size();
  }

  /// A list of two inside of one of the lists: a token with its score, or the parts of a merge.
  void end_entry() {
    const bool is_pair = entry_.size() == 2 && entry_[0].is_string();
    if (is_pair && in_vocab() && entry_[1].is_number()) {
      ids.emplace_back(entry_[0].get<std::string>(), ids.size());
      scores.push_back(entry_[1].get<double>());
    } else if (is_pair && !in_vocab() && entry_[1].is_string()) {
      add_merge(entry_[0].get<std::string>(), entry_[1].get<std::string>());
    } else {
      refuse(fmt::format("model.{}: found an entry of {} values", path_[2], entry_.size()));
    }
    entry_.clear();
  }

  void add_merge(const std::string& left, const std::string& right) {
    if (left.empty() || right.empty() || (left + right).find(' ') != std::string::npos) {
      refuse(
          fmt::format("model.merges: the parts \"{}\" and \"{}\" are empty or have a space in them",
                      printable(left), printable(right)));
    }
    merges.push_back(left + " " + right);
  }

  void refuse(const std::string& what) {
    if (status_.ok()) status_ = invalid_file(what);
  }

  std::array<std::string, kEntryDepth + 1> path_ = {};
  std::vector<Json> entry_;
  Status status_;
};

Status place(TokenizerJson& tokenizer, std::uint64_t id, const std::string& text) {
  if (text.empty()) return {};  // reads as a gap
  std::string& place = tokenizer.tokens[static_cast<std::size_t>(id)];
  if (place.empty()) place = text;
  if (place == text) return {};
  return invalid_file(fmt::format("the tokens \"{}\" and \"{}\" both have the id {}",
                                  printable(place), printable(text), id));
}

/// What added_tokens says of one token, checked.
struct AddedToken {
  std::uint64_t id = 0;
  std::string content;
  bool is_special = false;
  bool strips_left = false;
  bool strips_right = false;
};

Result<AddedToken> read_added(const Json& entry) {
  const auto flag = [&](const char* name) {
    return entry.contains(name) && entry[name].is_boolean() && entry[name].get<bool>();
  };
  if (!entry.is_object() || !entry.contains("id") || !entry["id"].is_number_unsigned() ||
      !entry.contains("content") || !entry["content"].is_string()) {
    return invalid_file(
        fmt::format("added_tokens: found {}; an object with id and content is "
                    "expected",
                    printable(line_of(entry))));
  }
  if (flag("single_word")) {
    return unsupported(
        fmt::format("added_tokens: {} is matched in whole words alone, which is not "
                    "supported",
                    printable(line_of(entry["content"]))));
  }
  return AddedToken{.id = entry["id"].get<std::uint64_t>(),
                    .content = entry["content"].get<std::string>(),
                    .is_special = flag("special"),
                    .strips_left = flag("lstrip"),
                    .strips_right = flag("rstrip")};
}

Result<std::vector<AddedToken>> read_all_added(const Json& rest) {
  std::vector<AddedToken> added;
  if (!rest.contains("added_tokens") || rest["added_tokens"].is_null()) return added;
  if (!rest["added_tokens"].is_array()) return invalid_file("added_tokens is no list");
  for (const Json& entry : rest["added_tokens"]) {
    CAIRN_ASSIGN(AddedToken token, read_added(entry));
    added.push_back(std::move(token));
  }
  return added;
}

Status place_all(TokenizerJson& tokenizer, const ListReader& lists,
                 const std::vector<AddedToken>& added) {
  std::uint64_t end = 0;
  for (const auto& [text, id] : lists.ids) end = std::max(end, id + 1);
  for (const AddedToken& token : added) end = std::max(end, token.id + 1);
  const std::uint64_t count = lists.ids.size() + added.size();
  if (end == 0 || end > count + kGapsMax) {
    return invalid_file(fmt::format(
        "the vocabulary has {} tokens and ids up to {}; ids without a token are at most {}", count,
        end == 0 ? 0 : end - 1, kGapsMax));
  }
  tokenizer.tokens.resize(static_cast<std::size_t>(end));
  for (const auto& [text, id] : lists.ids) CAIRN_TRY(place(tokenizer, id, text));
  for (const AddedToken& token : added) CAIRN_TRY(place(tokenizer, token.id, token.content));
  return {};
}

}  // namespace

Result<TokenizerJson> parse_tokenizer_json(std::string_view text) {
  ListReader lists;
  Result<Json> rest = parse_json(text, kDepthMax, std::ref(lists));
  if (!rest.ok()) return invalid_file(rest.status().message());
  CAIRN_TRY(lists.status());
  if (!rest->is_object() || !rest->contains("model") || !(*rest)["model"].is_object()) {
    return invalid_file("an object with a \"model\" is expected");
  }
  CAIRN_ASSIGN(const std::vector<AddedToken> added, read_all_added(*rest));
  TokenizerJson tokenizer;
  CAIRN_TRY(place_all(tokenizer, lists, added));
  tokenizer.merges = std::move(lists.merges);
  tokenizer.scores = std::move(lists.scores);
  tokenizer.rest = std::move(rest).value();
  return tokenizer;
}

std::optional<std::uint32_t> id_of(const TokenizerJson& tokenizer, std::string_view token) {
  const auto found = std::ranges::find(tokenizer.tokens, token);
  if (found == tokenizer.tokens.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - tokenizer.tokens.begin());
}

}  // namespace cairn::formats

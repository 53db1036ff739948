#include "runtime/store/model_name.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/utf8.h"

namespace cairn::runtime {
namespace {

constexpr std::size_t kNameBytesMax = 96;  // as the hub has it
constexpr std::size_t kPathBytesMax = 1024;

bool is_word(std::string_view text) {
  const auto accepted = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  // A leading dot would hide it or, doubled, leave the folder; "--" stands for "/" in a hub cache.
  return !text.empty() && text.size() <= kNameBytesMax && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), accepted) &&
         text.find("..") == std::string_view::npos;
}

/// Calls `check` on every part of `path` between slashes until one is refused.
template <typename Check>
bool every_part(std::string_view path, Check check) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!check(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

Status bad_name(std::string_view text) {
  return invalid_argument(
      fmt::format("\"{}\": expected a hub name: org/repo, org/repo:TAG, either with @REVISION",
                  replace_invalid_utf8(text)));
}

}  // namespace

Result<ModelName> parse_model_name(std::string_view text) {
  std::string_view rest = text;
  ModelName name;
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    name.revision = rest.substr(at + 1);
    rest = rest.substr(0, at);
    CAIRN_TRY(check_revision(name.revision));
  }
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return bad_name(text);
  const std::size_t colon = rest.find(':', slash);
  if (colon != std::string_view::npos) {
    name.tag = rest.substr(colon + 1);
    if (!check_repository_path(name.tag).ok()) return bad_name(text);
    rest = rest.substr(0, colon);
  }
  name.organization = rest.substr(0, slash);
  name.repository = rest.substr(slash + 1);
  const bool ambiguous = rest.find("--") != std::string_view::npos;
  if (!is_word(name.organization) || !is_word(name.repository) || ambiguous) return bad_name(text);
  return name;
}

Status check_revision(std::string_view revision) {
  if (revision.size() <= kPathBytesMax && every_part(revision, is_word)) return {};
  return invalid_argument(
      fmt::format("revision \"{}\": expected a branch, a tag or a commit: letters, digits, \"-\", "
                  "\"_\", \".\" and \"/\"",
                  replace_invalid_utf8(revision)));
}

Status check_repository_path(std::string_view path) {
  const auto good = [](std::string_view part) {
    return !part.empty() && part != "." && part != ".." && part.size() <= 255;
  };
  const auto bad_character = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\';
  };
  if (path.size() <= kPathBytesMax && every_part(path, good) &&
      std::none_of(path.begin(), path.end(), bad_character) &&
      std::count(path.begin(), path.end(), '/') < kRepositoryDepthMax) {
    return {};
  }
  return invalid_file(
      fmt::format("file name \"{}\" in the repository: expected a path of at most {} parts that "
                  "stays inside its folder",
                  replace_invalid_utf8(path.substr(0, 200)), kRepositoryDepthMax));
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace cairn::runtime

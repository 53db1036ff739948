// Names of repositories, revisions and files inside them, checked before they become paths or URLs.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::runtime {

/// org/repo[:TAG][@REVISION]
struct ModelName {
  std::string organization = {};
  std::string repository = {};
  std::string tag = {};
  std::string revision = {};

  /// "org/repo".
  std::string id() const { return organization + "/" + repository; }
  /// "models--org--repo", as a hub cache calls the folder.
  std::string folder() const { return "models--" + organization + "--" + repository; }
};

/// Errors: kInvalidArgument with what is accepted.
Result<ModelName> parse_model_name(std::string_view text);

/// A branch, tag or commit: parts of letters, digits, "-", "_" and ".", joined by "/".
/// Errors: kInvalidArgument.
Status check_revision(std::string_view revision);

/// How many parts a file's name inside a repository may have: what is pulled is also listed.
constexpr int kRepositoryDepthMax = 8;

/// A file's name inside a repository, as the hub gives it. Errors: kInvalidFile for one that would
/// leave the folder it is put in, that no file should have (empty parts, "..", "\", control
/// characters), or that lies deeper than kRepositoryDepthMax.
Status check_repository_path(std::string_view path);

/// Whether `text` is `digits` lower-case hexadecimal digits.
bool is_hex(std::string_view text, std::size_t digits);

/// A whole commit: 40 hexadecimal digits.
inline bool is_commit(std::string_view text) { return is_hex(text, 40); }

}  // namespace cairn::runtime

#include "runtime/store/hub.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "base/json.h"
#include "base/url_escape.h"
#include "runtime/store/model_name.h"
#include "runtime/store/url.h"

namespace cairn::runtime {
namespace {

// A page of a thousand files takes 0.3 MB; in memory JSON takes up to 15 times its size as text.
constexpr std::uint64_t kAnswerBytesMax = 8ULL << 20;
constexpr int kPagesMax = 200;
constexpr std::size_t kListedFilesMax = 100000;

Result<Json> get_json(HttpClient& client, const std::string& url, HttpHead& head) {
  CAIRN_ASSIGN(const std::string text, client.get_text(url, kAnswerBytesMax, head));
  auto value = parse_json(text);
  if (!value.ok()) return invalid_file(url + ": " + value.status().message());
  return value;
}

/// A string member, or empty.
std::string text_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

std::optional<std::uint64_t> size_member(const Json& object) {
  const auto found = object.find("size");
  if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

/// One entry of a tree that is a file.
Result<HubFile> parse_file(const Json& entry) {
  HubFile file = {.path = text_member(entry, "path")};
  CAIRN_TRY(check_repository_path(file.path));
  const auto lfs = entry.find("lfs");
  const bool large = lfs != entry.end() && lfs->is_object();
  const Json& holder = large ? *lfs : entry;
  const auto size = size_member(holder);
  file.hash = {.kind = large ? HashKind::kSha256 : HashKind::kGitBlob,
               .hex = text_member(holder, "oid")};
  if (!size.has_value() || !is_hex(file.hash.hex, large ? 64 : 40)) {
    return invalid_file(file.path + ": the hub's listing lacks its size or hash");
  }
  file.bytes = *size;
  return file;
}

/// The address in a header like: <https://...>; rel="next".
std::string next_page(std::string_view link) {
  const std::size_t relation = link.find("rel=\"next\"");
  const std::size_t close = link.rfind('>', relation);
  if (relation == std::string_view::npos || close == std::string_view::npos) return {};
  const std::size_t open = link.rfind('<', close);
  if (open == std::string_view::npos) return {};
  return std::string(link.substr(open + 1, close - open - 1));
}

Status add_page(const Json& page, const std::string& url, std::vector<HubFile>& files) {
  if (!page.is_array()) return invalid_file(url + ": expected a list of files");
  for (const Json& entry : page) {
    if (!entry.is_object()) return invalid_file(url + ": expected a list of files");
    if (text_member(entry, "type") == "directory") continue;
    if (files.size() == kListedFilesMax) {
      return too_large(fmt::format("{}: the listing has more than {} files", url, kListedFilesMax));
    }
    CAIRN_ASSIGN(HubFile file, parse_file(entry));
    files.push_back(std::move(file));
  }
  return {};
}

}  // namespace

Result<HubListing> list_repository(HttpClient& client, const std::string& endpoint,
                                   const std::string& id, std::string_view revision) {
  HttpHead head;
  const std::string base = fmt::format("{}/api/models/{}", endpoint, id);
  const std::string about = fmt::format("{}/revision/{}", base, url_escape(revision, ""));
  const Result<Json> answer = get_json(client, about, head);
  if (!answer.ok() && answer.status().code() == StatusCode::kNotFound) {
    const std::string at = revision == "main" ? "" : fmt::format(" at revision {}", revision);
    return not_found(fmt::format("{}: the hub has no {}{} (404)", endpoint, id, at));
  }
  CAIRN_ASSIGN(const Json facts, answer);
  HubListing listing = {.commit = facts.is_object() ? text_member(facts, "sha") : std::string()};
  if (!is_commit(listing.commit)) return invalid_file(about + ": the answer names no commit");

  std::string url = fmt::format("{}/tree/{}?recursive=true", base, listing.commit);
  for (int page = 0; !url.empty(); ++page) {
    if (page == kPagesMax) return too_large(url + ": the listing has too many pages");
    CAIRN_ASSIGN(const Json files, get_json(client, url, head));
    CAIRN_TRY(add_page(files, url, listing.files));
    url = next_page(head.header("link"));
    if (!url.empty() && !same_origin(url, endpoint)) {
      return invalid_file("the listing goes on at " + url + ", expected the hub itself");
    }
  }
  return listing;
}

std::string file_url(const std::string& endpoint, const std::string& id, std::string_view commit,
                     std::string_view path) {
  return fmt::format("{}/{}/resolve/{}/{}", endpoint, id, commit, url_escape(path));
}

}  // namespace cairn::runtime

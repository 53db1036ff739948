#include "server/batch/batch_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/json.h"
#include "base/sha256.h"
#include "server/wire/parse.h"

namespace cairn::server {
namespace {

constexpr std::size_t kBadLinesShown = 5;
constexpr std::size_t kIdDigits = 32;
constexpr std::size_t kCustomIdBytesMax = 4096;

Status check_url(const std::string& url) {
  const std::vector<std::string_view> known = batch_urls();
  if (std::ranges::find(known, url) != known.end()) return {};
  return invalid_argument(fmt::format("url is \"{}\", expected {}", url, fmt::join(known, " or ")));
}

/// A text of `object` by its name.
Result<std::string> text_in(const Json& object, const char* name) {
  if (!object.contains(name)) return invalid_argument(fmt::format("\"{}\" is missing", name));
  if (!object[name].is_string()) return invalid_argument(fmt::format("\"{}\" is no text", name));
  return object[name].get<std::string>();
}

bool is_empty_line(std::string_view text) { return text.find_first_not_of(" \t\r") == text.npos; }

/// Collects what is wrong with a file.
class Faults {
 public:
  void add(std::size_t line, std::string_view what) {
    ++count_;
    if (shown_.size() < kBadLinesShown) shown_.push_back(fmt::format("line {}: {}", line, what));
  }

  Status status() const {
    if (count_ == 0) return {};
    std::string text = fmt::format("{} no requests: {}",
                                   count_ == 1 ? "1 line is" : fmt::format("{} lines are", count_),
                                   fmt::join(shown_, "; "));
    if (count_ > shown_.size()) text += fmt::format("; and {} more", count_ - shown_.size());
    return invalid_argument(std::move(text));
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::string> shown_;
};

}  // namespace

std::vector<std::string_view> batch_urls() {
  return {path_of(Endpoint::kChat), path_of(Endpoint::kCompletions),
          path_of(Endpoint::kEmbeddings)};
}

Result<BatchRequest> parse_batch_line(std::string_view text) {
  const Result<Json> parsed = parse_json(text, kJsonDepthMax + 1);
  if (!parsed.ok()) return parsed.status();
  if (!parsed->is_object()) return invalid_argument("no JSON object");
  const Json& object = *parsed;
  BatchRequest request;
  CAIRN_ASSIGN(request.custom_id, text_in(object, "custom_id"));
  if (request.custom_id.empty() || request.custom_id.size() > kCustomIdBytesMax) {
    return invalid_argument(fmt::format("\"custom_id\" has {} bytes, expected 1 to {}",
                                        request.custom_id.size(), kCustomIdBytesMax));
  }
  CAIRN_ASSIGN(const std::string method, text_in(object, "method"));
  if (method != "POST") {
    return invalid_argument(fmt::format("method is \"{}\", expected POST", method));
  }
  CAIRN_ASSIGN(request.url, text_in(object, "url"));
  CAIRN_TRY(check_url(request.url));
  if (!object.contains("body") || !object["body"].is_object()) {
    return invalid_argument("\"body\" is no object");
  }
  const Json& body = object["body"];
  if (body.contains("model") && body["model"].is_string()) {
    request.model = body["model"].get<std::string>();
  }
  request.body = line_of(body);
  return request;
}

Result<BatchFile> BatchFile::open(const std::string& path) {
  BatchFile batch;
  CAIRN_ASSIGN(batch.file_, MappedFile::open(path));
  const std::string_view all(reinterpret_cast<const char*>(batch.file_.bytes().data()),
                             batch.file_.bytes().size());
  std::unordered_map<std::string, std::size_t> seen;  // the line of a custom_id
  Faults faults;
  std::size_t number = 0;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view text = all.substr(at, end - at);
    at = end + 1;
    ++number;
    if (is_empty_line(text)) continue;
    Result<BatchRequest> request = parse_batch_line(text);
    if (!request.ok()) {
      faults.add(number, request.status().message());
      continue;
    }
    const auto [known, added] = seen.emplace(request->custom_id, number);
    if (!added) {
      faults.add(number, fmt::format("custom_id \"{}\" stands in line {} too", request->custom_id,
                                     known->second));
      continue;
    }
    batch.lines_.push_back({.number = number,
                            .text = text,
                            .custom_id = std::move(request->custom_id),
                            .url = std::move(request->url),
                            .id = "batch_req_" + sha256_hex(text).substr(0, kIdDigits)});
  }
  CAIRN_TRY(faults.status().in(path));
  if (batch.lines_.empty())
    return invalid_argument(path + ": found no request, expected one a line");
  return batch;
}

}  // namespace cairn::server

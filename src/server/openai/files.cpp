// /v1/files: upload, list, get, delete, content.
#include <fmt/core.h>

#include <charconv>

#include "base/file.h"
#include "server/api/handling.h"
#include "server/api/paging.h"
#include "server/files/file_store.h"
#include "server/files/multipart.h"

namespace cairn::server {
namespace {

constexpr std::int64_t kExpiryMin = 3600;  // seconds, as OpenAI's, and so is the next
constexpr std::int64_t kExpiryMax = 30 * 86'400;
constexpr std::uint64_t kFileBytesMax = 4'000'000'000;

WireError bad_form(std::string param, std::string message) {
  return {.cause = Cause::kBadRequest, .message = std::move(message), .param = std::move(param)};
}

Response refuse_file(const WireError& error) { return error_response(Flavour::kOpenAi, error); }

Response refuse_file(const Status& status) {
  return refuse_file({.cause = cause_of(status.code()), .message = told(status)});
}

Response no_folder() {
  return refuse_file({.cause = Cause::kNotImplemented,
                      .message = "files need a folder: the server was started without --files"});
}

Response no_file(const std::string& id) {
  return refuse_file({.cause = Cause::kNotFound,
                      .message = fmt::format("no file is called \"{}\"", id),
                      .param = "file_id",
                      .code = "file_not_found"});
}

/// What the form says.
struct Upload {
  const FormPart* file = nullptr;
  std::string purpose = {};
  std::int64_t seconds = 0;  // until it is forgotten; 0: never
  Json ignored = Json::array();
};

std::optional<WireError> read_form_field(const FormPart& part, Upload& upload) {
  if (part.name == "file") {
    upload.file = &part;
  } else if (part.name == "purpose") {
    upload.purpose = part.content;
  } else if (part.name == "expires_after[seconds]") {
    const char* const last = part.content.data() + part.content.size();
    const auto [end, error] = std::from_chars(part.content.data(), last, upload.seconds);
    if (error != std::errc() || end != last || upload.seconds < kExpiryMin ||
        upload.seconds > kExpiryMax) {
      return bad_form(part.name, fmt::format("{}: a whole number from {} to {} is expected",
                                             part.name, kExpiryMin, kExpiryMax));
    }
  } else if (part.name == "expires_after[anchor]") {
    if (part.content != "created_at") {
      return bad_form(part.name, part.name + ": created_at is expected");
    }
  } else {
    upload.ignored.push_back(part.name);
  }
  return std::nullopt;
}

std::optional<WireError> check_upload(const Upload& upload) {
  if (upload.file == nullptr) return bad_form("file", "file: missing; it is required");
  if (upload.purpose == "batch") return std::nullopt;
  return bad_form("purpose", fmt::format("purpose: \"{}\" was found; batch is expected, nothing "
                                         "else reads files here",
                                         upload.purpose));
}

}  // namespace

Reply post_file(const Api& api, Exchange& exchange) {
  if (api.files == nullptr) return no_folder();
  const Request& request = exchange.request;
  const auto parts = parse_form(request.header("content-type").value_or(""), request.body);
  if (!parts.ok()) return refuse_file(parts.status());
  Upload upload;
  for (const FormPart& part : *parts) {
    if (const auto error = read_form_field(part, upload)) return refuse_file(*error);
  }
  if (const auto error = check_upload(upload)) return refuse_file(*error);
  const auto file =
      api.files->add(upload.file->filename, upload.purpose, upload.seconds, upload.file->content);
  if (!file.ok()) return refuse_file(file.status());
  Json object = file_object(*file);
  if (!upload.ignored.empty()) object["ignored_fields"] = std::move(upload.ignored);
  return json_response(object);
}

Reply list_files(const Api& api, Exchange& exchange) {
  if (api.files == nullptr) return no_folder();
  constexpr PageLimits kLimits = {.shown = 10'000, .most = 10'000};
  const auto purpose = exchange.request.parameter("purpose");
  Json objects = Json::array();
  for (const StoredFile& file : api.files->list()) {
    if (!purpose || *purpose == file.purpose) objects.push_back(file_object(file));
  }
  return page_response(std::move(objects), exchange.request, kLimits);
}

Reply get_file(const Api& api, Exchange& exchange) {
  if (api.files == nullptr) return no_folder();
  const std::string& id = exchange.path_values.front();
  const auto file = api.files->find(id);
  if (!file) return no_file(id);
  return json_response(file_object(*file));
}

Reply delete_file(const Api& api, Exchange& exchange) {
  if (api.files == nullptr) return no_folder();
  const std::string& id = exchange.path_values.front();
  const Result<bool> removed = api.files->remove(id);
  if (!removed.ok()) return refuse_file(removed.status());
  if (!*removed) return no_file(id);
  return json_response({{"id", id}, {"object", "file"}, {"deleted", true}});
}

Reply get_file_content(const Api& api, Exchange& exchange) {
  if (api.files == nullptr) return no_folder();
  const std::string& id = exchange.path_values.front();
  if (!api.files->find(id)) return no_file(id);
  Result<std::string> content = read_file(api.files->content_path(id), kFileBytesMax);
  if (!content.ok()) return no_file(id);  // removed meanwhile
  Response response;
  response.content_type = "application/octet-stream";
  response.body = std::move(*content);
  return response;
}

}  // namespace cairn::server

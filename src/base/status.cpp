#include "base/status.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace cairn {
namespace {

constexpr std::array kCodes = {
    StatusCodeInfo{.code = StatusCode::kOk, .name = "ok", .http_status = 200, .c_code = 0},
    StatusCodeInfo{.code = StatusCode::kInvalidArgument,
                   .name = "invalid_argument",
                   .http_status = 400,
                   .c_code = 1},
    StatusCodeInfo{
        .code = StatusCode::kInvalidFile, .name = "invalid_file", .http_status = 500, .c_code = 2},
    StatusCodeInfo{
        .code = StatusCode::kNotFound, .name = "not_found", .http_status = 404, .c_code = 3},
    StatusCodeInfo{
        .code = StatusCode::kUnsupported, .name = "unsupported", .http_status = 501, .c_code = 4},
    StatusCodeInfo{
        .code = StatusCode::kTooLarge, .name = "too_large", .http_status = 400, .c_code = 5},
    StatusCodeInfo{.code = StatusCode::kUnavailable,
                   .name = "unavailable",
                   .http_status = 503,
                   .c_code = 6,
                   .retry = true},
    StatusCodeInfo{
        .code = StatusCode::kCancelled, .name = "cancelled", .http_status = 499, .c_code = 7},
    StatusCodeInfo{.code = StatusCode::kIo, .name = "io", .http_status = 500, .c_code = 8},
    StatusCodeInfo{
        .code = StatusCode::kInternal, .name = "internal", .http_status = 500, .c_code = 9},
};

}  // namespace

const StatusCodeInfo& info(StatusCode code) { return kCodes[static_cast<std::size_t>(code)]; }

Status Status::in(std::string_view where) const {
  return ok() ? Status() : Status(code_, std::string(where) + ": " + message_);
}

Status invalid_argument(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}
Status invalid_file(std::string message) { return {StatusCode::kInvalidFile, std::move(message)}; }
Status not_found(std::string message) { return {StatusCode::kNotFound, std::move(message)}; }
Status unsupported(std::string message) { return {StatusCode::kUnsupported, std::move(message)}; }
Status too_large(std::string message) { return {StatusCode::kTooLarge, std::move(message)}; }
Status unavailable(std::string message) { return {StatusCode::kUnavailable, std::move(message)}; }
Status cancelled(std::string message) { return {StatusCode::kCancelled, std::move(message)}; }
Status io_error(std::string message) { return {StatusCode::kIo, std::move(message)}; }
Status internal_error(std::string message) { return {StatusCode::kInternal, std::move(message)}; }

void check_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "cairn: internal fault at %s:%d: %s does not hold\n", file, line, what);
  std::abort();
}

}  // namespace cairn

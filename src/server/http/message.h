// A request as it came, and a response that stands whole in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::server {

enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions, kOther };

/// "GET"; "" for kOther.
std::string_view name_of(Method method);
/// The method of a request line; upper case only (RFC 9110, 9.1).
Method method_of(std::string_view text);

/// A header; names are compared without regard to case.
struct Header {
  std::string name = {};
  std::string value = {};
};

/// Which key a request came with.
enum class Access : std::uint8_t { kOpen, kKey, kAdmin };

struct Request {
  Method method = Method::kGet;
  std::string target = {};  // as sent
  std::string path = {};    // without the query, percent-decoded
  std::string query = {};   // behind "?", as sent
  std::vector<Header> headers = {};
  std::string body = {};
  std::string id = {};  // of X-Request-Id, or drawn
  Access access = Access::kOpen;
  std::string cache_scope = {};  // of its API key: cached pages are shared within it; empty: no key
  std::string authority = {};    // of an absolute target; empty: the target is a path
  std::int64_t arrived_ns = 0;   // of the steady clock: its first byte

  /// The first header of that name; nothing without one. Valid while the request lives.
  std::optional<std::string_view> header(std::string_view name) const;
  /// The first value of a query parameter, decoded; nothing without one.
  std::optional<std::string> parameter(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";  // empty: no body is meant
  std::vector<Header> headers = {};
  std::string body = {};
};

/// "Not Found" for 404; "Status" for a number that no table has.
std::string_view reason_of(int status);

/// `text` with its %XX decoded; nothing where "%" is not followed by two digits or a NUL comes out.
std::optional<std::string> percent_decoded(std::string_view text);

/// Sets path and query from `target`, which starts with "/" or is "*" or an absolute http address
/// (RFC 9112, 3.2). False for any other.
bool read_target(Request& request);

/// Whether the list of a header ("gzip, br;q=0") names `token` without q=0.
bool list_accepts(std::string_view list, std::string_view token);

}  // namespace cairn::server

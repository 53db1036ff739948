#include "runtime/store/url.h"

#include <curl/curl.h>

#include <memory>
#include <optional>

#include "base/ascii.h"

namespace cairn::runtime {
namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

/// "scheme://host:port", in lower case where case has no meaning.
std::optional<std::string> origin_of(const std::string& text) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (url == nullptr || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
    return std::nullopt;
  }
  std::string origin;
  for (const CURLUPart part : {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT}) {
    char* value = nullptr;
    if (curl_url_get(url.get(), part, &value, CURLU_DEFAULT_PORT) != CURLUE_OK) {
      return std::nullopt;
    }
    origin += lower_ascii(std::string_view(value)) + ' ';
    curl_free(value);
  }
  return origin;
}

}  // namespace

bool same_origin(const std::string& a, const std::string& b) {
  const auto first = origin_of(a);
  return first.has_value() && first == origin_of(b);
}

Status check_endpoint(const std::string& endpoint) {
  const auto origin = origin_of(endpoint);
  const bool web = origin && (origin->starts_with("http ") || origin->starts_with("https "));
  if (web && endpoint.find_first_of("?#") == std::string::npos) return {};
  return invalid_argument("hub address: found \"" + endpoint +
                          "\", expected one like https://huggingface.co");
}

}  // namespace cairn::runtime

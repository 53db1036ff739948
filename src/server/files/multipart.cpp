#include "server/files/multipart.h"

#include <fmt/core.h>

#include <optional>

#include "base/ascii.h"

namespace cairn::server {
namespace {

constexpr std::size_t kBoundaryBytesMax = 70;  // RFC 2046, 5.1.1
constexpr std::size_t kPartsMax = 64;
constexpr std::string_view kLineEnd = "\r\n";

/// The value of a parameter of a header: `name="..."`, with \" for a quote, or name=token.
std::optional<std::string> parameter_of(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at != header.npos; at = header.find(';', at + 1)) {
    const std::string_view rest = trimmed(header.substr(at + 1));
    if (rest.size() <= name.size() || rest[name.size()] != '=') continue;
    if (lower_ascii(rest.substr(0, name.size())) != name) continue;
    std::string_view value = rest.substr(name.size() + 1);
    if (!value.starts_with('"')) return std::string(trimmed(value.substr(0, value.find(';'))));
    std::string text;
    for (std::size_t i = 1; i < value.size() && value[i] != '"'; ++i) {
      if (value[i] == '\\' && i + 1 < value.size()) ++i;
      text += value[i];
    }
    return text;
  }
  return std::nullopt;
}

/// Reads the headers of a part; what follows them is its content.
Result<FormPart> read_part(std::string_view part) {
  FormPart form;
  for (;;) {
    const std::size_t end = part.find(kLineEnd);
    if (end == part.npos) return invalid_argument("a part of the form has no end of its headers");
    const std::string_view line = part.substr(0, end);
    part.remove_prefix(end + kLineEnd.size());
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (lower_ascii(trimmed(line.substr(0, colon))) != "content-disposition") continue;
    form.name = parameter_of(line, "name").value_or("");
    form.filename = parameter_of(line, "filename").value_or("");
  }
  if (form.name.empty()) return invalid_argument("a part of the form has no name");
  form.content = part;
  return form;
}

}  // namespace

Result<std::vector<FormPart>> parse_form(std::string_view content_type, std::string_view body) {
  const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
  if (lower_ascii(type) != "multipart/form-data") {
    return invalid_argument(
        fmt::format("Content-Type is \"{}\", expected multipart/form-data", type));
  }
  const std::string boundary = parameter_of(content_type, "boundary").value_or("");
  if (boundary.empty() || boundary.size() > kBoundaryBytesMax) {
    return invalid_argument(fmt::format("the boundary has {} bytes, expected 1 to {}",
                                        boundary.size(), kBoundaryBytesMax));
  }
  const std::string begin = "--" + boundary;
  const std::string between = "\r\n" + begin;
  std::size_t at = body.starts_with(begin) ? begin.size() : body.find(between);
  if (at == body.npos) return invalid_argument("the form does not begin with its boundary");
  if (!body.starts_with(begin)) at += between.size();
  std::vector<FormPart> parts;
  while (!body.substr(at).starts_with("--")) {
    if (!body.substr(at).starts_with(kLineEnd)) return invalid_argument("the form is no form");
    at += kLineEnd.size();
    const std::size_t end = body.find(between, at);
    if (end == body.npos) return invalid_argument("the form does not end with its boundary");
    CAIRN_ASSIGN(FormPart part, read_part(body.substr(at, end - at)));
    parts.push_back(std::move(part));
    if (parts.size() > kPartsMax) {
      return invalid_argument(fmt::format("a form of more than {} parts", kPartsMax));
    }
    at = end + between.size();
  }
  return parts;
}

}  // namespace cairn::server

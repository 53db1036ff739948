#include "formats/safetensors/json_events.h"

#include <fmt/core.h>

#include <utility>

#include "formats/quote.h"

namespace cairn::formats {

Status JsonEvents::read(std::string_view text) {
  if (nlohmann::json::sax_parse(text, this)) return {};
  return invalid_file(message_);
}

bool JsonEvents::number_float(number_float_t /*value*/, const string_t& text) {
  return found(printable(text));
}

bool JsonEvents::string(string_t& text) {
  return found(fmt::format("the string \"{}\"", printable(text)));
}

bool JsonEvents::binary(binary_t& /*bytes*/) { return found("binary"); }

bool JsonEvents::start_object(std::size_t /*elements*/) { return found("an object"); }

bool JsonEvents::start_array(std::size_t /*elements*/) { return found("a list"); }

bool JsonEvents::parse_error(std::size_t position, const std::string& /*token*/,
                             const nlohmann::detail::exception& error) {
  // The library's own number and position stand in front of what it says.
  const std::string_view text = error.what();
  const std::size_t words = text.find(": ");
  return refuse(
      fmt::format("no JSON at byte {}: {}", position,
                  printable(words == std::string_view::npos ? text : text.substr(words + 2))));
}

bool JsonEvents::found(std::string_view what) {
  return refuse(fmt::format("found {}, expected {}", what, expected()));
}

bool JsonEvents::refuse(std::string message) {
  if (message_.empty()) message_ = std::move(message);
  return false;
}

}  // namespace cairn::formats

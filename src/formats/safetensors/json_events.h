// JsonEvents: the events of a JSON text, each refused by name until a reader takes it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::formats {

/// A reader of one JSON document without a tree in memory. A derived class takes the events it
/// expects and refuses the others with what `expected()` says is to come.
class JsonEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// Reads `text` to its end. Errors: kInvalidFile with the position or with what was refused.
  Status read(std::string_view text);

  bool null() override { return found("null"); }
  bool boolean(bool value) override { return found(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return found(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return found(std::to_string(value)); }
  bool number_float(number_float_t value, const string_t& text) override;
  bool string(string_t& text) override;
  bool binary(binary_t& bytes) override;
  bool start_object(std::size_t elements) override;
  bool start_array(std::size_t elements) override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 protected:
  /// What may stand here, for the message: "the shape of \"a\", a list of whole numbers".
  virtual std::string expected() const = 0;

  /// Refuses what stands here.
  bool found(std::string_view what);
  /// Ends the reading with `message`.
  bool refuse(std::string message);

 private:
  std::string message_;
};

}  // namespace cairn::formats

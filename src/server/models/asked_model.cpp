#include "server/models/asked_model.h"

#include <utility>

#include "base/json.h"

namespace cairn::server {
namespace {

/// Listens to the events of a parser and ends it once the key was read.
class ModelListener final : public nlohmann::json_sax<Json> {
 public:
  std::optional<std::string> take() { return std::move(name_); }

  bool null() override { return value(); }
  bool boolean(bool /*value*/) override { return value(); }
  bool number_integer(number_integer_t /*value*/) override { return value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
  bool binary(binary_t& /*value*/) override { return value(); }
  bool string(string_t& text) override {
    if (!expected_) return true;
    name_ = std::move(text);
    return false;
  }
  bool start_object(std::size_t /*elements*/) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*elements*/) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t& text) override {
    expected_ = depth_ == 1 && text == "model";
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  /// Any other value where the name should stand is the end: the reader of the whole refuses it.
  bool value() const { return !expected_; }
  bool open() {
    ++depth_;
    return !expected_;
  }
  bool close() {
    --depth_;
    return true;
  }

  std::optional<std::string> name_;
  bool expected_ = false;  // the next value is the model's
  std::size_t depth_ = 0;
};

}  // namespace

std::optional<std::string> asked_model(std::string_view body) {
  ModelListener listener;
  Json::sax_parse(body.begin(), body.end(), &listener);
  return listener.take();
}

}  // namespace cairn::server

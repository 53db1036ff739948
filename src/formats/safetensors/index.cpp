#include "formats/safetensors/index.h"

#include <fmt/core.h>

#include <utility>

#include "formats/quote.h"
#include "formats/safetensors/json_events.h"

namespace cairn::formats {
namespace {

/// A name of a file in the same folder: nothing that leads elsewhere.
bool is_plain_name(std::string_view name) {
  return name.size() > std::string_view(".safetensors").size() && name.ends_with(".safetensors") &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

class IndexEvents final : public JsonEvents {
 public:
  explicit IndexEvents(WeightMap& map) : map_(map) {}

  bool start_object(std::size_t elements) override {
    if (in_map_ && depth_ > 1) return JsonEvents::start_object(elements);
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    if (depth_ == 1) in_map_ = false;
    return true;
  }
  bool start_array(std::size_t elements) override {
    return passing() || JsonEvents::start_array(elements);
  }
  bool end_array() override { return true; }
  bool null() override { return passing() || JsonEvents::null(); }
  bool boolean(bool value) override { return passing() || JsonEvents::boolean(value); }
  bool number_integer(number_integer_t value) override {
    return passing() || JsonEvents::number_integer(value);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return passing() || JsonEvents::number_unsigned(value);
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return passing() || JsonEvents::number_float(value, text);
  }

  bool key(string_t& name) override {
    if (depth_ == 1) {
      member_ = name;
      if (name != "weight_map") return true;
      if (std::exchange(seen_map_, true)) return refuse("weight_map stands twice");
      in_map_ = true;
    } else if (in_map_) {
      tensor_ = name;
      if (map_.contains(name)) {
        return refuse(fmt::format("tensor {}: the index names it twice", printable(name)));
      }
    }
    return true;
  }

  bool string(string_t& text) override {
    if (passing()) return true;
    if (!in_map_ || depth_ != 2) return JsonEvents::string(text);
    if (!is_plain_name(text)) {
      return refuse(
          fmt::format("tensor {}: found the part \"{}\", expected the name of a "
                      ".safetensors file in the same folder",
                      printable(tensor_), printable(text)));
    }
    map_.emplace(tensor_, std::move(text));
    return true;
  }

  bool has_map() const { return seen_map_; }

 private:
  /// Inside a member that means nothing here.
  bool passing() const { return depth_ >= 1 && !in_map_ && member_ != "weight_map"; }
  std::string expected() const override {
    if (depth_ == 0) return "an object with a weight_map";
    if (depth_ == 1) return "weight_map, an object of tensors and parts";
    return fmt::format("the part of \"{}\", the name of a file", printable(tensor_));
  }

  WeightMap& map_;
  int depth_ = 0;
  bool seen_map_ = false;
  bool in_map_ = false;
  std::string member_;
  std::string tensor_;
};

}  // namespace

Result<WeightMap> parse_safetensors_index(std::string_view text) {
  WeightMap map;
  IndexEvents events(map);
  CAIRN_TRY(events.read(text));
  if (!events.has_map()) return invalid_file("the index has no weight_map");
  if (map.empty()) return invalid_file("the weight_map of the index is empty");
  return map;
}

}  // namespace cairn::formats

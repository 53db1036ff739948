#include "server/wire/fields.h"

#include <algorithm>
#include <array>

namespace cairn::server {
namespace {

std::vector<Field> joined() {
  std::vector<Field> all;
  for (const std::span<const Field> group :
       {input_fields(), output_fields(), sampling_fields(), refused_fields()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace

std::string_view path_of(Endpoint endpoint) {
  return endpoint == Endpoint::kChat ? "/v1/chat/completions" : "/v1/completions";
}

std::string_view name_of(Behaviour behaviour) {
  constexpr std::array<std::string_view, 3> kNames = {"honoured", "refused", "inert"};
  return kNames[static_cast<std::size_t>(behaviour)];
}

std::span<const Field> fields() {
  static const std::vector<Field> kFields = joined();
  return kFields;
}

const Field* find_field(Endpoint endpoint, std::string_view name) {
  for (const Field& field : fields()) {
    if (field.name == name && (field.endpoints & static_cast<unsigned>(endpoint)) != 0) {
      return &field;
    }
  }
  return nullptr;
}

std::vector<std::string> field_names(Endpoint endpoint) {
  std::vector<std::string> names;
  for (const Field& field : fields()) {
    if ((field.endpoints & static_cast<unsigned>(endpoint)) != 0) names.emplace_back(field.name);
  }
  return names;
}

}  // namespace cairn::server

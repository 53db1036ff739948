#include "tests/models/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "base/status.h"

namespace cairn::tests {
namespace {

constexpr const char* kCheckpointFolder = CAIRN_SOURCE_DIR "/tests/oracle/families";

/// Eight digits, the lowest byte first.
float float_of_hex(const std::string& digits) {
  std::uint32_t bits = 0;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    const auto value = std::stoul(digits.substr(2 * byte, 2), nullptr, 16);
    bits |= static_cast<std::uint32_t>(value) << (8 * byte);
  }
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::vector<std::string> checkpoints() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kCheckpointFolder)) {
    if (entry.path().extension() == ".gguf") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string checkpoint_file(const std::string& name) {
  return std::string(kCheckpointFolder) + "/" + name + ".gguf";
}

Answers answers_of(const std::string& name) {
  const Result<std::string> text =
      read_file(std::string(kCheckpointFolder) + "/" + name + ".json", 1 << 20);
  CAIRN_CHECK(text.ok());
  const Result<Json> json = parse_json(*text);
  CAIRN_CHECK(json.ok() && json->contains("logits"));
  Answers answers{.greedy = (*json)["greedy"].get<std::vector<TokenId>>()};
  const auto hex = (*json)["logits"].get<std::string>();
  for (std::size_t i = 0; i + 8 <= hex.size(); i += 8) {
    answers.logits.push_back(float_of_hex(hex.substr(i, 8)));
  }
  return answers;
}

std::vector<TokenId> checkpoint_ids(std::size_t count, std::size_t vocabulary) {
  std::vector<TokenId> ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<TokenId>((37 * i + 11) % vocabulary));
  }
  return ids;
}

double root_mean_square(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * double{value};
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::vector<float> difference(std::span<const float> a, std::span<const float> b) {
  CAIRN_CHECK(a.size() == b.size());
  std::vector<float> out(a.begin(), a.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= b[i];
  return out;
}

double largest(std::span<const float> values) {
  double found = 0;
  for (const float value : values) found = std::max(found, std::abs(double{value}));
  return found;
}

}  // namespace cairn::tests

#include "tests/golden/goldens.h"

#include <cstring>
#include <span>

#include "base/file.h"
#include "base/float16.h"
#include "base/json.h"

namespace cairn::tests {
namespace {

constexpr std::uint64_t kGoldenBytesMax = 64 << 20;

std::string golden_path(const GoldenModel& model, const std::string& suffix) {
  return std::string(CAIRN_SOURCE_DIR "/tests/oracle/goldens/") + model.name + suffix;
}

Result<Json> read_json(const std::string& path) {
  CAIRN_ASSIGN(const std::string text, read_file(path, kGoldenBytesMax));
  return parse_json(text);
}

template <typename T>
std::vector<T> numbers_of(const std::string& bytes, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  CAIRN_CHECK(offset + count * sizeof(T) <= bytes.size());
  std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
  return values;
}

std::size_t values_in(const Json& array) {
  std::size_t count = 1;
  for (const Json& dim : array["shape"]) count *= dim.get<std::size_t>();
  return count;
}

std::vector<float> floats_of(const Json& array, const std::string& bytes) {
  const auto offset = array["offset"].get<std::size_t>();
  if (array["type"] == "f32") return numbers_of<float>(bytes, offset, values_in(array));
  std::vector<float> values;
  for (const std::uint16_t half : numbers_of<std::uint16_t>(bytes, offset, values_in(array))) {
    values.push_back(f16_to_f32(half));
  }
  return values;
}

std::vector<std::uint32_t> ids_of(const Json& array, const std::string& bytes) {
  return numbers_of<std::uint32_t>(bytes, array["offset"].get<std::size_t>(), values_in(array));
}

const Json& array_named(const Json& json, const std::string& name) {
  for (const Json& array : json["arrays"]) {
    if (array["name"] == name) return array;
  }
  CAIRN_CHECK(false);
  return json;
}

}  // namespace

const std::vector<GoldenModel>& golden_models() {
  static const std::vector<GoldenModel> kModels = {
      {.name = "smollm2", .file = "SmolLM2-135M-Instruct.Q4_1.gguf", .changed_share_max = 0.05},
      {.name = "gemma3", .file = "gemma-3-270m-q4_k_m.gguf", .changed_share_max = 0.06},
  };
  return kModels;
}

std::string path_of(const GoldenModel& model) { return CAIRN_TEST_DATA_DIR "/" + model.file; }

std::vector<TokenId> GoldenPrompt::forced() const {
  std::vector<TokenId> all = prompt_ids;
  all.insert(all.end(), ids.begin(), ids.end() - 1);
  return all;
}

Result<std::vector<GoldenPrompt>> read_prompts(const GoldenModel& model) {
  CAIRN_ASSIGN(const Json json, read_json(golden_path(model, ".json")));
  std::vector<GoldenPrompt> prompts;
  for (const Json& entry : json["prompts"]) {
    GoldenPrompt prompt;
    prompt.name = entry["name"].get<std::string>();
    prompt.prompt_ids = entry["prompt_ids"].get<std::vector<TokenId>>();
    prompt.ids = entry["ids"].get<std::vector<TokenId>>();
    prompt.top1 = entry["top1"].get<std::vector<float>>();
    prompt.gap = entry["gap"].get<std::vector<float>>();
    prompts.push_back(std::move(prompt));
  }
  return prompts;
}

std::span<const float> GoldenHidden::at(std::size_t point, std::size_t row) const {
  return std::span(values).subspan((point * rows.size() + row) * width, width);
}

Result<GoldenHidden> read_hidden(const GoldenModel& model) {
  CAIRN_ASSIGN(const Json json, read_json(golden_path(model, "-hidden.json")));
  CAIRN_ASSIGN(const std::string bytes,
               read_file(golden_path(model, "-hidden.f32"), kGoldenBytesMax));
  GoldenHidden hidden;
  hidden.prompt_ids = json["prompt_ids"].get<std::vector<TokenId>>();
  hidden.rows = json["rows"].get<std::vector<std::size_t>>();
  hidden.width = json["width"].get<std::size_t>();
  hidden.points = json["points"].get<std::vector<std::string>>();
  hidden.values =
      numbers_of<float>(bytes, 0, hidden.points.size() * hidden.rows.size() * hidden.width);
  return hidden;
}

Result<GoldenKl> read_kl(const GoldenModel& model) {
  CAIRN_ASSIGN(const Json json, read_json(golden_path(model, "-kl.json")));
  CAIRN_ASSIGN(const std::string bytes, read_file(golden_path(model, "-kl.bin"), kGoldenBytesMax));
  GoldenKl kl;
  kl.windows = json["windows"].get<std::vector<std::vector<TokenId>>>();
  kl.rows = json["rows"].get<std::size_t>();
  kl.top = json["top"].get<std::size_t>();
  kl.samples = json["samples"].get<std::size_t>();
  kl.next_logprob = floats_of(array_named(json, "next_logprob"), bytes);
  kl.tail_log_mass = floats_of(array_named(json, "tail_log_mass"), bytes);
  kl.top_id = ids_of(array_named(json, "top_id"), bytes);
  kl.top_logprob = floats_of(array_named(json, "top_logprob"), bytes);
  kl.sample_id = ids_of(array_named(json, "sample_id"), bytes);
  kl.sample_logprob = floats_of(array_named(json, "sample_logprob"), bytes);
  return kl;
}

}  // namespace cairn::tests

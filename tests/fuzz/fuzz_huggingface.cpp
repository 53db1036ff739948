// room: formats
// Any text as tokenizer.json, config.json and generation_config.json of a folder: nothing may
// crash, hang or read outside it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/huggingface/generation_config.h"
#include "formats/huggingface/keys.h"
#include "formats/huggingface/tokenizer_json.h"

namespace {

using cairn::formats::ConfigJson;
using cairn::formats::Metadata;

constexpr std::size_t kRows = 1000;

/// Keeps results from being optimised away.
volatile std::uint64_t sink = 0;

void read_tokenizer(std::string_view text) {
  const auto tokenizer = cairn::formats::parse_tokenizer_json(text);
  if (!tokenizer.ok()) return;
  Metadata metadata;
  std::vector<std::string> warnings;
  const auto status = cairn::formats::translate_tokenizer(*tokenizer, kRows, metadata, warnings);
  sink = sink + status.message().size() + metadata.keys().size() + warnings.size();
}

void read_configs(std::string_view text) {
  const auto json = cairn::parse_json(text);
  if (!json.ok() || !json->is_object()) return;
  for (const auto& family : cairn::formats::huggingface_families()) {
    ConfigJson config(*json, "config.json");
    std::vector<std::string> warnings;
    sink = sink + cairn::formats::llama3_factors(config).status().message().size();
    sink =
        sink + cairn::formats::translate_config(family, config, warnings).status().message().size();
  }
  ConfigJson config(*json, "config.json");
  ConfigJson generation(*json, "generation_config.json");
  Metadata metadata;
  std::vector<std::string> warnings;
  sink = sink + cairn::formats::translate_generation(config, generation, kRows, metadata, warnings)
                    .message()
                    .size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_tokenizer(text);
  read_configs(text);
  return 0;
}

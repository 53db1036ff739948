#include "formats/huggingface/generation_config.h"

#include <fmt/core.h>

#include <cstdint>

namespace cairn::formats {
namespace {

struct SamplingRow {
  const char* hf;
  const char* key;  // behind general.sampling.
  bool is_count;
  bool always;  // counts where nothing is drawn too
};

constexpr SamplingRow kSampling[] = {
    {"temperature", "temp", false, false},
    {"top_k", "top_k", true, false},
    {"top_p", "top_p", false, false},
    {"min_p", "min_p", false, false},
    {"repetition_penalty", "penalty_repeat", false, true},
};

/// Keys that say nothing of the answer itself.
constexpr const char* kQuiet[] = {
    "_from_model_config",
    "bos_token_id",
    "cache_implementation",
    "decoder_start_token_id",
    "do_sample",
    "eos_token_id",
    "max_length",
    "max_new_tokens",
    "pad_token_id",
    "return_dict_in_generate",
    "transformers_version",
    "trust_remote_code",
    "use_cache",
    "output_attentions",
    "output_hidden_states",
    "chat_format",
    "max_window_size",
};

Status set_one(const SamplingRow& row, ConfigJson& generation, Metadata& metadata) {
  const std::string key = fmt::format("general.sampling.{}", row.key);
  if (row.is_count) {
    CAIRN_ASSIGN(const std::uint64_t value, generation.count(row.hf));
    metadata.set(key, value);
    return {};
  }
  CAIRN_ASSIGN(const double value, generation.real(row.hf));
  metadata.set(key, value);
  return {};
}

/// Ids that end an answer: a number or a list of them.
Status set_stops(ConfigJson& from, std::size_t count, Metadata& metadata) {
  const Json* value = from.find("eos_token_id");
  if (value == nullptr) return {};
  const Json list = value->is_array() ? *value : Json::array({*value});
  std::vector<std::int32_t> ids;
  for (const Json& id : list) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= count) {
      return from.refuse("eos_token_id", fmt::format("an id below {}, or a list of them,", count));
    }
    ids.push_back(id.get<std::int32_t>());
  }
  metadata.set("tokenizer.huggingface.stop_ids", array_of(ids));
  return {};
}

}  // namespace

Status translate_generation(ConfigJson& config, ConfigJson& generation, std::size_t count,
                            Metadata& metadata, std::vector<std::string>& warnings) {
  CAIRN_TRY(set_stops(generation.has("eos_token_id") ? generation : config, count, metadata));
  CAIRN_ASSIGN(const bool draws, generation.boolean_or("do_sample", false));
  for (const SamplingRow& row : kSampling) {
    if (generation.find(row.hf) == nullptr) continue;
    if (draws || row.always) {
      CAIRN_TRY(set_one(row, generation, metadata));
    } else {
      warnings.push_back(fmt::format("{}: \"{}\" is not used, as \"do_sample\" is not true",
                                     generation.where(), row.hf));
    }
  }
  for (const char* key : kQuiet) generation.find(key);
  if (const std::string unread = generation.unread(); !unread.empty()) {
    warnings.push_back(
        fmt::format("{}: {} is not understood and not used", generation.where(), unread));
  }
  return {};
}

}  // namespace cairn::formats

// A request to generate, as its fields were read: types and ranges are checked, absent is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"

namespace cairn::server {

/// One prompt of a completion: text, or ids.
using Prompt = std::variant<std::string, std::vector<std::int64_t>>;

/// What the fields of every endpoint say, in OpenAI's words: Anthropic's messages, tools and choice
/// are read into the same members. Names are those of the wire.
struct GenerationRequest {
  std::optional<std::string> model = {};
  std::vector<Prompt> prompts = {};  // completions
  bool prompt_is_list = false;
  Json messages = {};       // chat: an array whose members were checked, as the template takes it
  std::string system = {};  // Anthropic's, which stands before the messages
  std::optional<bool> thinking = {};                // Anthropic's switch
  std::vector<std::int64_t> tokens = {};            // of /detokenize
  std::optional<std::string> encoding_format = {};  // of embeddings: float or base64
  std::optional<std::int64_t> dimensions = {};
  Json input_items = {};  // of responses: an array, each with an id
  std::optional<std::string> previous_response_id = {};
  std::optional<bool> store = {};
  Json metadata = {};                             // of responses and batches: an object, or null
  std::optional<std::string> input_file_id = {};  // of batches, as is the next
  std::optional<std::string> batch_endpoint = {};
  std::optional<bool> with_pieces = {};
  std::optional<bool> return_token_strs = {};
  std::optional<bool> parse_special = {};
  std::optional<bool> add_generation_prompt = {};
  std::optional<bool> continue_final_message = {};
  std::optional<bool> add_special_tokens = {};
  Json chat_template_kwargs = {};  // an object, or null
  Json documents = {};             // an array, or null
  std::optional<std::string> reasoning_effort = {};
  std::optional<bool> include_reasoning = {};
  std::optional<std::string> reasoning_format = {};
  std::optional<std::int64_t> thinking_token_budget = {};

  Json tools = {};        // an array, or null
  Json tool_choice = {};  // "none", "auto", "required", an object with a name, or null
  std::optional<bool> parallel_tool_calls = {};
  Json response_format = {};  // an object with a known type, or null
  Json answer_schema = {};    // the JSON Schema that the answer is kept to, or null

  std::optional<std::int64_t> max_tokens = {};
  std::optional<std::int64_t> max_completion_tokens = {};
  std::optional<std::int64_t> min_tokens = {};
  std::optional<std::int64_t> n = {};
  std::optional<std::int64_t> t_max_predict_ms = {};
  std::vector<std::string> stop = {};
  std::vector<std::int64_t> stop_token_ids = {};
  std::optional<bool> include_stop_str_in_output = {};
  std::optional<bool> ignore_eos = {};
  std::vector<std::string> bad_words = {};
  std::optional<std::vector<std::int64_t>> allowed_token_ids = {};

  std::optional<double> temperature = {};
  std::optional<double> dynatemp_range = {};
  std::optional<double> dynatemp_exponent = {};
  std::optional<std::int64_t> top_k = {};
  std::optional<double> top_p = {};
  std::optional<double> min_p = {};
  std::optional<double> typical_p = {};
  std::optional<double> top_n_sigma = {};
  std::optional<double> xtc_probability = {};
  std::optional<double> xtc_threshold = {};
  std::optional<double> presence_penalty = {};
  std::optional<double> frequency_penalty = {};
  std::optional<double> repetition_penalty = {};
  std::optional<std::int64_t> repeat_last_n = {};
  std::optional<double> dry_multiplier = {};
  std::optional<double> dry_base = {};
  std::optional<std::int64_t> dry_allowed_length = {};
  std::optional<std::int64_t> dry_penalty_last_n = {};
  std::vector<std::string> dry_sequence_breakers = {};
  std::optional<std::int64_t> mirostat = {};
  std::optional<double> mirostat_tau = {};
  std::optional<double> mirostat_eta = {};
  std::optional<std::int64_t> min_keep = {};
  std::vector<std::string> samplers = {};
  std::optional<std::int64_t> seed = {};
  std::vector<std::pair<std::int64_t, double>> logit_bias = {};

  std::optional<bool> stream = {};
  std::optional<bool> include_usage = {};
  std::optional<bool> continuous_usage_stats = {};
  std::optional<bool> echo = {};
  std::optional<std::int64_t> logprobs = {};  // completions: how many; chat: 0 for logprobs true
  std::optional<std::int64_t> top_logprobs = {};
  std::optional<std::int64_t> prompt_logprobs = {};
  std::optional<bool> return_token_ids = {};
  std::optional<bool> return_tokens_as_token_ids = {};
  std::optional<bool> skip_special_tokens = {};
  std::optional<bool> timings_per_token = {};
  std::optional<bool> return_progress = {};
  std::optional<bool> effective_params = {};

  std::optional<std::int64_t> priority = {};
  std::optional<std::int64_t> deadline_ms = {};
  std::optional<std::string> cache_salt = {};
  std::optional<bool> cache_prompt = {};
};

}  // namespace cairn::server

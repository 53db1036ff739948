// What is known of one request that generated: for metrics and for /v1/requests/{id}.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::server {

/// Times are of the steady clock, in nanoseconds; 0: it did not come to that.
struct RequestRecord {
  std::string id = {};
  std::string endpoint = {};
  std::string model = {};
  std::int64_t arrived_ns = 0;    // its first byte
  std::int64_t submitted_ns = 0;  // read, rendered and tokenized
  std::int64_t first_token_ns = 0;
  std::int64_t ended_ns = 0;
  std::uint64_t answers = 0;
  std::uint64_t tokens_max = 0;  // asked for; 0: no limit
  std::uint64_t prompt_tokens = 0;
  std::uint64_t cached_tokens = 0;
  std::uint64_t generated_tokens = 0;
  double prompt_s = 0;                           // computing the prompt, as the engine measured it
  double decode_s = 0;                           // and the tokens behind the first
  std::vector<std::string> finish_reasons = {};  // one per answer; "abort" for one cut off
};

}  // namespace cairn::server

// The oracle's committed answers (tests/oracle/README.md), read for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/token.h"

namespace cairn::tests {

/// A model that goldens exist for, and what the exact class may change of them.
struct GoldenModel {
  std::string name;              // "smollm2"
  std::string file;              // in CAIRN_TEST_DATA_DIR
  double changed_share_max = 0;  // of teacher-forced steps
};

/// "smollm2" and "gemma3".
const std::vector<GoldenModel>& golden_models();

/// Where the file of `model` lies.
std::string path_of(const GoldenModel& model);

/// A greedy continuation. Step i predicts ids[i] from prompt_ids and ids before i.
struct GoldenPrompt {
  std::string name;
  std::vector<TokenId> prompt_ids;
  std::vector<TokenId> ids;
  std::vector<float> top1;
  std::vector<float> gap;

  /// What is fed so that the last ids.size() rows predict `ids`.
  std::vector<TokenId> forced() const;
};

/// Errors: as reading and parsing the file.
Result<std::vector<GoldenPrompt>> read_prompts(const GoldenModel& model);

/// The residual stream at named points for some rows of a prompt.
struct GoldenHidden {
  std::vector<TokenId> prompt_ids;
  std::vector<std::size_t> rows;
  std::size_t width = 0;
  std::vector<std::string> points;
  std::vector<float> values;  // [points][rows][width]

  std::span<const float> at(std::size_t point, std::size_t row) const;
};

Result<GoldenHidden> read_hidden(const GoldenModel& model);

/// The reference's distributions over windows of a text.
struct GoldenKl {
  std::vector<std::vector<TokenId>> windows;
  std::size_t rows = 0;
  std::size_t top = 0;
  std::size_t samples = 0;
  std::vector<float> next_logprob;  // of the id that follows; NaN in a window's last row
  std::vector<float> tail_log_mass;
  std::vector<std::uint32_t> top_id;
  std::vector<float> top_logprob;
  std::vector<std::uint32_t> sample_id;
  std::vector<float> sample_logprob;
};

Result<GoldenKl> read_kl(const GoldenModel& model);

}  // namespace cairn::tests

// FakeForwarder: a model for tests that remembers tokens in pages and answers as a script says.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/forwarder.h"
#include "engine/request.h"

namespace cairn::engine {

/// Keeps the token of every slot in its page, as a model keeps keys and values, and gives a row's
/// logits as a function of all tokens that the row may attend to. A wrong page, slot or position
/// shows as a wrong history.
class FakeForwarder final : public Forwarder {
 public:
  using Script = std::function<void(std::span<const TokenId> history, std::span<float> logits)>;

  FakeForwarder(std::size_t vocabulary, std::size_t rows_max, std::size_t pages, Script script)
      : vocabulary_(vocabulary),
        rows_max_(rows_max),
        pages_(pages),
        script_(std::move(script)),
        logits_(vocabulary),
        tokens_(pages * kernels::kPagePositions, -1) {}

  std::size_t vocabulary() const override { return vocabulary_; }
  std::size_t rows_max() const override { return rows_max_; }
  std::size_t pages() const override { return pages_; }

  Matrix forward(std::span<const kernels::Row> rows, BlockTables block_tables) override {
    steps.push_back(rows.size());
    std::size_t wanted = 0;
    for (const kernels::Row& row : rows) {
      const std::span<const std::uint32_t> table = block_tables[row.sequence];
      at(table, row.slot) = row.token;
      if (!row.wants_logits) continue;
      ++wanted;
      history_.clear();
      for (std::uint32_t slot = 0; slot <= row.slot; ++slot) history_.push_back(at(table, slot));
      script_(history_, logits_);
    }
    return {.data = logits_.data(), .rows = wanted, .cols = vocabulary_, .stride = vocabulary_};
  }

  std::vector<std::size_t> steps;  // rows of every step so far

 private:
  TokenId& at(std::span<const std::uint32_t> table, std::size_t slot) {
    return tokens_.at(table[slot / kernels::kPagePositions] * kernels::kPagePositions +
                      slot % kernels::kPagePositions);
  }

  std::size_t vocabulary_ = 0;
  std::size_t rows_max_ = 0;
  std::size_t pages_ = 0;
  Script script_;
  std::vector<float> logits_;
  std::vector<TokenId> tokens_;
  std::vector<TokenId> history_;
};

/// Ids that print the given bytes.
class FakeBytes final : public TokenBytes {
 public:
  explicit FakeBytes(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  std::size_t size() const override { return pieces_.size(); }
  std::string_view bytes(TokenId id) const override {
    return pieces_[static_cast<std::size_t>(id)];
  }

 private:
  std::vector<std::string> pieces_;
};

}  // namespace cairn::engine

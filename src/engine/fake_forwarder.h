// FakeForwarder: a model for tests that remembers tokens in pages and answers as a script says.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/forwarder.h"
#include "engine/request.h"

namespace cairn::engine {

/// Keeps the token of every slot in its page of every group, as a model keeps keys and values, and
/// gives a row's logits as a function of all tokens that the row may look at, group after group. A
/// wrong page, slot or position shows as a wrong history. A hidden state is the row's slot, how
/// many tokens it may look at, and their sum.
class FakeForwarder final : public Forwarder {
 public:
  using Script = std::function<void(std::span<const TokenId> history, std::span<float> logits)>;

  struct Options {
    std::size_t vocabulary = 0;
    std::size_t rows_max = 0;
    std::size_t pages = 0;
    Script script = {};
    std::size_t logits_rows_max = 8;
    std::vector<CacheGroup> groups = {CacheGroup{}};
    std::uint32_t page_layout = 1;
  };
  /// What an engine of these options needs, sampling as many rows at once as it may.
  static Options fitting(const EngineOptions& engine, std::size_t vocabulary, std::size_t pages,
                         Script script) {
    return {.vocabulary = vocabulary,
            .rows_max = engine.step_rows,
            .pages = pages,
            .script = std::move(script),
            .logits_rows_max = engine.sequences + engine.lookup.tokens_max};
  }
  explicit FakeForwarder(Options options)
      : options_(std::move(options)),
        logits_(options_.logits_rows_max * options_.vocabulary),
        best_(options_.logits_rows_max),
        tokens_(options_.groups.size(),
                std::vector<TokenId>(options_.pages * kernels::kPagePositions, -1)) {}

  std::size_t vocabulary() const override { return options_.vocabulary; }
  std::size_t rows_max() const override { return options_.rows_max; }
  std::size_t logits_rows_max() const override { return options_.logits_rows_max; }
  std::span<const CacheGroup> groups() const override { return options_.groups; }
  std::size_t pages() const override { return options_.pages; }
  std::string cache_identity() const override { return "fake"; }
  std::uint32_t page_layout() const override { return options_.page_layout; }
  std::size_t page_bytes(std::size_t) const override {
    return kernels::kPagePositions * sizeof(TokenId);
  }

  Matrix forward(std::span<const kernels::Row> rows, GroupTables block_tables) override {
    steps.push_back(rows.size());
    std::size_t wanted = 0;
    hidden_.assign(rows.size(), {});
    std::size_t index = 0;
    for (const kernels::Row& row : rows) {
      history_.clear();
      for (std::size_t g = 0; g < options_.groups.size(); ++g) {
        write(g, row, block_tables[g][row.sequence]);
        if (row.wants_logits || row.wants_hidden) look(g, row, block_tables[g][row.sequence]);
      }
      if (row.wants_hidden) hidden_[index] = state_of(row);
      ++index;
      if (!row.wants_logits) continue;
      CAIRN_CHECK(wanted < options_.logits_rows_max);
      options_.script(
          history_, std::span(logits_).subspan(wanted * options_.vocabulary, options_.vocabulary));
      if (row.wants_best) tell_best(wanted);
      ++wanted;
    }
    return {.data = logits_.data(),
            .rows = wanted,
            .cols = options_.vocabulary,
            .stride = options_.vocabulary};
  }

  std::span<const kernels::BestTwo> best() const override { return best_; }

  std::span<const float> hidden(std::size_t row) override { return hidden_.at(row); }

  void copy_page(std::size_t group, std::uint32_t from, std::uint32_t to) override {
    for (std::size_t i = 0; i < kernels::kPagePositions; ++i) {
      tokens_[group].at(to * kernels::kPagePositions + i) =
          tokens_[group].at(from * kernels::kPagePositions + i);
    }
  }

  void read_page(std::size_t group, std::uint32_t page, std::span<std::byte> to) override {
    std::memcpy(to.data(), &tokens_[group].at(page * kernels::kPagePositions), page_bytes(group));
  }
  void fill_page(std::size_t group, std::uint32_t page, std::span<const std::byte> from) override {
    std::memcpy(&tokens_[group].at(page * kernels::kPagePositions), from.data(), page_bytes(group));
  }

  std::vector<std::size_t> steps;  // rows of every step so far

  std::size_t best_rows = 0;  // that wanted the two best of their logits alone, so far

 private:
  std::vector<float> state_of(const kernels::Row& row) const {
    float sum = 0;
    for (const TokenId id : history_) sum += static_cast<float>(id);
    return {static_cast<float>(row.slot), static_cast<float>(history_.size()), sum};
  }

  /// Nobody may look at the logits of such a row: they are taken away.
  void tell_best(std::size_t row) {
    const auto logits = std::span(logits_).subspan(row * options_.vocabulary, options_.vocabulary);
    kernels::BestTwo& best = best_[row];
    best = {.first = -std::numeric_limits<float>::infinity(),
            .second = -std::numeric_limits<float>::infinity()};
    for (std::size_t id = 0; id < logits.size(); ++id) {
      if (!std::isfinite(logits[id])) best.finite = 0;
      if (logits[id] > best.first) {
        best.second = best.first;
        best.first = logits[id];
        best.id = static_cast<TokenId>(id);
      } else {
        best.second = std::max(best.second, logits[id]);
      }
    }
    std::ranges::fill(logits, std::numeric_limits<float>::quiet_NaN());
    ++best_rows;
  }

  TokenId& at(std::size_t group, std::span<const std::uint32_t> table, std::size_t slot) {
    return tokens_[group].at(std::size_t{table[slot / kernels::kPagePositions]} *
                                 kernels::kPagePositions +
                             slot % kernels::kPagePositions);
  }

  void write(std::size_t group, const kernels::Row& row, std::span<const std::uint32_t> table) {
    if (options_.groups[group].kind != models::CacheKind::kRecurrent) {
      at(group, table, row.slot) = row.token;
      return;
    }
    TokenId& state = at(group, table, 0);
    state = (row.slot == 0 ? 17 : state) * 31 % 65521 + row.token;
  }

  void look(std::size_t group, const kernels::Row& row, std::span<const std::uint32_t> table) {
    const CacheGroup& of = options_.groups[group];
    if (of.kind == models::CacheKind::kRecurrent) {
      history_.push_back(at(group, table, 0));
      return;
    }
    const std::size_t seen = row.slot + std::size_t{1};
    const std::size_t first = of.window == 0 || seen <= of.window ? 0 : seen - of.window;
    for (std::size_t slot = first; slot < seen; ++slot) {
      history_.push_back(at(group, table, slot));
    }
  }

  Options options_;
  std::vector<float> logits_;
  std::vector<kernels::BestTwo> best_;
  std::vector<std::vector<TokenId>> tokens_;  // per group and slot of every page
  std::vector<TokenId> history_;
  std::vector<std::vector<float>> hidden_;  // by row of the last step
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

/// For scripts: `id` is by far the likeliest.
inline void prefer(TokenId id, std::span<float> logits) {
  std::ranges::fill(logits, 0.0F);
  logits[static_cast<std::size_t>(id)] = 8.0F;
}

/// A script: logits that depend on every token of the history and on its order.
inline void scramble(std::span<const TokenId> history, std::span<float> logits) {
  std::uint32_t state = 2166136261U;
  for (const TokenId id : history) state = (state ^ static_cast<std::uint32_t>(id)) * 16777619U;
  for (float& logit : logits) {
    state = state * 1664525U + 1013904223U;
    logit = static_cast<float>(state >> 8) * 0x1p-21F;
  }
}

/// A script: the last two tokens decide which id is likeliest, so that answers go in circles; every
/// token of the history moves logits a little.
inline void stutter(std::span<const TokenId> history, std::span<float> logits) {
  std::vector<float> all(logits.size());
  scramble(history, all);
  scramble(history.last(std::min<std::size_t>(history.size(), 2)), logits);
  for (std::size_t id = 0; id < all.size(); ++id) logits[id] += 0x1p-10F * all[id];
}

}  // namespace cairn::engine

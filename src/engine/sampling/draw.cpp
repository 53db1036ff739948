#include "engine/sampling/draw.h"

#include <algorithm>

namespace cairn::engine {
namespace {

std::span<const float> chunk_of(Draft& draft, std::size_t chunk) {
  const std::span<const float> logits = draft.logits();
  const std::size_t at = chunk * kSumChunk;
  return logits.subspan(at, std::min(kSumChunk, logits.size() - at));
}

double share_of_chunk(Draft& draft, std::size_t chunk) {
  double sum = 0;
  for (const float logit : chunk_of(draft, chunk)) {
    if (logit != kOut) sum += draft.share(logit);
  }
  return sum;
}

Drawn draw_from_list(Draft& draft, double unit) {
  double total = 0;
  for (const Candidate& each : draft.list()) total += draft.share(each.logit);
  double left = unit * total;
  // Rounding may leave a little after the last id that has a share: that id is drawn then.
  Drawn drawn;
  for (const Candidate& each : draft.list()) {
    const double share = draft.share(each.logit);
    if (share == 0) continue;
    drawn = {.id = each.id, .probability = share / total};
    if (left < share) break;
    left -= share;
  }
  return drawn;
}

Drawn draw_from_row(Draft& draft, double unit, std::vector<double>& sums) {
  double total = 0;
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
    sums[chunk] = share_of_chunk(draft, chunk);
    total += sums[chunk];
  }
  double left = unit * total;
  std::size_t chunk = 0;
  while (chunk + 1 < sums.size() && left >= sums[chunk]) {
    left -= sums[chunk];
    ++chunk;
  }
  const TokenId best = draft.best();
  Drawn drawn = {.id = best, .probability = 1 / total};
  for (std::size_t id = chunk * kSumChunk; id < draft.logits().size(); ++id) {
    const float logit = draft.logits()[id];
    const double share = logit == kOut ? 0 : draft.share(logit);
    if (share == 0) continue;
    drawn = {.id = static_cast<TokenId>(id), .probability = share / total};
    if (left < share) break;
    left -= share;
  }
  return drawn;
}

}  // namespace

Drawn draw(Draft& draft, double unit, std::vector<double>& sums) {
  return draft.listed() ? draw_from_list(draft, unit) : draw_from_row(draft, unit, sums);
}

double probability_of(Draft& draft, TokenId id) {
  double total = 0;
  double own = 0;
  for (const Candidate& each : draft.list()) {
    const double share = draft.share(each.logit);
    total += share;
    if (each.id == id) own = share;
  }
  return own / total;
}

}  // namespace cairn::engine

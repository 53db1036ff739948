#include "engine/grammar/state.h"

#include <algorithm>
#include <tuple>

#include "engine/grammar/reader.h"

namespace cairn::engine {
namespace {

/// Makes one place of those that differ only in what is around them.
void merge(GrammarStack& stack, GrammarPlaces& places) {
  if (places.size() < 2) return;
  std::ranges::sort(places, {}, [](const GrammarPlace& each) {
    return std::tuple(each.at.rule, each.at.place, each.at.detail, each.run, each.at.around);
  });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    GrammarCell& last = places[kept].at;
    const GrammarCell& each = places[i].at;
    const bool same = last.rule == each.rule && last.place == each.place &&
                      last.detail == each.detail && places[kept].run == places[i].run;
    if (same) {
      last.around = stack.joined(last.around, each.around);
    } else {
      places[++kept] = places[i];
    }
  }
  places.resize(kept + 1);
}

}  // namespace

GrammarPlaces grammar_start(const Grammar& grammar, GrammarStack& stack) {
  GrammarPlaces places;
  GrammarReader reader(grammar, stack, places);
  reader.enter(grammar.start(), GrammarStack::kOutermost);
  merge(stack, places);
  return places;
}

GrammarPlaces grammar_step(const Grammar& grammar, GrammarStack& stack, const GrammarPlaces& from,
                           std::uint8_t byte) {
  GrammarPlaces places;
  GrammarReader reader(grammar, stack, places);
  for (const GrammarPlace& each : from) reader.read(each, byte);
  merge(stack, places);
  return places;
}

GrammarPlaces grammar_step_token(const Grammar& grammar, GrammarStack& stack,
                                 const GrammarPlaces& from, TokenId id) {
  GrammarPlaces places;
  GrammarReader reader(grammar, stack, places);
  for (const GrammarPlace& each : from) reader.read_token(each, id);
  merge(stack, places);
  return places;
}

bool grammar_may_end(const Grammar& grammar, const GrammarPlaces& places) {
  return std::ranges::any_of(places, [&](const GrammarPlace& each) {
    if (each.at.rule == kGrammarEnd) return true;
    return grammar.rule(each.at.rule).may_end == MayEnd::kYes;
  });
}

}  // namespace cairn::engine

// GrammarReader: one byte's way from a place to those behind it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/grammar/state.h"

namespace cairn::engine {

/// Lives for one byte.
class GrammarReader {
 public:
  /// Adds what it finds to `out`.
  GrammarReader(const Grammar& grammar, GrammarStack& stack, GrammarPlaces& out)
      : grammar_(grammar), stack_(stack), out_(out) {}

  /// The places where a rule begins that has `around` around it.
  void enter(GrammarNode node, std::uint32_t around);
  /// The places after `byte` from `from`.
  void read(const GrammarPlace& from, std::uint8_t byte);
  /// The places after a token without bytes.
  void read_token(const GrammarPlace& from, TokenId id);

 private:
  void add(const GrammarCell& at, std::uint32_t run = 0) { out_.push_back({.at = at, .run = run}); }
  void finish(std::uint32_t around);
  void go_on(const GrammarCell& cell);
  void begin_inside(GrammarNode node, const GrammarCell& then, std::uint8_t byte);
  void begin(GrammarNode node, std::uint32_t around, std::uint8_t byte);
  bool stays_blank(const GrammarPlace& from, std::uint8_t byte);

  void read_literal(const GrammarPlace& from, std::uint8_t byte);
  void read_words(const GrammarPlace& from, std::uint8_t byte);
  void read_string(const GrammarPlace& from, std::uint8_t byte);
  void read_number(const GrammarPlace& from, std::uint8_t byte);
  void read_until(const GrammarPlace& from, std::uint8_t byte);
  void read_array(const GrammarPlace& from, std::uint8_t byte);
  void read_object(const GrammarPlace& from, std::uint8_t byte);
  void read_name(const GrammarPlace& from, std::uint8_t byte);
  void read_other_name(const GrammarPlace& from, std::uint8_t byte);
  void open_name(const GrammarPlace& from);

  const Grammar& grammar_;
  GrammarStack& stack_;
  GrammarPlaces& out_;
  std::vector<std::pair<GrammarNode, std::uint32_t>> entered_;  // choices: one may hold itself
};

}  // namespace cairn::engine

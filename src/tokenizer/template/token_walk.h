// Where the parser stands among the tokens: looking, stepping, expecting, counting nesting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "tokenizer/template/lexer.h"

namespace cairn::tokenizer::jinja {

/// Expressions, statements and brackets nest no deeper than this (Python stops at 200 brackets and
/// 100 blocks).
constexpr unsigned kNestingMax = 200;

/// A token as error messages name it.
std::string describe(const Token& token);

/// Walks the tokens; what both parsers (expressions, statements) need.
class TokenWalk {
 public:
  explicit TokenWalk(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

 protected:
  const Token& current() const { return tokens_[at_]; }
  const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void next() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  int line() const { return current().line; }

  bool at_kind(TokenKind kind) const { return current().kind == kind; }
  bool at_operator(std::string_view text) const;
  bool at_name(std::string_view text) const;
  bool skip_operator(std::string_view text);
  bool skip_name(std::string_view text);
  Status expect_operator(std::string_view text);
  Status expect_kind(TokenKind kind);
  Result<std::string> expect_any_name();

  Status error(std::string_view reason) const;
  Status unexpected(std::string_view wanted) const;

  /// Counts one level of nesting while it lives.
  class Level {
   public:
    explicit Level(TokenWalk& walk) : walk_(walk) { ++walk_.nesting_; }
    ~Level() { --walk_.nesting_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TokenWalk& walk_;
  };
  Status nesting_fits(unsigned depth) const;
  unsigned nesting() const { return nesting_; }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace cairn::tokenizer::jinja

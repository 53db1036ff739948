#include "tokenizer/template/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/template/lexer_literals.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

enum class TagKind : std::uint8_t { kNone, kVariable, kBlock, kComment, kRaw };

/// Where the next tag begins and what stands around it.
struct Tag {
  TagKind kind = TagKind::kNone;
  std::size_t begin = 0;
  std::size_t end = 0;  // past the opening with its sign
  char sign = 0;        // '-', '+' or 0
};

/// Line breaks made "\n", the last one dropped: as jinja2 reads a source.
std::string normalized(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] != '\r') {
      out += source[at];
      continue;
    }
    out += '\n';
    if (at + 1 < source.size() && source[at + 1] == '\n') ++at;
  }
  if (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Result<std::vector<Token>> run() {
    while (at_ < source_.size()) CAIRN_TRY(lex_root());
    push(TokenKind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

  void push(TokenKind kind, std::string_view text) {
    tokens_.push_back({.kind = kind, .line = line_, .text = std::string(text)});
  }

  /// Moves past `size` bytes and counts their lines.
  void skip(std::size_t size) {
    const std::string_view passed = source_.substr(at_, size);
    line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    if (!passed.empty()) line_starting_ = passed.back() == '\n';
    at_ += passed.size();
  }

  void skip_spaces() { skip(skip_space(source_.substr(at_))); }

  Status error(std::string_view reason) const { return syntax_error(line_, reason); }

  /// "{%" with sign, "raw", "%}" from `at`: past its end, or 0.
  std::size_t raw_end(std::size_t at, std::string_view word) const {
    std::size_t i = at + 2;
    if (i < source_.size() && (source_[i] == '-' || source_[i] == '+')) ++i;
    i += skip_space(source_.substr(std::min(i, source_.size())));
    if (source_.substr(std::min(i, source_.size()), word.size()) != word) return 0;
    i += word.size();
    i += skip_space(source_.substr(i));
    return i;
  }

  static TagKind tag_kind(char second) {
    switch (second) {
      case '{':
        return TagKind::kVariable;
      case '%':
        return TagKind::kBlock;
      case '#':
        return TagKind::kComment;
      default:
        return TagKind::kNone;
    }
  }

  /// Makes a block tag that opens a raw part that part's tag.
  void find_raw(Tag& tag) const {
    const std::size_t raw = raw_end(tag.begin, "raw");
    if (raw == 0) return;
    if (source_.substr(raw, 2) == "%}") {
      tag.kind = TagKind::kRaw;
      tag.end = raw + 2;
    } else if (source_.substr(raw, 3) == "-%}") {
      tag.kind = TagKind::kRaw;
      tag.end = raw + 3 + skip_space(source_.substr(raw + 3));
    }
  }

  Tag next_tag() const {
    for (std::size_t i = source_.find('{', at_); i != std::string_view::npos;
         i = source_.find('{', i + 1)) {
      if (i + 1 >= source_.size()) break;
      Tag tag{.kind = tag_kind(source_[i + 1]), .begin = i, .end = i + 2, .sign = 0};
      if (tag.kind == TagKind::kNone) continue;
      if (tag.end < source_.size() && (source_[tag.end] == '-' || source_[tag.end] == '+')) {
        tag.sign = source_[tag.end++];
      }
      if (tag.kind == TagKind::kBlock) find_raw(tag);
      return tag;
    }
    return {};
  }

  /// How much of `text`, which stands before a tag, is kept.
  std::size_t kept_before(std::string_view text, TagKind kind, char sign) const {
    if (sign == '-') return skip_space_back(text);
    if (sign == '+' || kind == TagKind::kVariable) return text.size();
    const std::size_t newline = text.rfind('\n');
    const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (line_begin == 0 && !line_starting_) return text.size();
    const std::string_view rest = text.substr(line_begin);
    return skip_space(rest) == rest.size() ? line_begin : text.size();
  }

  Status lex_root() {
    const Tag tag = next_tag();
    if (tag.kind == TagKind::kNone) {
      push(TokenKind::kData, source_.substr(at_));
      skip(source_.size() - at_);
      return {};
    }
    const std::string_view text = source_.substr(at_, tag.begin - at_);
    const std::size_t kept = kept_before(text, tag.kind, tag.sign);
    if (kept != 0) push(TokenKind::kData, text.substr(0, kept));
    skip(tag.end - at_);
    switch (tag.kind) {
      case TagKind::kComment:
        return lex_comment();
      case TagKind::kRaw:
        return lex_raw();
      case TagKind::kBlock:
        push(TokenKind::kBlockBegin, "");
        return lex_code(TokenKind::kBlockEnd);
      default:
        push(TokenKind::kVariableBegin, "");
        return lex_code(TokenKind::kVariableEnd);
    }
  }

  Status lex_comment() {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string_view::npos) return error("Missing end of comment tag");
    const char sign = end > at_ ? source_[end - 1] : '\0';
    skip(end + 2 - at_);
    finish_tag(sign);
    return {};
  }

  /// White space after a block or comment: '-' takes all, '+' none, else one line break goes.
  void finish_tag(char sign) {
    if (sign == '-') {
      skip_spaces();
    } else if (sign != '+' && starts("\n")) {
      skip(1);
    }
  }

  Status lex_raw() {
    for (std::size_t i = source_.find("{%", at_); i != std::string_view::npos;
         i = source_.find("{%", i + 1)) {
      std::size_t end = raw_end(i, "endraw");
      if (end == 0) continue;
      char sign = 0;
      if (end < source_.size() && (source_[end] == '-' || source_[end] == '+')) {
        sign = source_[end++];
      }
      if (source_.substr(end, 2) != "%}") continue;
      const char opening = source_[i + 2] == '-' || source_[i + 2] == '+' ? source_[i + 2] : '\0';
      const std::string_view text = source_.substr(at_, i - at_);
      const std::size_t kept = kept_before(text, TagKind::kRaw, opening);
      if (kept != 0) push(TokenKind::kData, text.substr(0, kept));
      skip(end + 2 - at_);
      finish_tag(sign);
      return {};
    }
    return error("Missing end of raw directive");
  }

  /// The closing of the tag here, or empty.
  std::string_view closing(TokenKind end) const {
    using namespace std::string_view_literals;
    if (end == TokenKind::kVariableEnd) {
      return starts("-}}") ? "-}}"sv : starts("}}") ? "}}"sv : ""sv;
    }
    if (starts("+%}")) return "+%}";
    return starts("-%}") ? "-%}"sv : starts("%}") ? "%}"sv : ""sv;
  }

  Status lex_code(TokenKind end) {
    std::string brackets;  // the closing ones that are due
    while (at_ < source_.size()) {
      const std::string_view close = brackets.empty() ? closing(end) : std::string_view();
      if (!close.empty()) {
        push(end, "");
        const char sign = close.size() == 3 ? close[0] : '\0';
        skip(close.size());
        if (end == TokenKind::kBlockEnd || sign == '-') finish_tag(sign);
        return {};
      }
      const std::size_t spaces = skip_space(source_.substr(at_));
      skip(spaces);
      if (spaces == 0) CAIRN_TRY(lex_token(brackets));
    }
    return {};  // the parser says what is missing
  }

  Status lex_token(std::string& brackets) {
    const std::size_t number = float_size(source_, at_);
    if (number != 0) return lex_number(number, TokenKind::kFloat);
    const std::size_t integer = integer_size(source_.substr(at_));
    if (integer != 0) return lex_number(integer, TokenKind::kInteger);
    const std::size_t name = name_size(source_.substr(at_));
    if (name != 0) {
      push(TokenKind::kName, source_.substr(at_, name));
      skip(name);
      return {};
    }
    if (starts("'") || starts("\"")) return lex_string();
    return lex_operator(brackets);
  }

  Status lex_number(std::size_t size, TokenKind kind) {
    const std::string_view digits = source_.substr(at_, size);
    push(kind, digits);
    if (!read_number(tokens_.back())) {
      return error(fmt::format("the number {} is too large", digits));
    }
    skip(size);
    return {};
  }

  Status lex_string() {
    const std::size_t size = string_size(source_.substr(at_));
    if (size == 0) {
      return error(fmt::format("unexpected char \"{}\" at byte {}: the string does not end",
                               source_.substr(at_, 1), at_));
    }
    auto text = unescape(source_.substr(at_ + 1, size - 2));
    if (!text.ok()) return error(text.status().message());
    push(TokenKind::kString, *text);
    skip(size);
    return {};
  }

  Status lex_operator(std::string& brackets) {
    static constexpr std::array<std::string_view, 28> kOperators = {
        "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]",
        "(",  ")",  "{",  "}",  ">",  "<",  "=", ".", ":", "|", ",", ";", "",  ""};
    for (const std::string_view op : kOperators) {
      if (op.empty() || !starts(op)) continue;
      CAIRN_TRY(balance(op[0], brackets));
      push(TokenKind::kOperator, op);
      skip(op.size());
      return {};
    }
    const Utf8Char c = decode_utf8(source_, at_);
    return error(
        fmt::format("unexpected char {} at byte {}", quote(source_.substr(at_, c.size)), at_));
  }

  Status balance(char op, std::string& brackets) const {
    if (op == '{') brackets += '}';
    if (op == '(') brackets += ')';
    if (op == '[') brackets += ']';
    if (op != '}' && op != ')' && op != ']') return {};
    if (brackets.empty()) return error(fmt::format("unexpected '{}'", op));
    const char due = brackets.back();
    brackets.pop_back();
    return due == op ? Status() : error(fmt::format("unexpected '{}', expected '{}'", op, due));
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

Status syntax_error(int line, std::string_view reason) {
  return invalid_argument(fmt::format("chat template, line {}: {}", line, reason));
}

Result<std::vector<Token>> tokenize(std::string_view source) {
  const std::string text = normalized(source);
  return Lexer(text).run();
}

}  // namespace cairn::tokenizer::jinja

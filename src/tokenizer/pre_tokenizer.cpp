#include "tokenizer/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <string>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/splitters.h"

namespace cairn::tokenizer {
namespace {

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

/// PCRE2's own "\s" also takes U+180E, which is no white space; the published patterns mean
/// White_Space of Unicode.
std::string spell_out_spaces(std::string_view pattern) {
  constexpr std::string_view kSpaces =
      "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}"
      "\\x{205F}\\x{3000}";
  std::string out;
  bool in_class = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\' && at + 1 < pattern.size()) {
      const char escaped = pattern[++at];
      if (escaped == 's' && in_class) {
        out += kSpaces;
      } else if (escaped == 's' || escaped == 'S') {
        out += fmt::format("[{}{}]", escaped == 'S' ? "^" : "", kSpaces);
      } else {
        out += c;
        out += escaped;
      }
      continue;
    }
    if (c == '[') in_class = true;
    if (c == ']') in_class = false;
    out += c;
  }
  return out;
}

int count_step(pcre2_callout_block*, void* steps) {
  ++*static_cast<std::uint64_t*>(steps);
  return 0;
}

constexpr std::string_view kPublishedKey = "tokenizer.huggingface.pre_tokenizer";

}  // namespace

Result<const PreTokenizerRow*> pre_tokenizer_of(const formats::Metadata& metadata) {
  CAIRN_ASSIGN(const std::string_view model, metadata.string("tokenizer.ggml.model"));
  if (model == "gemma4") return find_pre_tokenizer("gemma4");
  if (metadata.has(kPublishedKey)) {
    CAIRN_ASSIGN(const std::vector<std::string_view> steps, metadata.strings(kPublishedKey));
    CAIRN_ASSIGN(const bool ignore_merges,
                 metadata.boolean_or("tokenizer.huggingface.ignore_merges", false));
    return find_published_pre_tokenizer(steps, ignore_merges);
  }
  CAIRN_ASSIGN(const std::string_view name, metadata.string_or("tokenizer.ggml.pre", "default"));
  return find_pre_tokenizer(name);
}

/// One splitter, or one compiled pattern.
struct PreTokenizer::Step {
  Splitter splitter = nullptr;
  std::unique_ptr<pcre2_code, FreeCode> code;
  StepCounting counting = StepCounting::kOff;

  static Result<std::unique_ptr<Step>> create(std::string_view text, StepCounting counting);
  /// Appends the pieces of `piece`, which is UTF-8 all through.
  void split(std::string_view piece, std::vector<std::string_view>& pieces,
             std::uint64_t& steps) const;
};

Result<std::unique_ptr<PreTokenizer::Step>> PreTokenizer::Step::create(std::string_view text,
                                                                       StepCounting counting) {
  auto step = std::make_unique<Step>();
  step->counting = counting;
  if (text.starts_with('@')) {
    step->splitter = find_splitter(text);
    if (step->splitter == nullptr) {
      return internal_error(fmt::format("no splitter is called \"{}\"", text));
    }
    return step;
  }
  const std::string pattern = spell_out_spaces(text);
  std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY;
  if (counting == StepCounting::kOn) options |= PCRE2_AUTO_CALLOUT;
  int error = 0;
  std::size_t offset = 0;
  step->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                 options, &error, &offset, nullptr));
  if (step->code == nullptr) {
    return internal_error(
        fmt::format("pattern \"{}\": PCRE2 error {} at byte {}", pattern, error, offset));
  }
  // Where the machine forbids generated code this fails and PCRE2 interprets: slower, same matches.
  static_cast<void>(pcre2_jit_compile(step->code.get(), PCRE2_JIT_COMPLETE));
  return step;
}

void PreTokenizer::Step::split(std::string_view piece, std::vector<std::string_view>& pieces,
                               std::uint64_t& steps) const {
  steps += piece.size();
  if (splitter != nullptr) {
    std::vector<std::size_t> ends;
    splitter(piece, ends);
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      pieces.push_back(piece.substr(begin, end - begin));
      begin = end;
    }
    return;
  }
  const std::unique_ptr<pcre2_match_data, FreeMatch> match(
      pcre2_match_data_create_from_pattern(code.get(), nullptr));
  const std::unique_ptr<pcre2_match_context, FreeContext> context(
      pcre2_match_context_create(nullptr));
  CAIRN_CHECK(match != nullptr && context != nullptr);
  // The patterns are ours and each is linear in the piece, so PCRE2's guard against runaway
  // patterns must not stop a long one.
  pcre2_set_match_limit(context.get(), 0xFFFFFFFF);
  pcre2_set_heap_limit(context.get(), 0xFFFFFFFF);
  if (counting == StepCounting::kOn) pcre2_set_callout(context.get(), &count_step, &steps);
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(piece.data());
  std::size_t at = 0;
  while (at < piece.size()) {
    int found = pcre2_match(code.get(), subject, piece.size(), at, PCRE2_NO_UTF_CHECK, match.get(),
                            context.get());
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
      // Generated code has a small stack of its own; the interpreter keeps its frames on the heap.
      found = pcre2_match(code.get(), subject, piece.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                          match.get(), context.get());
    }
    if (found == PCRE2_ERROR_NOMATCH) break;
    CAIRN_CHECK(found > 0);
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(match.get());
    CAIRN_CHECK(range[0] >= at && range[1] > range[0]);  // no pattern matches nothing
    if (range[0] > at) pieces.push_back(piece.substr(at, range[0] - at));
    pieces.push_back(piece.substr(range[0], range[1] - range[0]));
    at = range[1];
  }
  if (at < piece.size()) pieces.push_back(piece.substr(at));
}

PreTokenizer::PreTokenizer() = default;
PreTokenizer::PreTokenizer(PreTokenizer&&) noexcept = default;
PreTokenizer& PreTokenizer::operator=(PreTokenizer&&) noexcept = default;
PreTokenizer::~PreTokenizer() = default;

Result<PreTokenizer> PreTokenizer::create(const PreTokenizerRow& row, StepCounting counting) {
  PreTokenizer result;
  for (const std::string_view text : row.steps) {
    if (text.empty()) break;
    CAIRN_ASSIGN(std::unique_ptr<Step> step, Step::create(text, counting));
    result.steps_.push_back(std::move(step));
  }
  return result;
}

std::vector<std::string_view> PreTokenizer::split(std::string_view text,
                                                  std::uint64_t& steps) const {
  // Runs of UTF-8 and runs of other bytes first: PCRE2 must see the former only.
  std::vector<std::string_view> pieces;
  std::vector<std::string_view> next;
  std::size_t begin = 0;
  bool valid = true;
  const auto end_run = [&](std::size_t end) {
    if (end == begin) return;
    const std::string_view run = text.substr(begin, end - begin);
    begin = end;
    if (!valid) {
      pieces.push_back(run);
      return;
    }
    std::vector<std::string_view> inner = {run};
    for (const std::unique_ptr<Step>& step : steps_) {
      next.clear();
      for (const std::string_view piece : inner) step->split(piece, next, steps);
      inner.swap(next);
    }
    pieces.insert(pieces.end(), inner.begin(), inner.end());
  };
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text, at);
    if (character.valid != valid) {
      end_run(at);
      valid = character.valid;
    }
    at += character.size;
  }
  end_run(text.size());
  return pieces;
}

}  // namespace cairn::tokenizer

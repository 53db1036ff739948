// The table of pre-tokenizers (a generated-size table, longer than other files): names of
// tokenizer.ggml.pre and the patterns they stand for.
// Source: the published tokenizer.json of the models; where those are not at hand, the patterns as
// llama.cpp lists them (src/llama-vocab.cpp). A new name is one row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tokenizer/pre_tokenizer.h"

namespace cairn::tokenizer {
namespace {

constexpr std::string_view kGpt2 =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kLlama3 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kQwen2 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kQwen35 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| "
    "?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kGpt4o =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'"
    "s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}"
    "\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kTekken =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^"
    "\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}"
    "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kYoutu =
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'"
    "s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}"
    "\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kKimi =
    "\\p{Han}+|[^\\r\\n\\p{L}\\p{N}]?[^\\p{Ll}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}\\p{Han}]*[^\\p{Lu}\\p{"
    "Lt}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}\\p{Han}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]"
    "?[^\\p{Ll}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}\\p{Han}]+[^\\p{Lu}\\p{Lt}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{"
    "C}\\p{Han}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
// Line ends are sought only where a run of spaces begins: the published pattern seeks them again
// from every 512th space, and finds none.
constexpr std::string_view kJais2 =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| "
    "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|(?<!(?![\\r\\n])\\s)\\s*[\\r\\n]+|\\s{512}(?!\\S)|\\s{256}(?!"
    "\\S)|\\s{128}(?!\\S)|"
    "\\s{64}(?!\\S)|\\s{32}(?!\\S)|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|\\s{"
    "1}";
constexpr std::string_view kDigit = "\\p{N}";
constexpr std::string_view kDigits3 = "\\p{N}{1,3}";
constexpr std::string_view kHanKana = "[一-龥぀-ゟ゠-ヿ]+";
constexpr std::string_view kDeepseek3 =
    "[!\"#$%&'()*+,\\-./"
    ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
    "?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kSpark =
    "[!\"#$%&'()*+,\\-./"
    ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
    "?[\\p{P}\\p{S}]+|[\\r\\n]|\\s+(?!\\S)|\\s+";
constexpr std::string_view kDeepseekLetters =
    "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-"
    "ՖႠ-"
    "ჅᎠ-"
    "Ᏽᏸ-"
    "ᏽᲐ-"
    "ᲺᲽ-"
    "Ჿᴀ-"
    "ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-"
    "ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-"
    "𐓓𐓘-"
    "𐓻𐲀-"
    "𐲲𐳀-"
    "𐳲𑢠-"
    "𑣟𞤀-𞥃]+";
constexpr std::string_view kDeepseekMarks = "\\s?[!-/:-~！-／：-～‘-‟　-。]+";
constexpr std::string_view kDeepseekCjk = "[一-龥ࠀ-一가-퟿]+";
constexpr std::string_view kBloom = " ?[^(\\s|.,!?…。，、।۔،)]+";

constexpr PreTokenizerRow kPreTokenizers[] = {
    {.name = "default",
     .steps = {"[\\p{P}\\$\\+<=>\\^~\\|]+", kGpt2, "\\p{N}+", "[0-9][0-9][0-9]"}},
    {.name = "gpt-2", .steps = {kGpt2}},
    {.name = "phi-2", .steps = {kGpt2}},
    {.name = "jina-es", .steps = {kGpt2}},
    {.name = "jina-de", .steps = {kGpt2}},
    {.name = "gigachat", .steps = {kGpt2}},
    {.name = "jina-v2-es", .steps = {kGpt2}},
    {.name = "jina-v2-de", .steps = {kGpt2}},
    {.name = "a.x-4.0", .steps = {kGpt2}},
    {.name = "mellum", .steps = {kGpt2}},
    {.name = "modern-bert", .steps = {kGpt2}},
    {.name = "jina-v1-en", .steps = {kGpt2}},
    {.name = "jina-v2-code", .steps = {kGpt2}},
    {.name = "roberta-bpe", .steps = {kGpt2}},
    {.name = "exaone4", .steps = {kGpt2}},
    {.name = "mpt", .steps = {kGpt2}},
    {.name = "olmo", .steps = {kGpt2}},
    {.name = "jais", .steps = {kGpt2}},
    {.name = "trillion", .steps = {kGpt2}},
    {.name = "granite-docling", .steps = {kGpt2}},
    {.name = "llama3", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "llama-v3", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "llama-bpe", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "falcon3", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "falcon-h1", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "pixtral", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "midm-2.0", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "lfm2", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "jina-v5-nano", .steps = {kLlama3}, .ignore_merges = true, .add_bos = true},
    {.name = "dbrx", .steps = {kLlama3}},
    {.name = "smaug-bpe", .steps = {kLlama3}},
    {.name = "chatglm-bpe", .steps = {kLlama3}},
    {.name = "glm4", .steps = {kLlama3}, .ignore_merges = true},
    {.name = "glm5", .steps = {kLlama3}, .ignore_merges = true},
    {.name = "jais-2", .steps = {kJais2}},
    {.name = "minicpm5",
     .steps = {kDigits3,
               "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}+| "
               "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
     .ignore_merges = true},
    {.name = "qwen2", .steps = {kQwen2}},
    {.name = "deepseek-r1-qwen", .steps = {kQwen2}},
    {.name = "kormo", .steps = {kQwen2}},
    {.name = "f2llmv2", .steps = {kQwen2}},
    {.name = "megrez", .steps = {kQwen2}},
    {.name = "stablelm2", .steps = {kQwen2}},
    {.name = "hunyuan", .steps = {kQwen2}},
    {.name = "solar-open", .steps = {kQwen2}},
    {.name = "grok-2", .steps = {kQwen2}},
    {.name = "qwen35", .steps = {kQwen35}},
    {.name = "ufakzeka",
     .steps = {"[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| "
               "?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
    {.name = "laguna", .steps = {"[^\\n]+|[\\n]+", kQwen2}},
    {.name = "seed-coder",
     .steps = {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| "
               "?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
    {.name = "bailingmoe",
     .steps = {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| "
               "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {.name = "bailingmoe2",
     .steps = {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| "
               "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {.name = "llada-moe",
     .steps = {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| "
               "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {.name = "exaone-moe",
     .steps = {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?(?:\\p{L}\\p{M}*+(?: "
               "\\p{L}\\p{M}*+)*+)++|\\p{N}| "
               "?[^\\s\\p{L}\\p{N}]+[\\r\\n/]?|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {.name = "deepseek-llm",
     .steps = {"[\\r\\n]", kDeepseekLetters, kDeepseekMarks, "@trailing_spaces", kDeepseekCjk,
               "\\p{N}+"}},
    {.name = "deepseek-coder",
     .steps = {"[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", kDeepseekCjk, kDigit}},
    {.name = "deepseek-v3", .steps = {kDigits3, kHanKana, kDeepseek3}},
    {.name = "hunyuan-dense", .steps = {kDigits3, kHanKana, kDeepseek3}},
    {.name = "joyai-llm", .steps = {kDigits3, kHanKana, kDeepseek3}},
    {.name = "hy_v4", .steps = {kDigits3, kHanKana, kDeepseek3}},
    {.name = "spark2_5", .steps = {kDigits3, kHanKana, kSpark, kDigit}},
    {.name = "youtu",
     .steps = {"[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-"
               "龥぀-"
               "ゟ゠-"
               "ヿ]"
               "+",
               kYoutu},
     .ignore_merges = true},
    {.name = "falcon", .steps = {"[\\p{P}\\$\\+<=>\\^~\\|`]+", kGpt2, "[0-9][0-9][0-9]"}},
    {.name = "starcoder", .steps = {kDigit, kGpt2}},
    {.name = "refact", .steps = {kDigit, kGpt2}},
    {.name = "command-r", .steps = {kDigit, kGpt2}},
    {.name = "smollm", .steps = {kDigit, kGpt2}},
    {.name = "codeshell", .steps = {kDigit, kGpt2}},
    {.name = "exaone", .steps = {kDigit, kGpt2}},
    {.name = "minerva-7b", .steps = {kDigit, kGpt2}},
    {.name = "mellum2", .steps = {kDigit, kGpt2}},
    {.name = "poro-chat", .steps = {kBloom}},
    {.name = "bloom", .steps = {kBloom}},
    {.name = "gpt3-finnish", .steps = {kBloom}},
    {.name = "viking", .steps = {kBloom, kDigit}},
    {.name = "tekken", .steps = {kTekken}, .ignore_merges = true, .add_bos = true},
    {.name = "gpt-4o", .steps = {kGpt4o}},
    {.name = "llama4", .steps = {kGpt4o}},
    {.name = "kanana2", .steps = {kGpt4o}},
    {.name = "talkie", .steps = {kGpt4o}},
    {.name = "minimax-m2", .steps = {kGpt4o}},
    {.name = "granite-embed-multi-97m", .steps = {kGpt4o}, .ignore_merges = true},
    {.name = "tiny_aya", .steps = {"@digits_from_right", kGpt4o}},
    {.name = "cohere2moe", .steps = {"@digits_from_right", kGpt4o}},
    {.name = "superbpe", .steps = {"\\p{N}+", "@digits_from_right"}},
    {.name = "kimi-k2", .steps = {kKimi}},
    {.name = "afmoe",
     .steps = {"@digits_from_right",
               "[一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-"
               "ꩿꧠ-"
               "꧿가-"
               "힯ᄀ-"
               "ᇿ]"
               "+",
               kDeepseek3}},
    {.name = "chameleon",
     .steps = {"<sentinel:[0-9]+>", "(?:IMGIMG)[A-I]{1,4}Z", "[\\t\\n]|    |  ", kDigit,
               "[\\p{P}!-/:-@\\[-`{-~]", kGpt2},
     .add_bos = true},
    {.name = "gemma4",
     .steps = {"@newline_runs"},
     .add_bos = true,
     .alphabet = PieceAlphabet::kCharacters},
    {.name = "granite-embed-multi-311m",
     .steps = {"@newline_runs"},
     .add_bos = true,
     .alphabet = PieceAlphabet::kCharacters},
    {.name = "sarvam-moe", .steps = {"@newline_runs"}, .alphabet = PieceAlphabet::kCharacters},
};

/// What a step of a tokenizer.json is called in the table; empty: nothing.
std::string_view step_of(std::string_view published) {
  constexpr std::string_view kSplit = "Split ";
  if (published == "ByteLevel") return kGpt2;
  if (published == "Digits") return kDigit;
  return published.starts_with(kSplit) ? published.substr(kSplit.size()) : std::string_view();
}

bool cuts_so(const PreTokenizerRow& row, const std::vector<std::string_view>& steps) {
  for (std::size_t i = 0; i < PreTokenizerRow::kStepsMax; ++i) {
    if (row.steps[i] != (i < steps.size() ? step_of(steps[i]) : std::string_view())) return false;
  }
  return steps.size() <= PreTokenizerRow::kStepsMax && row.alphabet == PieceAlphabet::kBytes;
}

}  // namespace

Result<const PreTokenizerRow*> find_published_pre_tokenizer(
    const std::vector<std::string_view>& steps, bool ignore_merges) {
  for (const PreTokenizerRow& row : kPreTokenizers) {
    if (row.ignore_merges == ignore_merges && cuts_so(row, steps)) return &row;
  }
  return unsupported(fmt::format(
      "tokenizer.json: pre_tokenizer: the steps [{}] with ignore_merges {} are those of no "
      "pre-tokenizer that this build knows",
      fmt::join(steps, "], ["), ignore_merges));
}

Result<const PreTokenizerRow*> find_pre_tokenizer(std::string_view name) {
  for (const PreTokenizerRow& row : kPreTokenizers) {
    if (row.name == name) return &row;
  }
  return unsupported(fmt::format(
      "tokenizer.ggml.pre is \"{}\"; this pre-tokenizer is not known to this build", name));
}

}  // namespace cairn::tokenizer

#include "tokenizer/bpe.h"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/characters.h"
#include "tokenizer/merge.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"

namespace cairn::tokenizer {
namespace {

constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
constexpr std::string_view kPreKey = "tokenizer.ggml.pre";

/// From a pair of symbols to its merge: an open-addressing table, since it is asked for every pair
/// of every text.
class MergeTable {
 public:
  explicit MergeTable(std::size_t count) {
    std::size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    slots_.resize(slots);
  }

  /// The first merge of a pair counts.
  void add(std::int32_t left, std::int32_t right, Merge merge) {
    const std::uint64_t key = pair(left, right);
    std::size_t at = slot(key);
    while (slots_[at].key != kFree) {
      if (slots_[at].key == key) return;
      at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = {.key = key, .merge = merge};
  }

  std::optional<Merge> find(std::int32_t left, std::int32_t right) const {
    const std::uint64_t key = pair(left, right);
    for (std::size_t at = slot(key); slots_[at].key != kFree; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].merge;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();
  struct Slot {
    std::uint64_t key = kFree;
    Merge merge;
  };

  static std::uint64_t pair(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
           static_cast<std::uint32_t>(right);
  }
  std::size_t slot(std::uint64_t key) const {
    key *= 0x9E3779B97F4A7C15ULL;  // Fibonacci hashing
    return (key ^ key >> 32) & (slots_.size() - 1);
  }

  std::vector<Slot> slots_;
};

/// Texts that merges speak of but the vocabulary lacks get numbers past its end; when one is left
/// after merging it is written as the tokens of its bytes or characters.
class SymbolTable {
 public:
  explicit SymbolTable(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  std::int32_t number(std::string_view text) {
    if (const auto id = vocabulary_.find(text)) return *id;
    const auto next = static_cast<std::int32_t>(vocabulary_.size() + extra_.size());
    return extra_.emplace(text, next).first->second;
  }

 private:
  const Vocabulary& vocabulary_;
  std::unordered_map<std::string, std::int32_t> extra_;
};

/// Whether letters and the marks behind them are made one character before anything else.
enum class Composition : std::uint8_t { kNone, kNfc };

class Bpe final : public Encoder {
 public:
  Bpe(const Vocabulary& vocabulary, const PreTokenizerRow& row, PreTokenizer pre, MergeTable merges,
      Composition composition)
      : vocabulary_(vocabulary),
        row_(row),
        pre_(std::move(pre)),
        merges_(std::move(merges)),
        composition_(composition),
        fallback_(vocabulary) {
    if (row.alphabet == PieceAlphabet::kBytes) find_byte_ids();
  }

  void encode(std::string_view text, EncodeSink& sink) const override;
  std::string token_bytes(TokenId id) const override;

 private:
  void find_byte_ids();
  void encode_piece(std::string_view piece, Merger& merger, EncodeSink& sink) const;
  void add_bytes(std::string_view piece, Merger& merger) const;
  void add_characters(std::string_view piece, Merger& merger) const;
  void append(const Symbol& symbol, std::string_view piece, std::size_t begin,
              EncodeSink& sink) const;
  void append_replacement(EncodeSink& sink) const;

  const Vocabulary& vocabulary_;
  const PreTokenizerRow& row_;
  PreTokenizer pre_;
  MergeTable merges_;
  Composition composition_;
  ByteFallback fallback_;
  std::array<std::int32_t, 256> byte_ids_ = {};
};

void Bpe::find_byte_ids() {
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::string text;
    append_utf8(text, byte_to_character(static_cast<std::uint8_t>(byte)));
    const auto id = vocabulary_.find(text);
    // A one-character token that was added to the model stands for that character, not for a byte.
    const bool usable = id && vocabulary_.type(*id) == TokenType::kNormal;
    byte_ids_[byte] = usable ? *id : Symbol::kNoSymbol;
  }
}

void Bpe::encode(std::string_view text, EncodeSink& sink) const {
  std::string escaped;
  if (composition_ == Composition::kNfc) {
    escaped = composed(text);
    sink.steps += text.size();
    text = escaped;
  }
  if (row_.alphabet == PieceAlphabet::kCharacters) {
    escaped.reserve(text.size());
    for (const char c : text) {
      if (c == ' ') {
        escaped += kSpaceMark;
      } else {
        escaped += c;
      }
    }
    text = escaped;
  }
  Merger merger;
  for (const std::string_view piece : pre_.split(text, sink.steps)) {
    encode_piece(piece, merger, sink);
  }
}

void Bpe::encode_piece(std::string_view piece, Merger& merger, EncodeSink& sink) const {
  const bool bytes = row_.alphabet == PieceAlphabet::kBytes;
  const bool newlines = !bytes && piece.front() == '\n';  // Gemma 4: runs of them are tokens
  if (row_.ignore_merges || newlines) {
    ++sink.steps;
    const auto whole = vocabulary_.find(bytes ? to_byte_alphabet(piece) : std::string(piece));
    if (whole && vocabulary_.type(*whole) == TokenType::kNormal) {
      sink.ids->push_back(*whole);
      return;
    }
  }
  merger.clear();
  sink.steps += piece.size();
  if (bytes) {
    add_bytes(piece, merger);
  } else {
    add_characters(piece, merger);
  }
  merger.run(
      [this](const Symbol& left, const Symbol& right) { return merges_.find(left.id, right.id); },
      sink.steps);
  const std::size_t begin = sink.ids->size();
  merger.for_each([&](const Symbol& symbol) { append(symbol, piece, begin, sink); });
}

void Bpe::add_bytes(std::string_view piece, Merger& merger) const {
  const bool is_text = decode_utf8(piece, 0).valid;  // else a run of bytes that are none
  for (const char byte : piece) {
    const std::int32_t id = byte_ids_[static_cast<std::uint8_t>(byte)];
    if (id == Symbol::kNoSymbol && is_text) {
      merger.skip(1);  // as in the published tokenizers; create() warned of it
    } else {
      merger.add(1, id);
    }
  }
}

void Bpe::add_characters(std::string_view piece, Merger& merger) const {
  for (std::size_t at = 0; at < piece.size();) {
    const auto size = static_cast<std::uint32_t>(decode_utf8(piece, at).size);
    const auto id = vocabulary_.find(piece.substr(at, size));
    const bool usable = id && vocabulary_.type(*id) == TokenType::kNormal;
    merger.add(size, usable ? *id : Symbol::kNoSymbol);
    at += size;
  }
}

void Bpe::append(const Symbol& symbol, std::string_view piece, std::size_t begin,
                 EncodeSink& sink) const {
  if (vocabulary_.contains(symbol.id)) {
    sink.ids->push_back(symbol.id);
    return;
  }
  const std::string_view text = piece.substr(symbol.begin, symbol.size);
  if (row_.alphabet == PieceAlphabet::kCharacters) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = decode_utf8(text, at).size;
      fallback_.append(text.substr(at, size), begin, sink);
      at += size;
    }
    return;
  }
  for (const char byte : text) {
    const std::int32_t id = byte_ids_[static_cast<std::uint8_t>(byte)];
    if (id != Symbol::kNoSymbol) {
      sink.ids->push_back(id);
    } else if (!decode_utf8(piece, 0).valid) {
      append_replacement(sink);
    }
  }
}

void Bpe::append_replacement(EncodeSink& sink) const {
  for (const char byte : std::string_view("\xEF\xBF\xBD")) {
    const std::int32_t id = byte_ids_[static_cast<std::uint8_t>(byte)];
    if (id != Symbol::kNoSymbol) sink.ids->push_back(id);
  }
}

std::string Bpe::token_bytes(TokenId id) const {
  if (row_.alphabet == PieceAlphabet::kCharacters) return sentence_piece_bytes(vocabulary_, id);
  const std::string_view text = vocabulary_.text(id);
  if (vocabulary_.type(id) == TokenType::kNormal) {
    if (auto bytes = from_byte_alphabet(text)) return *std::move(bytes);
  }
  return std::string(text);
}

/// Bytes of UTF-8 that the vocabulary has no token for: text with them loses them.
std::string missing_bytes(const Vocabulary& vocabulary) {
  std::string missing;
  for (unsigned byte = 0; byte < 0xF5; ++byte) {
    if (byte == 0xC0 || byte == 0xC1) continue;  // in no UTF-8
    std::string text;
    append_utf8(text, byte_to_character(static_cast<std::uint8_t>(byte)));
    if (!vocabulary.find(text)) missing += static_cast<char>(byte);
  }
  return missing;
}

Result<MergeTable> load_merges(const formats::Metadata& metadata, const Vocabulary& vocabulary) {
  CAIRN_ASSIGN(const std::vector<std::string_view> merges, metadata.strings(kMergesKey));
  MergeTable table(merges.size());
  SymbolTable symbols(vocabulary);
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string_view text = merges[rank];
    // The first part has at least one character, which may be a space in other vocabularies.
    const std::size_t space = text.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == text.size()) {
      return invalid_file(
          fmt::format("{}[{}] is \"{}\"; two parts with a space between them are expected",
                      kMergesKey, rank, text));
    }
    const std::string_view left = text.substr(0, space);
    const std::string_view right = text.substr(space + 1);
    const std::string whole = std::string(left) + std::string(right);
    table.add(symbols.number(left), symbols.number(right),
              {.rank = static_cast<std::uint32_t>(rank), .id = symbols.number(whole)});
  }
  return table;
}

}  // namespace

Result<EncoderDefaults> bpe_defaults(const formats::Metadata& metadata) {
  CAIRN_ASSIGN(const PreTokenizerRow* row, pre_tokenizer_of(metadata));
  return EncoderDefaults{.add_bos = row->add_bos};
}

Result<std::unique_ptr<Encoder>> create_bpe(const EncoderSource& source) {
  CAIRN_ASSIGN(const PreTokenizerRow* row, pre_tokenizer_of(*source.metadata));
  CAIRN_ASSIGN(const std::string_view normalizer,
               source.metadata->string_or("tokenizer.huggingface.normalizer", ""));
  if (!source.metadata->has(kPreKey) && row->name == "default") {
    source.vocabulary->warn(
        fmt::format("{} is missing; read as \"default\", which may not be what this model was "
                    "trained with",
                    kPreKey));
  }
  if (row->alphabet == PieceAlphabet::kBytes) {
    source.vocabulary->set_missing_bytes(missing_bytes(*source.vocabulary));
  }
  CAIRN_ASSIGN(PreTokenizer pre, PreTokenizer::create(*row, source.step_counting));
  CAIRN_ASSIGN(MergeTable merges, load_merges(*source.metadata, *source.vocabulary));
  return std::unique_ptr<Encoder>(
      std::make_unique<Bpe>(*source.vocabulary, *row, std::move(pre), std::move(merges),
                            normalizer == "NFC" ? Composition::kNfc : Composition::kNone));
}

}  // namespace cairn::tokenizer

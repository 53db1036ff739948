// TextCodec: the tokenizer of a model file without its weights.
#include "formats/model_file.h"
#include "runtime/prompt.h"
#include "runtime/runtime.h"
#include "tokenizer/tokenizer.h"

namespace cairn::runtime {
namespace {

class FileCodec final : public TextCodec {
 public:
  explicit FileCodec(std::unique_ptr<tokenizer::Tokenizer> tokenizer)
      : tokenizer_(std::move(tokenizer)) {}

  std::vector<TokenId> encode(std::string_view text, Special special, Ends ends) const override {
    return tokenizer_->encode(text,
                              {.special = special == Special::kParse ? tokenizer::Special::kParse
                                                                     : tokenizer::Special::kPlain,
                               .add_special = ends == Ends::kAdd ? tokenizer::AddSpecial::kAdd
                                                                 : tokenizer::AddSpecial::kNone});
  }

  Result<std::string> decode(std::span<const TokenId> ids) const override {
    CAIRN_TRY(check_ids(*tokenizer_, ids));
    return tokenizer_->decode(ids);
  }

  std::string describe(TokenId id) const override { return describe_token(*tokenizer_, id); }
  std::size_t size() const override { return tokenizer_->size(); }
  const std::string& missing_bytes() const override { return tokenizer_->missing_bytes(); }
  const std::vector<std::string>& warnings() const override { return tokenizer_->warnings(); }

 private:
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
};

}  // namespace

Result<std::unique_ptr<TextCodec>> TextCodec::open(const std::string& path) {
  CAIRN_ASSIGN(const formats::ModelFile file, formats::open_model(path));
  auto tokenizer = tokenizer::Tokenizer::create(file.metadata());
  if (!tokenizer.ok()) return tokenizer.status().in(path);
  return std::unique_ptr<TextCodec>(std::make_unique<FileCodec>(std::move(*tokenizer)));
}

}  // namespace cairn::runtime

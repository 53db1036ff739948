// cairn tokenize MODEL: what a text becomes.
#include <fmt/core.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/model_path.h"
#include "cli/prompt_checks.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include "runtime/runtime.h"

namespace cairn::cli {
namespace {

using runtime::TextCodec;

constexpr std::size_t kTextBytesMax = std::size_t{256} << 20;

class Tokenize final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "A model file, a name in the store, or a hub name")->required();
    app.add_option("-p,--prompt", text_, "The text; - reads standard input")
        ->required()
        ->type_name("TEXT");
    app.add_flag("--plain", plain_, "Take text that looks like special tokens as plain text");
    app.add_flag("--no-ends", no_ends_, "Leave out the start and end tokens that the file wants");
    app.add_flag("--json", json_, "Print one JSON object: ids, pieces");
  }

  Status run(Session& session) override {
    CAIRN_ASSIGN(const std::string path, model_path(model_));
    CAIRN_ASSIGN(const std::unique_ptr<TextCodec> codec, TextCodec::open(path));
    if (text_ == "-") {
      CAIRN_ASSIGN(text_, read_standard_input(kTextBytesMax));
    }
    note_missing_bytes(text_, codec->missing_bytes());
    const std::vector<TokenId> ids =
        codec->encode(text_, plain_ ? TextCodec::Special::kPlain : TextCodec::Special::kParse,
                      no_ends_ ? TextCodec::Ends::kNone : TextCodec::Ends::kAdd);
    if (json_) return session.out.write(json_text(whole_json(*codec, ids)) + "\n");
    std::string lines;
    for (const TokenId id : ids) lines += fmt::format("{:>8}  {}\n", id, safe(codec->describe(id)));
    return session.out.write(lines + counted(ids.size(), "token") + "\n");
  }

 private:
  static Json whole_json(const TextCodec& codec, const std::vector<TokenId>& ids) {
    Json pieces = Json::array();
    for (const TokenId id : ids) pieces.push_back(codec.describe(id));
    return {{"ids", ids}, {"pieces", std::move(pieces)}};
  }

  std::string model_;
  std::string text_;
  bool plain_ = false;
  bool no_ends_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tokenize() { return std::make_unique<Tokenize>(); }

}  // namespace cairn::cli

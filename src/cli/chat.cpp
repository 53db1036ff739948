// cairn chat MODEL: a conversation in the terminal.
#include <fmt/core.h>

#include <iostream>

#include "base/json.h"
#include "cli/command.h"
#include "cli/generation_flags.h"

namespace cairn::cli {
namespace {

constexpr std::size_t kLineBytesMax = std::size_t{64} << 20;

class Chat final : public Command {
 public:
  void declare(CLI::App& app) override {
    cli::declare(app, flags_);
    app.add_option("--system", system_, "A system message that opens the conversation")
        ->type_name("TEXT");
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    CAIRN_ASSIGN(std::unique_ptr<runtime::Runtime> model, open_model(flags_, session.interrupt));
    CAIRN_TRY(model->chat_status());
    start_over();
    note("cairn: /clear starts over, /exit or Ctrl-D ends; Ctrl-C stops an answer\n");
    for (;;) {
      CAIRN_ASSIGN(const std::optional<std::string> line, read_line(session));
      if (!line || *line == "/exit") return {};
      if (*line == "/clear") {
        start_over();
      } else if (!line->empty()) {
        CAIRN_TRY(turn(session, *model, *line));
      }
    }
  }

 private:
  void start_over() {
    messages_ = Json::array();
    if (!system_.empty()) messages_.push_back({{"role", "system"}, {"content", system_}});
  }

  /// The next line typed; nothing at the end of input, or when Ctrl-C came at the prompt.
  /// Errors: kTooLarge for a line of more than kLineBytesMax.
  static Result<std::optional<std::string>> read_line(Session& session) {
    session.interrupt.clear();
    if (stderr_is_terminal()) note("> ");
    std::string line;
    for (int c = std::cin.get(); c != '\n'; c = std::cin.get()) {
      if (!std::cin || session.interrupt.requested()) {
        if (!line.empty() && !session.interrupt.requested()) return std::optional(std::move(line));
        note("\n");
        return std::optional<std::string>();
      }
      if (line.size() == kLineBytesMax) {
        return too_large(
            fmt::format("standard input: found a line of more than {} bytes, the most that is read",
                        kLineBytesMax));
      }
      line += static_cast<char>(c);
    }
    return std::optional(std::move(line));
  }

  Status turn(Session& session, runtime::Runtime& model, const std::string& text) {
    messages_.push_back({{"role", "user"}, {"content", text}});
    CAIRN_ASSIGN(runtime::GenerateRequest request, make_request(flags_, model));
    request.stop_asked = [&session] { return session.interrupt.requested(); };
    request.prompt = runtime::ChatPrompt{.messages = messages_, .tools = nullptr};
    Result<std::unique_ptr<runtime::TextStream>> stream = model.generate(request);
    if (!stream.ok()) {  // the conversation goes on without this turn
      messages_.erase(messages_.size() - 1);
      note(fmt::format("cairn: {}\n", safe(stream.status().message())));
      return {};
    }
    CAIRN_ASSIGN(const std::string answer, read_answer(session, **stream));
    messages_.push_back({{"role", "assistant"}, {"content", answer}});
    return {};
  }

  static Result<std::string> read_answer(Session& session, runtime::TextStream& stream) {
    std::string answer;
    for (;;) {
      CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, stream.next());
      if (!piece) break;
      answer += piece->text;
      CAIRN_TRY(session.out.write(piece->text));
    }
    CAIRN_TRY(session.out.write("\n"));
    if (stream.finish_reason() == runtime::FinishReason::kLength) {
      note("cairn: the context or -n ended this answer; /clear starts over\n");
    }
    return answer;
  }

  GenerationFlags flags_;
  std::string system_;
  Json messages_;
};

}  // namespace

std::unique_ptr<Command> make_chat() { return std::make_unique<Chat>(); }

}  // namespace cairn::cli

// cairn chat MODEL: a conversation in the terminal.
#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/line_reader.h"
#include "cli/memory_text.h"
#include "cli/prompt_checks.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

enum class Go : std::uint8_t { kOn, kEnd };

class Chat final : public Command {
 public:
  void declare(CLI::App& app) override {
    cli::declare(app, flags_);
    app.add_option("--system", system_, "A system message that opens the conversation")
        ->type_name("TEXT");
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    CAIRN_TRY(check_utf8("the system message", system_));
    CAIRN_ASSIGN(std::unique_ptr<runtime::Runtime> model, open_model(flags_, session.interrupt));
    CAIRN_TRY(model->chat_status());
    start_over();
    note(
        "cairn: /help lists the commands, /exit or Ctrl-D ends; Ctrl-C stops an answer, or drops "
        "the line that is being typed\n");
    LineReader lines;
    for (Go go = Go::kOn; go == Go::kOn;) {
      CAIRN_ASSIGN(const TypedLine line, lines.next(session.interrupt));
      CAIRN_ASSIGN(go, take(session, *model, line));
    }
    return flags_.memory_report ? note_memory(*model) : Status();
  }

 private:
  struct Word {
    std::string_view name;
    std::string_view help;
    Go (Chat::*act)();
  };
  static const std::array<Word, 3> kWords;

  Go clear() {
    start_over();
    return Go::kOn;
  }
  Go exit() { return Go::kEnd; }
  Go help() {
    std::string text;
    for (const Word& word : kWords) text += fmt::format("  {:<8}{}\n", word.name, word.help);
    note(text + "A line with a space in front is sent even where it begins with /.\n");
    return Go::kOn;
  }

  void start_over() {
    messages_ = Json::array();
    if (!system_.empty()) messages_.push_back({{"role", "system"}, {"content", system_}});
  }

  /// Obeys or sends what was typed.
  Result<Go> take(Session& session, runtime::Runtime& model, const TypedLine& line) {
    if (line.kind == TypedLine::Kind::kInterrupted) {
      if (!stdin_is_terminal()) return cancelled("stopped");
      note("\n");
      return Go::kOn;
    }
    if (line.kind == TypedLine::Kind::kEnd) {
      note("\n");
      return Go::kEnd;
    }
    const std::string_view text = trimmed(line.text);
    if (text.empty()) return Go::kOn;
    if (line.text.starts_with('/')) return obey(text);
    CAIRN_TRY(turn(session, model, line.text));
    return Go::kOn;
  }

  Go obey(std::string_view text) {
    std::string names;
    for (const Word& word : kWords) {
      if (word.name == text) return (this->*word.act)();
      names += fmt::format("{}{}", names.empty() ? "" : ", ", word.name);
    }
    note(fmt::format("cairn: unknown command '{}'; {}\n", safe(text), names));
    return Go::kOn;
  }

  Status turn(Session& session, runtime::Runtime& model, const std::string& text) {
    const Status characters = check_utf8("the line", text);
    if (!characters.ok()) return skip(characters);
    note_missing_bytes(text, model.missing_bytes());
    messages_.push_back({{"role", "user"}, {"content", text}});
    CAIRN_ASSIGN(runtime::GenerateRequest request, make_request(flags_, model));
    request.stop_asked = [&session] { return session.interrupt.requested(); };
    request.prompt = runtime::ChatPrompt{.messages = messages_, .tools = nullptr};
    Result<std::unique_ptr<runtime::TextStream>> stream = model.generate(request);
    if (!stream.ok()) {
      messages_.erase(messages_.size() - 1);
      return skip(stream.status());
    }
    CAIRN_ASSIGN(const std::string answer, read_answer(session, **stream));
    note(why_cut(model, **stream));
    note_self_check(model);
    messages_.push_back({{"role", "assistant"}, {"content", answer}});
    return {};
  }

  /// The conversation goes on without this turn.
  static Status skip(const Status& why) {
    const bool full = why.code() == StatusCode::kTooLarge;
    note(fmt::format("cairn: {}{}\n", safe(why.message()),
                     full ? "; /clear starts over, --ctx N at the start makes room" : ""));
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
    return answer;
  }

  /// What ended an answer that did not end by itself, and what helps.
  std::string why_cut(const runtime::Runtime& model, const runtime::TextStream& stream) const {
    if (stream.finish_reason() == runtime::FinishReason::kRepetition) {
      return "cairn: the answer repeated itself and was ended; --repetition-pattern-max 0 lets it "
             "go on\n";
    }
    if (stream.finish_reason() != runtime::FinishReason::kLength) return "";
    if (flags_.tokens_max && stream.ids().size() >= *flags_.tokens_max) {
      return fmt::format("cairn: -n {} ended this answer; a larger -n at the start allows more\n",
                         *flags_.tokens_max);
    }
    return fmt::format(
        "cairn: the context of {} is full; /clear starts over, --ctx N at the start makes room\n",
        counted(model.facts().context, "token"));
  }

  GenerationFlags flags_;
  std::string system_;
  Json messages_;
};

constinit const std::array<Chat::Word, 3> Chat::kWords = {
    Word{.name = "/clear", .help = "start the conversation over", .act = &Chat::clear},
    Word{.name = "/help", .help = "this list", .act = &Chat::help},
    Word{.name = "/exit", .help = "end, as Ctrl-D does", .act = &Chat::exit},
};

}  // namespace

std::unique_ptr<Command> make_chat() { return std::make_unique<Chat>(); }

}  // namespace cairn::cli

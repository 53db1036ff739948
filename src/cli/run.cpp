// cairn run MODEL: one prompt, one answer, and the figures of both.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/json_text.h"
#include "cli/memory_text.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"
#include "cli/prompt_checks.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

using runtime::TextCodec;

constexpr std::size_t kPromptBytesMax = std::size_t{64} << 20;
constexpr std::size_t kLogprobsMax = 100;

/// What the answer was, beside its text.
struct Answer {
  std::string text;
  std::vector<std::vector<runtime::TokenLogprob>> top;  // per token
  std::vector<float> logprobs;                          // of the ids themselves
};

Result<std::vector<TokenId>> parse_ids(const std::string& text) {
  std::vector<TokenId> ids;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    TokenId id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (next != end && *next != ',') || next + 1 == end) {
      return invalid_argument(
          fmt::format("--ids: found '{}', expected ids with commas between, such as 1,2,3", text));
    }
    ids.push_back(id);
    at = next == end ? end : next + 1;
  }
  if (ids.empty()) return invalid_argument("--ids: found no id, expected at least one");
  return ids;
}

/// How close tokens were to being others; no gap where there was no token.
Json near_ties_json(const runtime::NearTies& ties) {
  Json gap = nullptr;
  if (std::isfinite(ties.gap_min)) gap = ties.gap_min;
  return {{"gap_min", std::move(gap)},
          {"threshold", runtime::NearTies::kClose},
          {"close", ties.close},
          {"steered", ties.steered}};
}

Json drafts_json(const engine::DraftFigures& drafts) {
  Json at = Json::array();
  for (const std::uint64_t count : drafts.accepted_at) at.push_back(count);
  while (!at.empty() && at.back() == 0) at.erase(at.size() - 1);
  return {{"drafts", drafts.drafts},
          {"drafted_tokens", drafts.drafted},
          {"accepted_tokens", drafts.accepted},
          {"accepted_per_position", std::move(at)}};
}

Json figures_json(const runtime::Figures& figures) {
  Json object = {{"load_s", figures.load_s},
                 {"prompt_tokens", figures.prompt_tokens},
                 {"dropped_tokens", figures.dropped_tokens},
                 {"cached_tokens", figures.cached_tokens},
                 {"prompt_s", figures.prompt_s},
                 {"decode_tokens", figures.decode_tokens},
                 {"decode_s", figures.decode_s},
                 {"bytes_per_token", figures.bytes_per_token},
                 {"peak_rss_bytes", figures.peak_rss_bytes},
                 {"output_hash", figures.output_hash},
                 {"isa", figures.isa},
                 {"numerics", figures.numerics}};
  object["load"] = {{"mapped_bytes", figures.load.mapped_bytes},
                    {"packed_bytes", figures.load.packed_bytes},
                    {"copied_bytes", figures.load.copied_bytes},
                    {"released_bytes", figures.load.released_bytes}};
  object["near_ties"] = near_ties_json(figures.near_ties);
  if (figures.drafts) object["speculation"] = drafts_json(*figures.drafts);
  return object;
}

Json top_json(const std::vector<std::vector<runtime::TokenLogprob>>& top) {
  Json tokens = Json::array();
  for (const auto& candidates : top) {
    Json row = Json::array();
    for (const runtime::TokenLogprob& each : candidates) {
      row.push_back({{"id", each.id}, {"logprob", each.logprob}});
    }
    tokens.push_back(std::move(row));
  }
  return tokens;
}

double per_second(std::size_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

/// Steps that gave the tokens after the first; each reads the weights once, also for guesses that
/// were right.
std::size_t decode_steps(const runtime::Figures& figures) {
  const std::uint64_t guessed = figures.drafts ? figures.drafts->accepted : 0;
  return figures.decode_tokens - std::min<std::size_t>(guessed, figures.decode_tokens);
}

std::string figures_text(const runtime::Figures& figures) {
  const runtime::LoadFigures& load = figures.load;
  std::string text =
      fmt::format("load {:.2f} s (mapped {}, packed {}, copied {}, released {})", figures.load_s,
                  bytes_text(load.mapped_bytes), bytes_text(load.packed_bytes),
                  bytes_text(load.copied_bytes), bytes_text(load.released_bytes));
  const std::string found =
      figures.cached_tokens > 0 ? fmt::format(" ({} found)", figures.cached_tokens) : "";
  text +=
      fmt::format(" | prompt {}{}, {:.1f} tokens/s", counted(figures.prompt_tokens, "token"), found,
                  per_second(figures.prompt_tokens - figures.cached_tokens, figures.prompt_s));
  if (figures.decode_tokens > 0) {  // the first token comes out of the prompt's own step
    const double steps = per_second(decode_steps(figures), figures.decode_s);
    text += fmt::format(" | decode {}, {:.1f} tokens/s, {:.2f} GB/s",
                        counted(figures.decode_tokens, "token"),
                        per_second(figures.decode_tokens, figures.decode_s),
                        steps * static_cast<double>(figures.bytes_per_token) / 1e9);
  }
  if (figures.drafts) {
    text += fmt::format(" | guessed {}, right {}", counted(figures.drafts->drafted, "token"),
                        figures.drafts->accepted);
  }
  if (figures.dropped_tokens > 0) {
    text += fmt::format(" | context shifted, {} dropped", counted(figures.dropped_tokens, "token"));
  }
  return text + fmt::format(" | peak memory {} | output hash {}\n",
                            bytes_text(figures.peak_rss_bytes), figures.output_hash.substr(0, 16));
}

class Run final : public Command {
 public:
  void declare(CLI::App& app) override {
    cli::declare(app, flags_);
    auto* prompt = app.add_option("-p,--prompt", prompt_, "The prompt; - reads standard input")
                       ->type_name("TEXT");
    app.add_option("--ids", ids_, "Token ids to continue, with commas between")
        ->excludes(prompt)
        ->type_name("IDS");
    app.add_option("--system", system_, "A system message in front of the prompt")
        ->type_name("TEXT");
    app.add_flag("--raw", raw_, "Continue the text as it stands, without the chat template");
    app.add_option("--logprobs", logprobs_,
                   "Report the K likeliest tokens of each step, 0 to 100 (--json)")
        ->check(whole_number(0, kLogprobsMax))
        ->type_name("K");
    app.add_flag("--logprobs-processed", processed_,
                 "Report them as drawn from, after penalties, temperature and truncation, not as "
                 "the model has them");
    app.add_flag("--json", json_, "Print one JSON object instead of the text");
    ids_given_ = app.get_option("--ids");
    prompt_given_ = prompt;
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    CAIRN_TRY(check_flags());
    CAIRN_TRY(read_prompt());
    CAIRN_ASSIGN(std::unique_ptr<runtime::Runtime> model, open_model(flags_, session.interrupt));
    CAIRN_ASSIGN(runtime::GenerateRequest request, make_request(flags_, *model));
    CAIRN_ASSIGN(request.prompt, make_prompt(*model));
    request.logprobs = logprobs_;
    if (processed_) request.logprobs_of = runtime::LogprobsOf::kProcessed;
    request.stop_asked = [&session] { return session.interrupt.requested(); };
    Result<std::unique_ptr<runtime::TextStream>> started = model->generate(request);
    if (!started.ok()) return prompt_error(started.status());
    const std::unique_ptr<runtime::TextStream> stream = std::move(started).value();
    note(sampling_lines(flags_, *model, request, stream->seed()));
    Answer answer;
    CAIRN_TRY(read_answer(session, *stream, answer));
    note_self_check(*model);
    CAIRN_TRY(finish(session, *model, *stream, answer));
    return session.interrupt.requested() ? cancelled("stopped") : Status();
  }

 private:
  Status check_flags() const {
    if (prompt_given_->count() == 0 && ids_given_->count() == 0) {
      return invalid_argument("found neither -p TEXT nor --ids, expected one of them");
    }
    if (logprobs_ && !json_) {
      return invalid_argument("--logprobs: found no --json, which shows them");
    }
    if (processed_ && !logprobs_) {
      return invalid_argument("--logprobs-processed: found no --logprobs, which it is about");
    }
    if (!system_.empty() && (raw_ || ids_given_->count() > 0)) {
      return invalid_argument("--system: found --raw or --ids, which have no place for it");
    }
    return check_utf8("the system message", system_);
  }

  /// Reads what can be read before the model: ids, or the text and whether it is one.
  Status read_prompt() {
    if (ids_given_->count() > 0) {
      CAIRN_ASSIGN(id_list_, parse_ids(ids_));
      return {};
    }
    if (prompt_ == "-") {
      CAIRN_ASSIGN(prompt_, read_standard_input(kPromptBytesMax));
    }
    return raw_ && prompt_.empty() ? check_empty_prompt() : Status();
  }

  /// An empty text is a prompt only for a model that puts a start token in front.
  Status check_empty_prompt() const {
    CAIRN_ASSIGN(const std::string path, model_path(flags_.model));
    CAIRN_ASSIGN(const std::unique_ptr<TextCodec> codec, TextCodec::open(path));
    const bool filled =
        !codec->encode("", TextCodec::Special::kParse, TextCodec::Ends::kAdd).empty();
    if (filled) return {};
    return invalid_argument(
        "the prompt: found an empty text, expected at least one byte: this model puts no start "
        "token in front");
  }

  /// A prompt that is longer than the context is as wrong as one of unknown ids.
  static Status prompt_error(const Status& status) {
    const bool too_long = status.code() == StatusCode::kTooLarge;
    return too_long ? invalid_argument(status.message()) : status;
  }

  Result<runtime::Prompt> make_prompt(const runtime::Runtime& model) {
    if (ids_given_->count() > 0) return runtime::Prompt(runtime::IdsPrompt{.ids = id_list_});
    note_missing_bytes(prompt_, model.missing_bytes());
    const bool chat = !raw_ && model.chat_status().code() != StatusCode::kNotFound;
    if (!chat && !raw_) note("cairn: the model has no chat template; continuing the text\n");
    if (!chat && !system_.empty()) {
      return invalid_argument("--system: the model has no chat template to put it in");
    }
    if (!chat) return runtime::Prompt(runtime::TextPrompt{.text = prompt_});
    CAIRN_TRY(check_utf8("the prompt", prompt_));
    Json messages = Json::array();
    if (!system_.empty()) messages.push_back({{"role", "system"}, {"content", system_}});
    messages.push_back({{"role", "user"}, {"content", prompt_}});
    return runtime::Prompt(runtime::ChatPrompt{.messages = std::move(messages), .tools = nullptr});
  }

  Status read_answer(Session& session, runtime::TextStream& stream, Answer& answer) {
    for (;;) {
      CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, stream.next());
      if (!piece) return {};
      answer.text += piece->text;
      if (logprobs_) {
        answer.top.push_back(piece->top);
        answer.logprobs.push_back(piece->logprob);
      }
      if (!json_) CAIRN_TRY(session.out.write(piece->text));
    }
  }

  Status finish(Session& session, const runtime::Runtime& model, const runtime::TextStream& stream,
                const Answer& answer) {
    const std::optional<runtime::FinishReason> reason = stream.finish_reason();
    if (!json_) {
      CAIRN_TRY(session.out.write("\n"));
      // Of a prompt that was stopped before its end there is no speed to tell.
      if (!stream.ids().empty()) note(figures_text(stream.figures()));
      return flags_.memory_report ? note_memory(model) : Status();
    }
    Json object = {{"prompt_ids", stream.prompt_ids()},
                   {"ids", stream.ids()},
                   {"text", answer.text},
                   {"finish_reason", reason ? engine::name_of(*reason) : "error"}};
    if (logprobs_) {
      object["top"] = top_json(answer.top);
      object["logprobs"] = answer.logprobs;
    }
    object["figures"] = figures_json(stream.figures());
    if (flags_.memory_report) {
      CAIRN_ASSIGN(const runtime::MemoryReport report, model.memory());
      object["memory"] = memory_json(report);
    }
    return session.out.write(json_text(object) + "\n");
  }

  GenerationFlags flags_;
  std::string prompt_;
  std::string ids_;
  std::vector<TokenId> id_list_;
  std::string system_;
  bool raw_ = false;
  bool json_ = false;
  std::optional<std::size_t> logprobs_;
  bool processed_ = false;
  const CLI::Option* ids_given_ = nullptr;
  const CLI::Option* prompt_given_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace cairn::cli

// cairn batch FILE: every request of a file, with the server's own endpoints behind it.
#include <fmt/core.h>

#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/json_text.h"
#include "cli/memory_text.h"
#include "cli/words.h"
#include "server/api/api.h"
#include "server/batch/batch_runner.h"

namespace cairn::cli {
namespace {

constexpr std::size_t kQueuedPerSequence =
    2;  // requests in hand: so that no sequence waits for one

using server::BatchFile;
using server::BatchLine;
using server::BatchRequest;
using server::BatchResults;
using server::BatchTotals;

class Batch final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("FILE", file_, "Requests in the format of OpenAI's batches, one a line")
        ->required();
    app.add_option("--model", model_,
                   "A model file, a name in the store, or a hub name (default: the model that the "
                   "first request names)")
        ->type_name("MODEL");
    app.add_option("-o,--output", output_, "Where results go (default: FILE.results.jsonl)")
        ->type_name("PATH");
    app.add_option("--served-model-name", name_,
                   "What requests call the model (default: as --model)")
        ->type_name("NAME");
    app.add_flag("--strict", strict_, "Refuse unknown fields instead of listing them as ignored");
    app.add_flag("--memory-report", memory_report_,
                 "Print at the end what was planned and what was taken, kind by kind");
    app.add_flag("--json", json_, "Print a summary as one JSON object");
    flags_.declare(app, Purpose::kModel);
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    CAIRN_TRY(flags_.read());
    CAIRN_ASSIGN(const BatchFile file, BatchFile::open(file_));
    CAIRN_TRY(choose_names(file));
    CAIRN_ASSIGN(BatchResults results, BatchResults::open(output_));
    const std::int64_t begin_ns = steady_ns();
    CAIRN_ASSIGN(BatchTotals totals, server::count_done(file, results));
    CAIRN_TRY(run_all(session, file, results, totals));
    const double seconds = static_cast<double>(steady_ns() - begin_ns) * 1e-9;
    note(summary_text(totals, seconds));
    return json_ ? session.out.write(json_text(summary_json(totals, seconds)) + "\n") : Status();
  }

 private:
  Status choose_names(const BatchFile& file) {
    if (output_.empty()) output_ = file_ + ".results.jsonl";
    if (model_.empty()) {
      const BatchLine& first = file.lines().front();
      CAIRN_ASSIGN(const BatchRequest request, server::parse_batch_line(first.text));
      if (request.model.empty()) {
        return invalid_argument(
            fmt::format("{}: line {} names no model, expected one there or --model MODEL", file_,
                        first.number));
      }
      model_ = request.model;
    }
    if (name_.empty()) name_ = model_;
    return {};
  }

  static Status run_file(Session& session, const BatchFile& file, const server::Api& api,
                         BatchResults& results, BatchTotals& totals) {
    ProgressBar bar("batch", "requests");
    server::BatchRunner runner(
        api, results,
        {.in_hand_max = api.model.sequences * kQueuedPerSequence,
         .stop_asked = [&] { return session.interrupt.requested(); },
         .progress = [&](const BatchTotals& now) { bar.show(now.done(), now.requests); }});
    return runner.run(file, totals);
  }

  Status run_all(Session& session, const BatchFile& file, BatchResults& results,
                 BatchTotals& totals) {
    server::Newsroom newsroom;
    runtime::OpenOptions options;
    options.sequences = kServedSequences;
    options.on_news = [&newsroom] { newsroom.publish(); };
    CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
                 open_model(model_, flags_.values(), std::move(options),
                            [&] { return session.interrupt.requested(); }));
    const runtime::ModelFacts& facts = model->facts();
    server::Api api{
        .newsroom = &newsroom,
        .strictness = strict_ ? server::Strictness::kStrict : server::Strictness::kLenient};
    server::attach(api, {.name = name_,
                         .system_fingerprint = fmt::format("cairn-{}-{}-{}", CAIRN_VERSION,
                                                           facts.isa, facts.numerics),
                         .created_s = utc_s(),
                         .sequences = facts.sequences,
                         .runtime = model.get()});
    std::jthread steps([&model](const std::stop_token& stop) { model->serve(stop); });
    const Status status = run_file(session, file, api, results, totals);
    if (!status.ok() && status.code() == StatusCode::kCancelled) {
      note(fmt::format("cairn: {} of {} done; the same command goes on from there\n", totals.done(),
                       counted(totals.requests, "request")));
    }
    CAIRN_TRY(status);
    return memory_report_ ? note_memory(*model) : Status();
  }

  std::string summary_text(const BatchTotals& totals, double seconds) const {
    std::string text = fmt::format("cairn: {}: {} done", safe(output_),
                                   counted(totals.completed + totals.failed, "request"));
    if (totals.failed > 0) text += fmt::format(", {} of them with an error", totals.failed);
    if (totals.done_before > 0) text += fmt::format(", {} were there before", totals.done_before);
    return text + fmt::format("; {} in, {} out, {:.1f} s\n", counted(totals.prompt_tokens, "token"),
                              totals.completion_tokens, seconds);
  }

  Json summary_json(const BatchTotals& totals, double seconds) const {
    return {{"output", output_},
            {"requests", totals.requests},
            {"completed", totals.completed},
            {"failed", totals.failed},
            {"done_before", totals.done_before},
            {"prompt_tokens", totals.prompt_tokens},
            {"completion_tokens", totals.completion_tokens},
            {"seconds", seconds}};
  }

  std::string file_;
  std::string model_;
  std::string output_;
  std::string name_;
  bool strict_ = false;
  bool json_ = false;
  bool memory_report_ = false;
  SettingFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_batch() { return std::make_unique<Batch>(); }

}  // namespace cairn::cli

// cairn batch FILE: every request of a file, with the server's own endpoints behind it.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <list>
#include <mutex>
#include <thread>
#include <variant>

#include "base/clock.h"
#include "cli/batch_file.h"
#include "cli/batch_results.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/json_text.h"
#include "cli/memory_text.h"
#include "cli/words.h"
#include "server/api/api.h"
#include "server/http/router.h"

namespace cairn::cli {
namespace {

constexpr std::size_t kQueuedPerSequence =
    2;  // requests in hand: so that no sequence waits for one
constexpr auto kInterruptLook = std::chrono::milliseconds(100);

/// Tells the thread that collects answers that steps have published some.
class News {
 public:
  void publish() {
    {
      const std::lock_guard lock(mutex_);
      ++count_;
    }
    changed_.notify_one();
  }

  /// Waits for something newer than `seen`, a moment at most; returns what is the newest.
  std::uint64_t wait(std::uint64_t seen) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kInterruptLook, [&] { return count_ != seen; });
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_ = 0;
};

/// What a batch came to.
struct Totals {
  std::size_t requests = 0;
  std::size_t done_before = 0;
  std::size_t completed = 0;  // in this run, and answered with 200
  std::size_t failed = 0;     // in this run, and answered with an error of their own
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;

  std::size_t done() const { return done_before + completed + failed; }
};

BatchAnswer answer_of(server::Response response) {
  return {.status = response.status, .body = std::move(response.body)};
}

/// Events belong to a connection; a line of results has none.
server::Response no_stream() {
  return server::error_response(server::Flavour::kOpenAi,
                                {.cause = server::Cause::kBadRequest,
                                 .message = "stream: not in a batch, whose results are whole",
                                 .param = "stream"});
}

/// What there is to do, known before the model is loaded.
Result<Totals> count_done(const BatchFile& file, const BatchResults& results) {
  Totals totals;
  totals.requests = file.lines().size();
  for (const BatchLine& line : file.lines()) {
    CAIRN_ASSIGN(const bool done, results.has(line));
    totals.done_before += done ? 1 : 0;
  }
  return totals;
}

/// Sends requests through the endpoints and puts answers into the results.
class Runner {
 public:
  /// `api` and `results` outlive it.
  Runner(const server::Api& api, BatchResults& results, std::size_t in_hand_max)
      : router_(server::api_routes(api)), results_(results), in_hand_max_(in_hand_max) {}

  /// Runs what has no result yet. Errors: the results'; kCancelled after Ctrl-C.
  Status run(const BatchFile& file, News& news, const Interrupt& interrupt, Totals& totals) {
    ProgressBar bar("batch", "requests");
    std::uint64_t seen = 0;
    auto next = file.lines().begin();
    for (;;) {
      if (interrupt.requested()) return cancelled("stopped");
      bool place = true;
      while (place && in_hand_.size() < in_hand_max_ && next != file.lines().end()) {
        CAIRN_ASSIGN(place, begin(*next, totals));
        if (place) ++next;
      }
      CAIRN_TRY(collect(totals));
      bar.show(totals.done(), totals.requests);
      if (in_hand_.empty() && next == file.lines().end()) return results_.flush();
      if (!in_hand_.empty()) seen = news.wait(seen);
    }
  }

 private:
  struct InHand {
    const BatchLine* line = nullptr;
    std::unique_ptr<server::PendingAnswer> answer = {};
  };

  /// False while the queue has no place for it: it is tried again when others have ended.
  Result<bool> begin(const BatchLine& line, Totals& totals) {
    CAIRN_ASSIGN(const bool done, results_.has(line));
    if (done) return true;
    CAIRN_ASSIGN(BatchRequest request, parse_batch_line(line.text));
    server::Exchange exchange;
    exchange.request = {.method = server::Method::kPost,
                        .path = request.url,
                        .body = std::move(request.body),
                        .id = line.id};
    const server::RouteMatch match = router_.match(server::Method::kPost, request.url);
    CAIRN_CHECK(match.route != nullptr);  // parse_batch_line knows the two there are
    server::Reply reply = call(*match.route, exchange);
    const auto* response = std::get_if<server::Response>(&reply);
    const bool busy = response != nullptr && (response->status == 429 || response->status == 503);
    if (busy && !in_hand_.empty()) return false;
    CAIRN_TRY(take(line, std::move(reply), totals));
    return true;
  }

  /// A handler's exception becomes a 500, as in the server.
  static server::Reply call(const server::Route& route, server::Exchange& exchange) {
    try {
      return route.handler(exchange);
    } catch (const std::exception& error) {
      return server::error_response(server::Flavour::kOpenAi,
                                    {.cause = server::Cause::kInternal, .message = error.what()});
    }
  }

  Status take(const BatchLine& line, server::Reply reply, Totals& totals) {
    if (auto* pending = std::get_if<std::unique_ptr<server::PendingAnswer>>(&reply)) {
      in_hand_.push_back({.line = &line, .answer = std::move(*pending)});
      return {};
    }
    auto* response = std::get_if<server::Response>(&reply);
    return finish(line, response != nullptr ? std::move(*response) : no_stream(), totals);
  }

  Status collect(Totals& totals) {
    for (auto at = in_hand_.begin(); at != in_hand_.end();) {
      std::optional<server::Reply> reply = at->answer->poll();
      if (!reply) {
        ++at;
        continue;
      }
      const BatchLine& line = *at->line;
      at = in_hand_.erase(at);
      CAIRN_TRY(take(line, std::move(*reply), totals));
    }
    return {};
  }

  Status finish(const BatchLine& line, server::Response response, Totals& totals) {
    const BatchAnswer answer = answer_of(std::move(response));
    CAIRN_TRY(results_.add(line, answer));
    if (answer.status != 200) {
      ++totals.failed;
      return {};
    }
    ++totals.completed;
    CAIRN_ASSIGN(const Json body, parse_json(answer.body));
    totals.prompt_tokens += body["usage"]["prompt_tokens"].get<std::uint64_t>();
    totals.completion_tokens += body["usage"]["completion_tokens"].get<std::uint64_t>();
    return {};
  }

  server::Router router_;
  BatchResults& results_;
  std::size_t in_hand_max_ = 0;
  std::list<InHand> in_hand_;
};

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
    CAIRN_ASSIGN(Totals totals, count_done(file, results));
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
      CAIRN_ASSIGN(const BatchRequest request, parse_batch_line(first.text));
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

  Status run_all(Session& session, const BatchFile& file, BatchResults& results, Totals& totals) {
    News news;
    runtime::OpenOptions options;
    options.sequences = kServedSequences;
    options.on_news = [&news] { news.publish(); };
    CAIRN_ASSIGN(const std::unique_ptr<runtime::Runtime> model,
                 open_model(model_, flags_.values(), std::move(options),
                            [&] { return session.interrupt.requested(); }));
    const runtime::ModelFacts& facts = model->facts();
    server::Newsroom newsroom;  // nobody is woken: the runner asks every answer after a step
    server::Api api{
        .newsroom = &newsroom,
        .strictness = strict_ ? server::Strictness::kStrict : server::Strictness::kLenient};
    server::attach(api, {.name = name_,
                         .system_fingerprint = fmt::format("cairn-{}-{}-{}", CAIRN_VERSION,
                                                           facts.isa, facts.numerics),
                         .created_s = utc_ns() / 1'000'000'000,
                         .sequences = facts.sequences,
                         .runtime = model.get()});
    Runner runner(api, results, facts.sequences * kQueuedPerSequence);
    std::jthread steps([&model](const std::stop_token& stop) { model->serve(stop); });
    const Status status = runner.run(file, news, session.interrupt, totals);
    if (!status.ok() && status.code() == StatusCode::kCancelled) {
      note(fmt::format("cairn: {} of {} done; the same command goes on from there\n", totals.done(),
                       counted(totals.requests, "request")));
    }
    CAIRN_TRY(status);
    return memory_report_ ? note_memory(*model) : Status();
  }

  std::string summary_text(const Totals& totals, double seconds) const {
    std::string text = fmt::format("cairn: {}: {} done", safe(output_),
                                   counted(totals.completed + totals.failed, "request"));
    if (totals.failed > 0) text += fmt::format(", {} of them with an error", totals.failed);
    if (totals.done_before > 0) text += fmt::format(", {} were there before", totals.done_before);
    return text + fmt::format("; {} in, {} out, {:.1f} s\n", counted(totals.prompt_tokens, "token"),
                              totals.completion_tokens, seconds);
  }

  Json summary_json(const Totals& totals, double seconds) const {
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

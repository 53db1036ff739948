// cairn serve MODEL: an HTTP server for one model or several.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/memory_text.h"
#include "cli/parse_errors.h"
#include "cli/peer_flags.h"
#include "cli/served_models.h"
#include "cli/words.h"
#include "server/api/api.h"
#include "server/batch/batches.h"
#include "server/files/file_store.h"
#include "server/http/access_log.h"
#include "server/http/server.h"
#include "server/models/models.h"
#include "server/resume/stream_keeper.h"

namespace cairn::cli {
namespace {

constexpr std::uint16_t kPort = 8080;
constexpr std::uint64_t kPortMax = 65'535;
constexpr std::uint64_t kNewTokensMax = std::uint64_t{1} << 30;
constexpr std::uint64_t kServedPromptBytesMax = std::uint64_t{4} << 30;
constexpr std::uint64_t kStreamsMax = 100'000;
constexpr std::uint64_t kStreamSecondsMax = 86'400;
constexpr std::uint64_t kStreamBytesMax = std::uint64_t{1} << 30;
constexpr std::int64_t kDrainLookNs = 20'000'000;  // between two looks at a drain
constexpr std::int64_t kDayNs = std::int64_t{86'400} * 1'000'000'000;  // only a signal ends it

/// Whether a signal asks for the end.
bool is_end(const std::optional<int>& signal) {
  return signal && (*signal == SIGINT || *signal == SIGTERM);
}

/// Where the access log goes. Lines that cannot be written are lost: serving goes on.
class LogFile {
 public:
  /// Errors: kIo when the file cannot be opened.
  Status open(const std::string& path) {
    if (path == "none") return {};
    if (path == "-") {
      file_ = stderr;
      return {};
    }
    owned_.reset(std::fopen(path.c_str(), "ae"));
    file_ = owned_.get();
    if (file_ != nullptr) return {};
    return io_error(
        fmt::format("--access-log: {} cannot be opened: {}", safe(path), std::strerror(errno)));
  }
  void write(std::string_view line) {
    if (file_ == nullptr) return;
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> owned_;
  std::FILE* file_ = nullptr;
};

class Serve final : public Command {
 public:
  void declare(CLI::App& app) override {
    cli::declare(app, models_);
    declare_addresses(app);
    app.add_option("--max-prompt-chars", prompt_bytes_max_,
                   "Longest prompt, in bytes of its text; 0: any (default: 200000)")
        ->check(whole_number(0, kServedPromptBytesMax))
        ->type_name("BYTES");
    app.add_option("--max-new-tokens", new_tokens_max_,
                   "Most tokens of an answer; 0: to the end of the context (default: 4096)")
        ->check(whole_number(0, kNewTokensMax))
        ->type_name("N");
    app.add_option("--pooling", pooling_,
                   "What an embedding is made of: mean, last or cls (default: last)")
        ->check(CLI::IsMember({"mean", "last", "cls"}))
        ->type_name("WORD");
    app.add_option("--keep-streams", streams_max_,
                   "Streamed answers with an X-Conversation-Id that go on without their client; 0: "
                   "none (default: 16)")
        ->check(whole_number(0, kStreamsMax))
        ->type_name("N");
    app.add_option("--keep-stream-seconds", stream_s_,
                   "How long one is kept that nobody reads (default: 60)")
        ->check(whole_number(1, kStreamSecondsMax))
        ->type_name("SECONDS");
    app.add_option("--keep-stream-bytes", stream_bytes_,
                   "How much of what it said is kept (default: 524288)")
        ->check(whole_number(1, kStreamBytesMax))
        ->type_name("BYTES");
    app.add_option("--files", files_, "Folder for /v1/files and /v1/batches (default: none)")
        ->type_name("FOLDER");
    app.add_option("--access-log", access_log_,
                   "File for one line of JSON per request; -: standard error; none (default: -)")
        ->type_name("FILE");
    app.add_flag("--memory-report", memory_report_,
                 "Print at the end what was planned and what was taken, kind by kind");
    app.add_flag("--strict", strict_, "Refuse unknown fields instead of listing them as ignored");
    flags_.declare(app, Purpose::kServer);
    peer_flags_.declare(app);
  }

  Status run(Session& /*session*/) override {
    CAIRN_TRY(flags_.read());
    note_idle_settings();
    CAIRN_ASSIGN(const std::vector<std::string> inert, peer_flags_.read());
    for (const std::string& line : inert) note(fmt::format("cairn: {}\n", line));
    CAIRN_ASSIGN(std::vector<server::ModelSource> sources, sources_of(models_));
    SignalBlock signals;  // before any thread begins: signals are this thread's
    server::Newsroom newsroom;
    server::Api api{
        .model = {.sequences = flags_.values().engine.max_num_seqs.value_or(kServedSequences)},
        .newsroom = &newsroom,
        .prompt_bytes_max = prompt_bytes_max_,
        .new_tokens_max = new_tokens_max_,
        .strictness = strict_ ? server::Strictness::kStrict : server::Strictness::kLenient,
        .pooling = runtime::pooling_of(pooling_).value()};
    server::begin(api);
    LogFile log_file;
    CAIRN_TRY(log_file.open(access_log_));
    server::AccessLog access_log([&](std::string_view line) { log_file.write(line); });
    std::unique_ptr<server::FileStore> files;
    std::unique_ptr<server::Batches> batches;
    CAIRN_TRY(open_files(files, batches));
    api.files = files.get();
    api.batches = batches.get();
    std::atomic<bool> starting = true;  // signals are still looked at while a model loads
    CAIRN_ASSIGN(const std::unique_ptr<server::Models> models,
                 server::Models::create(model_options(std::move(sources), newsroom, [&] {
                   return starting && is_end(signals.wait_until(0));
                 })));
    api.models = models.get();
    server::StreamKeeper streams(
        {.count = streams_max_, .bytes = stream_bytes_, .time = std::chrono::seconds(stream_s_)});
    if (streams_max_ > 0) api.streams = &streams;
    // Before the model, which takes long: keys, certificates and addresses that are wrong show at
    // once, and requests that come meanwhile are told when to come back.
    CAIRN_ASSIGN(const std::unique_ptr<server::Server> server,
                 server::Server::start(server_options(api, access_log)));
    if (!models_.model.empty()) CAIRN_TRY(models->load(0, {}));
    starting = false;
    server->ready();
    std::jthread steps([&models](const std::stop_token& stop) { models->serve(stop); });
    std::jthread batch_work([&](const std::stop_token& stop) {
      if (batches != nullptr) batches->serve(api, stop);
    });
    note(ready_line(*models, *server));
    wait_for_end(signals, *server);
    return note_end(*models);
  }

 private:
  void declare_addresses(CLI::App& app) {
    app.add_option("--host", host_, "Address to listen on (default: 127.0.0.1)")->type_name("HOST");
    app.add_option("--port", port_, "Port to listen on; 0: any free one (default: 8080)")
        ->check(whole_number(0, kPortMax))
        ->type_name("PORT");
    app.add_option("--unix", unix_, "A Unix socket to listen on beside the address")
        ->type_name("PATH");
    app.add_option("--api-keys", keys_, "File with one key per line; one is then asked for")
        ->type_name("FILE");
    app.add_option("--admin-keys", admin_keys_, "File with the administrator's keys")
        ->type_name("FILE");
    app.add_flag("--without-keys", open_, "Allow an address beyond this machine without keys");
    app.add_option("--tls-certificate", tls_.certificate, "PEM file; with --tls-key: HTTPS")
        ->type_name("FILE");
    app.add_option("--tls-key", tls_.key, "PEM file of its key")->type_name("FILE");
    app.add_option("--tls-client-ca", tls_.client_ca, "Clients need a certificate of this one")
        ->type_name("FILE");
  }

  /// Both or none. Errors: as their open().
  Status open_files(std::unique_ptr<server::FileStore>& files,
                    std::unique_ptr<server::Batches>& batches) const {
    if (files_.empty()) return {};
    CAIRN_ASSIGN(files, server::FileStore::open(files_ + "/files", {}));
    CAIRN_ASSIGN(batches, server::Batches::open(files_ + "/batches", *files, {}));
    return {};
  }

  /// Requests bring their own sampling: a setting for it, from variables or the file, does nothing.
  void note_idle_settings() const {
    for (const SettingRow& row : flags_.rows()) {
      if (row.origin == Origin::kDefault || has_use(Purpose::kServer, row.info.name)) continue;
      note(fmt::format("cairn: {} has no effect on a server: each request says it\n",
                       written_name(row.info.name, row.origin)));
    }
  }

  /// `interrupted` is asked by the thread that loads.
  server::Models::Options model_options(std::vector<server::ModelSource> sources,
                                        server::Newsroom& newsroom,
                                        std::function<bool()> interrupted) const {
    const auto open = [this, &newsroom, interrupted = std::move(interrupted)](
                          const server::ModelSource& source, std::uint64_t promised_bytes,
                          const std::stop_token& stop) {
      return open_served(
          source, flags_.values(), promised_bytes, [&newsroom] { newsroom.publish(); },
          [&] { return stop.stop_requested() || interrupted(); });
    };
    return {.sources = std::move(sources),
            .open = open,
            .idle_unload_ms = models_.idle_s * 1000,
            .note = [](const std::string& line) { note(fmt::format("cairn: {}\n", safe(line))); },
            .created_s = utc_s()};
  }

  static std::string ready_line(const server::Models& models, const server::Server& server) {
    std::vector<std::string> names;
    for (const server::ModelSource& source : models.sources()) names.push_back(safe(source.name));
    std::string line = fmt::format("cairn: serving {} at {}", fmt::join(names, ", "),
                                   fmt::join(server.addresses(), ", "));
    const auto first = models.status().front().loaded;
    if (first != nullptr) {
      line += fmt::format(", {} at once", counted(first->served.sequences, "answer"));
    }
    if (names.size() > 1 || first == nullptr) line += "; models are loaded when asked for";
    return line + "; Ctrl-C stops\n";
  }

  /// What there is to say of the models that are still loaded.
  Status note_end(const server::Models& models) const {
    for (const server::ModelStatus& model : models.status()) {
      if (model.loaded == nullptr) continue;
      note_self_check(*model.loaded->served.runtime);
      if (memory_report_) CAIRN_TRY(note_memory(*model.loaded->served.runtime));
    }
    return {};
  }

  server::ServerOptions server_options(const server::Api& api, server::AccessLog& log) const {
    server::ServerOptions options{.settings = flags_.values().http,
                                  .listen = {{.host = host_, .port = port_}},
                                  .tls = tls_,
                                  .keys_file = keys_,
                                  .admin_keys_file = admin_keys_,
                                  .routes = server::api_routes(api),
                                  .readiness = server::Readiness::kLoading};
    const bool logs = access_log_ != "none";
    options.log = [&log, &api, logs](const server::AccessRecord& record) {
      if (logs) log.add(record);
      api.watch->metrics().count_http(record);
    };
    if (open_) options.exposure = server::Exposure::kAnywhere;
    if (!unix_.empty()) options.listen.push_back({.host = {}, .unix_path = unix_});
    return options;
  }

  /// Until SIGINT or SIGTERM, then drains; a second one ends at once. SIGHUP reads keys and
  /// certificates again.
  static void wait_for_end(SignalBlock& signals, server::Server& server) {
    for (;;) {
      const std::optional<int> signal = signals.wait_until(steady_ns() + kDayNs);
      if (is_end(signal)) break;
      if (signal != SIGHUP) continue;
      if (const Status status = server.reload(); !status.ok()) {
        note(fmt::format("cairn: {}\n", safe(status.message())));
      }
    }
    note("cairn: stopping; running answers may finish, a second Ctrl-C ends at once\n");
    std::atomic<bool> drained = false;
    std::jthread drain([&] {
      server.drain();
      drained = true;
    });
    while (!drained) {
      const std::optional<int> signal = signals.wait_until(steady_ns() + kDrainLookNs);
      if (is_end(signal)) server.stop();
    }
  }

  ServedModels models_;
  std::string host_ = "127.0.0.1";
  std::uint16_t port_ = kPort;
  std::string unix_;
  std::string keys_;
  std::string admin_keys_;
  server::TlsFiles tls_;
  bool open_ = false;
  bool strict_ = false;
  std::string access_log_ = "-";
  std::string pooling_ = "last";
  std::string files_;
  std::uint64_t streams_max_ = server::StreamKeeper::Limits{}.count;
  std::uint64_t stream_s_ = 60;
  std::uint64_t stream_bytes_ = server::StreamKeeper::Limits{}.bytes;
  bool memory_report_ = false;
  std::uint64_t prompt_bytes_max_ = 200'000;
  std::uint64_t new_tokens_max_ = 4096;
  SettingFlags flags_;
  PeerFlags peer_flags_;
};

}  // namespace

std::unique_ptr<Command> make_serve() { return std::make_unique<Serve>(); }

}  // namespace cairn::cli

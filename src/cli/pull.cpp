// cairn pull ORG/REPO[:TAG]: a model from a hub into the store.
#include <fmt/core.h>

#include <chrono>
#include <future>
#include <stop_token>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/model_path.h"
#include "runtime/store/model_name.h"

namespace cairn::cli {
namespace {

class Bar final : public runtime::ProgressSink {
 public:
  void update(const runtime::PullProgress& progress) override {
    bar_.show(progress.bytes, progress.bytes_total);
  }

 private:
  ProgressBar bar_ = ProgressBar("pulling");
};

Json report_json(const runtime::PullReport& report) {
  Json files = Json::array();
  for (const runtime::PulledFile& file : report.files) {
    files.push_back({{"name", file.name},
                     {"path", file.path},
                     {"bytes", file.bytes},
                     {"fetched_bytes", file.fetched_bytes}});
  }
  return {{"repository", report.repository},
          {"revision", report.revision},
          {"commit", report.commit},
          {"path", report.path},
          {"files", std::move(files)}};
}

/// "huggingface.co" of "https://user:secret@huggingface.co/path".
std::string_view host_of(std::string_view endpoint) {
  endpoint.remove_prefix(endpoint.find("://") + 3);  // Store::open has checked that it is there
  endpoint = endpoint.substr(0, endpoint.find('/'));
  return endpoint.substr(endpoint.rfind('@') + 1);
}

std::string report_text(const runtime::PullReport& report) {
  std::string text;
  for (const runtime::PulledFile& file : report.files) {
    text += fmt::format("{}  {}{}\n", file.name, bytes_text(file.bytes),
                        file.fetched_bytes == 0 ? " (was here)" : "");
  }
  return text + fmt::format("{} at {}\n{}\n", report.repository, report.commit, report.path);
}

class Pull final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "org/repo, or org/repo:TAG for one GGUF of several")
        ->required();
    app.add_option("--revision", revision_, "A branch, tag or commit (default: main)")
        ->type_name("NAME");
    app.add_flag("--json", json_, "Print one JSON object");
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    CAIRN_TRY(runtime::parse_model_name(model_).status());
    CAIRN_ASSIGN(const runtime::Store store, open_store());
    if (store.options().network == runtime::Network::kOnline) {
      note(fmt::format("cairn: asking {} ...\n", safe(host_of(store.options().endpoint))));
    }
    CAIRN_ASSIGN(const runtime::PullReport report, pull(store, session.interrupt));
    return session.out.write(json_ ? json_text(report_json(report)) + "\n" : report_text(report));
  }

 private:
  /// Pulls on a thread of its own, so that Ctrl-C can be seen meanwhile.
  Result<runtime::PullReport> pull(const runtime::Store& store, const Interrupt& interrupt) {
    std::stop_source stop;
    Bar bar;
    auto pulled = std::async(std::launch::async, [&] {
      return store.pull({.model = model_, .revision = revision_, .stop = stop.get_token()}, bar);
    });
    while (pulled.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (interrupt.requested()) stop.request_stop();
    }
    return pulled.get();
  }

  std::string model_;
  std::string revision_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_pull() { return std::make_unique<Pull>(); }

}  // namespace cairn::cli

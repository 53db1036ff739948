// cairn plan MODEL: what a model would take of memory, computed without loading it.
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/json_text.h"
#include "cli/memory_text.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

class Plan final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "A model file, a name in the store, or a hub name")->required();
    app.add_option("--for", command_, "The command to plan for: run or serve (default: serve)")
        ->check(one_of({"run", "serve"}))
        ->type_name("COMMAND");
    app.add_flag("--json", json_, "Print one JSON object");
    flags_.declare(app, Purpose::kModel);
  }

  Status run(Session& session) override {
    CAIRN_TRY(flags_.read());
    runtime::OpenOptions options;
    if (command_ == "serve") {
      options.sequences = kServedSequences;
      options.server_bytes = kServerBytes;
    }
    options = open_options(flags_.values(), std::move(options));
    CAIRN_ASSIGN(options.path, model_path(model_));
    CAIRN_ASSIGN(const runtime::MemoryOutlook outlook, runtime::plan_memory(options));
    if (json_) return session.out.write(json_text(plan_json(outlook), 2) + "\n");
    for (const std::string& warning : outlook.warnings)
      note("cairn: warning: " + safe(warning) + "\n");
    return session.out.write(plan_text(outlook));
  }

 private:
  std::string model_;
  std::string command_ = "serve";
  bool json_ = false;
  SettingFlags flags_;
};

}  // namespace

std::unique_ptr<Command> make_plan() { return std::make_unique<Plan>(); }

}  // namespace cairn::cli

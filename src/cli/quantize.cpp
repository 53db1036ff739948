// cairn quantize MODEL OUT: a model's weights in another type, as one GGUF file.
#include <fmt/core.h>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/model_path.h"
#include "cli/words.h"
#include "runtime/quantize.h"

namespace cairn::cli {
namespace {

class Quantize final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("MODEL", model_, "A Hugging Face folder or a model file, in floats")->required();
    app.add_option("OUT", out_, "The GGUF file to write")->required();
    app.add_option("--type", type_, "Of the matrices: " + runtime::quantize_type_names())
        ->required()
        ->type_name("TYPE");
    app.add_flag("--json", json_, "Print one JSON object");
  }

  Status run(Session& session) override {
    session.interrupt.watch();
    runtime::QuantizeOptions options{.path = {}, .out = out_, .type = type_};
    CAIRN_ASSIGN(options.path, model_path(model_));
    ProgressBar bar("writing");
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      bar.show(done, total);
      return !session.interrupt.requested();
    };
    CAIRN_ASSIGN(const runtime::QuantizeReport report, runtime::quantize_model(options));
    if (json_) return session.out.write(json_text(report_json(report), 2) + "\n");
    for (const std::string& note_text : report.notes) note("cairn: " + safe(note_text) + "\n");
    return session.out.write(
        fmt::format("{}: {}, {} as {}\n", out_, counted(report.tensors, "tensor"),
                    bytes_text(report.bytes_before), bytes_text(report.bytes_after)));
  }

 private:
  Json report_json(const runtime::QuantizeReport& report) const {
    return {{"path", out_},
            {"type", type_},
            {"tensors", report.tensors},
            {"bytes_before", report.bytes_before},
            {"bytes_after", report.bytes_after},
            {"notes", report.notes}};
  }

  std::string model_;
  std::string out_;
  std::string type_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_quantize() { return std::make_unique<Quantize>(); }

}  // namespace cairn::cli

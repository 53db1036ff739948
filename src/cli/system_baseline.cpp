// cairn bench system-baseline: runs one command and reports what else the host did (spec 12.2).
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/host/host.h"
#include "base/process.h"
#include "base/staged_file.h"
#include "cli/environment.h"
#include "cli/exit_codes.h"
#include "cli/plain_command.h"
#include "evidence/attestation/build.h"
#include "evidence/attestation/capture.h"
#include "evidence/attestation/check.h"
#include "evidence/wire/encode.h"

namespace cairn::cli {
namespace {

namespace attestation = evidence::attestation;

constexpr std::array kBaselineFlags = {
    PlainFlag{.name = "interval"},
    PlainFlag{.name = "baseline-duration"},
    PlainFlag{.name = "timeout"},
    PlainFlag{.name = "max-non-sut-cpu-percent"},
    PlainFlag{.name = "max-sampler-duty-percent"},
    PlainFlag{.name = "require-process-memory", .kind = PlainFlagKind::kSwitch},
    PlainFlag{.name = "top-consumers", .kind = PlainFlagKind::kSwitch},
    PlainFlag{.name = "out"},
    PlainFlag{.name = "verify"},
    PlainFlag{.name = "strict", .kind = PlainFlagKind::kSwitch},
};

/// A duration flag and its range.
struct DurationFlag {
  std::string_view name;
  std::string_view least;
  std::string_view most;
};
constexpr DurationFlag kInterval = {.name = "interval", .least = "10ms", .most = "10s"};
constexpr DurationFlag kBaseline = {.name = "baseline-duration", .least = "10ms", .most = "60s"};
constexpr DurationFlag kTimeout = {.name = "timeout", .least = "0", .most = "24h"};

/// What the flags ask for.
struct Request {
  attestation::Schedule schedule = {};
  attestation::Policy policy = {};
  std::optional<std::string> out = {};
  std::vector<std::string> command = {};
};

/// Sets `out` when the flag was given. Errors: kInvalidArgument outside the range (E-22).
Status read_duration(const PlainArguments& arguments, const DurationFlag& flag, std::int64_t& out) {
  const std::optional<std::string_view> text = arguments.value(flag.name);
  if (!text) return {};
  const Result<std::int64_t> value = parse_duration(*text);
  if (!value.ok()) return value.status().in(fmt::format("[E-22] --{}", flag.name));
  if (*value < *parse_duration(flag.least) || *value > *parse_duration(flag.most)) {
    return invalid_argument(fmt::format("[E-22] --{}: found {}, expected {} to {}", flag.name,
                                        *text, flag.least, flag.most));
  }
  out = *value;
  return {};
}

/// The same for a percentage above 0 and up to 100.
Status read_percent(const PlainArguments& arguments, std::string_view name, double& out) {
  const std::optional<std::string_view> text = arguments.value(name);
  if (!text) return {};
  double value = 0;
  const char* end = text->data() + text->size();
  const std::from_chars_result read = std::from_chars(text->data(), end, value);
  // Written so that a NaN is refused too.
  if (read.ec != std::errc() || read.ptr != end || !(value > 0 && value <= 100)) {
    return invalid_argument(fmt::format(
        "[E-22] --{}: found '{}', expected a number above 0 and up to 100", name, *text));
  }
  out = value;
  return {};
}

Result<Request> request_of(const PlainArguments& arguments) {
  Request request;
  CAIRN_TRY(read_duration(arguments, kInterval, request.schedule.interval_ns));
  CAIRN_TRY(read_duration(arguments, kBaseline, request.schedule.baseline_ns));
  CAIRN_TRY(read_duration(arguments, kTimeout, request.schedule.timeout_ns));
  attestation::Policy& policy = request.policy;
  CAIRN_TRY(read_percent(arguments, "max-non-sut-cpu-percent", policy.maximum_non_sut_cpu_percent));
  CAIRN_TRY(
      read_percent(arguments, "max-sampler-duty-percent", policy.maximum_sampler_duty_percent));
  policy.require_process_memory = arguments.on("require-process-memory");
  policy.include_top_consumers = arguments.on("top-consumers");
  if (arguments.value("out") == "") {
    return invalid_argument("[E-22] --out: found nothing, expected a path");
  }
  request.out = arguments.value("out");
  for (const std::string_view word : arguments.rest) request.command.emplace_back(word);
  return request;
}

/// This host's clock, samples and child.
class HostSource final : public attestation::CaptureSource {
 public:
  HostSource(SignalBlock& signals, const std::vector<std::string>& command)
      : signals_(signals), command_(command) {}

  std::int64_t now_ns() override { return steady_ns(); }
  host::Snapshot sample() override { return host::take_snapshot(); }
  std::optional<int> wait_until(std::int64_t time_ns) override {
    return signals_.wait_until(time_ns);
  }
  Result<std::int64_t> start() override {
    CAIRN_ASSIGN(child_, ChildProcess::start(command_, process_environment()));
    return std::int64_t{child_->pid()};
  }
  Result<std::optional<ChildEnd>> poll() override { return child_->poll(); }
  void forward(int signal) override { child_->signal_group(signal); }

 private:
  SignalBlock& signals_;
  const std::vector<std::string>& command_;
  std::optional<ChildProcess> child_;
};

int fail(const PlainCall& call, const Status& status) {
  call.say(status.message());
  return kExitFailed;
}

/// E-24: into the staged file first, then on standard output, whole or an error.
int deliver(const PlainCall& call, const std::string& text, std::optional<StagedFile>& staged,
            int code) {
  if (staged) {
    const Status committed = staged->commit(text);
    if (!committed.ok()) code = fail(call, committed.in("[E-24]"));
  }
  const Status written = call.out.write(text);
  return written.ok() ? code : fail(call, written.in("[E-24]"));
}

int run_command(const PlainCall& call, const Request& request) {
  std::optional<StagedFile> staged;
  if (request.out) {
    Result<StagedFile> opened = StagedFile::open(*request.out);
    if (!opened.ok()) return fail(call, opened.status());
    staged.emplace(std::move(opened).value());
  }
  SignalBlock signals;
  HostSource source(signals, request.command);
  const Result<attestation::Capture> capture = attestation::capture(source, request.schedule);
  if (!capture.ok()) return fail(call, capture.status().in("[E-23]"));  // nothing is written
  if (capture->stopped_by) {
    call.say(fmt::format("signal {} in the quiet window: the command was not started",
                         *capture->stopped_by));
    return 128 + *capture->stopped_by;
  }
  // E-26: the report is made of samples and policy; neither the command line nor the path of the
  // program reaches it.
  const attestation::Attestation report =
      attestation::build(capture->samples(request.schedule.interval_ns), request.policy);
  // E-25: whatever the verdict, the code is the child's.
  return deliver(call, evidence::document_text(report), staged,
                 static_cast<int>(report.command_exit_code));
}

/// Says every finding on a line of its own.
void say_findings(const PlainCall& call, const evidence::Findings& findings,
                  std::string_view document) {
  for (const evidence::Finding& finding : findings) {
    call.say(fmt::format("{}: {}", document, finding.text()));
  }
}

/// E-27.
int verify(const PlainCall& call, const std::string& path, bool strict) {
  const Result<std::string> text = read_file(path, attestation::kFileBytesMax);
  evidence::Findings findings;
  if (!text.ok()) {
    if (text.status().code() != StatusCode::kTooLarge) return fail(call, text.status());
    findings = attestation::too_large();
  }
  evidence::Decoded<attestation::Attestation> read;
  if (findings.empty()) {
    read = attestation::read(*text);
    findings = read.ok() ? attestation::check(read.value) : read.findings;
  }
  const evidence::Findings opt_in =
      findings.empty() ? attestation::check_opt_in(read.value) : evidence::Findings();
  if (strict && findings.empty()) findings = opt_in;
  say_findings(call, findings, path);
  if (!findings.empty()) return kExitFailed;
  say_findings(call, opt_in, "warning: " + path);
  const Status written = call.out.write("VALID " + read.value.digest + "\n");
  return written.ok() ? 0 : fail(call, written);
}

int run_verify(const PlainCall& call, const PlainArguments& arguments) {
  if (!arguments.rest.empty()) {
    return call.wrong_usage(fmt::format(
        "[E-21] found the command '{}', expected none with --verify", arguments.rest.front()));
  }
  for (const PlainArguments::Given& given : arguments.given) {
    if (given.name != "verify" && given.name != "strict") {
      return call.wrong_usage(
          fmt::format("found --{} with --verify, which runs nothing", given.name));
    }
  }
  return verify(call, std::string(*arguments.value("verify")), arguments.on("strict"));
}

}  // namespace

int run_system_baseline(const PlainCall& call) {
  const Result<PlainArguments> arguments = parse_plain(kBaselineFlags, call.arguments);
  if (!arguments.ok()) return call.wrong_usage(arguments.status().message());
  if (arguments->help) return call.print_usage();
  const Result<Request> request = request_of(*arguments);
  if (!request.ok()) return call.wrong_usage(request.status().message());
  if (arguments->value("verify")) return run_verify(call, *arguments);
  if (arguments->value("strict")) {
    return call.wrong_usage("found --strict without --verify, expected both");
  }
  if (request->command.empty()) {
    return call.wrong_usage("[E-20] found no command, expected one or --verify FILE");
  }
  return run_command(call, *request);
}

}  // namespace cairn::cli

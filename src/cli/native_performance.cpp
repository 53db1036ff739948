// E-09: no mode starts a process or opens a socket, and only the files of the arguments are read.
#include "cli/native_performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "cli/environment.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/graph/render.h"
#include "evidence/graph/validate.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/parse.h"

namespace cairn::cli {

namespace {

int run_map(const NativePerformance& run) {
  return run.print(evidence::render_map(run.graph, run.value("envelope")));
}

int run_json(const NativePerformance& run) { return run.print(evidence::document_text(run.graph)); }

int run_next(const NativePerformance& run) {
  return run.print(evidence::render_next(run.graph, run.value("envelope")));
}

int run_dot(const NativePerformance& run) {
  return run.print(evidence::render_dot(run.graph, run.value("envelope")));
}

constexpr std::array kModes = {
    NativePerformanceMode{.flag = "json", .run = &run_json},
    NativePerformanceMode{.flag = "next", .run = &run_next},
    NativePerformanceMode{.flag = "dot", .run = &run_dot},
    NativePerformanceMode{
        .flag = "baseline", .kind = PlainFlagKind::kValue, .run = &run_baseline_mode},
    NativePerformanceMode{.flag = "compare",
                          .kind = PlainFlagKind::kValue,
                          .partner = "candidate",
                          .run = &run_compare_mode},
    NativePerformanceMode{
        .flag = "profile", .kind = PlainFlagKind::kValue, .run = &run_profile_mode},
    NativePerformanceMode{
        .flag = "profile-next", .kind = PlainFlagKind::kValue, .run = &run_profile_next_mode},
    NativePerformanceMode{.flag = "gate", .kind = PlainFlagKind::kValue, .run = &run_gate_mode},
    NativePerformanceMode{.flag = "attach-receipt",
                          .kind = PlainFlagKind::kValue,
                          .partner = "system-baseline",
                          .run = &run_attach_mode},
};

constexpr NativePerformanceMode kMapMode = {.flag = "", .run = &run_map};

/// Flags that are no modes.
constexpr std::array kOtherFlags = {
    PlainFlag{.name = "graph"},
    PlainFlag{.name = "envelope"},
    PlainFlag{.name = "out"},
    PlainFlag{.name = "strict", .kind = PlainFlagKind::kSwitch},
};

std::vector<PlainFlag> all_flags() {
  std::vector<PlainFlag> flags(kOtherFlags.begin(), kOtherFlags.end());
  for (const NativePerformanceMode& mode : kModes) {
    flags.push_back({.name = mode.flag, .kind = mode.kind});
    if (!mode.partner.empty()) flags.push_back({.name = mode.partner});
  }
  return flags;
}

bool given(const PlainArguments& arguments, const NativePerformanceMode& mode) {
  return mode.kind == PlainFlagKind::kSwitch ? arguments.on(mode.flag)
                                             : arguments.value(mode.flag).has_value();
}

/// E-02: the modes that were given; at most one may be.
std::vector<const NativePerformanceMode*> chosen_modes(const PlainArguments& arguments) {
  std::vector<const NativePerformanceMode*> chosen;
  for (const NativePerformanceMode& mode : kModes) {
    if (given(arguments, mode)) chosen.push_back(&mode);
  }
  return chosen;
}

/// E-03 and E-04: a mode with a partner has both flags or none.
std::string pair_error(const PlainArguments& arguments) {
  for (const NativePerformanceMode& mode : kModes) {
    if (mode.partner.empty()) continue;
    if (given(arguments, mode) == arguments.value(mode.partner).has_value()) continue;
    const std::string_view id = mode.flag == "compare" ? "E-03" : "E-04";
    return fmt::format("[{}] found only one of --{} and --{}, accepted both or none", id, mode.flag,
                       mode.partner);
  }
  return "";
}

/// The rule that an empty value of this flag breaks.
std::string_view empty_value_rule(std::string_view flag) {
  if (flag == "attach-receipt" || flag == "system-baseline") return "E-04";
  if (flag == "out") return "E-05";
  return flag == "graph" || flag == "envelope" ? "E-10" : "E-06";
}

std::string empty_value_error(const PlainArguments& arguments) {
  for (const PlainArguments::Given& flag : arguments.given) {
    if (!flag.value.empty()) continue;
    return fmt::format("[{}] --{}: found an empty value, accepted a filled one",
                       empty_value_rule(flag.name), flag.name);
  }
  return "";
}

/// E-05 and E-10: flags that go with some modes only; `mode` is empty for the map.
std::string companion_error(const PlainArguments& arguments, std::string_view mode) {
  if (arguments.value("out") && mode != "attach-receipt") {
    return "[E-05] found --out, accepted only with --attach-receipt";
  }
  const bool listing = mode.empty() || mode == "next" || mode == "dot";
  if (listing || !arguments.value("envelope")) return "";
  return fmt::format("[E-10] found --envelope with --{}, accepted with --next, --dot and the map",
                     mode);
}

/// The usage rules E-01..E-06 and E-10 in order; empty when all hold.
std::string usage_error(const PlainArguments& arguments) {
  if (!arguments.rest.empty()) {
    return fmt::format("[E-01] found the argument '{}', accepted flags only",
                       arguments.rest.front());
  }
  const std::vector<const NativePerformanceMode*> chosen = chosen_modes(arguments);
  if (chosen.size() > 1) {
    return fmt::format("[E-02] found the modes --{} and --{}, accepted one mode", chosen[0]->flag,
                       chosen[1]->flag);
  }
  for (const std::string& error : {pair_error(arguments), empty_value_error(arguments)}) {
    if (!error.empty()) return error;
  }
  return companion_error(arguments, chosen.empty() ? "" : chosen[0]->flag);
}

/// The graph of --graph, or the pinned one; said and empty when it does not read.
std::optional<evidence::Graph> load_graph(const NativePerformance& run) {
  if (run.value("graph").empty()) {
    evidence::Graph pinned = evidence::pinned_graph();
    evidence::apply(run.settings, pinned);
    return pinned;
  }
  const std::optional<std::string> text = run.read(run.value("graph"));
  if (!text) return std::nullopt;
  evidence::Decoded<evidence::Graph> decoded = evidence::decode_graph(*text);
  if (decoded.ok()) return std::move(decoded.value);
  run.refuse(decoded.findings, run.graph_name);
  return std::nullopt;
}

/// Variables only: E-09 lets no file be read that the arguments do not name.
Result<evidence::EvidenceSettings> settings_of_environment() {
  evidence::EvidenceSettings settings;
  SettingOrigins origins;
  for (const SettingRow& row : list_settings(settings, origins)) {
    const auto value = environment(environment_name(row.info.name));
    if (!value) continue;
    CAIRN_TRY(
        set_setting(settings, origins,
                    {.name = row.info.name, .value = *value, .origin = Origin::kEnvironment}));
  }
  return settings;
}

/// E-08 and the id of E-10: what every mode relies on.
bool graph_in_order(const NativePerformance& run) {
  const evidence::Findings findings = evidence::validate_graph(run.graph);
  if (!findings.empty()) {
    run.refuse(findings, run.graph_name);
    return false;
  }
  const std::string_view id = run.value("envelope");
  if (!id.empty() && evidence::find_envelope(run.graph, id) == nullptr) {
    run.refuse(fmt::format("[E-10] --envelope: found {}, accepted the id of an envelope of the {}",
                           evidence::quote(id), run.graph_name));
    return false;
  }
  return run.pass_opt_in(evidence::graph_warnings(run.graph), run.graph_name);
}

const NativePerformanceMode& mode_of(const PlainArguments& arguments) {
  const auto* const mode = std::ranges::find_if(
      kModes, [&](const NativePerformanceMode& each) { return given(arguments, each); });
  return mode == kModes.end() ? kMapMode : *mode;
}

}  // namespace

std::string_view NativePerformance::value(std::string_view flag) const {
  return arguments.value(flag).value_or("");
}

int NativePerformance::print(std::string_view text) const {
  const Status status = call.out.write(text);
  return status.ok() ? 0 : refuse(status.message());
}

int NativePerformance::refuse(const evidence::Findings& findings, std::string_view document) const {
  for (const evidence::Finding& finding : findings) {
    call.say(fmt::format("{}: {}", document, finding.text()));
  }
  return 1;
}

int NativePerformance::refuse(std::string_view message) const {
  call.say(message);
  return 1;
}

bool NativePerformance::pass_opt_in(const evidence::Findings& findings,
                                    std::string_view document) const {
  for (const evidence::Finding& finding : findings) {
    call.say(fmt::format("{}{}: {}", strict() ? "" : "warning: ", document, finding.text()));
  }
  return findings.empty() || !strict();
}

std::optional<std::string> NativePerformance::read(std::string_view path) const {
  Result<std::string> text = read_file(std::string(path), evidence::kDocumentBytesMax);
  if (text.ok()) return std::move(*text);
  refuse(text.status().message());
  return std::nullopt;
}

int run_native_performance(const PlainCall& call) {
  const std::vector<PlainFlag> flags = all_flags();
  const Result<PlainArguments> arguments = parse_plain(flags, call.arguments);
  if (!arguments.ok()) return call.wrong_usage("[E-07] " + arguments.status().message());
  if (arguments->help) return call.print_usage();
  const std::string wrong = usage_error(*arguments);
  if (!wrong.empty()) return call.wrong_usage(wrong);

  const Result<evidence::EvidenceSettings> settings = settings_of_environment();
  if (!settings.ok()) return call.wrong_usage(settings.status().message());
  const bool pinned = !arguments->value("graph");
  evidence::Graph graph;
  const NativePerformance run{.call = call,
                              .arguments = *arguments,
                              .graph = graph,
                              .graph_name = pinned ? "pinned graph" : *arguments->value("graph"),
                              .settings = *settings};
  std::optional<evidence::Graph> loaded = load_graph(run);
  if (!loaded) return 1;
  graph = std::move(*loaded);
  return graph_in_order(run) ? mode_of(*arguments).run(run) : 1;
}

}  // namespace cairn::cli

// cairn bench compare: two commands, or two servers, alternated.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/sha256.h"
#include "cli/bench/child.h"
#include "cli/bench/command.h"
#include "cli/bench/manifest.h"
#include "cli/bench/serve.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kOutputBytesMax = 64U << 20U;

struct CompareBench {
  std::vector<std::string> commands;
  std::vector<std::string> manifests;
  std::vector<std::string> names = {"first", "second"};
  BenchFlags flags;
};

void declare_compare(CLI::App& app, CompareBench& bench) {
  app.add_option("--command", bench.commands)->allow_extra_args(false)->required();
  app.add_option("--manifest", bench.manifests)->allow_extra_args(false)->required();
  app.add_option("--names", bench.names)->delimiter(',')->allow_extra_args(false);
  bench.flags.declare(app);
}

/// What one run of a command came to.
struct CommandRun {
  ChildRun child;
  std::string output_sha256;
};

/// Standard output goes to a file, which is hashed: arms that print different things did other
/// work, or answered differently.
Result<CommandRun> run_command_of(const std::string& command, const ChildFolder& folder) {
  const std::string out = folder.file("output");
  CommandRun run;
  CAIRN_ASSIGN(run.child, run_child({"sh", "-c", fmt::format("exec >\"$0\"; {}", command), out}));
  CAIRN_ASSIGN(const std::string text, read_file(out, kOutputBytesMax));
  run.output_sha256 = sha256_hex(std::string_view(text));
  return run;
}

/// Twice: the first run behind the other arm's is the cold leg, the second one back to back.
Result<evidence::ArmRound> compare_round(const std::string& command, const ChildFolder& folder) {
  CAIRN_ASSIGN(const CommandRun cold, run_command_of(command, folder));
  CAIRN_ASSIGN(const CommandRun warm, run_command_of(command, folder));
  evidence::ArmRound round;
  round.readings = {{.metric = "wall", .cold = true, .values = {cold.child.wall_ms}},
                    {.metric = "wall", .values = {warm.child.wall_ms}}};
  const std::int64_t failed = (cold.child.code != 0 ? 1 : 0) + (warm.child.code != 0 ? 1 : 0);
  round.work = {.arm = {}, .requests = 2, .failed = failed, .outputs_sha256 = warm.output_sha256};
  return round;
}

Status check_compare(const CompareBench& bench) {
  if (bench.commands.size() != 2 || bench.manifests.size() != 2 || bench.names.size() != 2) {
    return invalid_argument(
        fmt::format("found {} --command, {} --manifest and {} names, expected two of each",
                    bench.commands.size(), bench.manifests.size(), bench.names.size()));
  }
  if (bench.names[0] != bench.names[1]) return {};
  return invalid_argument(
      fmt::format("--names: found '{}' twice, expected two names", bench.names[0]));
}

Status run_compare(const CompareBench& bench, Output& out) {
  CAIRN_TRY(check_compare(bench));
  const auto never = [] { return false; };  // Ctrl-C reaches whoever waits for the child
  CAIRN_ASSIGN(const BenchLock lock, lock_series(bench.flags, never));
  CAIRN_ASSIGN(const ChildFolder folder, ChildFolder::make());
  BenchCase measured;
  measured.kind = "compare";
  measured.subject = bench.names[0] + " and " + bench.names[1];
  measured.control_arm = 1;
  measured.units = {{.metric = "wall", .unit = "ms"}};
  for (std::size_t i = 0; i < 2; ++i) {
    CAIRN_ASSIGN(const evidence::Manifest manifest, read_manifest(bench.manifests[i]));
    measured.arms.push_back({.name = bench.names[i],
                             .role = i == 0 ? "ours" : "reference",
                             .manifest = manifest,
                             .tiers = {}});
  }
  measured.run = [&](const evidence::RoundAsk& ask) {
    return compare_round(bench.commands[arm_of_case(measured, ask)], folder);
  };
  return run_case(bench.flags, measured, out, never);
}

/// Two servers instead of two commands.
int run_compare_servers(const PlainCall& call) {
  ServeFlags flags;
  CLI::App app;
  flags.declare(app);
  return run_parsed(call, app, [&]() -> Status {
    if (flags.urls.size() == 2) return run_serve_bench(flags, "compare", call.out);
    return invalid_argument(fmt::format("found {} --url, expected two", flags.urls.size()));
  });
}

bool names_urls(std::span<const std::string_view> arguments) {
  return std::ranges::any_of(arguments, [](std::string_view argument) {
    return argument == "--url" || argument.starts_with("--url=");
  });
}

}  // namespace

int run_bench_compare(const PlainCall& call) {
  if (names_urls(call.arguments)) return run_compare_servers(call);
  CompareBench bench;
  CLI::App app;
  declare_compare(app, bench);
  return run_parsed(call, app, [&] { return run_compare(bench, call.out); });
}

}  // namespace cairn::cli

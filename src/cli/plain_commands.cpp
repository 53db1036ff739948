#include <array>

#include "cli/bench/usage.h"
#include "cli/native_performance.h"
#include "cli/plain_command.h"
#include "cli/receipts.h"
#include "cli/report.h"

namespace cairn::cli {
namespace {

constexpr std::array kPlainCommands = {
    PlainCommandRow{.command = "native-performance",
                    .summary = "Show the map of measured speed, compare and gate receipts",
                    .usage = kNativePerformanceUsage,
                    .run = &run_native_performance},
    PlainCommandRow{.command = "receipts",
                    .summary = "Show, verify and compare receipts",
                    .usage = kReceiptsUsage,
                    .run = &run_receipts},
    PlainCommandRow{.command = "report",
                    .summary = "Write the benchmark pages from the evidence, and check them",
                    .usage = kReportUsage,
                    .run = &run_report},
    PlainCommandRow{
        .command = "bench system-baseline",
        .summary = "Run a command and report what else the host did",
        .usage =
            "Usage: NAME bench system-baseline [flags] -- COMMAND [ARGS]\n"
            "       NAME bench system-baseline --verify FILE [--strict]\n"
            "\n"
            "Samples the host before and while COMMAND runs and prints a sealed report on "
            "standard\n"
            "output; the command's own output goes to standard error. Exit code: the command's,\n"
            "128 + N after signal N, 124 after the time limit; 1 failed, 2 wrong usage.\n"
            "\n"
            "  --interval DURATION                 time between samples, 10ms to 10s (250ms)\n"
            "  --baseline-duration DURATION        quiet window before, 10ms to 60s (1s)\n"
            "  --timeout DURATION                  end the command then, up to 24h (0: never)\n"
            "  --max-non-sut-cpu-percent NUMBER    others' use to investigate above (20)\n"
            "  --max-sampler-duty-percent NUMBER   own cost to investigate above (10)\n"
            "  --require-process-memory            investigate when resident sizes are missing\n"
            "  --top-consumers                     name the five processes that used most\n"
            "  --out PATH                          also write the report there\n"
            "  --verify FILE                       check a report instead of running anything\n"
            "  --strict                            with --verify: rule A-10 is an error\n"
            "\n"
            "Examples:\n"
            "  NAME bench system-baseline --baseline-duration 2s --out rep-1.json -- ./repetition\n"
            "  NAME bench system-baseline --verify rep-1.json\n",
        .run = &run_system_baseline},
    PlainCommandRow{
        .command = "bench throughput",
        .summary = "Measure tokens per second of many answers at once",
        .usage =
            "Usage: NAME bench throughput MODEL [flags]\n"
            "\n"
            "Generates N answers at once from N prompts of random tokens, greedily and to their "
            "full\n"
            "length, for every N of the list in turn, round after round after one that warms up.\n"
            "Prints the median of the rounds, the least and the most, and which share of the "
            "steps'\n"
            "time the scheduler and sampling took. Exit code: 0 done, 2 wrong usage, 1 all else.\n"
            "\n"
            "  --parallel LIST        answers at once, with commas between (1,8,16)\n"
            "  --prompt-tokens N      tokens of each prompt, 1 to 1000000 (128)\n"
            "  --generate N           tokens of each answer, 1 to 1000000 (128)\n"
            "  --rounds N             rounds that count, 1 to 1000 (5)\n"
            "  --json                 print one JSON object, every round in it\n"
            "  --out FILE             measure behind an A/A control and write a bench record "
            "there\n"
            "  --plot FILE.svg        the same, and draw cost against answers at once\n"
            "  --lock-wait SECONDS    for those, wait so long for another benchmark (0)\n"
            "\n"
            "Settings such as --threads, --isa and --step-rows: those of NAME plan.\n"
            "\n"
            "Examples:\n"
            "  NAME bench throughput model.gguf --threads 2\n"
            "  NAME bench throughput model.gguf --parallel 8,16 --rounds 7 --json\n",
        .run = &run_bench_throughput},
    PlainCommandRow{.command = "bench latency",
                    .summary = "Measure the times of single answers at several depths",
                    .usage = kLatencyUsage,
                    .run = &run_bench_latency},
    PlainCommandRow{.command = "bench serve",
                    .summary = "Load a server of OpenAI's interface, closed and open loop",
                    .usage = kServeUsage,
                    .run = &run_bench_serve},
    PlainCommandRow{.command = "bench startup",
                    .summary = "Measure processes from their start to the first token",
                    .usage = kStartupUsage,
                    .run = &run_bench_startup},
    PlainCommandRow{.command = "bench memory",
                    .summary = "Measure what a process takes, beside its plan",
                    .usage = kMemoryUsage,
                    .run = &run_bench_memory},
    PlainCommandRow{.command = "bench compare",
                    .summary = "Run two commands or ask two servers in turn",
                    .usage = kCompareUsage,
                    .run = &run_bench_compare},
    PlainCommandRow{.command = "bench lever",
                    .summary = "Screen one switch, off and on in one process",
                    .usage = kLeverUsage,
                    .run = &run_bench_lever},
    PlainCommandRow{.command = "bench arm",
                    .summary = "Run exactly one repetition of one arm",
                    .usage = kArmUsage,
                    .run = &run_bench_arm},
    PlainCommandRow{.command = "bench experiment",
                    .summary = "Take one lever through the whole procedure; writes receipts",
                    .usage = kExperimentUsage,
                    .run = &run_bench_experiment},
};

}  // namespace

std::span<const PlainCommandRow> plain_commands() { return kPlainCommands; }

}  // namespace cairn::cli

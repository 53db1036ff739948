// cairn bench serve --url URL: closed and open loops against a server of OpenAI's interface; with
// two URLs both are asked in turn.
#include "cli/bench/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "cli/bench/load_client.h"
#include "cli/bench/load_prompts.h"
#include "cli/bench/manifest.h"
#include "cli/bench/serve_readings.h"
#include "cli/environment.h"
#include "cli/parse_errors.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kServeSeed = 1;
constexpr std::uint64_t kPromptsBytesMax = 64U << 20U;

/// One loop of a repetition: so many clients, or so many requests a second.
struct ServeLoop {
  ServedLoad load;
  LoadShape shape;
};

/// Everything that stays over the repetitions.
struct ServePlan {
  const ServeFlags& flags;
  LoadCorpus corpus;
  LoadList list;
  std::vector<ServeLoop> loops;
  std::vector<LoadTarget> targets;
  bool usage = false;
  std::function<bool()> cancelled;
  std::vector<double>& lengths;  // of prompts, as servers counted them
};

Result<LoadCorpus> corpus_of(const ServeFlags& flags) {
  if (flags.prompts.empty()) return made_corpus();
  CAIRN_ASSIGN(const std::string text, read_file(flags.prompts, kPromptsBytesMax));
  Result<LoadCorpus> corpus = parse_corpus(text);
  if (!corpus.ok()) return corpus.status().in(flags.prompts);
  return corpus;
}

std::vector<ServeLoop> loops_of(const ServeFlags& flags, const LoadList& list) {
  std::vector<ServeLoop> loops;
  for (const std::size_t clients : flags.clients) {
    loops.push_back({.load = {.label = fmt::format("c{}", clients),
                              .warm_up = clients,
                              .classes = list.classes},
                     .shape = {.clients = clients, .arrivals_ms = {}}});
  }
  for (const double rate : flags.rates) {
    loops.push_back(
        {.load = {.label = fmt::format("r{}", rate), .warm_up = 1, .classes = list.classes},
         .shape = {.clients = 1,
                   .arrivals_ms = evidence::open_loop_arrivals(kServeSeed, flags.requests, rate)}});
  }
  return loops;
}

/// Errors: as listed_model, where no --model names it.
Result<LoadTarget> target_of(const ServeFlags& flags, std::size_t index) {
  std::string url = flags.urls[index];
  while (url.ends_with('/')) url.pop_back();
  LoadTarget target = {.url = url,
                       .api_key = environment("CAIRN_BENCH_API_KEY").value_or(""),
                       .output_tokens = static_cast<std::int64_t>(flags.generate),
                       .ignore_eos = flags.ignore_eos};
  if (flags.models.empty()) {
    CAIRN_ASSIGN(target.model, listed_model(target));
  } else {
    target.model = flags.models[std::min(index, flags.models.size() - 1)];
  }
  return target;
}

Status check_serve(const ServeFlags& flags) {
  if (flags.urls.empty() || flags.urls.size() > 2 || flags.manifests.size() != flags.urls.size()) {
    return invalid_argument(
        fmt::format("found {} --url and {} --manifest, expected one or two of "
                    "each",
                    flags.urls.size(), flags.manifests.size()));
  }
  if (flags.clients.empty() && flags.rates.empty()) {
    return invalid_argument("found neither --clients nor --rates, expected one of them");
  }
  const std::size_t most = flags.clients.empty() ? 1 : std::ranges::max(flags.clients);
  if (flags.requests > most) return {};
  return invalid_argument(
      fmt::format("--requests: found {}, expected more than the {} that warm the server up",
                  flags.requests, counted(most, "client")));
}

/// No prompt is asked twice of a server, or it would answer from what it kept: each carries its
/// round in front. Both servers of a comparison are asked the same.
std::vector<std::string> tagged_prompts(const ServePlan& plan, const evidence::RoundAsk& ask,
                                        std::string_view label) {
  const std::string round = ask.reload ? fmt::format("control {} {}", ask.repetition, ask.arm)
                                       : fmt::format("round {}", ask.repetition);
  std::vector<std::string> prompts;
  for (std::size_t i = 0; i < plan.list.prompts.size(); ++i) {
    prompts.push_back(fmt::format("{}, {} {}. {}", round, label, i, plan.list.prompts[i]));
  }
  return prompts;
}

Result<evidence::ArmRound> serve_round(const ServePlan& plan, const LoadTarget& target,
                                       const evidence::RoundAsk& ask) {
  evidence::ArmRound round;
  for (const ServeLoop& loop : plan.loops) {
    CAIRN_ASSIGN(
        const std::vector<LoadOutcome> outcomes,
        drive_load(target, tagged_prompts(plan, ask, loop.load.label), loop.shape, plan.cancelled));
    CAIRN_TRY(add_load(loop.load, outcomes, plan.usage, round));
    for (const LoadOutcome& one : outcomes) {
      if (one.prompt_tokens) plan.lengths.push_back(static_cast<double>(*one.prompt_tokens));
    }
  }
  return round;
}

/// One request to each server before anything is measured: that it answers, and whether all of
/// them tell usage. Errors: kUnavailable with what the server said.
Result<bool> probe(const ServePlan& plan) {
  bool usage = true;
  for (const LoadTarget& target : plan.targets) {
    CAIRN_ASSIGN(const std::vector<LoadOutcome> outcomes,
                 drive_load(target, {"Say hello."}, {}, plan.cancelled));
    if (!outcomes[0].error.empty()) return unavailable(target.url + ": " + outcomes[0].error);
    usage = usage && outcomes[0].figures.tokens.has_value();
  }
  return usage;
}

/// M-51.
std::string histogram_text(const std::vector<double>& lengths, const std::string& hash) {
  std::string text = fmt::format("prompts {}, realised lengths in tokens:", hash.substr(0, 16));
  for (const auto& [first, count] : evidence::length_histogram(lengths)) {
    text += fmt::format(" {}+: {}", first, count);
  }
  return text + "\n";
}

Status add_serve_arms(const ServeFlags& flags, BenchCase& measured) {
  for (std::size_t i = 0; i < flags.urls.size(); ++i) {
    CAIRN_ASSIGN(const evidence::Manifest manifest, read_manifest(flags.manifests[i]));
    measured.arms.push_back({.name = flags.names[i],
                             .role = i == 0 ? "ours" : "reference",
                             .manifest = manifest,
                             .tiers = {}});
  }
  measured.subject = flags.names[0];
  if (flags.urls.size() == 2) measured.subject += " and " + flags.names[1];
  measured.control_arm = flags.urls.size() - 1;
  return {};
}

Status check_names(const ServeFlags& flags) {
  if (flags.names.size() == 2 && flags.names[0] != flags.names[1]) return {};
  return invalid_argument(fmt::format("--names: found {}, expected two that differ",
                                      counted(flags.names.size(), "name")));
}

}  // namespace

void ServeFlags::declare(CLI::App& app) {
  app.add_option("--url", urls)->allow_extra_args(false)->required();
  app.add_option("--manifest", manifests)->allow_extra_args(false)->required();
  app.add_option("--model", models)->allow_extra_args(false);
  app.add_option("--names", names)->delimiter(',')->allow_extra_args(false);
  app.add_option("--clients", clients)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, 1024));
  app.add_option("--rates", rates)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1e-3, 1e6));
  app.add_option("--requests", requests)->check(whole_number(2, 100'000));
  app.add_option("--generate", generate)->check(whole_number(1, 1'000'000));
  app.add_option("--prompts", prompts);
  app.add_flag("--ignore-eos", ignore_eos);
  bench.declare(app);
}

Status run_serve_bench(const ServeFlags& flags, const std::string& kind, Output& out) {
  CAIRN_TRY(check_serve(flags));
  CAIRN_TRY(check_names(flags));
  Interrupt interrupt;
  interrupt.watch();
  const auto cancelled = [&] { return interrupt.requested(); };
  CAIRN_ASSIGN(const BenchLock lock, lock_series(flags.bench, cancelled));
  std::vector<double> lengths;
  CAIRN_ASSIGN(LoadCorpus corpus, corpus_of(flags));
  LoadList list = load_list(corpus, kServeSeed, flags.requests);
  ServePlan plan = {.flags = flags,
                    .corpus = std::move(corpus),
                    .list = list,
                    .loops = loops_of(flags, list),
                    .targets = {},
                    .cancelled = cancelled,
                    .lengths = lengths};
  for (std::size_t i = 0; i < flags.urls.size(); ++i) {
    CAIRN_ASSIGN(LoadTarget target, target_of(flags, i));
    plan.targets.push_back(std::move(target));
  }
  CAIRN_ASSIGN(plan.usage, probe(plan));
  BenchCase measured;
  measured.kind = kind;
  measured.others = OthersSeen::kBefore;
  CAIRN_TRY(add_serve_arms(flags, measured));
  for (const ServeLoop& loop : plan.loops) {
    for (evidence::MetricUnit& unit : serve_units(loop.load, plan.usage)) {
      measured.units.push_back(std::move(unit));
    }
  }
  measured.curves = {{.prefix = "tpot.c", .axis = "clients"},
                     {.prefix = "output.c", .axis = "clients"}};
  measured.run = [&](const evidence::RoundAsk& ask) {
    return serve_round(plan, plan.targets[arm_of_case(measured, ask)], ask);
  };
  measured.footer = [&] { return histogram_text(lengths, corpus_sha256(plan.corpus)); };
  return run_case(flags.bench, measured, out, cancelled);
}

int run_bench_serve(const PlainCall& call) {
  ServeFlags flags;
  CLI::App app;
  flags.declare(app);
  return run_parsed(call, app, [&] { return run_serve_bench(flags, "serve", call.out); });
}

}  // namespace cairn::cli

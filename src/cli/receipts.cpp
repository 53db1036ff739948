#include "cli/receipts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

#include "base/file.h"
#include "evidence/arm/arm_record.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/graph/validate.h"
#include "evidence/wire/encode.h"

namespace cairn::cli {
namespace {

using evidence::Receipt;

int refuse(const PlainCall& call, const evidence::Findings& findings, std::string_view document) {
  for (const evidence::Finding& finding : findings) {
    call.say(fmt::format("{}: {}", document, finding.text()));
  }
  return 1;
}

/// Reads a document of up to 64 MiB; says what is wrong and returns nothing otherwise.
std::optional<std::string> read(const PlainCall& call, const std::string& path) {
  Result<std::string> text = read_file(path, evidence::kDocumentBytesMax);
  if (text.ok()) return std::move(*text);
  call.say(text.status().message());
  return std::nullopt;
}

std::optional<Receipt> load_receipt(const PlainCall& call, std::string_view path) {
  const std::optional<std::string> text = read(call, std::string(path));
  if (!text) return std::nullopt;
  evidence::Decoded<Receipt> decoded = evidence::decode_receipt(*text);
  if (decoded.ok()) return std::move(decoded.value);
  refuse(call, decoded.findings, path);
  return std::nullopt;
}

std::optional<evidence::Graph> load_graph(const PlainCall& call, std::string_view path) {
  if (path.empty()) return evidence::pinned_graph();
  const std::optional<std::string> text = read(call, std::string(path));
  if (!text) return std::nullopt;
  evidence::Decoded<evidence::Graph> decoded = evidence::decode_graph(*text);
  if (decoded.ok()) decoded.findings = evidence::validate_graph(decoded.value);
  if (decoded.ok()) return std::move(decoded.value);
  refuse(call, decoded.findings, path);
  return std::nullopt;
}

int print(const PlainCall& call, std::string_view text) {
  const Status status = call.out.write(text);
  if (status.ok()) return 0;
  call.say(status.message());
  return 1;
}

std::string rates(const Receipt& receipt) {
  std::string text;
  for (const evidence::Repetition& one : receipt.repetitions) {
    text += (text.empty() ? "" : ", ") + evidence::number_text(one.tokens_per_second);
  }
  return text;
}

int show(const PlainCall& call, std::span<const std::string_view> paths, std::string_view) {
  const std::optional<Receipt> receipt = load_receipt(call, paths[0]);
  if (!receipt) return 1;
  const Receipt& r = *receipt;
  return print(
      call,
      fmt::format("{} receipt of {}\n"
                  "lever under test: {}\n"
                  "revision {} on {} ({}, {})\n"
                  "engine {} along {}, {} fallbacks\n"
                  "{} prompt and {} decoded tokens, batch {}\n"
                  "tokens per second: {}\n"
                  "peak {} bytes, resident {} bytes\n"
                  "quality: {} {} ({} is better)\n"
                  "{} of {} repetitions attested\n",
                  r.role, r.envelope_id, r.changed_lever_id, r.revision, r.machine.scrubbed_id,
                  r.machine.platform, r.machine.backend, r.execution.engine,
                  r.execution.forward_path, r.execution.fallback_count, r.controls.prompt_tokens,
                  r.controls.decode_tokens, r.controls.batch, rates(r), r.memory.peak_bytes,
                  r.memory.resident_bytes, r.quality.name, evidence::number_text(r.quality.score),
                  r.quality.higher_is_better ? "higher" : "lower", r.system_baselines.size(),
                  r.repetitions.size()));
}

/// Looks at each file of profiler_artifacts, which stand beside the receipt.
bool verify_artifacts(const PlainCall& call, const evidence::Graph& graph, const Receipt& receipt,
                      std::string_view path) {
  bool good = true;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (std::size_t i = 0; i < receipt.profiler_artifacts.size(); ++i) {
    const std::optional<std::string> bytes =
        read(call, (folder / receipt.profiler_artifacts[i].path).string());
    if (!bytes) {
      good = false;
      continue;
    }
    const evidence::ArtifactFile file = {.index = i, .bytes = *bytes};
    evidence::Findings findings = evidence::check_artifact(graph, receipt, file);
    std::ranges::move(evidence::check_arm_artifact(graph, receipt, file),
                      std::back_inserter(findings));
    refuse(call, findings, path);
    good = good && findings.empty();
  }
  return good;
}

int verify(const PlainCall& call, std::span<const std::string_view> paths,
           std::string_view graph_path) {
  const std::optional<evidence::Graph> graph = load_graph(call, graph_path);
  if (!graph) return 1;
  const std::optional<Receipt> receipt = load_receipt(call, paths[0]);
  if (!receipt) return 1;
  const evidence::Findings findings = evidence::validate_receipt(*graph, *receipt);
  if (!findings.empty()) return refuse(call, findings, paths[0]);
  if (!verify_artifacts(call, *graph, *receipt, paths[0])) return 1;
  return print(call,
               fmt::format("VALID {} receipt of {}, {} of {} repetitions attested, {} files "
                           "with the recorded hashes\n",
                           receipt->role, receipt->envelope_id, receipt->system_baselines.size(),
                           receipt->repetitions.size(), receipt->profiler_artifacts.size()));
}

/// The two trees side by side: each leaf that differs, as "path: old -> new".
void list_differences(const evidence::Value& one, const evidence::Value& other,
                      const std::string& path, std::string& text) {  // NOLINT(misc-no-recursion)
  using evidence::Kind;
  if (one.kind() == Kind::kObject && other.kind() == Kind::kObject) {
    for (const evidence::Member& member : one.members()) {
      const evidence::Value* same = other.find(member.key);
      const std::string below = evidence::member_path(path, member.key);
      if (same == nullptr) {
        text += below + ": only in the first\n";
      } else {
        list_differences(member.value, *same, below, text);
      }
    }
    for (const evidence::Member& member : other.members()) {
      if (one.find(member.key) != nullptr) continue;
      text += evidence::member_path(path, member.key) + ": only in the second\n";
    }
    return;
  }
  const std::string before = evidence::to_text(one, evidence::Layout::kCompact);
  const std::string after = evidence::to_text(other, evidence::Layout::kCompact);
  if (before != after) text += fmt::format("{}: {} -> {}\n", path, before, after);
}

int diff(const PlainCall& call, std::span<const std::string_view> paths, std::string_view) {
  const std::optional<Receipt> one = load_receipt(call, paths[0]);
  if (!one) return 1;
  const std::optional<Receipt> other = load_receipt(call, paths[1]);
  if (!other) return 1;
  std::string text;
  Receipt first = *one;
  Receipt second = *other;
  if (first.system_baselines.size() != second.system_baselines.size()) {
    text += fmt::format("attested repetitions: {} -> {}\n", first.system_baselines.size(),
                        second.system_baselines.size());
  }
  first.system_baselines.clear();  // each measurement has its own; their number is said above
  second.system_baselines.clear();
  list_differences(evidence::encode_value(first), evidence::encode_value(second), "", text);
  return print(call, text.empty() ? "no difference\n" : text);
}

/// What can be done with receipts.
struct Action {
  std::string_view word;
  std::size_t files = 1;
  int (*run)(const PlainCall& call, std::span<const std::string_view> paths,
             std::string_view graph) = nullptr;
};

constexpr std::array kActions = {
    Action{.word = "show", .files = 1, .run = &show},
    Action{.word = "verify", .files = 1, .run = &verify},
    Action{.word = "diff", .files = 2, .run = &diff},
};

}  // namespace

int run_receipts(const PlainCall& call) {
  if (call.arguments.empty()) return call.wrong_usage("found no action");
  const std::string_view word = call.arguments[0];
  if (word == "--help" || word == "-h") return call.answer_usage();
  const auto* const action = std::ranges::find(kActions, word, &Action::word);
  if (action == kActions.end()) {
    return call.wrong_usage(fmt::format("found '{}', expected show, verify or diff", word));
  }
  std::vector<std::string_view> paths;
  std::span<const std::string_view> left = call.arguments.subspan(1);
  while (!left.empty() && !left[0].starts_with('-')) {
    paths.push_back(left[0]);
    left = left.subspan(1);
  }
  constexpr std::array kFlags = {PlainFlag{.name = "graph"}};
  const Result<PlainArguments> flags = parse_plain(kFlags, left);
  if (!flags.ok()) return call.wrong_usage(flags.status().message());
  if (flags->help) return call.answer_usage();
  paths.insert(paths.end(), flags->rest.begin(), flags->rest.end());
  if (paths.size() != action->files) {
    return call.wrong_usage(
        fmt::format("{}: found {} files, expected {}", action->word, paths.size(), action->files));
  }
  if (flags->value("graph") && action->word != "verify") {
    return call.wrong_usage(fmt::format("{}: --graph goes with verify", action->word));
  }
  return action->run(call, paths, flags->value("graph").value_or(""));
}

}  // namespace cairn::cli

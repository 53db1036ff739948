// docs/native-performance.md: the graph for readers (native-performance.md 13, M-77).
#include <fmt/format.h>

#include <array>

#include "evidence/pages/write.h"

namespace cairn::evidence {
namespace {

constexpr std::string_view kOpening =
    "# Native performance\n\n"
    "Made by `cairn report` from the graph; `cairn report --check` compares it with\n"
    "`cairn native-performance --json`. What is expected is a hypothesis and never a result; what "
    "is\n"
    "witnessed names an accepted receipt of its own envelope. Envelopes are kept apart: no sum, "
    "no\n"
    "ranking and no common curve.\n\n";

constexpr std::string_view kProcedure =
    "## Procedure\n\n"
    "1. Pin every field of the envelope, then record the baseline with `--baseline LEVER`.\n"
    "2. Change one lever. Its dependencies stay as they are, its conflicts are off.\n"
    "3. Record the candidate as the lever's next witness asks.\n"
    "4. Keep raw logs, commands, revisions, identities, timings, memory and quality; what a "
    "receipt\n"
    "   has no key for goes into the arm record beside it.\n"
    "5. Targets stay expectations. A witness comes from the accepted end-to-end receipt only.\n"
    "6. A lever counts as enabled when the default path of the engine uses it.\n"
    "7. Look at the map, `--json`, `--next` and `--dot`, and run `./dev test`.\n\n"
    "[Prove a speed-up](guides/prove-a-speedup.md) walks through these steps command by "
    "command.\n\n"
    "## Fence\n\n"
    "Small benchmarks, proxy models, other engines and other machines may explain a hypothesis; "
    "none\n"
    "of them fills a witness. Evidence of one envelope fills no witness of another one. Paths of\n"
    "profiles are relative and scrubbed. A profile explains a limit; only an end-to-end receipt\n"
    "claims a gain. An incomplete capture stays unclassified.\n\n"
    "## Design sources\n\n"
    "They shape the form and give no measurement: hierarchical rooflines (launch, compute and\n"
    "bandwidth apart), benchmark configurations as identities, the separate serving levers of "
    "vLLM\n"
    "and SGLang, and llama.cpp's products of quantised activations.\n\n";

constexpr std::string_view kAcceptance =
    "## Acceptance\n\n"
    "| evidence | status | what it shows |\n"
    "|---|---|---|\n"
    "| synthetic Metal profile | committed under `tests/evidence/profiles/` | reading, validation, "
    "counters kept, the launch-bound result |\n"
    "| synthetic CUDA profile | committed, same folder | the same with the bandwidth-bound result "
    "and "
    "a choice inside its envelope |\n"
    "| rejected profiles | committed, same folder | each refusal by its rule |\n"
    "| real Metal capture | OPEN | nothing is claimed |\n"
    "| real CUDA capture | OPEN | nothing is claimed |\n\n"
    "The captures' record is [their page](_witnesses/native-performance-profile/README.md).\n";

std::string mark(bool enabled) { return enabled ? "on" : "off"; }

std::string joined(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "`" : ", `") + id + "`";
  return text.empty() ? std::string(kNothing) : text;
}

/// A text inside a table cell.
std::string cell(std::string text) {
  std::size_t at = 0;
  while ((at = text.find('|', at)) != std::string::npos) {
    text.insert(at, 1, '\\');
    at += 2;
  }
  return text;
}

std::string envelope_facts(const Envelope& one) {
  std::string text = table_head(std::array<std::string_view, 2>{"field", "value"});
  const auto row = [&](std::string_view field, const std::string& value) {
    text += table_line(std::array<std::string, 2>{std::string(field), cell(value)});
  };
  row("model", one.model);
  row("model revision", "`" + one.model_revision + "`");
  row("artifact", "`" + one.artifact_sha256 + "`");
  row("quantization", one.quantization);
  row("hardware", one.hardware);
  row("memory", one.memory_gib == 0 ? "not pinned" : fmt::format("{} GiB", one.memory_gib));
  row("engine and path", fmt::format("`{}`, `{}`", one.engine, one.forward_path));
  row("backend", one.backend);
  row("tokens", fmt::format("{} of the prompt, {} decoded", one.prompt_tokens, one.decode_tokens));
  row("repetitions", std::to_string(one.repetitions));
  row("temperature", std::to_string(one.temperature));
  row("metric", "`" + one.throughput_metric + "`");
  row("compared only with", one.comparability_rule);
  return text + "\n";
}

std::string levers_of(const Graph& graph, const Envelope& envelope) {
  std::string text = table_head(std::array<std::string_view, 9>{
      "lever", "state", "status", "needs", "excludes", "expected (hypothesis)", "witnessed",
      "owner", "next witness"});
  for (const Lever& lever : graph.levers) {
    if (lever.applicability.envelope_id != envelope.id) continue;
    text += table_line(std::array<std::string, 9>{
        "`" + lever.id + "`", mark(lever.enabled), lever.status, joined(lever.dependency_ids),
        joined(lever.conflict_ids),
        cell(lever.expected.summary + " (" + lever.expected.provenance + ")"),
        lever.witnessed ? cell(lever.witnessed->summary) : "none",
        fmt::format("[{}]({})", lever.owning_issue.number, lever.owning_issue.url),
        cell(lever.next_witness)});
  }
  return text + "\n";
}

std::string ladder_of(const Graph& graph) {
  std::string text = "### Older ladder\n\n";
  text += table_head(std::array<std::string_view, 6>{
      "rung", "state", "status", "expected tokens/s (hypothesis)", "witnessed tokens/s", "gap"});
  for (const Rung& rung : graph.rungs) {
    text += table_line(std::array<std::string, 6>{
        "`" + rung.id + "`", mark(rung.enabled), rung.status,
        fmt::format("{} to {}", number_text(rung.expected.floor_tokens_per_second),
                    number_text(rung.expected.roof_tokens_per_second)),
        rung.witnessed ? fmt::format("{} ({})", number_text(rung.witnessed->tokens_per_second),
                                     rung.witnessed->comparability)
                       : "none",
        cell(rung.gap)});
  }
  return text + "\n";
}

std::string receipts_of(const Graph& graph) {
  std::string text = "## Accepted receipts\n\n";
  text += table_head(
      std::array<std::string_view, 4>{"lever", "what it showed", "provenance", "receipt"});
  for (const Lever& lever : graph.levers) {
    if (!lever.witnessed) continue;
    text += table_line(std::array<std::string, 4>{
        "`" + lever.id + "`", cell(lever.witnessed->summary), cell(lever.witnessed->provenance),
        cell(lever.witnessed->receipt)});
  }
  return text + "\n";
}

}  // namespace

std::string write_graph_page(const Graph& graph) {
  std::string text(kOpening);
  for (const Envelope& envelope : graph.envelopes) {
    text += "## Envelope `" + envelope.id + "`\n\n" + envelope_facts(envelope);
    if (envelope.id == graph.envelope.id) text += ladder_of(graph);
    text += fmt::format("### Levers of `{}`\n\n", envelope.id) + levers_of(graph, envelope);
  }
  return text + receipts_of(graph) + std::string(kProcedure) + std::string(kAcceptance);
}

}  // namespace cairn::evidence

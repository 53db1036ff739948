#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "evidence/graph/render.h"

namespace cairn::evidence {
namespace {

using Cells = std::array<std::string, 7>;

std::string_view box(bool enabled) { return enabled ? "[x]" : "[ ]"; }

Cells rung_cells(const Rung& rung) {
  const ExpectedRange& range = rung.expected;
  std::string witnessed = "pending";
  if (rung.witnessed) {
    witnessed = fmt::format("{} [{}/{}]", plain_number(rung.witnessed->tokens_per_second),
                            rung.witnessed->classification, rung.witnessed->comparability);
  }
  return {std::string(box(rung.enabled)),
          rung.status,
          one_line(rung.id),
          joined_ids(rung.dependency_ids),
          fmt::format("{}..{} [{}]", plain_number(range.floor_tokens_per_second),
                      plain_number(range.roof_tokens_per_second), range.classification),
          witnessed,
          fmt::format("#{}", rung.next_issue.number)};
}

/// Columns but the last are as wide as their widest cell and two blanks.
std::string table(const std::vector<Cells>& rows) {
  std::string text;
  std::array<std::size_t, 7> widths{};
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += row[i] + std::string(widths[i] + 2 - row[i].size(), ' ');
    }
    text += row.back() + "\n";
  }
  return text;
}

std::string rung_table(const Graph& graph) {
  std::vector<Cells> rows = {
      {"ON", "STATUS", "RUNG", "DEPENDENCIES", "EXPECTED TOK/S", "WITNESSED TOK/S", "NEXT"}};
  for (const Rung& rung : graph.rungs) rows.push_back(rung_cells(rung));
  return table(rows);
}

std::string head(const Graph& graph) {
  const Envelope& envelope = graph.envelope;
  const Throughput& comparison = graph.comparison;
  return fmt::format(
      "NATIVE RAW-MODEL HILL CLIMB\n"
      "Envelope: {} | {} {} | {}, {} GiB | P{}/T{} | {}/{}\n"
      "Comparison: {} tok/s | {} | {}/{}\n"
      "Legend: [x] means enabled here; expected values are hypotheses, not measurements\n",
      one_line(envelope.model), one_line(envelope.quantization), one_line(envelope.backend),
      one_line(envelope.hardware), envelope.memory_gib, envelope.prompt_tokens,
      envelope.decode_tokens, envelope.engine, one_line(envelope.forward_path),
      plain_number(comparison.tokens_per_second), one_line(comparison.engine),
      comparison.classification, comparison.comparability);
}

std::string features_and_gaps(const Graph& graph) {
  std::string text = "Feature stack:\n";
  for (const Feature& feature : graph.features) {
    text += fmt::format("- {} {} ({}; rung={}): {}\n", box(feature.enabled), one_line(feature.id),
                        feature.status, one_line(feature.rung_id), one_line(feature.observable));
  }
  text += "Gaps:\n";
  for (const Rung& rung : graph.rungs) {
    text += fmt::format("- {}: {} (next #{})\n", one_line(rung.id), one_line(rung.gap),
                        rung.next_issue.number);
  }
  return text;
}

std::string lever_lines(const Lever& lever) {
  return fmt::format(
      "- {} {} ({}; deps={}; conflicts={}; issue=#{})\n"
      "  expected [{}]: {} (source: {})\n"
      "  witnessed: {}\n"
      "  next witness: {}\n",
      box(lever.enabled), one_line(lever.id), lever.status, joined_ids(lever.dependency_ids),
      joined_ids(lever.conflict_ids), lever.owning_issue.number, lever.expected.classification,
      one_line(lever.expected.summary), one_line(lever.expected.provenance),
      lever.witnessed ? one_line(lever.witnessed->summary) : "pending",
      one_line(lever.next_witness));
}

std::string envelope_levers(const Graph& graph, const Envelope& envelope) {
  std::string text = fmt::format(
      "Envelope {}: {} | {} {} | P{}/T{} | {}/{}\n", one_line(envelope.id),
      one_line(envelope.model), one_line(envelope.quantization), one_line(envelope.hardware),
      envelope.prompt_tokens, envelope.decode_tokens, envelope.engine, one_line(envelope.backend));
  for (const Lever& lever : graph.levers) {
    if (lever.applicability.envelope_id == envelope.id) text += lever_lines(lever);
  }
  return text;
}

}  // namespace

std::string plain_number(double value) {
  std::array<char, 512> buffer{};
  const std::to_chars_result end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return {buffer.data(), end.ptr};
}

std::string joined_ids(const std::vector<std::string>& ids) {
  if (ids.empty()) return "-";
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ",") + one_line(id);
  return text;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      line += fmt::format("\\u{:04x}", byte);
    } else {
      line += c;
    }
  }
  return line;
}

std::string render_map(const Graph& graph, std::string_view envelope_id) {
  std::string text = head(graph) + rung_table(graph) + features_and_gaps(graph);
  text += "Independent levers (envelopes stay separate: nothing is summed or ranked across them)\n";
  for (const Envelope& envelope : graph.envelopes) {
    if (envelope_id.empty() || envelope.id == envelope_id) text += envelope_levers(graph, envelope);
  }
  return text;
}

}  // namespace cairn::evidence

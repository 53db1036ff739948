#include "evidence/pages/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

std::string sampled_outputs(const Evidence& evidence, std::string_view path,
                            const Receipt& receipt) {
  const std::string folder(path.substr(0, path.rfind('/') + 1));
  for (const ProfilerArtifact& artifact : receipt.profiler_artifacts) {
    const auto arm = evidence.arms.find(folder + artifact.path);
    if (arm != evidence.arms.end()) return arm->second.outputs_sha256;
  }
  return "";
}

/// A pair of receipts as a record, with the outputs of its arm records.
std::optional<BenchRecord> receipts_record(const Evidence& evidence, const PlanRow& row) {
  const auto candidate = evidence.receipts.find(row.evidence);
  const auto baseline = evidence.receipts.find(row.baseline.value_or(""));
  if (candidate == evidence.receipts.end() || baseline == evidence.receipts.end()) {
    return std::nullopt;
  }
  BenchRecord record = record_of(baseline->second, candidate->second);
  for (BenchWork& work : record.work) {
    const auto& [path, receipt] = work.arm == "candidate" ? *candidate : *baseline;
    work.outputs_sha256 = sampled_outputs(evidence, path, receipt);
  }
  return record;
}

std::map<std::string, std::string> newest_of(const Evidence& evidence) {
  std::map<std::string, std::string> newest;
  for (const PlanPeer& peer : evidence.plan.peers) newest[peer.name] = peer.version;
  return newest;
}

std::string cell_of(const std::optional<Figure>& figure, const RowSource& source) {
  if (!figure) return std::string(kNothing);
  if (figure->readings < readings_needed(source.statistic)) return std::string(kNothing);  // M-44
  const std::string_view unit = unit_of(source.record, source.row.metric);
  const auto shown = [&](double value) {
    return print_figure(in_unit(value, unit, source.row.unit));
  };
  if (figure->spread_percent <= kSpreadPercentMax) return shown(figure->value);
  return fmt::format("{} ({} to {})", shown(figure->value), shown(figure->low),
                     shown(figure->high));  // M-25
}

std::string spread_of(const Standing& standing) {
  double spread = standing.ours ? standing.ours->spread_percent : 0;
  if (standing.reference) spread = std::max(spread, standing.reference->spread_percent);
  return fmt::format("{:.2f} %", spread);
}

}  // namespace

std::optional<RowSource> row_source(const Evidence& evidence, const PlanRow& row) {
  const std::optional<Statistic> statistic = statistic_of(row.statistic);
  const std::optional<Legs> legs = legs_of(row.legs);
  const auto digest = evidence.digests.find(row.evidence);
  if (!statistic || !legs || digest == evidence.digests.end()) return std::nullopt;
  RowSource source = {.row = row,
                      .record = {},
                      .control = nullptr,
                      .digest = digest->second,
                      .envelope = {},
                      .standing = {},
                      .statistic = *statistic,
                      .legs = *legs};
  const auto record = evidence.records.find(row.evidence);
  if (record != evidence.records.end()) {
    source.record = record->second;
    const BenchArm* ours = our_arm(source.record);
    source.envelope = source.record.machine.scrubbed_id + " " +
                      (ours == nullptr ? "" : ours->manifest.model_sha256.substr(0, 12));
  } else {
    std::optional<BenchRecord> pair = receipts_record(evidence, row);
    if (!pair) return std::nullopt;
    source.record = std::move(*pair);
    source.envelope = evidence.receipts.at(row.evidence).envelope_id;
  }
  const auto control = evidence.records.find(row.control.value_or(""));
  if (control != evidence.records.end()) source.control = &control->second;
  const auto newest = newest_of(evidence);
  source.standing = standing_of({.record = source.record,
                                 .control = source.control,
                                 .metric = row.metric,
                                 .statistic = *statistic,
                                 .legs = *legs,
                                 .verdicts = evidence.verdicts,
                                 .newest = newest});
  return source;
}

double in_unit(double value, std::string_view from, std::string_view to) {
  const Unit* one = find_unit(from);
  const Unit* other = find_unit(to);
  if (one == nullptr || other == nullptr || one->bytes == 0 || other->bytes == 0) return value;
  return value * one->bytes / other->bytes;
}

int decimals_of(double value) {
  if (std::abs(value) >= 100) return 1;
  return std::abs(value) >= 10 ? 2 : 3;
}

std::string print_figure(double value) { return fmt::format("{:.{}f}", value, decimals_of(value)); }

std::optional<Printed> parse_figure(std::string_view cell) {
  Printed printed;
  const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), printed.value,
                                   std::chars_format::fixed);
  if (end.ec != std::errc()) return std::nullopt;
  const std::string_view text = cell.substr(0, static_cast<std::size_t>(end.ptr - cell.data()));
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos) {
    printed.decimals = static_cast<int>(text.size() - point - 1);
  }
  return printed;
}

std::string print_ratio(double ours, double reference, bool higher_is_better) {
  return fmt::format("{:.{}f}", ratio_of(ours, reference, higher_is_better), kRatioDecimals);
}

RowCells row_cells(const Evidence& evidence, const RowSource& source) {
  const Standing& standing = source.standing;
  const bool higher = is_higher_better(source.record, source.row.metric);
  const std::string ours = cell_of(standing.ours, source);
  const std::string reference = cell_of(standing.reference, source);
  const auto one = parse_figure(ours);
  const auto other = parse_figure(reference);
  const bool ratio = standing.ratio && one && other;
  const StateLine* line = state_line(evidence, source.digest);
  const bool absent = source.row.metric == "draft_acceptance" && ours == kNothing;  // M-48
  return {source.row.key,
          source.row.metric,
          source.row.statistic,
          source.row.legs,
          source.row.unit,
          absent ? "absent" : ours,
          reference,
          higher ? "higher" : "lower",
          ratio ? print_ratio(one->value, other->value, higher) : std::string(kNothing),
          ratio ? std::string(standing.word) : std::string(kNothing),
          source.row.word,
          source.row.reason,
          std::string(token_class(source.record)),
          spread_of(standing),
          "`" + source.envelope + "`",
          "`" + source.record.subject.run_id + "`",
          line == nullptr ? std::string(kNothing) : std::string(utc_date(line->time_utc)),
          "[record](" + evidence_link(source.row.evidence) + ")",
          "`" + source.digest + "`"};
}

std::string evidence_link(std::string_view path) { return "../evidence/" + std::string(path); }

}  // namespace cairn::evidence

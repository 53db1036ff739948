#include "evidence/bench/bench_record.h"

#include <algorithm>

#include "base/sha256.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {

Decoded<BenchRecord> decode_bench_record(std::string_view text, Rules rules) {
  return decode<BenchRecord>(text, rules);
}

std::string digest_of(const BenchRecord& record) {
  BenchRecord unsealed = record;
  unsealed.digest.clear();
  return "sha256:" + sha256_hex(canonical_text(unsealed));
}

void seal(BenchRecord& record) { record.digest = digest_of(record); }

std::string text_of(const BenchRecord& record) { return document_text(record); }

const BenchArm* find_arm(const BenchRecord& record, std::string_view role) {
  const auto found = std::ranges::find(record.arms, role, &BenchArm::role);
  return found == record.arms.end() ? nullptr : &*found;
}

const BenchArm* our_arm(const BenchRecord& record) {
  const BenchArm* ours = find_arm(record, "ours");
  return ours != nullptr ? ours : find_arm(record, "on");
}

const BenchArm* reference_arm(const BenchRecord& record) {
  const BenchArm* reference = find_arm(record, "reference");
  return reference != nullptr ? reference : find_arm(record, "off");
}

std::string_view unit_of(const BenchRecord& record, std::string_view metric) {
  const auto found = std::ranges::find(record.units, metric, &MetricUnit::metric);
  return found == record.units.end() ? std::string_view() : std::string_view(found->unit);
}

bool is_higher_better(const BenchRecord& record, std::string_view metric) {
  const auto found = std::ranges::find(record.direction, metric, &MetricDirection::metric);
  return found != record.direction.end() && found->higher_is_better;
}

}  // namespace cairn::evidence

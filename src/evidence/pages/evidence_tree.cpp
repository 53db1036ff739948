#include "evidence/pages/evidence_tree.h"

#include <algorithm>
#include <iterator>

#include "base/sha256.h"
#include "evidence/attestation/check.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/graph/validate.h"
#include "evidence/profile/verify.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

class Reader {
 public:
  Reader(const Tree& tree, Rules rules, Evidence& evidence)
      : tree_(tree), rules_(rules), evidence_(evidence) {}

  void read_named();
  void read_all();
  void check_receipts();

 private:
  const std::string* file(std::string_view path) const {
    const auto found = tree_.files.find(std::string(path));
    return found == tree_.files.end() ? nullptr : &found->second;
  }

  /// Keeps findings with their file's name, under the rule `id` unless that is empty.
  bool keep(const Findings& found, std::string_view id, const std::string& path) {
    if (!id.empty() && !rules_.on(id)) return found.empty();
    for (Finding finding : found) {
      const bool led = id.empty() || finding.ids[0] == id || finding.ids[0].starts_with("M-");
      if (!led) finding.ids.insert(finding.ids.begin(), std::string(id));
      finding.path = path + ": " + finding.path;
      evidence_.findings.push_back(std::move(finding));
    }
    return found.empty();
  }

  template <typename T>
  bool read(std::string_view path, std::string_view id, T& out) {
    const std::string* text = file(path);
    if (text == nullptr) return false;
    Decoded<T> decoded = decode<T>(*text, rules_);
    if (!keep(decoded.findings, id, std::string(path))) return false;
    out = std::move(decoded.value);
    return true;
  }

  void read_one(const std::string& path, const std::string& text);
  void read_record(const std::string& path, const std::string& text);
  void read_attestation(const std::string& path, const std::string& text);
  void note_attestation(const attestation::Attestation& one);
  Findings artifacts(const std::string& path, const Receipt& receipt);

  const Tree& tree_;
  Rules rules_;
  Evidence& evidence_;
};

void Reader::read_named() {
  read(kPlanPath, "", evidence_.plan);
  read(kGatesPath, "M-76", evidence_.gates);
  evidence_.graph = pinned_graph();
  if (const std::string* text = file(kGraphPath)) {
    Decoded<Graph> decoded = decode_graph(*text, rules_);
    if (decoded.ok()) decoded.findings = validate_graph(decoded.value, rules_);
    if (keep(decoded.findings, "M-77", std::string(kGraphPath))) {
      evidence_.graph = std::move(decoded.value);
    }
  }
  if (const std::string* text = file(kStatePath)) {
    evidence_.state = decode_state_record(*text, rules_).value;
    keep(check_state_record(*text, tree_.earlier, rules_), "", std::string(kStatePath));
  }
}

void Reader::read_record(const std::string& path, const std::string& text) {
  Decoded<BenchRecord> decoded = decode_bench_record(text, rules_);
  if (!keep(decoded.findings, "M-01", path)) return;
  keep(validate_bench_record(decoded.value, rules_), "", path);
  evidence_.digests[path] = decoded.value.digest;
  evidence_.records[path] = std::move(decoded.value);
}

void Reader::note_attestation(const attestation::Attestation& one) {
  evidence_.verdicts[one.digest] = one.verdict;
  for (const attestation::Metric* metric :
       {&one.host_totals.cpu_percent, &one.baseline_host_totals.cpu_percent,
        &one.attribution.non_sut_cpu_percent_of_host, &one.command_sampler.duty_percent}) {
    if (metric->available) evidence_.ambient[one.digest].push_back(metric->value);
  }
}

void Reader::read_attestation(const std::string& path, const std::string& text) {
  Decoded<attestation::Attestation> decoded = attestation::read(text, rules_);
  if (decoded.ok()) decoded.findings = attestation::check(decoded.value, rules_);
  if (keep(decoded.findings, "M-17", path)) note_attestation(decoded.value);
}

void Reader::read_one(const std::string& path, const std::string& text) {
  const std::string schema = schema_of(parse_document(text));
  if (schema == kBenchRecordSchema) return read_record(path, text);
  if (schema == attestation::kSchema) return read_attestation(path, text);
  if (schema == kArmRecordSchema) {
    Decoded<ArmRecord> decoded = decode_arm_record(text, rules_);
    if (keep(decoded.findings, "M-03", path)) evidence_.arms[path] = std::move(decoded.value);
  }
  if (schema == kReceiptSchemaV1 || schema == kReceiptSchemaV2) {
    Decoded<Receipt> decoded = decode_receipt(text, rules_);
    if (!keep(decoded.findings, "M-03", path)) return;
    evidence_.digests[path] = "sha256:" + sha256_hex(std::string_view(text));
    for (const attestation::Attestation& one : decoded.value.system_baselines) {
      note_attestation(one);
    }
    evidence_.receipts[path] = std::move(decoded.value);
  }
}

void Reader::read_all() {
  for (const auto& [path, text] : tree_.files) {
    if (!path.starts_with(kEvidenceFolder) || !path.ends_with(".json")) continue;
    read_one(path.substr(kEvidenceFolder.size()), text);
  }
}

/// P-26 and 5.9 for every file that the receipt names, beside it.
Findings Reader::artifacts(const std::string& path, const Receipt& receipt) {
  Findings found;
  Report report("M-03", found);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  bool arm = false;
  for (std::size_t i = 0; i < receipt.profiler_artifacts.size(); ++i) {
    const std::string name = folder + receipt.profiler_artifacts[i].path;
    const std::string* bytes = file(std::string(kEvidenceFolder) + name);
    if (bytes == nullptr) {
      report.add(item_path("profiler_artifacts", i), "no file " + quote(name), "the named file");
      continue;
    }
    const ArtifactFile artifact = {.index = i, .bytes = *bytes};
    report.add_inner(check_artifact(evidence_.graph, receipt, artifact, rules_));
    std::ranges::move(check_arm_artifact(evidence_.graph, receipt, artifact, rules_),
                      std::back_inserter(found));
    arm = arm || evidence_.arms.contains(name);
  }
  if (!arm) report.add("profiler_artifacts", "no arm record", "the arm record of the receipt");
  return found;
}

/// M-03
void Reader::check_receipts() {
  for (const auto& [path, receipt] : evidence_.receipts) {
    keep(validate_receipt(evidence_.graph, receipt, rules_), "M-03", path);
    keep(artifacts(path, receipt), "M-03", path);
  }
}

}  // namespace

Evidence read_evidence(const Tree& tree, Rules rules) {
  Evidence evidence;
  Reader reader(tree, rules, evidence);
  reader.read_named();
  reader.read_all();
  reader.check_receipts();
  return evidence;
}

const StateLine* state_line(const Evidence& evidence, std::string_view digest) {
  const StateLine* found = nullptr;
  for (const StateLine& line : evidence.state.lines) {
    if (line.receipt_digest == digest) found = &line;
  }
  return found;
}

bool is_marked(const Evidence& evidence, std::string_view digest, std::string_view kind) {
  const StateLine* line = state_line(evidence, digest);
  return line != nullptr && line->kind == kind;
}

}  // namespace cairn::evidence

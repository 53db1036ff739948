#include "evidence/profile/verify.h"

#include "base/sha256.h"

namespace cairn::evidence {
namespace {

/// True for a JSON object whose schema is one of the profile ids.
bool is_profile(const Parsed& parsed) {
  const std::string schema = schema_of(parsed);
  return schema == kProfileSchemaV1 || schema == kProfileSchemaV2;
}

void report_identity(const Receipt& receipt, const Profile& profile, Report& report) {
  if (profile.envelope_id != receipt.envelope_id) {
    report.add("envelope_id", quote(profile.envelope_id),
               "the receipt's " + quote(receipt.envelope_id));
  }
  if (profile.execution != receipt.execution) {
    report.add("execution", "another execution", "the receipt's three execution fields");
  }
}

}  // namespace

Findings check_artifact(const Graph& graph, const Receipt& receipt, const ArtifactFile& file,
                        Rules rules) {
  Findings findings;
  if (!rules.on("P-26")) return findings;
  Report report("P-26", findings);
  const std::string path = item_path("profiler_artifacts", file.index);
  const std::string hash = sha256_hex(file.bytes);
  const std::string& recorded = receipt.profiler_artifacts[file.index].sha256;
  if (hash != recorded) {
    report.add(member_path(path, "sha256"), "a file with the hash " + quote(hash),
               "the recorded " + quote(recorded));
  }
  if (!is_profile(parse_document(file.bytes))) return findings;
  const Decoded<Profile> profile = decode_profile(file.bytes, rules);
  report.add_inner(profile.findings, path);
  if (!profile.ok()) return findings;
  report.add_inner(validate_profile(graph, profile.value, rules), path);
  report_identity(receipt, profile.value, report);
  return findings;
}

}  // namespace cairn::evidence

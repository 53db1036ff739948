// Does what attestation_twin.py asks, one JSON object per line: {"samples": ...} is answered by the
// canonical text of the report that is built from them, {"document": "text"} by {"ids", "digest",
// "opt_in"} of reading and checking that text.
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <string>

#include "base/json.h"
#include "evidence/attestation/build.h"
#include "evidence/attestation/check.h"
#include "evidence/wire/encode.h"

namespace {

using cairn::Json;
namespace attestation = cairn::evidence::attestation;
namespace host = cairn::host;

host::ProcessEntry process_of(const Json& json) {
  return {.pid = json.at("pid"),
          .parent_pid = json.at("ppid"),
          .start_identity = json.at("start"),
          .image = json.at("image"),
          .cpu_available = !json.at("cpu_ns").is_null(),
          .cpu_ns = json.at("cpu_ns").is_null() ? 0 : json.at("cpu_ns").get<std::int64_t>(),
          .rss_available = !json.at("rss").is_null(),
          .rss_bytes = json.at("rss").is_null() ? 0 : json.at("rss").get<std::int64_t>()};
}

host::Snapshot snapshot_of(const Json& json) {
  host::Snapshot snapshot = {.utc_ns = json.at("utc_ns"),
                             .monotonic_ns = json.at("monotonic_ns"),
                             .enumerated = json.at("enumerated"),
                             .incomplete = json.at("incomplete"),
                             .unreadable = json.at("unreadable"),
                             .note = json.at("note"),
                             .census_ns = json.at("census_ns")};
  if (const Json& cpu = json.at("cpu"); !cpu.is_null()) {
    snapshot.cpu = {.available = true, .total_ns = cpu.at(0), .busy_ns = cpu.at(1)};
  }
  if (const Json& memory = json.at("memory"); !memory.is_null()) {
    snapshot.memory = {
        .available = true, .total_bytes = memory.at(0), .available_bytes = memory.at(1)};
  }
  for (const Json& each : json.at("processes")) snapshot.processes.push_back(process_of(each));
  return snapshot;
}

std::vector<host::Snapshot> snapshots_of(const Json& json) {
  std::vector<host::Snapshot> all;
  for (const Json& each : json) all.push_back(snapshot_of(each));
  return all;
}

attestation::Policy policy_of(const Json& json) {
  return {.minimum_baseline_samples = json.at("minimum_baseline_samples"),
          .minimum_samples = json.at("minimum_samples"),
          .maximum_non_sut_cpu_percent = json.at("maximum_non_sut_cpu_percent"),
          .maximum_sampler_duty_percent = json.at("maximum_sampler_duty_percent"),
          .require_host_cpu = json.at("require_host_cpu"),
          .require_sut_cpu = json.at("require_sut_cpu"),
          .require_process_memory = json.at("require_process_memory"),
          .include_top_consumers = json.at("include_top_consumers")};
}

std::string built(const Json& json) {
  const std::vector<host::Snapshot> baseline = snapshots_of(json.at("baseline"));
  const std::vector<host::Snapshot> command = snapshots_of(json.at("command"));
  return cairn::evidence::canonical_text(attestation::build({.baseline = baseline,
                                                             .command = command,
                                                             .interval_ns = json.at("interval_ns"),
                                                             .root_pid = json.at("root_pid"),
                                                             .exit_code = json.at("exit_code"),
                                                             .timed_out = json.at("timed_out")},
                                                            policy_of(json.at("policy"))));
}

Json first_id(const cairn::evidence::Findings& findings) {
  return findings.empty() ? Json() : Json(findings[0].ids.front());
}

std::string checked(const std::string& text) {
  const auto read = attestation::read(text);
  const auto findings = read.ok() ? attestation::check(read.value) : read.findings;
  return Json({{"id", first_id(findings)},
               {"digest", read.ok() ? Json(attestation::digest_of(read.value)) : Json()},
               {"opt_in", first_id(attestation::check_opt_in(read.value))}})
      .dump();
}

/// Answers every line of the file; the exit code.
int answer(const char* path) {
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    const auto request = cairn::parse_json(line);
    if (!request.ok()) {
      std::cerr << request.status().message() << "\n";
      return 1;
    }
    const Json& json = request.value();
    std::cout << (json.contains("samples") ? built(json.at("samples"))
                                           : checked(json.at("document").get<std::string>()))
              << "\n";
  }
  return std::cout.good() && in.eof() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2) return answer(argv[1]);
    std::cerr << "usage: attestation_driver FILE\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  return 2;
}

#include "evidence/attestation/attestation.h"

#include <algorithm>
#include <cmath>

#include "base/sha256.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence::attestation {
namespace {

std::int64_t minimum_or_default(std::int64_t value, std::int64_t standard) {
  return value <= 0 ? standard : value;
}

double percent_or_default(double value, double standard) {
  return std::isfinite(value) && value > 0 && value <= 100 ? value : standard;
}

}  // namespace

Policy normalised(const Policy& policy) {
  const Policy standard;
  Policy result = policy;
  result.minimum_baseline_samples =
      minimum_or_default(policy.minimum_baseline_samples, standard.minimum_baseline_samples);
  result.minimum_samples = minimum_or_default(policy.minimum_samples, standard.minimum_samples);
  result.maximum_non_sut_cpu_percent =
      percent_or_default(policy.maximum_non_sut_cpu_percent, standard.maximum_non_sut_cpu_percent);
  result.maximum_sampler_duty_percent = percent_or_default(policy.maximum_sampler_duty_percent,
                                                           standard.maximum_sampler_duty_percent);
  return result;
}

std::string base_name(std::string_view image) {
  std::string name(image);
  std::ranges::replace(name, '\\', '/');
  while (name.ends_with('/')) name.pop_back();
  const std::size_t slash = name.rfind('/');
  if (slash != std::string::npos) name.erase(0, slash + 1);
  return name.empty() ? "unknown" : name;
}

std::string digest_of(const Attestation& attestation) {
  // the digest key is there and empty. A-21: of the values, not of the file's bytes.
  Attestation unsealed = attestation;
  unsealed.digest.clear();
  return "sha256:" + sha256_hex(canonical_text(unsealed));
}

void seal(Attestation& attestation) { attestation.digest = digest_of(attestation); }

}  // namespace cairn::evidence::attestation

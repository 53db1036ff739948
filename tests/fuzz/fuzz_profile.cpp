// room: evidence
// Any bytes as a profile: read, validated, classified, chosen from. Nothing may crash.
#include <cstdint>
#include <string_view>

#include "evidence/data/pinned_graph.h"
#include "evidence/profile/classify.h"
#include "evidence/wire/encode.h"

namespace {

/// Keeps results from being optimised away.
volatile std::size_t sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace evidence = cairn::evidence;
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const evidence::Decoded<evidence::Profile> profile = evidence::decode_profile(text);
  sink = sink + evidence::to_lines(profile.findings, "profile").size();
  if (!profile.ok()) return 0;
  sink = sink + evidence::document_text(profile.value).size();
  const auto choice = evidence::choose_from_profile(kGraph, profile.value);
  sink = sink + evidence::to_lines(choice.findings, "profile").size();
  if (choice.ok()) sink = sink + evidence::document_text(choice.value).size();
  return 0;
}

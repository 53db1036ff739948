#include "evidence/settings.h"

namespace cairn::evidence {
namespace {

/// Replaces a beginning; a text that starts otherwise stays.
void replace_start(std::string& text, std::string_view from, std::string_view to) {
  if (text.starts_with(from)) text.replace(0, from.size(), to);
}

}  // namespace

void apply(const EvidenceSettings& settings, Graph& pinned) {
  for (Rung& rung : pinned.rungs) {
    replace_start(rung.next_issue.url, kPinnedTracker, settings.tracker_url);
  }
  for (Lever& lever : pinned.levers) {
    replace_start(lever.owning_issue.url, kPinnedTracker, settings.tracker_url);
  }
}

void apply(const EvidenceSettings& settings, GateVerdict& verdict) {
  if (!verdict.bisect) return;
  for (std::string& command : verdict.bisect->guarded_commands) {
    replace_start(command, kPinnedLockCommand, settings.lock_command);
  }
}

}  // namespace cairn::evidence

// room: evidence
// Any bytes as a state record: read, checked, appended to. Nothing may crash.
#include "evidence/state/state_record.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = cairn::fuzz::text_of(data, size);
  consume(evidence::check_state_record(text, {}));
  const auto more = evidence::append_line(text, {.time_utc = "2026-11-30T00:00:00Z",
                                                 .kind = "measured",
                                                 .subject = "decode",
                                                 .receipt_digest = "",
                                                 .previous_sha256 = ""});
  consume(more.ok() ? more->size() : 0);
  return 0;
}

// room: evidence
// Any bytes as a streamed answer, whole and in pieces: the same text comes out, and nothing
// crashes.
#include <cstdlib>

#include "evidence/bench/sse.h"
#include "tests/fuzz/evidence.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = cairn::fuzz::text_of(data, size);
  cairn::evidence::SseReader whole;
  whole.feed(bytes, 1);
  cairn::evidence::SseReader pieces;
  for (std::size_t i = 0; i < bytes.size(); i += 3) pieces.feed(bytes.substr(i, 3), 1);
  if (whole.text() != pieces.text() || whole.error() != pieces.error()) std::abort();
  cairn::fuzz::consume(cairn::evidence::fold_stream(whole.chunks(), 8).inter_chunk.size());
  return 0;
}

// room: server
// Any bytes as what a connection sends: requests are read one after another, the same whatever the
// pieces, within the limits, and never a crash.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "server/http/request_reader.h"

namespace {

using cairn::server::RequestReader;
using State = RequestReader::State;

constexpr cairn::server::ReadLimits kLimits = {
    .header_bytes_max = 1024, .headers_max = 16, .body_bytes_max = 4096};

struct Outcome {
  State state = State::kReadingHead;
  std::size_t taken = 0;
  std::string path = {};
  std::string body = {};
  std::size_t headers = 0;

  bool operator==(const Outcome&) const = default;
};

Outcome read_one(std::string_view bytes, std::size_t step) {
  RequestReader reader(kLimits);
  Outcome outcome;
  while (reader.state() != State::kDone && reader.state() != State::kFailed) {
    const bool at_end = outcome.taken == bytes.size();
    if (at_end && (reader.state() != State::kHead || reader.body_follows())) break;
    const std::string_view piece = reader.state() == State::kHead && !reader.body_follows()
                                       ? std::string_view()
                                       : bytes.substr(outcome.taken, step);
    const std::size_t taken = reader.feed(piece);
    CAIRN_CHECK(taken <= piece.size());
    outcome.taken += taken;
  }
  outcome.state = reader.state();
  outcome.path = reader.request().path;
  outcome.body = reader.request().body;
  outcome.headers = reader.request().headers.size();
  CAIRN_CHECK(outcome.body.size() <= kLimits.body_bytes_max);
  CAIRN_CHECK(outcome.headers <= kLimits.headers_max + 1);
  CAIRN_CHECK(outcome.state != State::kFailed || !reader.error().message.empty());
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string copy;
  copy.assign(data + 1, data + size);
  const std::size_t step = data[0] % 16 + 1;
  std::string_view bytes = copy;
  while (!bytes.empty()) {
    const Outcome pieces = read_one(bytes, step);
    const Outcome whole = read_one(bytes, bytes.size());
    CAIRN_CHECK(pieces == whole);
    if (pieces.state != State::kDone) break;
    bytes.remove_prefix(pieces.taken);
  }
  return 0;
}

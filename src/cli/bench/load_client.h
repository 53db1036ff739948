// Many streamed requests at once against a server of OpenAI's interface.
//
// Purpose     sends them as the load says and hears what comes back; one thread drives all of them,
//             so that the client takes little of the machine that it measures.
// Invariants  a time is counted from when its request was due: in an open loop a server that is
//             late cannot make the load lighter. A failed request has no figures.
// Threads     one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "evidence/bench/stream.h"

namespace cairn::cli {

/// Where to, and what every request says beside its prompt.
struct LoadTarget {
  std::string url = {};  // "http://127.0.0.1:8000/v1"
  std::string model = {};
  std::string api_key = {};  // empty: none
  std::int64_t output_tokens = 64;
  bool ignore_eos = false;  // asks for the whole length, where the server knows the field
  long timeout_s = 600;     // of one request
};

/// When requests are sent: in a closed loop the next one as soon as one of `clients` is free, in an
/// open one at its time.
struct LoadShape {
  std::size_t clients = 1;
  std::vector<double> arrivals_ms = {};  // empty: closed
};

/// What one request came to.
struct LoadOutcome {
  evidence::StreamFigures figures;
  std::string text;
  std::optional<std::int64_t> prompt_tokens;
  double due_ms = 0;  // since the beginning of the load
  double end_ms = 0;
  std::string error;  // empty: answered
};

/// One outcome per prompt, in the prompts' order. Errors: kCancelled, kInternal from the library;
/// what a server does wrong is an outcome.
Result<std::vector<LoadOutcome>> drive_load(const LoadTarget& target,
                                            const std::vector<std::string>& prompts,
                                            const LoadShape& shape,
                                            const std::function<bool()>& cancelled);

/// The name of the first model that the server lists (GET /models). Errors: kUnavailable with what
/// the server did instead.
Result<std::string> listed_model(const LoadTarget& target);

/// The body of one request.
std::string load_body(const LoadTarget& target, const std::string& prompt);

}  // namespace cairn::cli

// BatchRunner: every request of a file through the server's own endpoints.
//
// Purpose     one way for `cairn batch` and /v1/batches: a line is answered by the handler that a
//             connection's request is answered by.
// Invariants  a request is in the results once or not yet; what ends a run leaves the rest for the
//             next one.
// Threads     one: it prepares requests and collects answers, and sleeps while there is neither.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>

#include "server/api/api.h"
#include "server/batch/batch_file.h"
#include "server/batch/batch_results.h"
#include "server/http/router.h"

namespace cairn::server {

/// What a batch came to.
struct BatchTotals {
  std::size_t requests = 0;
  std::size_t done_before = 0;
  std::size_t completed = 0;  // in this run, and answered with 200
  std::size_t failed = 0;     // in this run, and answered with an error of their own
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;

  std::size_t done() const { return done_before + completed + failed; }
};

/// What there is to do. Errors: as BatchResults::has.
Result<BatchTotals> count_done(const BatchFile& file, const BatchResults& results);

class BatchRunner {
 public:
  struct Options {
    std::size_t in_hand_max = 1;            // requests that run or wait at once
    std::function<bool()> stop_asked = {};  // asked several times a second
    std::function<void(const BatchTotals&)> progress = {};
  };

  /// `api` and `results` outlive it.
  BatchRunner(const Api& api, BatchResults& results, Options options);

  /// Runs what has no result yet. Errors: the results'; kCancelled when it was asked to stop.
  Status run(const BatchFile& file, BatchTotals& totals);

 private:
  struct InHand {
    const BatchLine* line = nullptr;
    const Route* route = nullptr;
    std::unique_ptr<PendingAnswer> answer = {};
  };

  Result<bool> begin(const BatchLine& line, BatchTotals& totals);
  Status take(const BatchLine& line, const Route& route, Reply reply, BatchTotals& totals);
  Status collect(BatchTotals& totals);
  Status finish(const BatchLine& line, Response response, BatchTotals& totals);

  Router router_;
  Newsroom& newsroom_;
  BatchResults& results_;
  Options options_;
  std::list<InHand> in_hand_;
};

}  // namespace cairn::server

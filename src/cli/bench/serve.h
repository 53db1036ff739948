// A load against one server or two: `bench serve`, and `bench compare` where it is given URLs.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/bench/command.h"

namespace cairn::cli {

struct ServeFlags {
  std::vector<std::string> urls;
  std::vector<std::string> manifests;  // one a server
  std::vector<std::string> models;     // none: the first that each server lists
  std::vector<std::string> names = {"cairn", "peer"};
  std::vector<std::size_t> clients = {1, 2, 4, 8, 16, 32};  // M-49
  std::vector<double> rates;                                // requests a second, of open loops
  std::size_t requests = 64;
  std::size_t generate = 64;
  std::string prompts;
  bool ignore_eos = false;
  BenchFlags bench;

  void declare(CLI::App& app);
};

/// Measures under the lock; `kind` is the record's. Errors: kInvalidArgument for the flags,
/// kUnavailable for a server that does not answer.
Status run_serve_bench(const ServeFlags& flags, const std::string& kind, Output& out);

}  // namespace cairn::cli

#include "cli/peer_flags.h"

#include <fmt/core.h>

#include <array>

namespace cairn::cli {
namespace {

constexpr auto kInert = PeerFlagKind::kInert;
constexpr auto kRenamed = PeerFlagKind::kRenamed;
constexpr auto kNone = PeerFlagValue::kNone;
constexpr auto kOne = PeerFlagValue::kOne;

constexpr std::array kRows = {
    PeerFlag{"--enable-prefix-caching", kInert, kNone, "equal beginnings are always shared"},
    PeerFlag{"--prefix-caching-hash-algo", kInert, kOne, "pages are named by SHA-256"},
    PeerFlag{"--enable-chunked-prefill", kInert, kNone, "long prompts always come in chunks"},
    PeerFlag{"--async-scheduling", kInert, kNone, "steps are planned in one way"},
    PeerFlag{"--enforce-eager", kInert, kNone, "there are no graphs to capture"},
    PeerFlag{"--trust-remote-code", kInert, kNone, "no code of a model is run"},
    PeerFlag{"--gpu-memory-utilization", kInert, kOne, "weights and cache are in main memory"},
    PeerFlag{"--swap-space", kInert, kOne, "answers that lose their pages are computed again"},
    PeerFlag{"--block-size", kInert, kOne, "pages have 32 positions"},
    PeerFlag{"--tokenizer-mode", kInert, kOne, "there is one tokenizer per file"},
    PeerFlag{"--load-format", kInert, kOne, "the file says what it is"},
    PeerFlag{"--enable-auto-tool-choice", kInert, kNone, "calls are told wherever tools are given"},
    PeerFlag{"--enable-prompt-tokens-details", kInert, kNone, "usage always has them"},
    PeerFlag{"--enable-server-load-tracking", kInert, kNone, "/load is always there"},
    PeerFlag{"--enable-request-id-headers", kInert, kNone, "answers always carry X-Request-Id"},
    PeerFlag{"--enable-tokenizer-info-endpoint", kInert, kNone, "/props tells about the model"},
    PeerFlag{"--disable-log-requests", kInert, kNone, "prompts are never logged"},
    PeerFlag{"--max-log-len", kInert, kOne, "prompts are never logged"},
    PeerFlag{"--uvicorn-log-level", kInert, kOne, "the access log has one level"},
    PeerFlag{"--disable-fastapi-docs", kInert, kNone, "there is only /openapi.json"},
    PeerFlag{"--cont-batching", kInert, kNone, "answers always share steps"},
    PeerFlag{"--jinja", kInert, kNone, "the file's template is always used"},
    PeerFlag{"--metrics", kInert, kNone, "/metrics is always there"},
    PeerFlag{"--slots", kInert, kNone, "/slots is always there"},
    PeerFlag{"--props", kInert, kNone, "/props is always there"},
    PeerFlag{"--embedding", kInert, kNone, "/v1/embeddings is always there"},
    PeerFlag{"--embeddings", kInert, kNone, "/v1/embeddings is always there"},
    PeerFlag{"--uds", kRenamed, kOne, "--unix"},
    PeerFlag{"--api-key", kRenamed, kOne, "--api-keys, a file with one key per line"},
    PeerFlag{"--api-key-file", kRenamed, kOne, "--api-keys"},
    PeerFlag{"--ssl-certfile", kRenamed, kOne, "--tls-certificate"},
    PeerFlag{"--ssl-cert-file", kRenamed, kOne, "--tls-certificate"},
    PeerFlag{"--ssl-keyfile", kRenamed, kOne, "--tls-key"},
    PeerFlag{"--ssl-key-file", kRenamed, kOne, "--tls-key"},
    PeerFlag{"--ssl-ca-certs", kRenamed, kOne, "--tls-client-ca"},
    PeerFlag{"--allowed-origins", kRenamed, kOne, "--cors-origins"},
    PeerFlag{"--parallel", kRenamed, kOne, "--max-num-seqs"},
    PeerFlag{"--max-model-len", kRenamed, kOne, "--ctx"},
    PeerFlag{"--ctx-size", kRenamed, kOne, "--ctx"},
    PeerFlag{"--max-num-batched-tokens", kRenamed, kOne, "--step-rows"},
    PeerFlag{"--batch-size", kRenamed, kOne, "--step-rows"},
    PeerFlag{"--alias", kRenamed, kOne, "--served-model-name"},
};

}  // namespace

std::span<const PeerFlag> peer_flags() { return kRows; }

void PeerFlags::declare(CLI::App& app) {
  for (const PeerFlag& row : peer_flags()) {
    const std::string name(row.name);
    CLI::Option* const option = row.value == PeerFlagValue::kOne
                                    ? app.add_option(name, values_.emplace_back())
                                    : app.add_flag(name);
    option->group("");  // not in the help
    options_.push_back(option);
  }
}

Result<std::vector<std::string>> PeerFlags::read() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (options_[i]->count() == 0) continue;
    const PeerFlag& row = peer_flags()[i];
    if (row.kind == PeerFlagKind::kRenamed) {
      return invalid_argument(fmt::format("found {}, expected {}", row.name, row.text));
    }
    lines.push_back(fmt::format("{} has no effect: {}", row.name, row.text));
  }
  return lines;
}

}  // namespace cairn::cli

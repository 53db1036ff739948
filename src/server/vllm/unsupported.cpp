// Routes whose models or features are not there: each names what is missing.
#include <fmt/core.h>

#include <array>

#include "server/api/handling.h"

namespace cairn::server {
namespace {

/// What a route would need.
struct Missing {
  std::string_view path = {};
  std::string_view what = {};
};

constexpr std::array kMissing = {
    Missing{"/v1/rerank", "a reranker model"},
    Missing{"/rerank", "a reranker model"},
    Missing{"/v2/rerank", "a reranker model"},
    Missing{"/v1/score", "a reranker model"},
    Missing{"/score", "a reranker model"},
    Missing{"/classify", "a classifier model"},
    Missing{"/pooling", "pooling"},
    Missing{"/infill", "a model with fill-in-the-middle tokens"},
    Missing{"/v1/audio/transcriptions", "an audio model"},
    Missing{"/v1/audio/translations", "an audio model"},
    Missing{"/v1/audio/speech", "a speech model"},
    Missing{"/v1/images/generations", "an image model"},
    Missing{"/v1/videos", "a video model"},
    Missing{"/lora-adapters", "adapters (LoRA)"},
    Missing{"/v1/load_lora_adapter", "adapters (LoRA)"},
    Missing{"/v1/unload_lora_adapter", "adapters (LoRA)"},
};

}  // namespace

Reply post_unsupported(const Api& /*api*/, Exchange& exchange) {
  std::string_view what = "a part of this server";
  for (const Missing& row : kMissing) {
    if (exchange.request.path == row.path) what = row.what;
  }
  return error_response(Flavour::kOpenAi,
                        {.cause = Cause::kNotImplemented,
                         .message = fmt::format("{} needs {}, which is not supported yet",
                                                exchange.request.path, what)});
}

}  // namespace cairn::server

// Fields of /v1/batches. Source: OpenAI's API reference.
#include <array>

#include "server/wire/readers.h"

namespace cairn::server {
namespace {

using Request = GenerationRequest;

constexpr std::array kBatchRows = {
    Field{.name = "input_file_id",
          .endpoints = kBatchesOnly,
          .shape = Shape::kText,
          .read = &read<&Request::input_file_id>,
          .sentence = "Required: a file of /v1/files with one request a line."},
    Field{.name = "endpoint",
          .endpoints = kBatchesOnly,
          .shape = Shape::kText,
          .read = &read<&Request::batch_endpoint>,
          .sentence = "Required: /v1/chat/completions, /v1/completions or /v1/embeddings, the one "
                      "that every line asks."},
    Field{.name = "metadata",
          .endpoints = kBatchesOnly,
          .shape = Shape::kObject,
          .read = &read<&Request::metadata>,
          .sentence = "Kept with the batch and given back."},
    Field{.name = "completion_window",
          .endpoints = kBatchesOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kText,
          .neutral = "\"24h\"",
          .sentence = "A batch has a day."},
    Field{.name = "output_expires_after",
          .endpoints = kBatchesOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kObject,
          .sentence = "Results are kept for 30 days."},
};

}  // namespace

std::span<const Field> batch_fields() { return kBatchRows; }

}  // namespace cairn::server

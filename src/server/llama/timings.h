// llama.cpp's timings of an answer.
#pragma once

#include "base/json.h"
#include "server/wire/replies.h"

namespace cairn::server {

/// {cache_n, prompt_n, prompt_ms, prompt_per_second, predicted_n, predicted_ms, ...}; times that
/// are not known yet are 0 and their speeds null.
Json timings_of(const Usage& usage);

}  // namespace cairn::server

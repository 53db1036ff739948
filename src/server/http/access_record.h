// One answered, refused or abandoned request, for the log.
#pragma once

#include <cstdint>
#include <string>

#include "server/http/message.h"

namespace cairn::server {

struct AccessRecord {
  std::string id = {};
  Method method = Method::kOther;
  std::string path = {};
  std::string route = {};  // the pattern of its row; empty: there was none
  int status = 0;          // 499: the client went away first
  std::uint64_t body_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::int64_t duration_us = 0;  // from its first byte
  std::int64_t time_ms = 0;      // Unix time of its end
};

}  // namespace cairn::server

// Settings of the server's HTTP layer.
#pragma once

#include <cstdint>
#include <string>

#include "base/settings.h"

namespace cairn::server {

struct HttpSettings {
  std::uint64_t header_bytes_max = 64 << 10;
  std::uint64_t headers_max = 100;
  std::uint64_t body_bytes_max = 64 << 20;
  std::uint64_t connections_max = 1024;
  std::uint64_t waiting_jobs_max = 1024;
  std::uint64_t first_byte_ms = 10'000;
  std::uint64_t header_ms = 10'000;
  std::uint64_t body_ms = 120'000;
  std::uint64_t idle_ms = 75'000;
  std::uint64_t write_ms = 30'000;
  std::uint64_t drain_ms = 8'000;
  std::uint64_t gzip_bytes_min = 1024;
  std::string cors_origins = "auto";

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visit_sizes(self, visitor);
    visit_times(self, visitor);
    visitor({.name = "gzip-bytes-min",
             .unit = "bytes",
             .min = 0,
             .effect = Effect::kSurface,
             .sentence = "Smallest body that is compressed for a client that accepts gzip."},
            self.gzip_bytes_min);
    visitor({.name = "cors-origins",
             .effect = Effect::kSurface,
             .sentence = "Web origins that may read answers, with commas between; * is all, none "
                         "is none; auto is all when API keys are asked for, else pages of this "
                         "machine."},
            self.cors_origins);
  }

 private:
  template <typename Self, typename Visitor>
  static void visit_sizes(Self& self, Visitor&& visitor) {
    visitor({.name = "header-bytes-max",
             .unit = "bytes",
             .min = 256,
             .max = 16 << 20,
             .effect = Effect::kSurface,
             .sentence = "Most bytes of a request line and its headers; more is answered 431."},
            self.header_bytes_max);
    visitor({.name = "headers-max",
             .min = 1,
             .max = 10'000,
             .effect = Effect::kSurface,
             .sentence = "Most headers of a request; more is answered 431."},
            self.headers_max);
    visitor({.name = "body-bytes-max",
             .unit = "bytes",
             .min = 0,
             .max = 4'294'967'296.0,
             .effect = Effect::kMemory,
             .sentence = "Most bytes of a request's body; more is answered 413."},
            self.body_bytes_max);
    visitor({.name = "connections-max",
             .min = 1,
             .max = 100'000,
             .effect = Effect::kMemory,
             .sentence = "Connections served at the same time; further ones are answered 503."},
            self.connections_max);
    visitor({.name = "waiting-jobs-max",
             .min = 1,
             .max = 1'000'000,
             .effect = Effect::kMemory,
             .sentence = "Requests waiting to be prepared; further ones are answered 429."},
            self.waiting_jobs_max);
  }

  template <typename Self, typename Visitor>
  static void visit_times(Self& self, Visitor&& visitor) {
    visitor({.name = "first-byte-ms",
             .unit = "ms",
             .min = 1,
             .effect = Effect::kSurface,
             .sentence = "From the connection, with its TLS handshake, to its first byte; then it "
                         "is closed."},
            self.first_byte_ms);
    visitor({.name = "header-ms",
             .unit = "ms",
             .min = 1,
             .effect = Effect::kSurface,
             .sentence = "From a request's first byte to the end of its headers; then 408."},
            self.header_ms);
    visitor({.name = "body-ms",
             .unit = "ms",
             .min = 1,
             .effect = Effect::kSurface,
             .sentence = "From the end of a request's headers to the end of its body; then 408."},
            self.body_ms);
    visitor({.name = "idle-ms",
             .unit = "ms",
             .min = 1,
             .effect = Effect::kSurface,
             .sentence = "Between two requests of a connection; then it is closed."},
            self.idle_ms);
    visitor({.name = "write-ms",
             .unit = "ms",
             .min = 1,
             .effect = Effect::kSurface,
             .sentence = "For a client to take 64 KiB of an answer; then it is closed."},
            self.write_ms);
    visitor({.name = "drain-ms",
             .unit = "ms",
             .min = 0,
             .effect = Effect::kSurface,
             .sentence = "For running answers to finish once the server stops."},
            self.drain_ms);
  }
};

}  // namespace cairn::server

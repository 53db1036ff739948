#include "server/http/gzip.h"

#include <zlib.h>

#include <limits>

namespace cairn::server {
namespace {

// The fastest level: answers are small, and text gains little from the others.
constexpr int kLevel = 1;
// 15 is the largest window; 16 more asks zlib for the gzip frame.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

}  // namespace

Result<std::string> gzip(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) {
    return internal_error("gzip: a body of " + std::to_string(bytes.size()) + " bytes");
  }
  z_stream stream = {};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return internal_error("gzip: zlib does not start");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  std::string input(bytes);  // zlib's interface asks for bytes that may be written
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return internal_error("gzip: zlib did not finish");
  return out;
}

}  // namespace cairn::server

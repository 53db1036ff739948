#include "server/batch/split_results.h"

#include <algorithm>

#include "base/file.h"
#include "base/json.h"

namespace cairn::server {
namespace {

Json no_answer(const BatchLine& line, std::string_view code) {
  return {
      {"id", line.id},
      {"custom_id", line.custom_id},
      {"response", nullptr},
      {"error", {{"code", code}, {"message", "the batch ended before this request was answered"}}}};
}

}  // namespace

Result<SplitResults> split_results(const BatchFile& file, const BatchResults& results,
                                   const std::string& path, std::string_view code) {
  SplitResults split;
  CAIRN_ASSIGN(const MappedFile mapped, MappedFile::open(path));
  const std::string_view all(reinterpret_cast<const char*>(mapped.bytes().data()),
                             mapped.bytes().size());
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string_view line = all.substr(at, end - at);
    at = end + 1;
    CAIRN_ASSIGN(const Json result, parse_json(line));
    const bool good = result["response"]["status_code"] == 200;
    split.answered += good ? 1 : 0;
    std::string& text = good ? split.output : split.errors;
    text.append(line);
    text += '\n';
  }
  for (const BatchLine& line : file.lines()) {
    CAIRN_ASSIGN(const bool done, results.has(line));
    if (done) continue;
    ++split.unanswered;
    split.errors += line_of(no_answer(line, code)) + "\n";
  }
  return split;
}

}  // namespace cairn::server

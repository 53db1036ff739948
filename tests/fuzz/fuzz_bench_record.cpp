// room: evidence
// Any bytes as a bench record: read, validated, written, its rows stood up. Nothing may crash.
#include "evidence/bench/standing.h"
#include "tests/fuzz/evidence.h"

namespace evidence = cairn::evidence;
using cairn::fuzz::consume;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::map<std::string, std::string> kNone;
  const auto read = evidence::decode_bench_record(cairn::fuzz::text_of(data, size));
  consume(read.findings);
  if (!read.ok()) return 0;
  const evidence::BenchRecord& record = read.value;
  consume(evidence::validate_bench_record(record));
  cairn::fuzz::consume_document(record);
  consume(evidence::token_class(record).size());
  for (const evidence::MetricUnit& unit : record.units) {
    const auto standing = evidence::standing_of({.record = record,
                                                 .control = &record,
                                                 .metric = unit.metric,
                                                 .verdicts = kNone,
                                                 .newest = kNone});
    consume(standing.limits.size());
  }
  return 0;
}

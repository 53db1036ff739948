// Rounds of arms, folded into a bench record (native-performance.md 18.1, 18.5).
//
// Purpose     what every `cairn bench` command has in common, whatever an arm does: order,
//             numbering, complete samples, where a series breaks off.
// Invariants  every repetition that was started is in the record (M-02); the arms' order is turned
//             around every round (M-23).
// Threads     one; how an arm runs is the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "evidence/bench/bench_record.h"

namespace cairn::evidence {

/// Fewer repetitions than this are no cell (M-23).
constexpr std::int64_t kRepetitionsMin = 3;
/// Which share of the machine others took while a reading was taken, in percent.
constexpr std::string_view kOthersCpuMetric = "others_cpu";
/// Above it the machine was busy, as the attestation's default policy has it.
constexpr double kOthersCpuPercentMax = 20;

/// Values of one metric that one repetition gave.
struct Reading {
  std::string metric = {};
  bool cold = false;
  std::vector<double> values = {};
};

/// What one arm did in one repetition. `work` has neither arm nor number yet.
struct ArmRound {
  BenchWork work = {};
  std::vector<Reading> readings = {};
};

/// Which round an arm is asked for.
struct RoundAsk {
  std::size_t arm = 0;
  std::int64_t repetition = 0;  // from 1
  bool reload = false;          // a cold leg too: M-22 wants one of every control
};

/// The units of the record's metrics, with their directions as units.h has them; a unit that is
/// better neither way counts as better when lower.
void set_units(BenchRecord& record, const std::vector<MetricUnit>& units);

/// Runs `repetitions` rounds of all arms of `record`, adding work and samples. After a round with a
/// failed request the series ends: what it has is what a void record keeps. Errors: those of
/// `run`, which keep nothing.
Status run_rounds(BenchRecord& record, std::int64_t repetitions,
                  const std::function<Result<ArmRound>(const RoundAsk&)>& run);

/// The A/A control of `record`: one of its arms twice, as "first" and "second", still without
/// rounds.
BenchRecord control_of(const BenchRecord& record, std::size_t arm);

/// When the load of others was above the limit: the worst of it in words, else "".
std::string busy_reason(const BenchRecord& record);

}  // namespace cairn::evidence

// Answers bench_twin.py: each line of standard input is a kind, a blank and a JSON document; each
// answer is one line.
#include <algorithm>
#include <iostream>
#include <string>

#include "evidence/arm/arm_record.h"
#include "evidence/bench/standing.h"
#include "evidence/bench/stream.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/state/state_record.h"
#include "evidence/wire/encode.h"

namespace {

namespace evidence = cairn::evidence;
using evidence::Decoded;
using evidence::Findings;

/// The ids that lead the findings, each once, or "OK".
std::string ids(const Findings& findings) {
  std::string text;
  for (const evidence::Finding& finding : findings) {
    if (text.find(finding.ids.at(0)) != std::string::npos) continue;
    text += (text.empty() ? "" : " ") + finding.ids.at(0);
  }
  return text.empty() ? "OK" : text;
}

std::string record(const std::string& text) {
  const auto read = evidence::decode_bench_record(text);
  if (!read.ok()) return "ERROR " + ids(read.findings);
  return evidence::digest_of(read.value) + " " + ids(evidence::validate_bench_record(read.value));
}

struct Verdict {
  std::string digest;
  std::string verdict;
};

template <class Visitor, evidence::Is<Verdict> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("digest", self.digest);
  visit.field("verdict", self.verdict);
}

struct Question {
  evidence::BenchRecord record;
  evidence::BenchRecord control;
  std::vector<Verdict> verdicts;
  std::string metric;
  std::string statistic;
  std::string legs;
};

template <class Visitor, evidence::Is<Question> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("record", self.record);
  visit.field("control", self.control);
  visit.field("verdicts", self.verdicts);
  visit.field("metric", self.metric);
  visit.field("statistic", self.statistic);
  visit.field("legs", self.legs);
}

std::string number(const std::optional<double>& value) {
  return value ? evidence::number_text(*value) : "none";
}

std::string figure(const std::optional<evidence::Figure>& figure) {
  if (!figure) return "none";
  return evidence::number_text(figure->value) + "/" + evidence::number_text(figure->low) + "/" +
         evidence::number_text(figure->high);
}

std::string standing(const std::string& text) {
  const Decoded<Question> question = evidence::decode<Question>(text);
  if (!question.ok()) return "ERROR " + ids(question.findings);
  std::map<std::string, std::string> verdicts;
  for (const Verdict& one : question.value.verdicts) verdicts[one.digest] = one.verdict;
  const std::map<std::string, std::string> newest = {{"peer", "1.0"}};
  const evidence::Standing found =
      evidence::standing_of({.record = question.value.record,
                             .control = &question.value.control,
                             .metric = question.value.metric,
                             .statistic = *evidence::statistic_of(question.value.statistic),
                             .legs = *evidence::legs_of(question.value.legs),
                             .verdicts = verdicts,
                             .newest = newest});
  std::vector<std::string> limits;
  for (const evidence::Limit& limit : found.limits) {
    limits.push_back(std::string(limit.id) + ":" + std::string(limit.word));
  }
  std::ranges::sort(limits);
  std::string answer = figure(found.ours) + " " + figure(found.reference) + " " +
                       number(found.ratio) + " " + number(found.band_percent) + " [" +
                       std::string(found.word) + "] (" +
                       std::string(evidence::token_class(question.value.record)) + ")";
  for (const std::string& limit : limits) answer += " " + limit;
  return answer;
}

struct Chunk {
  double at = 0;
  bool text = false;
  std::optional<std::int64_t> tokens;
  std::string finish;
};

template <class Visitor, evidence::Is<Chunk> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("at", self.at);
  visit.field("text", self.text);
  visit.optional("tokens", self.tokens);
  visit.field("finish", self.finish);
}

struct Stream {
  std::vector<Chunk> chunks;
  std::int64_t asked = 0;
};

template <class Visitor, evidence::Is<Stream> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("chunks", self.chunks);
  visit.field("asked", self.asked);
}

std::string stream(const std::string& text) {
  const Decoded<Stream> read = evidence::decode<Stream>(text);
  if (!read.ok()) return "ERROR " + ids(read.findings);
  std::vector<evidence::StreamChunk> chunks;
  for (const Chunk& one : read.value.chunks) {
    chunks.push_back({.at_milliseconds = one.at,
                      .has_text = one.text,
                      .output_tokens = one.tokens,
                      .finish_reason = one.finish});
  }
  const evidence::StreamFigures found = evidence::fold_stream(chunks, read.value.asked);
  return number(found.ttft) + " " + number(found.e2e) + " " + number(found.tpot) + " " +
         number(found.tokens_per_chunk) + " " + number(found.tokens_per_second) + " " +
         (found.ended_early ? "early" : "whole");
}

/// A state record; its lines are joined by "\x1f" here.
std::string state(std::string text) {
  std::ranges::replace(text, '\x1f', '\n');
  return ids(evidence::check_state_record(text, {}));
}

struct Arm {
  evidence::ArmRecord record;
  evidence::Receipt receipt;
};

template <class Visitor, evidence::Is<Arm> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("record", self.record);
  visit.field("receipt", self.receipt);
}

std::string arm(const std::string& text) {
  static const evidence::Graph kGraph = evidence::pinned_graph();
  const Decoded<Arm> read = evidence::decode<Arm>(text);
  if (!read.ok()) return "ERROR " + ids(read.findings);
  return ids(evidence::check_arm_record(kGraph, read.value.receipt, read.value.record));
}

std::string answer(const std::string& kind, const std::string& text) {
  if (kind == "record") return record(text);
  if (kind == "standing") return standing(text);
  if (kind == "stream") return stream(text);
  if (kind == "state") return state(text);
  return kind == "arm" ? arm(text) : "ERROR unknown kind " + kind;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    std::cout << answer(line.substr(0, blank), line.substr(blank + 1)) << "\n";
  }
  return 0;
}

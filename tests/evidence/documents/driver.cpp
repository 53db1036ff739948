// Answers documents_twin.py: each line of standard input is a kind, a blank and a JSON document;
// each answer is one line, a canonical document or "ERROR" and the first rule id.
#include <iostream>
#include <string>

#include "base/sha256.h"
#include "evidence/compare/comparison.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/gate/gate.h"
#include "evidence/profile/classify.h"
#include "evidence/receipt/receipt.h"
#include "evidence/wire/encode.h"

namespace {

using cairn::evidence::Decoded;
using cairn::evidence::Findings;
using cairn::evidence::Graph;

std::string error(const Findings& findings) { return "ERROR " + findings.at(0).ids.at(0); }

struct Pair {
  cairn::evidence::Receipt baseline;
  cairn::evidence::Receipt candidate;
};

template <class Visitor, cairn::evidence::Is<Pair> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("baseline", self.baseline);
  visit.field("candidate", self.candidate);
}

std::string compare(const Graph& graph, const std::string& text) {
  const Decoded<Pair> pair = cairn::evidence::decode<Pair>(text);
  if (!pair.ok()) return error(pair.findings);
  const auto result =
      cairn::evidence::compare_receipts(graph, pair.value.baseline, pair.value.candidate);
  return result.ok() ? cairn::evidence::canonical_text(result.value) : error(result.findings);
}

std::string gate(const Graph& graph, const std::string& text) {
  const auto request = cairn::evidence::decode_gate_request(text);
  if (!request.ok()) return error(request.findings);
  const auto result = cairn::evidence::judge(graph, request.value);
  return result.ok() ? cairn::evidence::canonical_text(result.verdict) : error(result.findings);
}

std::string classify(const Graph& graph, const std::string& text) {
  const auto profile = cairn::evidence::decode_profile(text);
  if (!profile.ok()) return error(profile.findings);
  const auto result = cairn::evidence::classify_profile(graph, profile.value);
  return result.ok() ? cairn::evidence::canonical_text(result.value) : error(result.findings);
}

std::string choose(const Graph& graph, const std::string& text) {
  const auto profile = cairn::evidence::decode_profile(text);
  if (!profile.ok()) return error(profile.findings);
  const auto result = cairn::evidence::choose_from_profile(graph, profile.value);
  return result.ok() ? cairn::evidence::canonical_text(result.value) : error(result.findings);
}

struct Values {
  std::vector<double> numbers;
  std::string text;
};

template <class Visitor, cairn::evidence::Is<Values> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("numbers", self.numbers);
  visit.field("text", self.text);
}

std::string digest(const std::string& text) {
  const Decoded<Values> values = cairn::evidence::decode<Values>(text);
  if (!values.ok()) return error(values.findings);
  return cairn::sha256_hex(cairn::evidence::canonical_text(values.value));
}

std::string answer(const Graph& graph, const std::string& kind, const std::string& text) {
  if (kind == "compare") return compare(graph, text);
  if (kind == "gate") return gate(graph, text);
  if (kind == "classify") return classify(graph, text);
  if (kind == "choose") return choose(graph, text);
  return kind == "digest" ? digest(text) : "ERROR unknown kind " + kind;
}

}  // namespace

int main() {
  const Graph graph = cairn::evidence::pinned_graph();
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    std::cout << answer(graph, line.substr(0, blank), line.substr(blank + 1)) << "\n";
  }
  return 0;
}

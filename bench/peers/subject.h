// Subject: an engine under measurement, driven by lines of text.
//
// Purpose     ours and every peer answer the same commands, so that bench/peers/run alternates them
//             without knowing either.
// Invariants  a command computes logits and stops there: no sampling, no text. Tokens are the same
//             numbers for every subject (token_at).
// Threads     one thread calls; a subject's own workers are its own matter.
// Adding      a peer: a program that implements Subject and calls serve().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <sstream>
#include <string>

namespace cairn::bench {

/// Token `i` of every run, below `vocabulary`: spread over it, so that embedding rows differ.
inline std::int32_t token_at(std::size_t i, std::size_t vocabulary) {
  return static_cast<std::int32_t>((i * 2654435761U + 12345U) % vocabulary);
}

class Subject {
 public:
  virtual ~Subject() = default;

  /// What describes it, as JSON fields without braces.
  virtual std::string facts() const = 0;
  /// Selects a variant ("fa=on"); false when there is no such one.
  virtual bool select(const std::string& variant) = 0;
  /// Computes `tokens` positions of an empty sequence, logits of the last.
  virtual void prompt(std::size_t tokens) = 0;
  /// Makes sure that a sequence holds `depth` positions.
  virtual void fill(std::size_t depth) = 0;
  /// Computes `tokens` positions one by one after those, logits of each; then forgets them.
  virtual void decode(std::size_t tokens, std::size_t depth) = 0;
  /// `sequences` side by side, each `tokens` positions, one of each per step, logits of each.
  virtual void streams(std::size_t sequences, std::size_t tokens) = 0;
  /// Reads `bytes` with all workers. False when the subject has no such command.
  virtual bool read(std::size_t bytes) = 0;
};

/// Runs one command; false when it is not understood.
inline bool obey(Subject& subject, const std::string& line) {
  std::istringstream words(line);
  std::string name;
  std::size_t a = 0;
  std::size_t b = 0;
  words >> name;
  if (name == "select") {
    std::string variant;
    words >> variant;
    return subject.select(variant);
  }
  words >> a >> b;
  if (name == "prompt") subject.prompt(a);
  if (name == "fill") subject.fill(a);
  if (name == "decode") subject.decode(a, b);
  if (name == "streams") subject.streams(a, b);
  if (name == "read") return subject.read(a);
  return name == "prompt" || name == "fill" || name == "decode" || name == "streams";
}

/// Seconds of processor time of all threads of this process.
inline double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Prints the facts, then answers each line of standard input with the seconds that it took, by the
/// wall and of processor time.
inline int serve(Subject& subject) {
  std::cout << '{' << subject.facts() << '}' << std::endl;
  for (std::string line; std::getline(std::cin, line) && line != "quit";) {
    const double processor = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    const bool understood = obey(subject, line);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (!understood) {
      std::cout << "{\"error\": \"not understood: " << line << "\"}" << std::endl;
      continue;
    }
    std::cout << "{\"wall\": " << spent.count()
              << ", \"processor\": " << processor_seconds() - processor << '}' << std::endl;
  }
  return 0;
}

}  // namespace cairn::bench

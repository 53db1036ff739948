// Answers: every stream of one request, and what they have said.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "server/api/newsroom.h"
#include "server/api/prompt_part.h"
#include "server/api/watch.h"
#include "server/parts/answer_parser.h"
#include "server/wire/replies.h"

namespace cairn::server {

/// What an answer is made of, besides its tokens.
struct AnswerFacts {
  std::unique_ptr<WatchedRequest> watched = {};
  bool wants_logprobs = false;
  bool wants_reasoning = true;
  std::vector<std::string> stops = {};                              // texts that end an answer
  std::size_t calls_max = std::numeric_limits<std::size_t>::max();  // of one answer
};

/// One of the answers.
struct Answer {
  std::unique_ptr<runtime::TextStream> stream = {};
  std::uint64_t index = 0;
  bool opens_prompt = false;                  // the first answer to its prompt
  PromptPart prompt = {};                     // goes out before the first token
  std::unique_ptr<AnswerParser> parser = {};  // null: all is text
  std::vector<std::string> call_ids = {};     // drawn so far
  bool finished = false;                      // its finish reason was told
  bool calls_full = false;                    // it began a call more than it may hold
  std::uint64_t characters = 0;               // told so far
  std::uint64_t reasoning_tokens = 0;
  double prompt_s = 0;  // known once it finished, as is the next
  double decode_s = 0;
};

/// The I/O thread's, once it is made. Dropping it cancels every answer.
class Answers {
 public:
  Answers(AnswerFacts facts, std::vector<Answer> answers, const runtime::Runtime& model);

  /// What `answer` says beyond what was taken before: several tokens at once, or nothing when no
  /// token is there. Sets `finished` with the finish reason. Errors: the stream's.
  Result<std::optional<ReplyChoice>> take(Answer& answer);

  std::vector<Answer>& all() { return answers_; }
  const AnswerFacts& facts() const { return facts_; }
  /// Prompt tokens are counted once per prompt, whatever its answers.
  Usage usage() const;

 private:
  void add_parts(Answer& answer, AnswerParts parts, ReplyChoice& choice) const;
  TokenReport report(const runtime::TextPiece& piece) const;
  void add_piece(Answer& answer, const runtime::TextPiece& piece, ReplyChoice& choice) const;
  void finish(Answer& answer, ReplyChoice& choice) const;
  void count_end(const ReplyChoice& choice);
  std::optional<std::string> matched_stop(const Answer& answer) const;

  AnswerFacts facts_;
  std::vector<Answer> answers_;
  const runtime::Runtime& model_;
};

/// "stop" or "length" for the reasons that interfaces know; a deadline is a length too, since
/// clients check the word against a list; "abort" for the others.
std::string finish_word(runtime::FinishReason reason);

}  // namespace cairn::server

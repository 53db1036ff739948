// Answers: every stream of one request, and what they have said.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "server/api/newsroom.h"
#include "server/api/served_model.h"
#include "server/wire/fields.h"
#include "server/wire/replies.h"

namespace cairn::server {

/// What an answer is made of, besides its tokens.
struct AnswerFacts {
  Endpoint endpoint = Endpoint::kChat;
  ReplyHead head = {};
  bool wants_logprobs = false;
  bool wants_usage = false;  // of a stream: a closing chunk
};

/// One of the answers.
struct Answer {
  std::unique_ptr<runtime::TextStream> stream = {};
  std::uint64_t index = 0;
  bool opens_prompt = false;     // the first answer to its prompt
  std::string echo = {};         // goes out before the first token
  bool begun = false;            // a chunk of it went out
  bool finished = false;         // and its finish reason
  std::uint64_t text_bytes = 0;  // told so far
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
  TokenReport report(const runtime::TextPiece& piece) const;

  AnswerFacts facts_;
  std::vector<Answer> answers_;
  const runtime::Runtime& model_;
};

/// "stop" or "length" for the reasons that interfaces know; "abort" for the others.
std::string finish_word(runtime::FinishReason reason);

}  // namespace cairn::server

#include "tests/company/company.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/json.h"
#include "base/random.h"
#include "engine/grammar/json_schema.h"
#include "tests/company/chain_mask.h"

namespace cairn::engine {
namespace {

struct Voice {
  Request request = {};
  std::size_t choice = 0;
  std::unique_ptr<Stream> stream = {};
  Heard heard = {};
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

SamplingParams draw_sampling(Draws& draw) {
  SamplingParams sampling;
  sampling.seed = draw(1000);
  if (draw.once_in(2)) return sampling;
  sampling.temperature = 0.5 + 0.25 * static_cast<double>(draw(5));
  if (draw.once_in(3)) sampling.top_k = 1 + static_cast<std::int64_t>(draw(10));
  if (draw.once_in(3)) sampling.top_p = 0.8;
  if (draw.once_in(4)) sampling.min_p = 0.05;
  if (draw.once_in(4)) sampling.repetition_penalty = 1.2;
  if (draw.once_in(4)) sampling.frequency_penalty = 0.5;
  return sampling;
}

/// An enumeration, members of which one may be missing, a bounded array, and one of any depth.
std::shared_ptr<const Grammar> draw_grammar(Draws& draw) {
  static const std::vector<std::shared_ptr<const Grammar>> kGrammars = {
      grammar_of(R"({"enum": ["ab", "aabb", "q", 11, null]})"),
      grammar_of(R"({"properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "yx", null]}},
                     "required": ["b"]})"),
      grammar_of(
          R"({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 5})"),
      grammar_of(R"({"anyOf": [{"type": "array", "items": {"$ref": "#"}, "maxItems": 3},
                               {"type": "null"}]})")};
  return kGrammars[draw(kGrammars.size())];
}

/// What an answer has to keep to: nothing, a chain of ids, JSON, a schema; and words
/// that are out.
void draw_form(Draws& draw, const CompanyShape& shape, SamplingParams& sampling) {
  if (draw.once_in(5)) {
    sampling.mask = [vocabulary = shape.vocabulary, seed = draw(1000), most = 1 + draw(40)] {
      return std::make_unique<ChainMask>(vocabulary, seed, most);
    };
  } else if (shape.json && draw.once_in(6)) {
    sampling.format = AnswerFormat::kJsonObject;
  } else if (shape.json && draw.once_in(5)) {
    sampling.grammar = draw_grammar(draw);
  }
  if (draw.once_in(6)) sampling.banned_words = {"cc", "ad"};
}

/// What is told beside the answer.
void draw_telling(Draws& draw, const CompanyShape& shape, Request& request) {
  if (draw.once_in(2)) request.logprobs = draw(4);
  if (request.logprobs && draw.once_in(3)) request.logprobs_of = LogprobsOf::kProcessed;
  if (request.logprobs && draw.once_in(4)) {
    request.logprob_ids = {static_cast<TokenId>(draw(shape.vocabulary)), 0};
  }
  if (!draw.once_in(4)) return;
  request.prompt_logprobs = draw(4);
  if (draw.once_in(4)) request.tokens_max = 0;
}

/// One request's answers join the others. False with the reason when it was refused.
std::string join(Engine& engine, Draws& draw, const CompanyShape& shape,
                 std::vector<Voice>& voices) {
  const Request request = draw_request(draw, shape);
  const std::size_t answers = draw.once_in(4) ? 2 + draw(3) : 1;
  auto streams = engine.submit(request, answers);
  if (!streams.ok()) return streams.status().message();
  for (std::size_t choice = 0; choice < answers; ++choice) {
    voices.push_back(
        {.request = request, .choice = choice, .stream = std::move((*streams)[choice])});
  }
  return {};
}

/// Reads a token, or cancels or drops. True when the voice has fallen silent.
bool go_on(Draws& draw, Voice& voice) {
  if (draw.once_in(200)) voice.stream->cancel();
  const bool more = voice.heard.take(voice.stream->next());
  voice.heard.reason = voice.stream->finish_reason();
  voice.heard.prompt = voice.stream->prompt_logprobs();
  if (more && draw.once_in(300)) {
    voice.heard.reason = FinishReason::kCancelled;
    return true;
  }
  return !more;
}

void count(const Request& request, const Heard& heard, CompanyCounts& counts) {
  const bool ended = heard.reason == FinishReason::kStopId || heard.reason == FinishReason::kLength;
  ++counts.answers;
  if (heard.prompt && !heard.prompt->empty()) ++counts.told_prompts;
  if (request.sampling.mask && ended) ++counts.masked;
  if (request.sampling.format == AnswerFormat::kJsonObject && ended) ++counts.json;
  if (request.sampling.grammar && ended) ++counts.schemas;
}

}  // namespace

std::shared_ptr<const Grammar> grammar_of(std::string_view schema) {
  auto grammar = std::make_shared<Grammar>();
  const GrammarNode node = add_json_schema(*grammar, parse_json(schema).value()).value();
  CAIRN_CHECK(grammar->seal(grammar->padded(node)).ok());
  return grammar;
}

std::size_t Draws::operator()(std::size_t below) {
  return random_bits(seed_, 77, count_++) % below;
}

bool Heard::take(const Result<std::optional<Token>>& next) {
  if (!next.ok()) {
    status = next.status();
    return false;
  }
  if (!next.value()) return false;
  const Token& token = *next.value();
  ids.push_back(token.id);
  text += token.bytes;
  logprobs.push_back(token.logprob);
  tops.insert(tops.end(), token.top.begin(), token.top.end());
  tops.insert(tops.end(), token.asked.begin(), token.asked.end());
  return true;
}

std::string Heard::differs(const Heard& alone) const {
  const bool cut = reason == FinishReason::kCancelled;
  if (!cut && reason != alone.reason) {
    return fmt::format("it ended for reason {}, alone for {}", reason ? name_of(*reason) : "none",
                       alone.reason ? name_of(*alone.reason) : "none");
  }
  if (ids.size() > alone.ids.size() || (!cut && ids.size() != alone.ids.size())) {
    return fmt::format("it has {} ids, alone {}", ids.size(), alone.ids.size());
  }
  if (std::string difference = tokens_differ(alone); !difference.empty()) return difference;
  if (!alone.text.starts_with(text) || (!cut && text != alone.text)) return "the text differs";
  if (std::string difference = prompt_differs(alone); !difference.empty()) return difference;
  if (status.message() == alone.status.message() || (cut && status.ok())) return {};
  return fmt::format("its error is '{}', alone '{}'", status.message(), alone.status.message());
}

std::string Heard::tokens_differ(const Heard& alone) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != alone.ids[i])
      return fmt::format("id {} is {}, alone {}", i, ids[i], alone.ids[i]);
    if (!same_bits(logprobs[i], alone.logprobs[i])) {
      return fmt::format("the log-probability of id {} is {}, alone {}", i, logprobs[i],
                         alone.logprobs[i]);
    }
  }
  for (std::size_t i = 0; i < tops.size(); ++i) {
    if (tops[i].id == alone.tops[i].id && same_bits(tops[i].logprob, alone.tops[i].logprob))
      continue;
    return fmt::format("likely id {} differs", i);
  }
  return {};
}

/// One that was cut may have ended before its prompt was computed.
std::string Heard::prompt_differs(const Heard& alone) const {
  if (!prompt)
    return !alone.prompt || reason == FinishReason::kCancelled ? "" : "no prompt is told";
  if (!alone.prompt || prompt->size() != alone.prompt->size())
    return "the prompt has another length";
  for (std::size_t i = 0; i < prompt->size(); ++i) {
    const PromptToken& a = (*prompt)[i];
    const PromptToken& b = (*alone.prompt)[i];
    bool same = a.id == b.id && a.rank == b.rank && same_bits(a.logprob, b.logprob) &&
                a.top.size() == b.top.size();
    for (std::size_t k = 0; same && k < a.top.size(); ++k) {
      same = a.top[k].id == b.top[k].id && same_bits(a.top[k].logprob, b.top[k].logprob);
    }
    if (!same) return fmt::format("prompt token {} is told otherwise", i + 1);
  }
  return {};
}

Request draw_request(Draws& draw, const CompanyShape& shape) {
  Request request;
  const std::size_t length = 1 + draw(draw.once_in(3) ? shape.prompt_max : 40);
  const std::size_t story = draw(3);  // prompts of one story begin alike
  const std::size_t own = draw.once_in(3) ? 0 : draw(length);
  for (std::size_t i = 0; i < length; ++i) {
    const bool told = i < length - std::min(own, length);
    const std::uint64_t bits = random_bits(story, told ? 1 : 2 + draw(1000), i);
    request.prompt.push_back(static_cast<TokenId>(bits % shape.vocabulary));
  }
  request.sampling = draw_sampling(draw);
  draw_form(draw, shape, request.sampling);
  request.tokens_max = 1 + draw(shape.answer_max);
  if (draw.once_in(4)) request.stop_ids = {static_cast<TokenId>(draw(shape.vocabulary))};
  if (draw.once_in(3)) request.stop_strings = {"ab", "ba", "q"};
  draw_telling(draw, shape, request);
  if (draw.once_in(6)) request.reuse = PrefixReuse::kNo;
  if (draw.once_in(4)) request.cache_salt = "salt";
  request.priority = static_cast<double>(draw(3));
  return request;
}

Heard hear(Engine& engine, Request request) {
  Heard heard;
  auto stream = engine.submit(std::move(request));
  if (!stream.ok()) {
    heard.status = stream.status();
    return heard;
  }
  while (heard.take((*stream)->next())) {
  }
  heard.reason = (*stream)->finish_reason();
  heard.prompt = (*stream)->prompt_logprobs();
  return heard;
}

Heard hear_alone(Engine& engine, Request request, std::size_t choice) {
  request.choice += choice;
  request.reuse = PrefixReuse::kNo;
  return hear(engine, std::move(request));
}

std::string keep_company(Engine& engine, Engine& alone, Draws& draw, const CompanyShape& shape,
                         CompanyCounts* counts) {
  std::vector<Voice> voices;
  std::size_t joined = 0;
  while (joined < shape.requests || !voices.empty()) {
    if (joined < shape.requests && (voices.empty() || draw.once_in(6))) {
      const std::string refusal = join(engine, draw, shape, voices);
      if (!refusal.empty()) return fmt::format("request {} was refused: {}", joined, refusal);
      ++joined;
      continue;
    }
    if (draw.once_in(100)) engine.forget();
    const std::size_t at = draw(voices.size());
    if (!go_on(draw, voices[at])) continue;
    const Voice voice = std::move(voices[at]);
    voices.erase(voices.begin() + static_cast<std::ptrdiff_t>(at));
    const Heard by_itself = hear_alone(alone, voice.request, voice.choice);
    const std::string difference = voice.heard.differs(by_itself);
    if (!difference.empty()) return fmt::format("choice {}: {}", voice.choice, difference);
    if (counts != nullptr) count(voice.request, voice.heard, *counts);
  }
  return {};
}

}  // namespace cairn::engine

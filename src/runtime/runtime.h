// Runtime: text in, text out. The one facade that front ends use.
//
// Purpose     opens a model file, joins tokenizer, chat template and engine, and counts.
// Invariants  text that a user typed never becomes a control token inside a chat; text comes out in
//             whole characters; the memory plan is checked before anything is allocated.
// Threads     any thread; a stream is one thread's at a time.
// Adding      a kind of prompt: an alternative of Prompt and its function in prompt.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "base/token.h"
#include "engine/request.h"
#include "engine/self_check_figures.h"

namespace cairn::runtime {

using engine::AnswerFormat;
using engine::ContextFull;
using engine::FinishReason;
using engine::LogitBias;
using engine::LogprobsOf;
using engine::NearTies;
using engine::Pooling;
using engine::pooling_of;
using engine::PrefixReuse;
using engine::PromptLogprobs;
using engine::PromptToken;
using engine::SamplingParams;
using engine::TokenLogprob;

struct OpenOptions {
  std::string path = {};      // a model file
  std::size_t context = 0;    // positions; 0: the model's length or what memory fits
  std::size_t threads = 0;    // 0: one per processor this process may use
  std::size_t step_rows = 0;  // rows of a step; 0: the engine's default
  std::size_t sequences = 1;  // answers that are generated at once; others wait
  std::optional<std::uint64_t> cache_bytes = {};  // of all pages; absent: as memory allows
  std::optional<std::size_t> pages = {};          // of each cache group; wins over cache_bytes
  std::uint64_t server_bytes = 0;  // what the caller will take beside the model, for the plan
  ContextFull on_full = ContextFull::kStop;
  std::size_t tokens_kept = 0;  // of the beginning, when a full context shifts
  std::size_t logits_rows = 0;  // of a step beside those of answers, for prompts that are told
  /// Guesses that save steps; the answers are the same.
  engine::LookupOptions lookup = {};
  double self_check = 0;                       // share of the answers that are computed again alone
  std::string device = "auto";                 // a device's name, or auto
  std::string isa = {};                        // a tier's name; empty: the best this machine has
  std::string numerics = "exact";              // exact, fast or reference
  std::string kv_cache_dtype = "auto";         // bf16, int8, f32; auto: what the class keeps
  std::string quantize = "none";               // type that matrices in floats are packed in
  std::optional<std::uint64_t> node = {};      // memory node; absent: as threads are chosen
  std::optional<std::uint64_t> prefetch = {};  // bytes ahead; absent: the device's default
  bool store_logits = false;                   // also where a token needs the best two alone
  std::optional<std::uint64_t> spin_us = {};   // of a worker; absent: the device's default
  std::optional<bool> spin_back_off = {};
  std::string packed_folder = {};  // where packed weights are kept; empty: nowhere
  std::string pages_folder = {};   // where pages of the cache are kept; empty: in memory alone
  std::uint64_t pages_folder_bytes = 0;  // at most
  std::string chat_template = {};        // source to use instead of the file's; empty: the file's
  /// Bytes loaded and bytes in all, on the opening thread; false cancels.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
  /// What a person should know that shows only while the model runs: a kept page that is damaged.
  /// By any thread; it may not call the runtime or its streams.
  std::function<void(const std::string&)> on_warning = {};
  /// Called once per step by the thread that runs it, when streams may have news. It may not call
  /// the runtime or its streams.
  std::function<void()> on_news = {};
};

/// What opening a model did with bytes.
struct LoadFigures {
  std::uint64_t mapped_bytes = 0;    // of the files that were mapped
  std::uint64_t packed_bytes = 0;    // written as packed weights
  std::uint64_t copied_bytes = 0;    // vectors, written to the device as floats
  std::uint64_t released_bytes = 0;  // of the mapping, given back as soon as they were read
};

/// What is known of an open model.
struct ModelFacts {
  std::string path = {};
  std::string architecture = {};
  std::string name = {};  // as the file calls itself; may be empty
  std::size_t vocabulary = 0;
  std::size_t width = 0;  // of a hidden state, and so of a vector
  std::size_t context_trained = 0;
  std::size_t context = 0;          // chosen
  std::string context_reason = {};  // "as asked for", "the model's length", "what memory fits"
  std::size_t sequences = 0;        // that run at once
  std::size_t pages = 0;            // of each cache group, 32 positions each
  std::string pages_reason = {};
  std::uint64_t cache_bytes = 0;  // of all pages
  std::size_t threads = 0;
  std::string device = {};
  std::string isa = {};
  std::string numerics = {};
  std::string kv_cache_dtype = {};
  std::uint64_t weight_bytes = 0;
  std::uint64_t planned_bytes = 0;    // weights as packed, cache, scratch, logits and requests
  std::uint64_t bytes_per_token = 0;  // source-format bytes of the weights read once
  double load_s = 0;
  LoadFigures load = {};
};

/// Whether the start token that the file wants is put in front.
enum class StartToken : std::uint8_t { kAdd, kNone };
/// What special tokens are that stand in a text as letters.
enum class MarkersInText : std::uint8_t { kTokens, kText };

/// Text that is continued as it stands, after the start token where the file wants one. Special
/// tokens written in it count as such unless `markers` says otherwise.
struct TextPrompt {
  std::string text = {};
  StartToken start = StartToken::kAdd;
  MarkersInText markers = MarkersInText::kTokens;
};

/// Ids that are continued as they stand.
struct IdsPrompt {
  std::vector<TokenId> ids = {};
};

/// Whether the answer is a message of its own, or what the last message goes on with.
enum class FinalMessage : std::uint8_t { kClosed, kContinued };

/// A conversation for the model's chat template. Its strings can not become control tokens.
struct ChatPrompt {
  Json messages = Json::array();    // [{"role": ..., "content": ...}, ...]
  Json tools = {};                  // null: none
  Json variables = Json::object();  // further variables of the template
  FinalMessage final_message = FinalMessage::kClosed;
};

using Prompt = std::variant<TextPrompt, IdsPrompt, ChatPrompt>;

enum class StopAtEnd : std::uint8_t { kYes, kNo };

struct GenerateRequest {
  Prompt prompt = {};
  SamplingParams sampling = {};  // begin from Runtime::default_sampling(); its seed is ignored
  std::optional<std::uint64_t> seed = {};      // absent: drawn, and told by TextStream::seed()
  std::optional<std::size_t> tokens_max = {};  // absent: to the end of the context
  std::vector<std::string> stop_strings = {};
  std::vector<TokenId> stop_ids = {};        // beside the end-of-text tokens
  StopAtEnd stop_at_end = StopAtEnd::kYes;   // kNo: go on past the end-of-text tokens
  std::optional<std::size_t> logprobs = {};  // likeliest ids to report per token
  LogprobsOf logprobs_of = LogprobsOf::kModel;
  std::vector<TokenId> logprob_ids = {};  // reported for every token beside those
  // Likeliest ids to report per token of the prompt, as the model has them; absent: none. With it
  // tokens_max may be 0.
  std::optional<std::size_t> prompt_logprobs = {};
  double priority = 0;                    // lower is served first
  std::optional<double> deadline_s = {};  // from submission; then it ends with what it has
  std::string cache_salt = {};            // pages are shared within one salt only
  PrefixReuse reuse = PrefixReuse::kYes;
  // Asked before every step, those of the prompt too; true ends the answer as cancel() does.
  std::function<bool()> stop_asked = {};
};

/// One generated token as text.
struct TextPiece {
  TokenId id = 0;
  std::string text = {};  // whole characters; empty while one is unfinished
  float logprob = 0;
  std::vector<TokenLogprob> top = {};    // likeliest first; only with GenerateRequest::logprobs
  std::vector<TokenLogprob> asked = {};  // of GenerateRequest::logprob_ids
};

/// The figures of one answer and of the model it ran on.
struct Figures {
  double load_s = 0;
  LoadFigures load = {};
  std::size_t prompt_tokens = 0;
  std::size_t cached_tokens = 0;   // of the prompt, not computed again
  std::size_t dropped_tokens = 0;  // of prompt and answer, to make room in a full context
  double prompt_s = 0;             // from the first forward to the first id
  std::size_t decode_tokens = 0;   // ids - 1
  double decode_s = 0;             // their time
  NearTies near_ties = {};         // of the answer's tokens
  /// Absent where nothing may be guessed.
  std::optional<engine::DraftFigures> drafts = {};
  std::uint64_t bytes_per_token = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::string output_hash = {};  // SHA-256 of the ids as little-endian u32
  std::string isa = {};
  std::string numerics = {};
};

/// What a runtime is doing.
struct Activity {
  std::size_t running = 0;   // answers that take part in steps
  std::size_t waiting = 0;   // answers that wait for a place
  double retry_after_s = 0;  // when one that was refused for a full queue may be tried again
  std::optional<engine::DraftFigures> drafts = {};          // of all answers; absent when off
  std::optional<engine::SelfCheckFigures> self_check = {};  // absent when off
  std::size_t cache_pages = 0;
  std::size_t cache_used_pages = 0;          // by running answers
  std::uint64_t preemptions = 0;             // the next three only grow
  std::uint64_t cache_looked_up_tokens = 0;  // of prompts
  std::uint64_t cache_hit_tokens = 0;        // of those, found
};

/// How many steps were run, and where their time went.
struct StepTimes {
  std::uint64_t steps = 0;
  double forward_s = 0;
  double sampling_s = 0;
  double scheduler_s = 0;  // planning, laying out, keeping books, publishing

  double total_s() const { return forward_s + sampling_s + scheduler_s; }
};

/// One kind of memory, as it was planned and as it is.
struct MemoryRow {
  std::string_view kind = {};
  std::uint64_t planned_bytes = 0;
  std::uint64_t actual_bytes = 0;
  std::string_view source = {};  // where the actual number comes from, in words
};

/// Planned against actual.
struct MemoryReport {
  std::vector<MemoryRow> rows = {};
  std::uint64_t planned_bytes = 0;       // all kinds together
  std::uint64_t planned_peak_bytes = 0;  // loading included
  std::uint64_t resident_bytes = 0;      // now, as the kernel counts
  std::uint64_t peak_bytes = 0;          // so far, likewise
};

class Runtime;

/// One answer. Dropping it cancels the request.
class TextStream {
 public:
  virtual ~TextStream() = default;

  /// The next token, or nothing once the answer has ended. The last piece carries what was left of
  /// an unfinished character as U+FFFD. Errors end the stream.
  virtual Result<std::optional<TextPiece>> next() = 0;
  /// The next token if it is there already, else nothing: ended() tells whether more can come.
  virtual Result<std::optional<TextPiece>> take() = 0;
  /// True when neither next() nor take() will give anything more.
  virtual bool ended() const = 0;
  /// Ends the answer: finish_reason() is kCancelled.
  virtual void cancel() = 0;

  virtual std::optional<FinishReason> finish_reason() const = 0;
  virtual const std::vector<TokenId>& prompt_ids() const = 0;
  /// Generated so far, the stop token included.
  virtual const std::vector<TokenId>& ids() const = 0;
  virtual std::uint64_t seed() const = 0;
  /// Ids of the prompt that were found in the cache and not computed.
  virtual std::size_t cached_tokens() const = 0;
  /// Of the prompt, there with the first token or the end; null before, and where the request does
  /// not ask for them.
  virtual std::shared_ptr<const PromptLogprobs> prompt_logprobs() const = 0;
  /// Hashes the ids and asks the system for the peak memory: once per answer, not per token.
  virtual Figures figures() const = 0;
};

/// A text that becomes a vector.
struct EmbedRequest {
  Prompt prompt = {};
  Pooling pooling = Pooling::kLast;
  double priority = 0;  // as GenerateRequest's, and so are the next two
  std::optional<double> deadline_s = {};
  std::string cache_salt = {};
};

/// A vector being computed. Dropping it cancels the request.
class Embedding {
 public:
  virtual ~Embedding() = default;

  /// The vector, waited for: ModelFacts::width numbers as the model gives them behind its last
  /// norm, pooled; normalize() makes it one of length 1. Errors: kUnavailable past its deadline,
  /// kInternal for states that are not finite.
  virtual Result<std::vector<float>> wait() = 0;
  /// The same if it is there already, else nothing.
  virtual Result<std::optional<std::vector<float>>> take() = 0;
  virtual std::size_t prompt_tokens() const = 0;
  /// Of those, found in the cache and not computed.
  virtual std::size_t cached_tokens() const = 0;
};

/// Scales a vector to length 1, in f64; one of zeros stays.
void normalize(std::span<float> vector);

class Runtime {
 public:
  virtual ~Runtime() = default;

  /// Errors: kNotFound, kInvalidFile or kUnsupported for the file; kInvalidArgument or kUnsupported
  /// for a device, tier or class that is unknown or not here; kTooLarge with the numbers when the
  /// plan does not fit; kCancelled when progress said so.
  static Result<std::unique_ptr<Runtime>> open(const OpenOptions& options);

  virtual const ModelFacts& facts() const = 0;
  /// What a person should know though the model works: a broken template, settings in the file that
  /// are not understood. One line each.
  virtual const std::vector<std::string>& warnings() const = 0;

  /// Bytes of UTF-8, ascending, that no token stands for: they are left out of any prompt.
  virtual const std::string& missing_bytes() const = 0;

  /// The file's generation settings, else greedy.
  virtual const SamplingParams& default_sampling() const = 0;
  /// Whether the file has generation settings of its own.
  virtual bool has_own_sampling() const = 0;
  /// Where they come from: "the file's generation settings: temperature, top-p" or "greedy".
  virtual const std::string& sampling_origin() const = 0;

  /// The source of the chat template; empty without one.
  virtual const std::string& chat_template() const = 0;
  /// OK when ChatPrompt works; else why not: no template (kNotFound) or a broken one.
  virtual Status chat_status() const = 0;

  /// The ids of a prompt. Errors: the template's, with its own message; kInvalidArgument for an id
  /// outside the vocabulary.
  virtual Result<std::vector<TokenId>> encode(const Prompt& prompt) const = 0;
  /// The text of a conversation, up to where the answer begins. Errors: as encode.
  virtual Result<std::string> render(const ChatPrompt& prompt) const = 0;
  /// The text that ids print; bytes that are no characters become U+FFFD. Errors: kInvalidArgument
  /// for an id outside the vocabulary.
  virtual Result<std::string> decode(std::span<const TokenId> ids) const = 0;
  /// What each of `ids` adds to their text, in whole characters: together decode(ids). Errors: as
  /// decode.
  virtual Result<std::vector<std::string>> pieces(std::span<const TokenId> ids) const = 0;
  /// One token as a person can read it: its text, or the name of a control token.
  virtual std::string describe(TokenId id) const = 0;

  /// Starts an answer; the runtime outlives it. Errors: as encode and as engine::Engine::submit:
  /// kTooLarge for a prompt longer than the context, kUnavailable when too many wait.
  virtual Result<std::unique_ptr<TextStream>> generate(const GenerateRequest& request) = 0;
  /// `answers` answers to one prompt, which is computed once. Errors: as generate; then none is
  /// queued.
  virtual Result<std::vector<std::unique_ptr<TextStream>>> generate(const GenerateRequest& request,
                                                                    std::size_t answers) = 0;

  /// Starts a vector; the runtime outlives it. Errors: as generate.
  virtual Result<std::unique_ptr<Embedding>> embed(const EmbedRequest& request) = 0;

  /// Gives back the pages that are kept for later requests.
  virtual void forget() = 0;

  /// Runs the steps of all streams on this thread until `stop` asks for the end. Without it the
  /// steps are run by whoever waits in next().
  virtual void serve(const std::stop_token& stop) = 0;
  /// Computes the answers that wait for their self-check again, where nobody serves and nothing
  /// else is to do.
  virtual void finish_checks() = 0;
  virtual Activity activity() const = 0;

  /// Of all steps so far.
  virtual StepTimes step_times() const = 0;

  /// The memory plan beside what the process has in memory now. Errors: kIo without /proc.
  virtual Result<MemoryReport> memory() const = 0;
};

/// Opens only the tokenizer of a model file: for `cairn tokenize`. Errors: as Runtime::open.
class TextCodec {
 public:
  virtual ~TextCodec() = default;
  static Result<std::unique_ptr<TextCodec>> open(const std::string& path);

  /// Special tokens written in `text` count when `special` says so; start and end tokens are added
  /// as the file wants them when `ends` says so.
  enum class Special : std::uint8_t { kParse, kPlain };
  enum class Ends : std::uint8_t { kAdd, kNone };
  virtual std::vector<TokenId> encode(std::string_view text, Special special, Ends ends) const = 0;
  virtual Result<std::string> decode(std::span<const TokenId> ids) const = 0;
  virtual std::string describe(TokenId id) const = 0;
  virtual std::size_t size() const = 0;
  /// As Runtime::missing_bytes, and what was odd in the vocabulary and how it is read.
  virtual const std::string& missing_bytes() const = 0;
  virtual const std::vector<std::string>& warnings() const = 0;
};

}  // namespace cairn::runtime

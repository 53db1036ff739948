#include "cli/generation_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "cli/model_path.h"

namespace cairn::cli {
namespace {

void declare_machine(CLI::App& app, GenerationFlags& flags) {
  app.add_option("MODEL", flags.model, "A model file, a name in the store, or a hub name")
      ->required();
  app.add_option("--ctx", flags.context,
                 "Positions of context (default: the model's length, or what memory fits)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30))
      ->type_name("N");
  app.add_option("--threads", flags.threads, "Worker threads (default: one per processor)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1024}))
      ->type_name("N");
  app.add_option("--device", flags.device, "Where to compute (default: auto)")
      ->check(CLI::IsMember({"auto", "cpu", "vulkan", "cuda"}));
  app.add_option("--isa", flags.isa, "Kernel tier (default: the best of this processor)")
      ->check(CLI::IsMember({"portable", "avx2", "avx512vnni", "amx", "neon"}));
  app.add_option("--numerics", flags.numerics, "Numeric class (default: exact)")
      ->check(CLI::IsMember({"exact", "fast", "reference"}));
}

void declare_sampling(CLI::App& app, GenerationFlags& flags) {
  app.add_option("--seed", flags.seed, "Seed of the random choice (default: drawn, and printed)")
      ->type_name("N");
  app.add_option("--temperature", flags.temperature, "0 is greedy, up to 100")->type_name("X");
  app.add_option("--top-k", flags.top_k, "Keep the K likeliest tokens, 0 all")->type_name("K");
  app.add_option("--top-p", flags.top_p, "Keep the likeliest tokens that reach this probability")
      ->type_name("P");
  app.add_option("--min-p", flags.min_p, "Keep tokens of at least this share of the likeliest")
      ->type_name("P");
  app.add_option("--repetition-penalty", flags.repetition_penalty,
                 "Divide logits of tokens seen in prompt or answer, 1 off")
      ->type_name("X");
  app.add_option("--repetition-window", flags.repetition_window,
                 "Last tokens that the repetition penalty looks at, -1 all")
      ->type_name("N");
  app.add_option("--presence-penalty", flags.presence_penalty,
                 "Subtracted once from tokens of the answer, -2 to 2")
      ->type_name("X");
  app.add_option("--frequency-penalty", flags.frequency_penalty,
                 "Subtracted per occurrence in the answer, -2 to 2")
      ->type_name("X");
  app.add_option("-l,--logit-bias", flags.bias,
                 "Add to one token's logit: ID=X, ID+X, ID-X, ID-inf (never); repeatable")
      ->allow_extra_args(false)
      ->type_name("BIAS");
}

void declare_ends(CLI::App& app, GenerationFlags& flags) {
  app.add_option("-n,--max-tokens", flags.tokens_max,
                 "Most tokens to generate (default: to the end of the context)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30))
      ->type_name("N");
  app.add_option("--stop", flags.stop, "Text that ends the answer, not shown; repeatable")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_flag("--ignore-eos", flags.ignore_end, "Go on past the model's end-of-text tokens");
}

template <typename T>
void take(const std::optional<T>& from, T& to) {
  if (from) to = *from;
}

std::string defaults_line(const runtime::Runtime& model) {
  const runtime::ModelFacts& facts = model.facts();
  return fmt::format("cairn: {} on {} ({}, {} numerics, {} threads), context {} ({})\n",
                     facts.architecture, facts.device, facts.isa, facts.numerics, facts.threads,
                     facts.context, facts.context_reason);
}

}  // namespace

void declare(CLI::App& app, GenerationFlags& flags) {
  declare_machine(app, flags);
  declare_ends(app, flags);
  declare_sampling(app, flags);
}

Result<std::unique_ptr<runtime::Runtime>> open_model(const GenerationFlags& flags,
                                                     const Interrupt& interrupt) {
  CAIRN_ASSIGN(std::string path, model_path(flags.model));
  ProgressBar bar("loading");
  runtime::OpenOptions options;
  options.path = std::move(path);
  options.context = flags.context;
  options.threads = flags.threads;
  options.device = flags.device;
  options.isa = flags.isa;
  options.numerics = flags.numerics;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    bar.show(done, total);
    return !interrupt.requested();
  };
  CAIRN_ASSIGN(std::unique_ptr<runtime::Runtime> model, runtime::Runtime::open(options));
  for (const std::string& warning : model->warnings()) {
    note(fmt::format("cairn: warning: {}\n", warning));
  }
  note(defaults_line(*model));
  return model;
}

Result<runtime::LogitBias> parse_bias(const std::string& text) {
  const auto wrong = [&] {
    return invalid_argument(fmt::format(
        "--logit-bias: found '{}', expected ID=X, ID+X, ID-X or ID-inf, such as 42-100", text));
  };
  const std::size_t sign = text.find_first_of("=+-");
  if (sign == std::string::npos || sign == 0) return wrong();
  runtime::LogitBias bias;
  const char* id_end = text.data() + sign;
  const auto id = std::from_chars(text.data(), id_end, bias.token);
  if (id.ec != std::errc() || id.ptr != id_end) return wrong();
  const char* value = text[sign] == '-' ? id_end : id_end + 1;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(value, end, bias.bias);
  if (number.ec != std::errc() || number.ptr != end || value == end) return wrong();
  return bias;
}

Result<runtime::GenerateRequest> make_request(const GenerationFlags& flags,
                                              const runtime::Runtime& model) {
  runtime::GenerateRequest request;
  request.sampling = model.default_sampling();
  runtime::SamplingParams& sampling = request.sampling;
  take(flags.temperature, sampling.temperature);
  take(flags.top_k, sampling.top_k);
  take(flags.top_p, sampling.top_p);
  take(flags.min_p, sampling.min_p);
  take(flags.repetition_penalty, sampling.repetition_penalty);
  take(flags.repetition_window, sampling.repetition_window);
  take(flags.presence_penalty, sampling.presence_penalty);
  take(flags.frequency_penalty, sampling.frequency_penalty);
  for (const std::string& text : flags.bias) {
    CAIRN_ASSIGN(const runtime::LogitBias bias, parse_bias(text));
    sampling.bias.push_back(bias);
  }
  request.seed = flags.seed;
  request.tokens_max = flags.tokens_max;
  request.stop_strings = flags.stop;
  request.stop_at_end = flags.ignore_end ? runtime::StopAtEnd::kNo : runtime::StopAtEnd::kYes;
  return request;
}

std::string describe(const runtime::SamplingParams& sampling, std::uint64_t seed) {
  std::string text;
  const auto add = [&](std::string_view name, double value, double off) {
    if (value != off) text += fmt::format(", {} {}", name, value);
  };
  add("top_k", static_cast<double>(sampling.top_k), 0);
  add("top_p", sampling.top_p, 1);
  add("min_p", sampling.min_p, 0);
  add("repetition_penalty", sampling.repetition_penalty, 1);
  add("presence_penalty", sampling.presence_penalty, 0);
  add("frequency_penalty", sampling.frequency_penalty, 0);
  add("logit biases", static_cast<double>(sampling.bias.size()), 0);
  if (sampling.temperature == 0) return "sampling: greedy" + text;
  return fmt::format("sampling: temperature {}{}, seed {}", sampling.temperature, text, seed);
}

}  // namespace cairn::cli

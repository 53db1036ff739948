#include "cli/generation_flags.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/bytes_text.h"
#include "cli/model_path.h"
#include "cli/parse_errors.h"
#include "cli/words.h"

namespace cairn::cli {
namespace {

void declare_request(CLI::App& app, GenerationFlags& flags) {
  app.add_option("MODEL", flags.model, "A model file, a name in the store, or a hub name")
      ->required();
  app.add_option("-n,--max-tokens", flags.tokens_max,
                 "Most tokens to generate, 1 or more (default: to the end of the context)")
      ->check(whole_number(1, std::uint64_t{1} << 30))
      ->type_name("N");
  app.add_option("--stop", flags.stop, "Text that ends the answer, not shown; repeatable")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_option("-l,--logit-bias", flags.bias,
                 "Add to one token's logit: ID=X, ID+X, ID-X, ID-inf (never); repeatable")
      ->allow_extra_args(false)
      ->type_name("BIAS");
  app.add_option("--ban", flags.banned, "Text that the answer never contains; repeatable")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_option("--allow-id", flags.allowed_ids,
                 "An id that may be generated, and no others than these; repeatable")
      ->allow_extra_args(false)
      ->type_name("ID");
  app.add_option("--dry-breaker", flags.dry_breakers,
                 "Text that no repetition reaches over (DRY); repeatable, in place of the usual "
                 "line end, colon, quote and star")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_flag("--memory-report", flags.memory_report,
               "Print at the end what was planned and what was taken, kind by kind");
  app.add_flag("--ignore-eos", flags.ignore_end, "Go on past the model's end-of-text tokens");
}

std::string defaults_line(const runtime::Runtime& model) {
  const runtime::ModelFacts& facts = model.facts();
  return fmt::format(
      "cairn: {} on {} (isa {}, numerics {}, cache {}, {}), context {} ({}), {} of cache\n",
      facts.architecture, facts.device, facts.isa, facts.numerics, facts.kv_cache_dtype,
      counted(facts.threads, "thread"), facts.context, facts.context_reason,
      bytes_text(facts.cache_bytes));
}

/// What can be told of the flags before any model is read.
Status check_flags(const GenerationFlags& flags) {
  for (const std::string& text : flags.bias) CAIRN_TRY(parse_bias(text).status());
  if (std::ranges::find(flags.stop, "") != flags.stop.end()) {
    return invalid_argument("--stop: found an empty text, expected at least one byte");
  }
  return {};
}

}  // namespace

void declare(CLI::App& app, GenerationFlags& flags) {
  declare_request(app, flags);
  flags.settings.declare(app, Purpose::kAnswer);
}

Result<std::unique_ptr<runtime::Runtime>> open_model(GenerationFlags& flags,
                                                     const Interrupt& interrupt) {
  CAIRN_TRY(flags.settings.read());
  CAIRN_TRY(check_flags(flags));
  return open_model(flags.model, flags.settings.values(), {},
                    [&] { return interrupt.requested(); });
}

runtime::OpenOptions open_options(const Settings& settings, runtime::OpenOptions options) {
  const engine::EngineSettings& engine = settings.engine;
  options.context = engine.ctx.value_or(0);
  options.step_rows = engine.step_rows;
  options.sequences = engine.max_num_seqs.value_or(options.sequences);
  options.cache_bytes = engine.kv_cache_memory;
  options.pages = engine.num_blocks;
  options.on_full = engine::context_full_of(engine.on_context_full).value();  // one of its choices
  options.tokens_kept = engine.n_keep;
  options.self_check = engine.self_check;
  options.lookup = engine.lookup();
  options.logits_rows = engine.logits_rows;
  options.threads = settings.device.threads.value_or(0);
  options.device = settings.device.device;
  if (settings.device.isa != "auto") options.isa = settings.device.isa;
  options.numerics = settings.device.numerics;
  options.kv_cache_dtype = settings.device.kv_cache_dtype;
  options.quantize = settings.device.quantize;
  options.prefetch = settings.device.prefetch;
  options.store_logits = engine.store_logits == "always";
  options.node = settings.device.node;
  options.spin_us = settings.device.spin;
  options.spin_back_off = settings.device.spin_back_off;
  if (settings.device.packed_cache) options.packed_folder = packed_folder();
  options.pages_folder = engine.prefix_cache_dir.value_or("");
  options.pages_folder_bytes = engine.prefix_cache_bytes;
  options.on_warning = [](const std::string& warning) {
    note(fmt::format("cairn: warning: {}\n", safe(warning)));
  };
  return options;
}

Result<std::unique_ptr<runtime::Runtime>> open_model(const std::string& name,
                                                     const Settings& settings,
                                                     runtime::OpenOptions options,
                                                     const std::function<bool()>& cancelled) {
  options = open_options(settings, std::move(options));
  CAIRN_ASSIGN(options.path, model_path(name));
  ProgressBar bar("loading");
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    bar.show(done, total);
    return !cancelled();
  };
  CAIRN_ASSIGN(std::unique_ptr<runtime::Runtime> model, runtime::Runtime::open(options));
  for (const std::string& warning : model->warnings()) {
    note(fmt::format("cairn: warning: {}\n", safe(warning)));
  }
  note(defaults_line(*model));
  return model;
}

void note_self_check(runtime::Runtime& model) {
  model.finish_checks();
  const auto found = model.activity().self_check;
  if (!found) return;
  std::string text = fmt::format("cairn: self-check: {} computed again alone, {} different",
                                 counted(found->checked, "answer"), found->disagreements);
  if (found->skipped + found->waiting > 0) {
    text += fmt::format(", {} not computed again", found->skipped + found->waiting);
  }
  if (!found->last.empty()) text += "; last: " + found->last;
  note(text + "\n");
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
  const engine::SamplingSettings& asked = flags.settings.values().sampling;
  CAIRN_TRY(engine::take_settings(asked, sampling));
  for (const std::string& text : flags.bias) {
    CAIRN_ASSIGN(const runtime::LogitBias bias, parse_bias(text));
    sampling.bias.push_back(bias);
  }
  sampling.banned_words = flags.banned;
  if (!flags.dry_breakers.empty()) sampling.dry_breakers = flags.dry_breakers;
  sampling.allowed_ids = flags.allowed_ids;
  request.seed = asked.seed;
  request.tokens_max = flags.tokens_max;
  request.stop_strings = flags.stop;
  request.stop_at_end = flags.ignore_end ? runtime::StopAtEnd::kNo : runtime::StopAtEnd::kYes;
  return request;
}

}  // namespace cairn::cli

#include "runtime/open_model.h"

#include <fmt/core.h>

#include <chrono>
#include <optional>
#include <utility>

#include "base/memory.h"
#include "base/processors.h"
#include "engine/cache/page_fetch.h"
#include "engine/settings.h"
#include "formats/model_file.h"
#include "kernels/devices.h"
#include "kernels/tiers.h"
#include "runtime/prompt.h"
#include "runtime/quantize.h"

namespace cairn::runtime {
namespace {

/// Once the device was opened, which refuses a wrong node.
std::size_t threads_of(const OpenOptions& options) {
  if (options.threads > 0) return options.threads;
  return choose_threads(options.node).value().threads;
}

Result<std::unique_ptr<kernels::Device>> open_device(const OpenOptions& options) {
  kernels::DeviceSettings settings;
  settings.device = options.device;
  if (!options.isa.empty()) settings.isa = options.isa;
  settings.numerics = options.numerics;
  settings.kv_cache_dtype = options.kv_cache_dtype;
  settings.prefetch = options.prefetch.value_or(settings.prefetch);
  settings.spin = options.spin_us.value_or(settings.spin);
  settings.spin_back_off = options.spin_back_off.value_or(settings.spin_back_off);
  if (options.threads > 0) settings.threads = options.threads;
  settings.node = options.node;
  return kernels::open_device(settings);
}

std::optional<std::string> template_source(const OpenOptions& options,
                                           const formats::Metadata& metadata, Status& status) {
  if (!options.chat_template.empty()) return options.chat_template;
  const Result<std::string_view> source = metadata.string("tokenizer.chat_template");
  if (source.ok()) return std::string(*source);
  if (source.status().code() != StatusCode::kNotFound) status = source.status();
  return std::nullopt;
}

/// What was odd in a folder's files and how it was read.
Status add_file_warnings(const formats::Metadata& metadata, std::vector<std::string>& warnings) {
  constexpr std::string_view kKey = "huggingface.warnings";
  if (!metadata.has(kKey)) return {};
  CAIRN_ASSIGN(const std::vector<std::string_view> texts, metadata.strings(kKey));
  warnings.insert(warnings.end(), texts.begin(), texts.end());
  return {};
}

/// What needs no weights: tokenizer, chat template, generation settings.
Status read_text_parts(const OpenOptions& options, const formats::Metadata& metadata,
                       OpenModel& open) {
  CAIRN_ASSIGN(open.tokenizer, tokenizer::Tokenizer::create(metadata));
  open.bytes = std::make_unique<TokenizerBytes>(*open.tokenizer);
  Status status;
  std::optional<std::string> source = template_source(options, metadata, status);
  CAIRN_TRY(status);
  open.chat = std::make_unique<Chat>(std::move(source), special_texts(*open.tokenizer));
  CAIRN_ASSIGN(open.sampling, read_sampling(metadata));

  CAIRN_TRY(add_file_warnings(metadata, open.warnings));
  open.warnings.insert(open.warnings.end(), open.tokenizer->warnings().begin(),
                       open.tokenizer->warnings().end());
  open.warnings.insert(open.warnings.end(), open.sampling.warnings.begin(),
                       open.sampling.warnings.end());
  const Status& chat = open.chat->status();
  if (!chat.ok() && chat.code() != StatusCode::kNotFound) {
    open.warnings.push_back(chat.message() + "; plain text works, chat does not");
  }
  return {};
}

/// What tells a model file from others without reading all of it.
std::string name_file(const formats::ModelFile& file) {
  std::string text =
      fmt::format("of {} bytes, written at {} ns, header ", file.file_bytes(), file.modified_ns());
  for (const std::byte byte : file.header_hash()) {
    text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  }
  return text;
}

engine::PageKeeping keeping_of(const OpenOptions& options, const formats::ModelFile& file) {
  if (options.pages_folder.empty()) return {};
  return {.folder = options.pages_folder,
          .bytes_max = options.pages_folder_bytes,
          .model = name_file(file),
          .on_warning = options.on_warning};
}

/// Pages on their way to disk and back stand in memory beside the cache.
std::uint64_t moving_bytes(const OpenOptions& options) {
  if (options.pages_folder.empty()) return 0;
  return engine::PageFetch::kBytesMax + engine::PageStoreOptions{}.queued_bytes_max;
}

Result<Sizes> sizes_for(const OpenOptions& options, const formats::ModelFile& file,
                        const kernels::Device& device) {
  const std::size_t default_rows = engine::EngineSettings{}.step_rows;
  CAIRN_ASSIGN(const std::uint64_t available, available_memory_bytes());
  return choose_sizes(file, device,
                      {.context = options.context,
                       .sequences = options.sequences,
                       .step_rows = options.step_rows > 0 ? options.step_rows : default_rows,
                       .logits_rows = options.lookup.tokens_max + options.logits_rows,
                       .cache_bytes = options.cache_bytes,
                       .pages = options.pages,
                       .server_bytes = options.server_bytes + moving_bytes(options),
                       .available_bytes = available});
}

ModelFacts facts_of(const OpenOptions& options, const OpenModel& open) {
  const models::ModelInfo& info = open.model->info();
  const Sizes& sizes = open.sizes;
  return {
      .path = options.path,
      .architecture = info.architecture,
      .name = info.name,
      .vocabulary = open.tokenizer->size(),
      .width = info.width,
      .context_trained = info.context_length,
      .context = sizes.context,
      .context_reason = sizes.context_reason,
      .sequences = sizes.sequences,
      .pages = sizes.pages,
      .pages_reason = sizes.pages_reason,
      .cache_bytes = sizes.model.cache_bytes,
      .threads = threads_of(options),
      .device = std::string(open.device->name()),
      .isa = std::string(open.device->isa()),
      .numerics = options.numerics,
      .kv_cache_dtype = std::string(kernels::cache_type_name(open.device->default_cache_type())),
      .weight_bytes = info.weight_bytes,
      .planned_bytes = sizes.total(),
      .bytes_per_token = info.bytes_per_token,
      .load = {.mapped_bytes = info.load.mapped_bytes,
               .packed_bytes = info.load.packed_bytes,
               .copied_bytes = info.load.copied_bytes,
               .released_bytes = info.load.released_bytes}};
}

Result<OpenModel> load(const OpenOptions& options, const formats::ModelFile& file,
                       const MemoryBase& base) {
  CAIRN_ASSIGN(OpenModel open, prepare_model(options, file, base));
  CAIRN_ASSIGN(open.model, models::Model::load(file, *open.device,
                                               {.progress = options.progress,
                                                .packed_folder = options.packed_folder}));
  CAIRN_ASSIGN(open.engine,
               engine::Engine::create(
                   *open.model, *open.device, *open.bytes,
                   {.context = open.sizes.context,
                    .step_rows = open.sizes.step_rows,
                    .sequences = options.sequences,
                    .pages = open.sizes.pages,
                    .on_full = options.on_full,
                    .tokens_kept = options.tokens_kept,
                    .logits_rows = options.logits_rows,
                    .lookup = options.lookup,
                    .self_check = options.self_check,
                    .store_logits = options.store_logits ? engine::StoreLogits::kAlways
                                                         : engine::StoreLogits::kWhereNeeded,
                    .page_keeping = keeping_of(options, file),
                    .on_news = options.on_news}));
  open.warnings.insert(open.warnings.end(), open.model->info().warnings.begin(),
                       open.model->info().warnings.end());
  open.facts = facts_of(options, open);
  return open;
}

}  // namespace

Result<OpenModel> prepare_model(const OpenOptions& options, const formats::ModelFile& file,
                                const MemoryBase& base) {
  OpenModel open{.base = base};
  CAIRN_TRY(read_text_parts(options, file.metadata(), open));
  CAIRN_TRY(measure_tokenizer(open.base));
  CAIRN_ASSIGN(open.device, open_device(options));
  CAIRN_ASSIGN(open.sizes, sizes_for(options, file, *open.device));
  if (!open.sizes.warning.empty()) open.warnings.push_back(open.sizes.warning);
  return open;
}

Result<OpenModel> open_model(const OpenOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  CAIRN_ASSIGN(const MemoryBase base, measure_program());
  std::vector<std::string> warnings;
  CAIRN_ASSIGN(const formats::ModelFile file,
               open_in_type(options.path, options.quantize, warnings));
  Result<OpenModel> open = load(options, file, base);
  if (!open.ok()) return open.status().in(options.path);
  open->warnings.insert(open->warnings.begin(), warnings.begin(), warnings.end());
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  open->facts.load_s = spent.count();
  return open;
}

}  // namespace cairn::runtime

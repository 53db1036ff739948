#include "cli/served_models.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "cli/generation_flags.h"
#include "cli/memory_text.h"
#include "cli/parse_errors.h"
#include "runtime/store/gguf_group.h"

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kIdleMaxS = 365 * 86'400;

std::string name_of_model(const std::string& path) { return fs::path(path).stem().string(); }

Result<server::ModelSource> source_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos) {
    return server::ModelSource{.name = name_of_model(text), .path = text};
  }
  server::ModelSource source{.name = text.substr(0, sign), .path = text.substr(sign + 1)};
  if (!source.name.empty() && !source.path.empty()) return source;
  return invalid_argument(
      fmt::format("--model: found '{}', expected NAME=PATH, or a path alone", text));
}

/// A model per GGUF file, the parts of a split one together, by name.
Result<std::vector<server::ModelSource>> sources_in(const std::string& folder) {
  std::error_code error;
  std::vector<runtime::NamedFile> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    files.push_back({.path = at->path().filename().string()});
  }
  if (error) {
    return io_error(fmt::format("--models-dir: {}: {}", folder, error.message()));
  }
  std::vector<server::ModelSource> sources;
  for (const runtime::GgufGroup& group : runtime::group_gguf_files(files)) {
    if (!group.missing().empty()) continue;  // half a model is none
    sources.push_back(
        {.name = group.stem, .path = (fs::path(folder) / group.files.front().path).string()});
  }
  if (!sources.empty()) return sources;
  return not_found(fmt::format("--models-dir: {} has no whole model ending in .gguf", folder));
}

}  // namespace

void declare(CLI::App& app, ServedModels& models) {
  app.add_option("MODEL", models.model,
                 "A model file, a name in the store, or a hub name: loaded at once");
  app.add_option("--served-model-name", models.name,
                 "What clients call MODEL (default: as its file)")
      ->type_name("NAME");
  app.add_option("--model", models.named,
                 "A further model, loaded when a request names it; may stand several times")
      ->type_name("NAME=PATH")
      ->expected(1);
  app.add_option("--models-dir", models.folder, "A folder: every .gguf file in it is a model")
      ->type_name("FOLDER");
  app.add_option("--idle-unload", models.idle_s,
                 "Unload a model that nobody asked for so long; 0: never (default: 0)")
      ->check(whole_number(0, kIdleMaxS))
      ->type_name("SECONDS");
}

Result<std::vector<server::ModelSource>> sources_of(const ServedModels& models) {
  std::vector<server::ModelSource> sources;
  if (!models.model.empty()) {
    sources.push_back({.name = models.name.empty() ? name_of_model(models.model) : models.name,
                       .path = models.model});
  } else if (!models.name.empty()) {
    return invalid_argument("--served-model-name: names MODEL, which is missing");
  }
  for (const std::string& text : models.named) {
    CAIRN_ASSIGN(sources.emplace_back(), source_of(text));
  }
  if (!models.folder.empty()) {
    CAIRN_ASSIGN(const std::vector<server::ModelSource> found, sources_in(models.folder));
    sources.insert(sources.end(), found.begin(), found.end());
  }
  if (!sources.empty()) return sources;
  return invalid_argument("serve: found no model, expected MODEL, --model or --models-dir");
}

Result<server::LoadedModel> open_served(const server::ModelSource& source, const Settings& settings,
                                        std::uint64_t promised_bytes, std::function<void()> on_news,
                                        const std::function<bool()>& cancelled) {
  runtime::OpenOptions options;
  options.sequences = kServedSequences;
  options.server_bytes = kServerBytes + promised_bytes;
  options.on_news = std::move(on_news);
  server::LoadedModel loaded;
  CAIRN_ASSIGN(loaded.owner, open_model(source.path, settings, std::move(options), cancelled));
  const runtime::ModelFacts& facts = loaded.owner->facts();
  loaded.served = {
      .name = source.name,
      .system_fingerprint = fmt::format("cairn-{}-{}-{}", CAIRN_VERSION, facts.isa, facts.numerics),
      .created_s = utc_s(),
      .sequences = facts.sequences,
      .runtime = loaded.owner.get()};
  loaded.syntax = server::syntax_of(*loaded.owner);
  return loaded;
}

}  // namespace cairn::cli

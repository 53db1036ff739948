#include "cli/bench/arm_child.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/process.h"

namespace cairn::cli {
namespace {

constexpr std::uint64_t kArmRunBytesMax = 1U << 20U;

void add_ask(const ArmCommand& command, std::vector<std::string>& words) {
  for (const auto& [name, value] :
       {std::pair<std::string, std::size_t>{"--prompt-tokens", command.ask.prompt_tokens},
        {"--generate", command.ask.generate},
        {"--warmups", command.warmups}}) {
    words.push_back(name);
    words.push_back(std::to_string(value));
  }
  for (const auto& [name, value] : command.settings) {
    words.push_back("--" + name);
    words.push_back(value);
  }
}

}  // namespace

std::vector<std::string> arm_arguments(const ArmCommand& command, const std::string& out) {
  std::vector<std::string> words = {"bench", "arm", command.model};
  add_ask(command, words);
  if (!command.model_sha256.empty()) {
    words.insert(words.end(), {"--model-sha256", command.model_sha256});
  }
  for (std::string word :
       {std::string("--series"), std::to_string(::getpid()), std::string("--out"), out}) {
    words.push_back(std::move(word));
  }
  return words;
}

std::string arm_words(const ArmCommand& command) {
  std::vector<std::string> words = {"cairn", "bench", "arm",
                                    std::filesystem::path(command.model).filename().string()};
  add_ask(command, words);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Result<evidence::ArmRun> read_arm_run(const std::string& path) {
  CAIRN_ASSIGN(const std::string text, read_file(path, kArmRunBytesMax));
  const evidence::Decoded<evidence::ArmRun> read = evidence::decode_arm_run(text);
  CAIRN_TRY(evidence::to_status(read.findings, path));
  CAIRN_TRY(evidence::to_status(evidence::check_arm_run(read.value), path));
  return read.value;
}

std::vector<std::pair<std::string, std::string>> given_settings(const SettingFlags& flags) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const SettingRow& row : flags.rows()) {
    if (row.origin == Origin::kDefault || !has_use(Purpose::kModel, row.info.name)) continue;
    given.emplace_back(row.info.name, row.value);
  }
  return given;
}

Result<WatchedArm> run_arm_child(const ArmCommand& command, const ChildFolder& folder,
                                 PageCache cache, Watch watch) {
  if (cache == PageCache::kDrop) CAIRN_TRY(drop_cached(command.model));
  const std::string out = folder.file("arm-run.json");
  std::vector<std::string> words = arm_arguments(command, out);
  CAIRN_ASSIGN(std::string program, program_path());
  words.insert(words.begin(), std::move(program));
  WatchedArm watched;
  const bool looks = watch == Watch::kMemory;
  CAIRN_ASSIGN(watched.process, looks ? run_child(words, watched.peaks) : run_child(words));
  if (watched.process.code != 0) {
    return internal_error(fmt::format("{} ended with exit code {}; what it said is above",
                                      arm_words(command), watched.process.code));
  }
  CAIRN_ASSIGN(watched.run, read_arm_run(out));
  return watched;
}

evidence::BenchArm arm_of(const evidence::ArmRun& run, const Settings& settings) {
  runtime::ModelFacts facts;
  facts.bytes_per_token = run.bytes_per_token;
  facts.sequences = settings.engine.max_num_seqs.value_or(1);
  facts.context = static_cast<std::size_t>(run.context_tokens);
  facts.kv_cache_dtype = run.kv_type;
  facts.isa = run.isa;
  facts.threads = static_cast<std::size_t>(run.threads);
  return our_bench_arm({.name = "cairn",
                        .role = "ours",
                        .model_sha256 = run.model_sha256,
                        .corpus_sha256 = run.prompt_sha256,
                        .facts = facts,
                        .settings = settings});
}

}  // namespace cairn::cli

// The engine of this repository under measurement: rows straight through the runner.
// Usage: peers_ours MODEL THREADS [ISA]
#include <fmt/core.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "base/team.h"
#include "bench/peers/subject.h"
#include "engine/model_forwarder.h"
#include "formats/model_file.h"
#include "kernels/devices.h"
#include "models/decoder.h"

namespace cairn::bench {
namespace {

constexpr std::size_t kPositions = 4096;  // of one long sequence, or of all short ones together
constexpr std::size_t kStepRows = 512;
constexpr std::size_t kSequences = 16;

/// Everything a run needs, opened once; later members use earlier ones.
struct Opened {
  std::unique_ptr<kernels::Device> device;
  std::unique_ptr<models::Model> model;
  std::unique_ptr<engine::Forwarder> forwarder;
};

Result<Opened> open(const std::string& path, std::size_t threads, const std::string& isa) {
  CAIRN_ASSIGN(const formats::ModelFile file, formats::open_model(path));
  kernels::DeviceSettings settings;
  settings.threads = threads;
  settings.isa = isa;
  Opened opened;
  CAIRN_ASSIGN(opened.device, kernels::open_device(settings));
  CAIRN_ASSIGN(opened.model, models::Model::load(file, *opened.device, {}));
  CAIRN_ASSIGN(opened.forwarder,
               engine::ModelForwarder::create(*opened.model, *opened.device,
                                              {.pages = kPositions / kernels::kPagePositions,
                                               .rows_max = kStepRows,
                                               .logits_rows_max = kSequences}));
  return opened;
}

class Ours final : public Subject {
 public:
  Ours(Opened opened, std::size_t threads)
      : opened_(std::move(opened)), team_(threads), pages_(opened_.forwarder->pages()) {
    std::iota(pages_.begin(), pages_.end(), 0U);
  }

  std::string facts() const override {
    const models::ModelInfo& info = opened_.model->info();
    return fmt::format(
        R"("engine": "cairn {}", "isa": "{}", "threads": {}, "bytes_per_token": {}, )"
        R"("packed_bytes": {}, "cache_bytes_per_position": {})",
        CAIRN_VERSION, opened_.device->isa(), team_.workers(), info.bytes_per_token,
        info.packed_bytes, cache_bytes() / kernels::kPagePositions);
  }
  bool select(const std::string& variant) override;

  void prompt(std::size_t tokens) override {
    for (std::size_t done = 0; done < tokens;) {
      const std::size_t count = std::min(kStepRows, tokens - done);
      step(done, count, done + count == tokens);
      done += count;
    }
  }
  void fill(std::size_t depth) override { prompt(depth); }
  void decode(std::size_t tokens, std::size_t depth) override {
    for (std::size_t i = 0; i < tokens; ++i) step(depth + i, 1, true);
  }
  void streams(std::size_t sequences, std::size_t tokens) override {
    const std::size_t each = pages_.size() / sequences;
    std::vector<std::span<const std::uint32_t>> tables;
    for (std::size_t s = 0; s < sequences; ++s) {
      tables.push_back(std::span(pages_).subspan(s * each, each));
    }
    for (std::size_t i = 0; i < tokens; ++i) {
      rows_.clear();
      for (std::size_t s = 0; s < sequences; ++s) {
        kernels::Row row = row_at(i, token_at(s * tokens + i, opened_.forwarder->vocabulary()));
        row.sequence = static_cast<std::uint32_t>(s);
        row.wants_logits = true;
        row.wants_best = best_;
        rows_.push_back(row);
      }
      const std::vector<engine::BlockTables> groups(opened_.forwarder->groups().size(), tables);
      opened_.forwarder->forward(rows_, groups);
    }
  }
  bool read(std::size_t bytes) override {
    words_.resize(std::max(words_.size(), bytes / sizeof(std::uint64_t)), 1);
    std::vector<std::uint64_t> sums(team_.workers() * 8);
    team_.run([&](std::size_t worker) {
      const std::size_t part = bytes / sizeof(std::uint64_t) / team_.workers() / 64 * 64;
      sums[worker * 8] = sum(std::span(words_).subspan(worker * part, part));
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}) != 0;
  }

 private:
  static kernels::Row row_at(std::size_t position, std::int32_t token) {
    const auto slot = static_cast<std::uint32_t>(position);
    return {.slot = slot, .position = {slot, slot, slot}, .token = token};
  }

  std::size_t cache_bytes() const {
    std::size_t bytes = 0;
    for (const models::CacheSpec& cache : opened_.model->caches()) {
      bytes += opened_.device->page_bytes(cache.layout);
    }
    return bytes;
  }

  void step(std::size_t begin, std::size_t count, bool logits) {
    rows_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      rows_.push_back(row_at(begin + i, token_at(begin + i, opened_.forwarder->vocabulary())));
    }
    rows_.back().wants_logits = logits;
    rows_.back().wants_best = logits && best_;
    const std::span<const std::uint32_t> table = pages_;
    const engine::BlockTables tables = {&table, 1};
    const std::vector<engine::BlockTables> groups(opened_.forwarder->groups().size(), tables);
    opened_.forwarder->forward(rows_, groups);
  }

  /// Eight streams with sums of their own, so that neither additions nor one stream's misses wait
  /// for each other. [words.size() is a multiple of 64]
  static std::uint64_t sum(std::span<const std::uint64_t> words) {
    std::uint64_t sums[8] = {};
    const std::size_t stream = words.size() / 8;
    for (std::size_t i = 0; i < stream; i += 8) {
      for (std::size_t s = 0; s < 8; ++s) {
        for (std::size_t w = 0; w < 8; ++w) sums[w] += words[s * stream + i + w];
      }
    }
    return std::accumulate(std::begin(sums), std::end(sums), std::uint64_t{0});
  }

  Opened opened_;
  Team team_;
  bool best_ = false;  // decode and streams want the two best logits alone
  std::vector<std::uint32_t> pages_;
  std::vector<kernels::Row> rows_;
  std::vector<std::uint64_t> words_;
};

/// "prefetch=BYTES", "replicated=ROWS", "spin=US", "backoff=1", "best=1" (of each token's logits
/// the two best, none stored), or "default".
bool Ours::select(const std::string& variant) {
  auto* device = dynamic_cast<kernels::CpuDevice*>(opened_.device.get());
  if (device == nullptr) return false;
  kernels::CpuTuning tuning = device->tuning();
  const std::size_t equals = variant.find('=');
  const std::string name = variant.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : variant.substr(equals + 1);
  const std::size_t number = std::strtoul(value.c_str(), nullptr, 10);
  if (name == "default") {
    tuning = {};
    best_ = false;
  } else if (name == "best") {
    best_ = number != 0;
  } else if (name == "prefetch") {
    tuning.prefetch_bytes = number;
  } else if (name == "replicated") {
    tuning.replicated_rows_max = number;
  } else if (name == "spin") {
    tuning.waiting.spin_us = number;
  } else if (name == "backoff") {
    tuning.waiting.back_off = number != 0 ? BackOff::kYes : BackOff::kNo;
  } else {
    return false;
  }
  device->tune(tuning);
  return true;
}

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) {
  using namespace cairn::bench;  // NOLINT(google-build-using-namespace)
  if (argc < 3) {
    std::cerr << "usage: peers_ours MODEL THREADS [ISA]\n";
    return 2;
  }
  const auto threads = static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10));
  auto opened = open(argv[1], threads, argc > 3 ? argv[3] : "auto");
  if (!opened.ok()) {
    std::cerr << opened.status().message() << '\n';
    return 1;
  }
  Ours ours(std::move(*opened), threads);
  return serve(ours);
}

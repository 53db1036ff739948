#include "tests/golden/model_runner.h"

#include <algorithm>

#include "kernels/cpu/cpu_device.h"
#include "models/model_builder.h"

namespace cairn::tests {
namespace {

constexpr std::size_t kLogitsRowsMax = 64;

}  // namespace

Result<std::unique_ptr<ModelRunner>> ModelRunner::create(const std::string& path,
                                                         const RunnerOptions& options) {
  std::unique_ptr<ModelRunner> runner(new ModelRunner);
  CAIRN_ASSIGN(formats::ModelFile file, formats::open_model(path));
  runner->own_file_ = std::make_unique<formats::ModelFile>(std::move(file));
  CAIRN_ASSIGN(runner->own_device_, kernels::CpuDevice::create({.threads = options.threads,
                                                                .numerics = options.numerics,
                                                                .cache_type = options.cache}));
  runner->file_ = runner->own_file_.get();
  runner->device_ = runner->own_device_.get();
  CAIRN_TRY(runner->load(options.alter, {}));
  CAIRN_TRY(runner->prepare(options.positions));
  return runner;
}

Result<std::unique_ptr<ModelRunner>> ModelRunner::create(const formats::ModelFile& file,
                                                         kernels::Device& device,
                                                         std::size_t positions,
                                                         const models::LoadOptions& load) {
  std::unique_ptr<ModelRunner> runner(new ModelRunner);
  runner->file_ = &file;
  runner->device_ = &device;
  CAIRN_TRY(runner->load({}, load));
  CAIRN_TRY(runner->prepare(positions));
  return runner;
}

Status ModelRunner::load(const std::function<void(models::DecoderSpec&)>& alter,
                         const models::LoadOptions& load) {
  if (!alter) {
    CAIRN_ASSIGN(model_, models::Model::load(*file_, *device_, load));
    return {};
  }
  CAIRN_ASSIGN(models::DecoderSpec spec, models::read_spec(*file_));
  alter(spec);
  CAIRN_ASSIGN(model_, models::ModelBuilder(spec, *file_, *device_, load).build());
  return {};
}

Status ModelRunner::prepare(std::size_t positions) {
  CAIRN_ASSIGN(models::Scratch scratch,
               models::Scratch::create(*device_, model_->scratch_shape(),
                                       {.rows_max = positions, .logits_rows_max = kLogitsRowsMax}));
  scratch_ = std::make_unique<models::Scratch>(std::move(scratch));
  const std::size_t pages = (positions + kernels::kPagePositions - 1) / kernels::kPagePositions;
  for (std::size_t page = pages; page > 0; --page) {
    block_table_.push_back(static_cast<std::uint32_t>(page - 1));
  }
  block_tables_ = {block_table_};
  for (const models::CacheSpec& cache : model_->caches()) {
    CAIRN_ASSIGN(std::unique_ptr<kernels::Buffer> pool,
                 device_->allocate(pages * device_->page_bytes(cache.layout)));
    caches_.push_back(
        {.layout = cache.layout, .pool = pool->address(), .block_tables = block_tables_});
    pools_.push_back(std::move(pool));
  }
  return {};
}

void ModelRunner::lay_out(std::span<const TokenId> ids, std::size_t logits_rows) {
  rows_.clear();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    kernels::Row row{.slot = position_, .token = ids[i]};
    std::ranges::fill(row.position, position_);
    row.wants_logits = i + logits_rows >= ids.size();
    rows_.push_back(row);
    ++position_;
  }
  CAIRN_CHECK(position_ <= block_table_.size() * kernels::kPagePositions);
  step_ = {.rows = rows_, .caches = caches_, .scratch = scratch_.get()};
}

std::vector<float> ModelRunner::download(Matrix matrix) {
  std::vector<float> values(matrix.rows * matrix.cols);
  device_->download(std::as_writable_bytes(std::span(values)),
                    reinterpret_cast<const std::byte*>(matrix.data));
  return values;
}

std::vector<float> ModelRunner::feed(std::span<const TokenId> ids, std::size_t logits_rows) {
  lay_out(ids, logits_rows);
  device_->run([&](kernels::Ops& ops) { model_->forward(step_, ops); });
  device_->wait();
  return download(scratch_->logits(logits_rows));
}

std::vector<std::vector<float>> ModelRunner::feed_looking(std::span<const TokenId> ids) {
  lay_out(ids, 0);
  std::vector<std::vector<float>> points;
  const auto look = [&](const std::function<void(kernels::Ops&)>& part) {
    device_->run(part);
    device_->wait();
    points.push_back(download(scratch_->x(ids.size())));
  };
  look([&](kernels::Ops& ops) { model_->embed(step_, ops); });
  for (std::size_t block = 0; block < model_->blocks(); ++block) {
    look([&](kernels::Ops& ops) { model_->run_block(block, step_, ops); });
  }
  return points;
}

Result<Normed> ModelRunner::feed_normed(std::span<const TokenId> ids) {
  const std::size_t logits_rows = std::min(ids.size(), kLogitsRowsMax);
  lay_out(ids, logits_rows);
  for (kernels::Row& row : rows_) row.wants_hidden = true;
  const Matrix normed = scratch_->normed(ids.size());
  const std::vector<float> zeros(normed.rows * normed.cols);
  device_->upload(reinterpret_cast<std::byte*>(normed.data), std::as_bytes(std::span(zeros)));
  device_->run([&](kernels::Ops& ops) { model_->forward(step_, ops); });
  device_->wait();
  Normed found{.states = download(normed), .logits = download(scratch_->logits(logits_rows))};
  CAIRN_ASSIGN(found.logits_of_states, apply_head(logits_rows));
  return found;
}

Result<std::vector<float>> ModelRunner::apply_head(std::size_t rows) {
  CAIRN_ASSIGN(const models::DecoderSpec spec, models::read_spec(*file_));
  const formats::TensorInfo& tensor = *file_->find(spec.head.empty() ? spec.embedding : spec.head);
  const std::size_t row_bytes = tensor.bytes.size() / tensor.rows();
  const kernels::WeightSegment segment{.type = tensor.type,
                                       .rows = spec.vocabulary,
                                       .cols = spec.width,
                                       .bytes = tensor.bytes.first(row_bytes * spec.vocabulary)};
  CAIRN_ASSIGN(const std::unique_ptr<kernels::PackedMatrix> head,
               device_->pack(std::span(&segment, 1)));
  const kernels::Logits op{.rows = step_.rows,
                           .x = scratch_->normed(step_.rows.size()),
                           .head = head.get(),
                           .scale = spec.logit_scale,
                           .soft_cap = spec.logit_soft_cap,
                           .out = scratch_->logits(rows),
                           .best = scratch_->best(rows)};
  device_->run([&](kernels::Ops& ops) { ops.logits(op); });
  device_->wait();
  return download(scratch_->logits(rows));
}

std::size_t argmax(std::span<const float> values) {
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

}  // namespace cairn::tests

#include "models/decoder.h"

#include "models/blocks/block.h"
#include "models/model_builder.h"

namespace cairn::models {

Model::Model() = default;
Model::~Model() = default;

Result<std::unique_ptr<Model>> Model::load(const formats::ModelFile& file, kernels::Device& device,
                                           const LoadOptions& options) {
  CAIRN_ASSIGN(const DecoderSpec spec, read_spec(file));
  ModelBuilder builder(spec, file, device, options);
  return builder.build();
}

void Model::embed(const Step& step, kernels::Ops& ops) const {
  kernels::Embed op = embed_;
  op.rows = step.rows;
  op.out = step.scratch->x(step.rows.size());
  ops.embed(op);
}

void Model::run_block(std::size_t block, const Step& step, kernels::Ops& ops) const {
  blocks_[block]->forward(step, ops);
}

void Model::logits(const Step& step, kernels::Ops& ops) const {
  const std::size_t wanted = logits_rows(step.rows);
  if (wanted == 0) return;
  kernels::Logits op = logits_;
  op.rows = step.rows;
  op.x = step.scratch->x(step.rows.size());
  op.out = step.scratch->logits(wanted);
  op.best = step.scratch->best(wanted);
  ops.logits(op);
}

/// What the head is given, by the norm that it is given through: added to zeros.
void Model::hidden(const Step& step, kernels::Ops& ops) const {
  if (!any_wants_hidden(step.rows)) return;
  const std::size_t rows = step.rows.size();
  ops.add_normed(
      {.y = step.scratch->x(rows), .norm = logits_.norm, .x = step.scratch->normed(rows)});
}

void Model::forward(const Step& step, kernels::Ops& ops) const {
  CAIRN_CHECK(step.rows.size() <= step.scratch->limits().rows_max);
  CAIRN_CHECK(step.caches.size() == caches_.size());
  embed(step, ops);
  for (const std::unique_ptr<Block>& block : blocks_) block->forward(step, ops);
  logits(step, ops);
  hidden(step, ops);
}

}  // namespace cairn::models

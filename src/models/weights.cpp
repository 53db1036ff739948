#include "models/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <unordered_set>
#include <utility>

namespace cairn::models {
namespace {

constexpr std::size_t kNamesShown = 5;

Status check_shape(const formats::TensorInfo& tensor, const TensorUse& use) {
  const bool rows_fit =
      use.kind == TensorUse::Kind::kTable ? tensor.rows() >= use.rows : tensor.rows() == use.rows;
  const bool dimensions_fit = use.kind == TensorUse::Kind::kVector || tensor.shape.size() <= 2;
  if (rows_fit && dimensions_fit && tensor.cols() == use.cols) return {};
  return invalid_file(fmt::format(
      "tensor \"{}\" has shape [{}], expected [{}{}]", use.name, fmt::join(tensor.shape, ", "),
      use.cols,
      use.kind == TensorUse::Kind::kVector
          ? ""
          : fmt::format(", {}{}", use.kind == TensorUse::Kind::kTable ? "at least " : "",
                        use.rows)));
}

Status refuse_left_over(const formats::ModelFile& file,
                        const std::unordered_set<std::string_view>& used) {
  std::vector<std::string_view> names;
  std::size_t left_over = 0;
  for (const formats::TensorInfo& tensor : file.tensors()) {
    if (used.contains(tensor.name)) continue;
    if (++left_over <= kNamesShown) names.push_back(tensor.name);
  }
  if (left_over == 0) return {};
  return invalid_file(fmt::format(
      "the file has {} tensor{} that its architecture does not use: \"{}\"{}", left_over,
      left_over == 1 ? "" : "s", fmt::join(names, "\", \""),
      left_over > kNamesShown ? fmt::format(" and {} more", left_over - kNamesShown) : ""));
}

}  // namespace

Status check_tensors(const formats::ModelFile& file, std::span<const TensorUse> uses) {
  std::unordered_set<std::string_view> used;
  for (const TensorUse& use : uses) {
    const formats::TensorInfo* tensor = file.find(use.name);
    if (tensor == nullptr) {
      return invalid_file(fmt::format("tensor \"{}\" is missing", use.name));
    }
    CAIRN_TRY(check_shape(*tensor, use));
    used.insert(use.name);
  }
  return refuse_left_over(file, used);
}

WeightLoader::WeightLoader(const formats::ModelFile& file, kernels::Device& device,
                           PackedCache& kept, const Progress& progress)
    : file_(file), device_(device), kept_(kept), progress_(progress) {
  for (const formats::TensorInfo& tensor : file.tensors()) total_ += tensor.byte_size();
  if (file.file_count() > 0) figures_.mapped_bytes = file.file_bytes() + kept.mapped_bytes();
}

Status WeightLoader::report(const formats::TensorInfo& tensor, Source source) {
  if (source == Source::kFile) figures_.released_bytes += file_.release(tensor);
  done_ += tensor.byte_size();
  if (progress_ && !progress_(done_, total_)) return cancelled("loading was cancelled");
  return {};
}

WeightLoader::Loaded WeightLoader::keep(std::unique_ptr<kernels::PackedMatrix> matrix,
                                        Source source) {
  matrices_.push_back(std::move(matrix));
  return {.matrix = matrices_.back().get(), .source = source};
}

/// The next matrix of those that are kept, or nothing.
std::unique_ptr<kernels::PackedMatrix> WeightLoader::adopt(
    std::span<const kernels::WeightSegment> segments) {
  const std::optional<kernels::PackedContents> contents = kept_.next();
  if (!contents) return nullptr;
  auto adopted = device_.adopt(segments, *contents);
  if (adopted.ok()) return std::move(adopted).value();
  kept_.give_up(adopted.status());
  return nullptr;
}

Result<WeightLoader::Loaded> WeightLoader::pack(std::span<kernels::WeightSegment> segments,
                                                std::span<const formats::TensorInfo* const> from) {
  if (auto adopted = adopt(segments)) return keep(std::move(adopted), Source::kKept);
  std::vector<formats::TensorBytes> bytes;  // those that are made live until they are packed
  for (std::size_t i = 0; i < segments.size(); ++i) {
    kernels::WeightSegment& segment = segments[i];
    segment.bytes = bytes.emplace_back(*from[i]).view().first(segment.rows *
                                                              bytes_of(segment.type, segment.cols));
  }
  auto packed = device_.pack(segments);
  if (!packed.ok()) return packed.status().in(fmt::format("tensor \"{}\"", from[0]->name));
  figures_.packed_bytes += (*packed)->packed_bytes();
  return keep(std::move(packed).value(), Source::kFile);
}

Result<const kernels::PackedMatrix*> WeightLoader::matrix(const MatrixSpec& spec) {
  std::vector<kernels::WeightSegment> segments;
  std::vector<const formats::TensorInfo*> from;
  for (const SegmentSpec& segment : spec.segments) {
    from.push_back(file_.find(segment.weight));
    segments.push_back(
        {.type = from.back()->type, .rows = segment.rows, .cols = spec.cols, .bytes = {}});
  }
  CAIRN_ASSIGN(const Loaded loaded, pack(segments, from));
  for (const formats::TensorInfo* tensor : from) CAIRN_TRY(report(*tensor, loaded.source));
  return loaded.matrix;
}

Result<const kernels::PackedMatrix*> WeightLoader::table(const std::string& name,
                                                         std::size_t rows) {
  const formats::TensorInfo* tensor = file_.find(name);
  kernels::WeightSegment segment{.type = tensor->type,
                                 .rows = rows,
                                 .cols = static_cast<std::size_t>(tensor->cols()),
                                 .bytes = {}};
  CAIRN_ASSIGN(const Loaded loaded, pack({&segment, 1}, {&tensor, 1}));
  CAIRN_TRY(report(*tensor, loaded.source));
  return loaded.matrix;
}

Result<std::vector<float>> WeightLoader::values(const std::string& name) {
  const formats::TensorInfo& tensor = *file_.find(name);
  std::vector<float> values(static_cast<std::size_t>(tensor.cols() * tensor.rows()));
  const formats::TensorBytes bytes(tensor);
  info(tensor.type).decode(bytes.view().data(), values.size(), values.data());
  CAIRN_TRY(report(tensor, Source::kFile));
  return values;
}

Result<const float*> WeightLoader::upload(std::span<const float> values) {
  CAIRN_ASSIGN(std::unique_ptr<kernels::Buffer> buffer, device_.allocate(values.size_bytes()));
  device_.upload(buffer->address(), std::as_bytes(values));
  figures_.copied_bytes += values.size_bytes();
  vectors_.push_back(std::move(buffer));
  return reinterpret_cast<const float*>(vectors_.back()->address());
}

Result<const float*> WeightLoader::vector(const std::string& name) {
  if (name.empty()) return static_cast<const float*>(nullptr);
  CAIRN_ASSIGN(const std::vector<float> host, values(name));
  return upload(host);
}

Result<const float*> WeightLoader::bias(const MatrixSpec& spec) {
  std::vector<float> joined;
  bool any = false;
  for (const SegmentSpec& segment : spec.segments) {
    std::vector<float> part(segment.rows);
    if (!segment.bias.empty()) {
      CAIRN_ASSIGN(part, values(segment.bias));
      any = true;
    }
    joined.insert(joined.end(), part.begin(), part.end());
  }
  if (!any) return static_cast<const float*>(nullptr);
  return upload(joined);
}

}  // namespace cairn::models

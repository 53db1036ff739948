#include "formats/safetensors/file.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/checked.h"
#include "formats/quote.h"
#include "formats/safetensors/header.h"
#include "formats/safetensors/safetensors.h"

namespace cairn::formats {
namespace {

constexpr std::size_t kShapeSizeMax = 4;  // as in the rest of cairn

/// What the format calls a type; those without an element type are never weights here.
struct Dtype {
  std::string_view name;
  std::optional<ElementType> type;
};

constexpr Dtype kDtypes[] = {
    {"F64", ElementType::kF64},   {"F32", ElementType::kF32}, {"F16", ElementType::kF16},
    {"BF16", ElementType::kBF16}, {"I64", ElementType::kI64}, {"I32", ElementType::kI32},
    {"I16", ElementType::kI16},   {"I8", ElementType::kI8},   {"U64", std::nullopt},
    {"U32", std::nullopt},        {"U16", std::nullopt},      {"U8", std::nullopt},
    {"BOOL", std::nullopt},       {"F8_E4M3", std::nullopt},  {"F8_E5M2", std::nullopt},
    {"F8_E8M0", std::nullopt},    {"F6_E2M3", std::nullopt},  {"F6_E3M2", std::nullopt},
    {"F4", std::nullopt},         {"C64", std::nullopt},
};

Result<ElementType> type_of(std::string_view dtype) {
  const auto* row = std::ranges::find(kDtypes, dtype, &Dtype::name);
  if (row == std::end(kDtypes)) {
    return invalid_file(fmt::format("the dtype \"{}\" is none of the format", printable(dtype)));
  }
  if (!row->type) {
    return unsupported(fmt::format(
        "values of dtype {} are not read; F64, F32, F16, BF16 and I8 to I64 are", dtype));
  }
  return *row->type;
}

/// Bytes of `shape`, and true that no product of its dimensions overflows.
std::optional<std::uint64_t> bytes_of_shape(const std::vector<std::uint64_t>& shape,
                                            ElementType type) {
  std::optional<std::uint64_t> bytes = info(type).block_bytes;
  for (const std::uint64_t size : shape) {
    if (bytes) bytes = checked_mul(*bytes, size);
  }
  return bytes;
}

Result<TensorInfo> place(const SafetensorsEntry& entry, std::span<const std::byte> data) {
  CAIRN_ASSIGN(const ElementType type, type_of(entry.dtype));
  if (entry.shape.size() > kShapeSizeMax) {
    return unsupported(
        fmt::format("{} dimensions; at most {} are read", entry.shape.size(), kShapeSizeMax));
  }
  if (std::ranges::count(entry.shape, 0U) != 0) return invalid_file("a dimension is 0");
  if (entry.begin > entry.end || entry.end > data.size()) {
    return invalid_file(fmt::format("data_offsets [{}, {}] are no range of the {} bytes of data",
                                    entry.begin, entry.end, data.size()));
  }
  const std::uint64_t size = entry.end - entry.begin;
  const std::optional<std::uint64_t> needed = bytes_of_shape(entry.shape, type);
  if (needed != size) {
    return invalid_file(fmt::format("data_offsets give {} bytes, dtype and shape need {}", size,
                                    needed ? std::to_string(*needed) : "more than 64 bits hold"));
  }
  return TensorInfo{.name = entry.name,
                    .type = type,
                    .shape = {entry.shape.rbegin(), entry.shape.rend()},
                    .bytes = data.subspan(entry.begin, size)};
}

/// Every byte of the data belongs to exactly one tensor. `entries` have been placed.
Status check_covered(std::vector<SafetensorsEntry> entries, std::uint64_t data_bytes) {
  std::ranges::sort(entries, {}, &SafetensorsEntry::begin);
  std::uint64_t end = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin < end) {
      return invalid_file(fmt::format("tensor {}: its bytes from {} belong to another one too",
                                      printable(entry.name), entry.begin));
    }
    if (entry.begin > end) {
      return invalid_file(fmt::format("tensor {}: the bytes from {} to {} before it belong to none",
                                      printable(entry.name), end, entry.begin));
    }
    end = entry.end;
  }
  if (end == data_bytes) return {};
  return invalid_file(
      fmt::format("the bytes from {} to {} of the data belong to no tensor", end, data_bytes));
}

}  // namespace

Result<SafetensorsFile> read_safetensors(std::span<const std::byte> bytes) {
  CAIRN_ASSIGN(const std::string_view text, safetensors_header_text(bytes));
  CAIRN_ASSIGN(SafetensorsHeader header, parse_safetensors_header(text));
  const auto data = bytes.subspan(kSafetensorsLengthBytes + text.size());
  SafetensorsFile file;
  file.metadata = std::move(header.metadata);
  file.tensors.reserve(header.entries.size());
  for (const SafetensorsEntry& entry : header.entries) {
    Result<TensorInfo> tensor = place(entry, data);
    if (!tensor.ok()) return tensor.status().in("tensor " + printable(entry.name));
    file.tensors.push_back(std::move(tensor).value());
  }
  CAIRN_TRY(check_covered(std::move(header.entries), data.size()));
  return file;
}

Result<OpenSafetensors> map_safetensors(const std::string& path) {
  OpenSafetensors open;
  CAIRN_ASSIGN(open.file, MappedFile::open(path));
  Result<SafetensorsFile> content = read_safetensors(open.file.bytes());
  if (!content.ok()) return content.status().in(path);
  open.content = std::move(content).value();
  return open;
}

Result<ModelFile> parse_safetensors(std::span<const std::byte> bytes) {
  CAIRN_ASSIGN(SafetensorsFile file, read_safetensors(bytes));
  return ModelFile::create(std::move(file.metadata), std::move(file.tensors), {});
}

Result<ModelFile> open_safetensors(const std::string& path) {
  CAIRN_ASSIGN(OpenSafetensors open, map_safetensors(path));
  std::vector<MappedFile> files;
  files.push_back(std::move(open.file));
  return ModelFile::create(std::move(open.content.metadata), std::move(open.content.tensors),
                           std::move(files));
}

}  // namespace cairn::formats

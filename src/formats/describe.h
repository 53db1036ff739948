// What a model file holds, in rows that a person reads: for `cairn inspect`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/model_file.h"

namespace cairn::formats {

/// One key. Long strings and arrays are cut, saying so ("[49152] \"<|endoftext|>\", ... ").
struct MetadataRow {
  std::string key;
  std::string type;   // "uint32", "array of string"
  std::string value;  // valid UTF-8, one line
};

struct TensorRow {
  std::string name;
  std::string type;  // "Q4_1"
  std::vector<std::uint64_t> shape;
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;
};

/// All tensors of one type together.
struct TypeRow {
  std::string type;
  std::uint64_t tensors = 0;
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;
};

struct Description {
  std::vector<MetadataRow> metadata;  // in the order of the file
  std::vector<TensorRow> tensors;     // in the order of the file
  std::vector<TypeRow> types;         // most bytes first
  std::uint64_t values = 0;           // of all tensors
  std::uint64_t tensor_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t files = 0;
};

/// Describes `model`; reads no tensor's bytes.
Description describe(const ModelFile& model);

}  // namespace cairn::formats

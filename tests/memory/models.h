// Model files of random weights on disk, with a vocabulary: for runs of the program.
#pragma once

#include <cstddef>
#include <string>

#include "tensor/element_type.h"
#include "tests/models/tiny_model.h"

namespace cairn::tests {

/// A synthetic model.
struct SyntheticModel {
  bool gemma = false;
  TinyShape shape = {};
  ElementType type = ElementType::kF32;  // of the matrices
  std::size_t context = 512;             // positions it says it was trained for
};

/// Writes `model` to `path`.
void write_model(const SyntheticModel& model, const std::string& path);

}  // namespace cairn::tests

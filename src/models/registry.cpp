#include "models/registry.h"

#include <fmt/core.h>

#include <string>

#include "models/families/families.h"

namespace cairn::models {
namespace {

constexpr Family kFamilies[] = {
    {.gguf = "gemma3", .build = &gemma3},
    {.gguf = "llama", .build = &llama},
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

Result<const Family*> find_family(std::string_view architecture) {
  std::string known;
  for (const Family& family : kFamilies) {
    if (family.gguf == architecture) return &family;
    known += known.empty() ? "" : ", ";
    known += family.gguf;
  }
  return unsupported(
      fmt::format("architecture \"{}\" is not one of those built in: {}", architecture, known));
}

}  // namespace cairn::models

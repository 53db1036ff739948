#include "models/registry.h"

#include <fmt/core.h>

#include <string>

#include "models/families/families.h"

namespace cairn::models {
namespace {

constexpr Family kFamilies[] = {
    {.gguf = "arcee", .build = &arcee},
    {.gguf = "cohere2", .build = &cohere2},
    {.gguf = "command-r", .build = &command_r},
    {.gguf = "ernie4_5", .build = &ernie4_5},
    {.gguf = "exaone4", .build = &exaone4},
    {.gguf = "gemma", .build = &gemma},
    {.gguf = "gemma2", .build = &gemma2},
    {.gguf = "gemma3", .build = &gemma3},
    {.gguf = "glm4", .build = &glm4},
    {.gguf = "granite", .build = &granite},
    {.gguf = "hunyuan-dense", .build = &hunyuan_dense},
    {.gguf = "llama", .build = &llama},
    {.gguf = "nemotron", .build = &nemotron},
    {.gguf = "olmo", .build = &olmo},
    {.gguf = "olmo2", .build = &olmo2},
    {.gguf = "phi3", .build = &phi3},
    {.gguf = "qwen2", .build = &qwen2},
    {.gguf = "qwen3", .build = &qwen3},
    {.gguf = "seed_oss", .build = &seed_oss},
    {.gguf = "smollm3", .build = &smollm3},
    {.gguf = "stablelm", .build = &stablelm},
    {.gguf = "starcoder2", .build = &starcoder2},
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

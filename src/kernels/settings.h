// Settings of the device that computes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/settings.h"

namespace cairn::kernels {

struct DeviceSettings {
  std::string device = "auto";
  std::string isa = "auto";
  std::string numerics = "exact";
  std::string kv_cache_dtype = "auto";
  std::string quantize = "none";
  std::optional<std::uint64_t> threads;
  std::optional<std::uint64_t> node;
  std::uint64_t prefetch = 4096;
  std::uint64_t spin = 50;
  bool spin_back_off = true;
  bool packed_cache = false;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "device",
             .choices = "auto|cpu|vulkan|cuda",
             .effect = Effect::kSpeed,
             .sentence = "Where to compute; one that is not built in or not present is refused."},
            self.device);
    visitor({.name = "isa",
             .choices = "auto|portable|avx2|avx512vnni|amx|neon",
             .effect = Effect::kSpeed,
             .sentence = "Kernel tier of the processor; auto is the best one here."},
            self.isa);
    visitor({.name = "numerics",
             .choices = "exact|fast|reference",
             .effect = Effect::kAnswer,
             .sentence = "Numeric class: exact has the same bits on every machine, reference is "
                         "slow and in single precision."},
            self.numerics);
    visitor({.name = "kv-cache-dtype",
             .choices = "auto|bf16|int8|f32",
             .effect = Effect::kAnswer,
             .sentence = "How cached keys and values are kept: int8 takes about half of bf16 and "
                         "changes answers slightly; auto is bf16, and f32 in the reference class."},
            self.kv_cache_dtype);
    visitor({.name = "quantize",
             .choices = "none|Q8_0|Q4_0|Q4_K",
             .effect = Effect::kAnswer,
             .sentence = "Type that the matrices of a model in floats are packed in while it is "
                         "loaded, to take less memory; cairn quantize writes such a file."},
            self.quantize);
    visitor({.name = "threads",
             .min = 1,
             .max = 1024,
             .effect = Effect::kSpeed,
             .sentence = "Worker threads; auto is one per core that this process may use, of the "
                         "fast kind, within its quota."},
            self.threads);
    visitor({.name = "node",
             .min = 0,
             .max = 1023,
             .effect = Effect::kSpeed,
             .sentence = "Memory node whose processors compute; auto is the one with the most "
                         "cores, or no particular one where --threads is given."},
            self.node);
    visitor(
        {.name = "prefetch",
         .unit = "bytes",
         .min = 0,
         .max = 1 << 20,
         .effect = Effect::kSpeed,
         .sentence = "How far ahead packed weights are asked for while few rows are computed; 0 "
                     "leaves it, and what attention reads next, to the processor."},
        self.prefetch);
    visit_waiting(self, visitor);
  }

 private:
  template <typename Self, typename Visitor>
  static void visit_waiting(Self& self, Visitor&& visitor) {
    visitor({.name = "spin",
             .unit = "us",
             .min = 0,
             .max = 1'000'000,
             .effect = Effect::kSpeed,
             .sentence = "How long a worker looks for the others before it sleeps; more workers "
                         "than processors sleep at once."},
            self.spin);
    visitor({.name = "spin-back-off",
             .effect = Effect::kSpeed,
             .sentence = "Looks for less long after looking in vain, when other programs hold up "
                         "a worker."},
            self.spin_back_off);
    visitor(
        {.name = "packed-cache",
         .effect = Effect::kSpeed,
         .sentence = "Keeps packed weights in the folder packed of the store, so that the next "
                     "start maps them instead of packing; they take as much disk as the model."},
        self.packed_cache);
  }
};

}  // namespace cairn::kernels

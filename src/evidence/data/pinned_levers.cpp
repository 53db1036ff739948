// The twelve levers of 11.5 in graph order, which is the selection order.
#include <array>
#include <utility>

#include "evidence/data/pinned_graph.h"

namespace cairn::evidence {
namespace {

/// One lever of the table, with what all of its envelope share left out.
struct Row {
  std::string_view id;
  std::string_view name;
  bool enabled = false;
  std::string_view status;
  std::string_view dependency;
  std::string_view conflict;
  std::string_view summary;
  std::string_view provenance;
  std::int64_t owner = 0;
  std::string_view next_witness;
};

std::vector<std::string> ids(std::string_view id) {
  return id.empty() ? std::vector<std::string>() : std::vector<std::string>{std::string(id)};
}

Lever to_lever(const Row& row, Applicability where) {
  return {.id = std::string(row.id),
          .name = std::string(row.name),
          .applicability = std::move(where),
          .enabled = row.enabled,
          .status = std::string(row.status),
          .dependency_ids = ids(row.dependency),
          .conflict_ids = ids(row.conflict),
          .expected = {.summary = std::string(row.summary),
                       .classification = "hypothesis",
                       .provenance = std::string(row.provenance)},
          .witnessed = std::nullopt,
          .owning_issue = pinned_issue(row.owner),
          .next_witness = std::string(row.next_witness)};
}

constexpr std::array kMetal = {
    Row{.id = "metal.resident-q4k-weights",
        .name = "Resident Q4_K weights",
        .enabled = true,
        .status = "present",
        .dependency = "",
        .conflict = "",
        .summary = "Hold the resident baseline fixed.",
        .provenance = "QWEN38-27B-LATEST.md and issue #8697",
        .owner = 8324,
        .next_witness = "A native baseline at exactly P32/T64, three repetitions, carrying hash "
                        "and identity."},
    Row{.id = "metal.command-buffer-amortization",
        .name = "Command-buffer and synchronization amortization",
        .enabled = false,
        .status = "partial",
        .dependency = "metal.resident-q4k-weights",
        .conflict = "",
        .summary = "Fewer synchronous projection submissions in a row; no gain is assumed.",
        .provenance = "profile of issues #8324 and #8697",
        .owner = 8324,
        .next_witness = "An A/B of this one lever (OFF, ON) at P32/T64: commands, revisions, hash, "
                        "latency and tok/s of every repetition, quality, identity, profiles."},
    Row{.id = "metal.fused-hybrid-graph-coverage",
        .name = "Fused hybrid token graph coverage",
        .enabled = false,
        .status = "partial",
        .dependency = "metal.command-buffer-amortization",
        .conflict = "",
        .summary = "A coarse token graph sees activations and recurrent/KV state; no gain is "
                   "assumed.",
        .provenance = "issue #8324",
        .owner = 8324,
        .next_witness = "Coverage OFF against ON while metal.command-buffer-amortization stays ON, "
                        "matched receipt and profile."},
    Row{.id = "metal.paged-kv",
        .name = "Paged KV allocation",
        .enabled = false,
        .status = "absent",
        .dependency = "metal.resident-q4k-weights",
        .conflict = "",
        .summary = "Bound KV allocation and expose occupancy; not raw-decode evidence.",
        .provenance = "issue #8395",
        .owner = 8395,
        .next_witness = "An isolated arm reporting quality, p50 and p95 of TTFT and of ITL, "
                        "aggregate tok/s, peak memory, rate of prefix hits, fallback count."},
    Row{.id = "metal.prefix-reuse",
        .name = "Exact-prefix block reuse",
        .enabled = false,
        .status = "absent",
        .dependency = "metal.paged-kv",
        .conflict = "",
        .summary = "Reuse exact prefix blocks.",
        .provenance = "issue #8395",
        .owner = 8395,
        .next_witness = "An isolated prefix arm, paged KV fixed ON, complete serving receipt."},
    Row{.id = "metal.chunked-prefill",
        .name = "Bounded chunked prefill",
        .enabled = false,
        .status = "absent",
        .dependency = "metal.resident-q4k-weights",
        .conflict = "",
        .summary = "Bound prefill scheduling.",
        .provenance = "issue #8395",
        .owner = 8395,
        .next_witness = "An isolated arm on identical prompts and arrival trace, complete serving "
                        "receipt."},
    Row{.id = "metal.continuous-batching",
        .name = "Continuous batching",
        .enabled = false,
        .status = "absent",
        .dependency = "metal.paged-kv",
        .conflict = "",
        .summary = "Better concurrent serving occupancy; no single-request decode claim.",
        .provenance = "issue #8395",
        .owner = 8395,
        .next_witness = "An isolated batching arm, paged KV fixed ON, complete serving receipt."},
    Row{.id = "metal.matched-parity-receipt",
        .name = "Matched native parity gate",
        .enabled = false,
        .status = "absent",
        .dependency = "metal.fused-hybrid-graph-coverage",
        .conflict = "",
        .summary = "Aim at 95 % or more of the llama.cpp comparison, which is classified apart.",
        .provenance = "issue #8697",
        .owner = 8697,
        .next_witness = "One matched campaign, native and llama.cpp b9828, at P32/T64: commands, "
                        "revisions, hash, every result, deterministic quality, identities, "
                        "profiles."},
};

constexpr std::array kCuda = {
    Row{.id = "cuda.scalar-f32-activation-baseline",
        .name = "Scalar f32 activation-product baseline",
        .enabled = true,
        .status = "present",
        .dependency = "",
        .conflict = "cuda.q8_1-activation-quant",
        .summary = "Keep today's OFF arm; about 11 tok/s are reported, not classified as a receipt "
                   "here.",
        .provenance = "issue #8635",
        .owner = 8635,
        .next_witness = "An A100 baseline repeated on one artifact, strict quality, identity."},
    Row{.id = "cuda.q8_1-activation-quant",
        .name = "Q8_1 activation quantization",
        .enabled = false,
        .status = "absent",
        .dependency = "",
        .conflict = "cuda.scalar-f32-activation-baseline",
        .summary = "Quantise the current activation vector under cosine >= 0.995, exact argmax, "
                   "maxAbs <= 0.02; no throughput gain is assumed.",
        .provenance = "issue #8635",
        .owner = 8635,
        .next_witness = "A strict numerical receipt OFF against ON: every gate value, artifact "
                        "identity, raw output."},
    Row{.id = "cuda.dp4a-q4k-mmvq",
        .name = "Signed DP4A Q4_K MMVQ",
        .enabled = false,
        .status = "absent",
        .dependency = "cuda.q8_1-activation-quant",
        .conflict = "",
        .summary = "Target >= 47.36 tok/s, a target of issue #8635 and not a witness.",
        .provenance = "issue #8635",
        .owner = 8635,
        .next_witness = "DP4A OFF against ON on the A100, decode A/B repeated on one artifact "
                        "(Q8_1 fixed ON): end-to-end tok/s of each run, gates, logs, identity."},
    Row{.id = "cuda.default-decode-routing",
        .name = "Default P=1 decode routing",
        .enabled = false,
        .status = "absent",
        .dependency = "cuda.dp4a-q4k-mmvq",
        .conflict = "",
        .summary = "Becomes the default only when correct and faster end to end.",
        .provenance = "issue #8635",
        .owner = 8635,
        .next_witness = "Whole-model correctness for text, JSON and tools with no fallback; the "
                        "gain repeated; inspection of the default path."},
};

}  // namespace

std::vector<Lever> pinned_metal_levers() {
  std::vector<Lever> levers;
  for (const Row& row : kMetal) {
    levers.push_back(to_lever(row, {.envelope_id = "qwen38-27b-q4km-m3pro-p32-t64",
                                    .platform = "darwin/arm64",
                                    .backend = "metal"}));
  }
  levers[0].witnessed = {.summary = "3.3 tok/s at P31/T64, so only approximate for P32/T64",
                         .classification = "witnessed",
                         .provenance = "issue #8697",
                         .receipt = "issue #8697 evidence of 2026-08-23"};
  return levers;
}

std::vector<Lever> pinned_cuda_levers() {
  std::vector<Lever> levers;
  for (const Row& row : kCuda) {
    levers.push_back(to_lever(row, {.envelope_id = "qwen38-27b-q4k-a100-p1-decode",
                                    .platform = "linux/amd64+nvidia-a100",
                                    .backend = "cuda"}));
  }
  return levers;
}

}  // namespace cairn::evidence

// Float weights: a chain of fma over ascending k inside blocks of 256, block sums added ascending;
// vectors run across rows.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/avx2/tokens.h"

CAIRN_TARGET_BEGIN("avx2,fma,f16c")
namespace cairn::kernels::avx2 {
namespace {

constexpr std::size_t kChain = 256;

/// Two values of k for 16 rows.
struct TwoColumns {
  __m256 of[2][2];  // [k][half]
};

struct F32Weights {
  static constexpr std::size_t kSize = 4;
  static CAIRN_INLINE TwoColumns load(const std::byte* at, bool both) {
    const auto* w = reinterpret_cast<const float*>(at);
    TwoColumns two;
    two.of[0][0] = _mm256_loadu_ps(w);
    two.of[0][1] = _mm256_loadu_ps(w + 8);
    two.of[1][0] = both ? _mm256_loadu_ps(w + 16) : two.of[0][0];
    two.of[1][1] = both ? _mm256_loadu_ps(w + 24) : two.of[0][0];
    return two;
  }
};

struct Bf16Weights {
  static constexpr std::size_t kSize = 2;
  static CAIRN_INLINE TwoColumns load(const std::byte* at, bool /*both*/) {
    TwoColumns two;
    unrolled<0, 2>([&](auto h) CAIRN_INLINE {
      const __m256i pairs = load_256(at + 32 * h);
      two.of[0][h] = _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
      two.of[1][h] = _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(-65536)));
    });
    return two;
  }
};

struct F16Weights {
  static constexpr std::size_t kSize = 2;
  static CAIRN_INLINE TwoColumns load(const std::byte* at, bool /*both*/) {
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    TwoColumns two;
    unrolled<0, 2>([&](auto h) CAIRN_INLINE {
      const __m256i split = _mm256_shuffle_epi8(load_256(at + 32 * h), order);
      const __m256i halves = _mm256_permute4x64_epi64(split, 0xD8);
      two.of[0][h] = _mm256_cvtph_ps(_mm256_castsi256_si128(halves));
      two.of[1][h] = _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1));
    });
    return two;
  }
};

template <class W>
struct DotFloats {
  template <int kT>
  static CAIRN_INLINE void add_column(const __m256 (&w)[2], const float* x, std::size_t stride,
                                      Accumulators<kT>& chain) {
    unrolled<0, kT>([&](auto t) CAIRN_INLINE {
      const __m256 value = _mm256_broadcast_ss(x + t * stride);
      chain.of[t][0] = _mm256_fmadd_ps(w[0], value, chain.of[t][0]);
      chain.of[t][1] = _mm256_fmadd_ps(w[1], value, chain.of[t][1]);
    });
  }

  template <int kT>
  static void run(const Piece& piece, const ConstMatrix& x, std::size_t t0, float* y) {
    for (std::size_t k0 = 0; k0 < piece.values; k0 += kChain) {
      const std::size_t end = k0 + kChain < piece.values ? k0 + kChain : piece.values;
      Accumulators<kT> chain;
      unrolled<0, kT>([&](auto t)
                          CAIRN_INLINE { chain.of[t][0] = chain.of[t][1] = _mm256_setzero_ps(); });
      for (std::size_t k = k0; k < end; k += 2) {
        const float* at = x.data + t0 * x.stride + k;
        const bool both = k + 1 < end;
        const TwoColumns two = W::load(piece.packed + k * kGroupRows * W::kSize, both);
        add_column(two.of[0], at, x.stride, chain);
        if (both) add_column(two.of[1], at + 1, x.stride, chain);
      }
      Accumulators<kT> acc;
      acc.load(y);
      unrolled<0, kT>([&](auto t) CAIRN_INLINE {
        acc.of[t][0] = _mm256_add_ps(acc.of[t][0], chain.of[t][0]);
        acc.of[t][1] = _mm256_add_ps(acc.of[t][1], chain.of[t][1]);
      });
      acc.store(y);
    }
  }
};

template <class W>
void dot_floats(const DotTask& task) {
  each_group(task, [&](const std::byte* packed, float* y) {
    deal_tokens<DotFloats<W>>({packed, 0, task.segment->cols}, task.inputs->values, task.tokens, y);
  });
}

}  // namespace

void dot_f32(const DotTask& task) { dot_floats<F32Weights>(task); }
void dot_f16(const DotTask& task) { dot_floats<F16Weights>(task); }
void dot_bf16(const DotTask& task) { dot_floats<Bf16Weights>(task); }

}  // namespace cairn::kernels::avx2
CAIRN_TARGET_END

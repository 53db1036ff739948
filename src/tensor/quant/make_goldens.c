/* Writes goldens_ggml.txt: what llama.cpp's own decoders make of Q1_0 and Q2_0 blocks, and its encoders
   of floats. Not part of the build. G = the ggml folder of a llama.cpp source tree (build/test-data/llama.cpp/ggml):

     gcc -O1 -static -Wl,--unresolved-symbols=ignore-all -I$G/include -I$G/src make_goldens.c \
         $G/src/ggml-quants.c -lm -o /tmp/make_goldens && /tmp/make_goldens > goldens_ggml.txt  */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ggml-quants.h"

enum { kBlocks = 10, kBytes = 18, kValuesMax = 128 };

static const uint16_t kScales[kBlocks] = {0x3C00, 0x2E66, 0xB5A1, 0x0001, 0x03FF,
                                          0x0400, 0x7BFF, 0xFBFF, 0x8000, 0x4248};

static void print_hex(const void* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) printf("%02x", ((const uint8_t*)bytes)[i]);
}

enum { kFloats = 2048 };

/* Bell-shaped values of several sizes, groups of one value, of zeros, and of one sign. */
static void fill(float* values) {
  uint32_t state = 7;
  for (int i = 0; i < kFloats; ++i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
      state = state * 1664525u + 1013904223u;
      sum += (float)(int32_t)(state >> 8) / 16777216.0f - 0.5f;
    }
    const int group = i / 16;
    values[i] = sum * (group % 7 == 0 ? 0.001f : group % 7 == 1 ? 30.0f : 1.0f);
    if (group % 23 == 3) values[i] = 0.0f;
    if (group % 29 == 5) values[i] = 0.75f;
    if (group % 11 == 4 && values[i] < 0) values[i] = -values[i];
    if (group % 13 == 6 && values[i] > 0) values[i] = -values[i];
  }
  for (int i = 512; i < 768; ++i) values[i] = 0.0f; /* a whole block */
}

static void print_encoded(const char* name, const float* values, const void* blocks, size_t size) {
  printf("encode %s ", name);
  print_hex(values, kFloats * sizeof(float));
  printf(" ");
  print_hex(blocks, size);
  printf("\n");
}

static void encode_all(void) {
  static float values[kFloats];
  static block_q5_0 q5_0[kFloats / 32];
  static block_q5_1 q5_1[kFloats / 32];
  static block_q4_K q4_k[kFloats / 256];
  static block_q6_K q6_k[kFloats / 256];
  fill(values);
  quantize_row_q5_0_ref(values, q5_0, kFloats);
  print_encoded("Q5_0", values, q5_0, sizeof q5_0);
  quantize_row_q5_1_ref(values, q5_1, kFloats);
  print_encoded("Q5_1", values, q5_1, sizeof q5_1);
  quantize_row_q4_K_ref(values, q4_k, kFloats);
  print_encoded("Q4_K", values, q4_k, sizeof q4_k);
  quantize_row_q6_K_ref(values, q6_k, kFloats);
  print_encoded("Q6_K", values, q6_k, sizeof q6_k);
}

int main(void) {
  uint8_t blocks[kBlocks * kBytes];
  static float values[kBlocks * kValuesMax];
  uint32_t state = 20240229;
  for (size_t i = 0; i < sizeof blocks; ++i) {
    state = state * 1664525u + 1013904223u;
    blocks[i] = (uint8_t)(state >> 24);
  }
  for (size_t i = 0; i < kBlocks; ++i) memcpy(blocks + i * kBytes, &kScales[i], 2);

  dequantize_row_q1_0((const block_q1_0*)blocks, values, kBlocks * 128);
  printf("decode Q1_0 ");
  print_hex(blocks, sizeof blocks);
  printf(" ");
  print_hex(values, kBlocks * 128 * sizeof(float));

  dequantize_row_q2_0((const block_q2_0*)blocks, values, kBlocks * 64);
  printf("\ndecode Q2_0 ");
  print_hex(blocks, sizeof blocks);
  printf(" ");
  print_hex(values, kBlocks * 64 * sizeof(float));
  printf("\n");
  encode_all();
  return 0;
}

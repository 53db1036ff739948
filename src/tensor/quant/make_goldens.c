/* Writes goldens_ggml.txt: what llama.cpp's own decoders make of Q1_0 and Q2_0 blocks. Not part of the
   build. G = the ggml folder of a llama.cpp source tree (build/test-data/llama.cpp/ggml):

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
  return 0;
}

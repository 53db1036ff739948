// Quantises a GGUF file with the peer's own rules; built against the peer's source.
// Usage: peers_quantise IN.gguf OUT.gguf Q4_K_M|Q4_0
#include <llama.h>

#include <cstring>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: peers_quantise IN.gguf OUT.gguf Q4_K_M|Q4_0\n";
    return 2;
  }
  llama_backend_init();
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.nthread = 2;
  params.allow_requantize = true;  // the Q4_0 twin of a file that is quantised already
  if (std::strcmp(argv[3], "Q4_K_M") == 0) {
    params.ftype = LLAMA_FTYPE_MOSTLY_Q4_K_M;
  } else if (std::strcmp(argv[3], "Q4_0") == 0) {
    params.ftype = LLAMA_FTYPE_MOSTLY_Q4_0;
  } else {
    std::cerr << "peers_quantise: unknown format " << argv[3] << ", one of Q4_K_M, Q4_0\n";
    return 2;
  }
  return static_cast<int>(llama_model_quantize(argv[1], argv[2], &params));
}

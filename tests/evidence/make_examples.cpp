// Writes docs/examples/: `make_examples FOLDER`.
#include <iostream>

#include "base/file.h"
#include "tests/evidence/examples.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_examples FOLDER\n";
    return 2;
  }
  for (const auto& [name, text] : cairn::evidence::example_documents()) {
    const cairn::Status status = cairn::write_file_whole(std::string(argv[1]) + "/" + name, text);
    if (status.ok()) continue;
    std::cerr << status.message() << "\n";
    return 1;
  }
  return 0;
}

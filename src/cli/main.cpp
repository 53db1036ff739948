#include <exception>

#include "cli/command.h"

int main(int argc, char** argv) {
  try {
    return cairn::cli::main_program(argc, argv);
  } catch (const std::exception& error) {  // the last door: nothing of cairn throws, libraries may
    cairn::cli::note(std::string("cairn: ") + error.what() + "\n");
    return 1;
  }
}

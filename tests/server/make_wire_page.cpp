// Prints docs/reference/wire.md, or with "openapi" the OpenAPI document.
#include <iostream>
#include <string_view>

#include "server/wire/document.h"

int main(int argc, char** argv) {
  const bool openapi = argc > 1 && std::string_view(argv[1]) == "openapi";
  std::cout << (openapi ? cairn::server::openapi_document().dump(2) + "\n"
                        : cairn::server::wire_page());
  return 0;
}

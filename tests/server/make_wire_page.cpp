// Prints docs/reference/wire.md; with "http" docs/reference/http.md, with "endpoints"
// docs/reference/endpoints.md; with "openapi" the OpenAPI document.
#include <iostream>
#include <string_view>

#include "server/api/api.h"
#include "server/http/reference.h"
#include "server/wire/document.h"

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "wire";
  if (what == "openapi") {
    std::cout << cairn::server::openapi_document(cairn::server::path_rows()).dump(2) << "\n";
  } else if (what == "endpoints") {
    std::cout << cairn::server::endpoints_page();
  } else {
    std::cout << (what == "http" ? cairn::server::http_page() : cairn::server::wire_page());
  }
  return 0;
}

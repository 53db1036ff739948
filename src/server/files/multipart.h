// Bodies of multipart/form-data. Source: RFC 7578; RFC 2046, 5.1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::server {

/// One field of a form. Texts are valid as long as the body.
struct FormPart {
  std::string name = {};
  std::string filename = {};  // empty: no file
  std::string_view content = {};
};

/// The parts of `body`, whose type is that of the header Content-Type. Errors: kInvalidArgument for
/// another type, a boundary that is missing or too long, a part without a name, more than 64 parts,
/// and a body that does not end with its boundary.
Result<std::vector<FormPart>> parse_form(std::string_view content_type, std::string_view body);

}  // namespace cairn::server

// The tidy rules: each looks at one file and returns its breaches as "path:line: what".
//
// Adding a rule: its function here, its row in kRules, and a planted breach in tidy_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/scan.h"

namespace cairn::tidy {

using Breaches = std::vector<std::string>;

/// One habit of the code base that text alone can prove.
struct Rule {
  std::string_view name;
  Breaches (*check)(const SourceFile& file) = nullptr;
};

/// Every rule, in the order in which breaches are printed.
std::span<const Rule> rules();

}  // namespace cairn::tidy

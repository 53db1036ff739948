// Scopes, and macros with the scope they were defined in.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>

#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// Names set in a block, and the block around it. The names are the tree's own strings.
struct Scope {
  std::unordered_map<std::string_view, Value> names;
  std::shared_ptr<Scope> parent;
};

/// A macro or the body of a call block; owned by the Run.
struct Macro {
  const Statement* definition = nullptr;
  std::shared_ptr<Scope> closure;
  Charge charge;
};

}  // namespace cairn::tokenizer::jinja

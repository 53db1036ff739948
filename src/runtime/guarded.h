// Where exceptions of the standard library end: what opens a model allocates in many places.
#pragma once

#include <new>
#include <string>
#include <system_error>

#include "base/status.h"

namespace cairn::runtime {

/// What `function` returns, a Result. Errors: its own; kTooLarge naming `path` when the system has
/// no memory left, kUnavailable when it has no thread left.
template <typename Function>
auto guarded(const std::string& path, const Function& function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return too_large("the system has no memory left").in(path);
  } catch (const std::system_error& error) {
    return unavailable(error.what()).in(path);
  }
}

}  // namespace cairn::runtime

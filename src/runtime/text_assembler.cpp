#include "runtime/text_assembler.h"

#include <utility>

#include "base/utf8.h"

namespace cairn::runtime {

std::string TextAssembler::push(std::string_view bytes) {
  held_ += bytes;
  const std::size_t whole = held_.size() - incomplete_utf8_suffix(held_);
  std::string text = replace_invalid_utf8(std::string_view(held_).substr(0, whole));
  held_.erase(0, whole);
  return text;
}

std::string TextAssembler::finish() { return replace_invalid_utf8(std::exchange(held_, {})); }

}  // namespace cairn::runtime

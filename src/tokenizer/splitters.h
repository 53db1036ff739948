// Splitters by hand, for the few patterns that no regular-expression engine runs in linear time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace cairn::tokenizer {

/// Appends the ends of the pieces of `text` (valid UTF-8), the last one being text.size().
using Splitter = void (*)(std::string_view text, std::vector<std::size_t>& ends);

/// The splitter called `name` ("@..." in the table of pre-tokenizers) or nullptr.
Splitter find_splitter(std::string_view name);

}  // namespace cairn::tokenizer

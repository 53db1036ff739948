// Config: an architecture's own keys of a model file, read once each and none forgotten.
//
// Purpose     the only way a family reads metadata; it knows no family.
// Invariants  every key of the architecture ("llama.*") is read by the family, listed as harmless,
//             or refused by name: a key that changes the result is never ignored.
// Threads     one.
// Adding      a key that cannot change the result: a row of kHarmless in config.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"

namespace cairn::models {

/// Counts in a configuration lie in 1 up to this, so that products of three stay inside 64 bits.
inline constexpr std::uint64_t kCountMax = (std::uint64_t{1} << 21) - 1;

class Config {
 public:
  /// `file` must outlive the Config.
  Config(const formats::ModelFile& file, std::string_view architecture);

  /// Reads "<architecture>.<name>". Errors: kInvalidFile naming the key when it is missing, of the
  /// wrong type, or outside of 1 up to kCountMax; `count_or` takes `otherwise` when it is missing.
  Result<std::size_t> count(std::string_view name);
  Result<std::size_t> count_or(std::string_view name, std::size_t otherwise);

  /// The same where a missing key and 0 both mean "none", which is 0 here.
  Result<std::size_t> count_or_none(std::string_view name);

  /// A soft cap: a finite number above 0, or 0 for none. Errors: as count.
  Result<float> cap(std::string_view name);

  /// A finite number above zero that an f32 can hold. Errors: as count.
  Result<double> positive(std::string_view name);
  Result<double> positive_or(std::string_view name, double otherwise);

  /// A string. Errors: kInvalidFile naming the key when it is not a string.
  Result<std::string> text_or(std::string_view name, std::string_view otherwise);

  /// Per layer true or false, or one period n that means "every n-th is false".
  /// Errors: kInvalidFile naming the key when it is neither, or not of `layers` values.
  Result<std::vector<bool>> pattern_or(std::string_view name, std::size_t layers,
                                       std::size_t period);

  /// Whether the file has that key, without counting it as read.
  bool has(std::string_view name) const;
  /// `name` when the file has a tensor of that name, else empty.
  std::string tensor_or_none(std::string name) const;
  /// Tensors in the file: an upper bound for the layers it can hold.
  std::size_t tensor_count() const { return file_->tensors().size(); }

  /// Ids of the vocabulary: the tokenizer's tokens, else "vocab_size", else rows of `embedding`.
  /// Errors: kInvalidFile with both numbers when there are more tokens than rows.
  Result<std::size_t> vocabulary(std::string_view embedding);

  /// Errors: kUnsupported naming the keys of the architecture that nobody read.
  Status refuse_unread() const;

 private:
  std::string key(std::string_view name) const;
  std::string read(std::string_view name);
  bool is_zero(std::string_view name);  // also where the key is missing

  const formats::ModelFile* file_;
  std::string architecture_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace cairn::models

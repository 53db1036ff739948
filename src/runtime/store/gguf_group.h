// The GGUF models among some files: parts of a split model belong together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::runtime {

/// A file by its path inside a folder or repository.
struct NamedFile {
  std::string path = {};
  std::uint64_t bytes = 0;
};

/// What a GGUF file's name says: "dir/m-00002-of-00003.gguf" is part 2 of 3 of "dir/m".
struct GgufName {
  std::string stem = {};  // the path without part and ".gguf"; empty for any other file
  std::uint64_t part = 1;
  std::uint64_t parts = 1;
};

/// Source: the naming of llama.cpp's gguf-split: -%05d-of-%05d.gguf.
GgufName parse_gguf_name(std::string_view path);

/// One model: its parts that are there, in order.
struct GgufGroup {
  std::string stem = {};
  std::uint64_t parts = 1;
  std::vector<NamedFile> files = {};

  std::uint64_t bytes() const;
  /// The numbers of the parts that are not there.
  std::vector<std::uint64_t> missing() const;
};

/// The models among `files`, by name. Image projectors ("mmproj") are no models of their own.
std::vector<GgufGroup> group_gguf_files(std::span<const NamedFile> files);

/// The shortest tag that select_group() takes for groups[at]: the quantisation at the end of its
/// name where no other ends so, else the name.
std::string tag_of(std::span<const GgufGroup> groups, std::size_t at);

/// The place of the one model that `tag` means: its name, or what the name ends in after a "-", "."
/// or "_", in any case. An empty tag means the only one. Errors: kNotFound or kInvalidArgument with
/// the list of `groups`; `where` names the repository in it.
Result<std::size_t> select_group(std::span<const GgufGroup> groups, std::string_view tag,
                                 std::string_view where);

}  // namespace cairn::runtime

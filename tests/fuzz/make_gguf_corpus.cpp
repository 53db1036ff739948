// Writes the seeds of corpus/fuzz_gguf into the folder it is given.
#include <cstdio>
#include <string>
#include <vector>

#include "formats/gguf/writer.h"

namespace {

using cairn::ElementTypeInfo;
using cairn::formats::array_of;
using cairn::formats::GgufWriter;
using cairn::formats::MetadataArray;
using cairn::formats::MetadataType;

GgufWriter every_value() {
  MetadataArray nested;
  nested.element_type = MetadataType::kArray;
  nested.arrays = {array_of<std::int32_t>({1, 2, 3}), array_of<std::string>({"x", ""})};
  GgufWriter writer;
  writer.set("u8", std::uint8_t{200})
      .set("i8", std::int8_t{-3})
      .set("u16", std::uint16_t{60000})
      .set("i16", std::int16_t{-30000})
      .set("u32", std::uint32_t{4000000000U})
      .set("i32", std::int32_t{-2000000000})
      .set("u64", ~std::uint64_t{0})
      .set("i64", std::int64_t{-1})
      .set("f32", 0.1f)
      .set("f64", 0.1)
      .set("flag", true)
      .set("text", std::string("text"))
      .set("words", array_of<std::string>({"", "one", "two"}))
      .set("floats", array_of<float>({1.5f, -2.0f}))
      .set("bytes", array_of<std::uint8_t>({1, 2, 3}))
      .set("flags", array_of<bool>({true, false}))
      .set("nested", nested);
  return writer;
}

GgufWriter like_a_model() {
  GgufWriter writer;
  writer.set("general.architecture", std::string("llama"))
      .set("general.alignment", std::uint32_t{8})
      .set("llama.block_count", std::uint32_t{1})
      .set("tokenizer.ggml.tokens", array_of<std::string>({"<unk>", "a", "<0x41>"}))
      .set("tokenizer.ggml.scores", array_of<float>({0.0f, -1.0f, -2.0f}))
      .set("tokenizer.ggml.token_type", array_of<std::int32_t>({2, 1, 6}));
  const std::vector<float> values(16, 0.5f);
  writer.add_f32("token_embd.weight", {4, 4}, values);
  writer.add_f32("output_norm.weight", {4}, std::span(values).first(4));
  return writer;
}

GgufWriter part_of_a_split() {
  GgufWriter writer;
  writer.set("split.no", std::uint16_t{1})
      .set("split.count", std::uint16_t{2})
      .set("split.tensors.count", std::int32_t{1});
  return writer;
}

bool save(const std::string& path, const GgufWriter& writer) {
  const cairn::Status status = writer.write(path);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.ok();
}

bool save_types(const std::string& folder) {
  for (const ElementTypeInfo& type : cairn::element_types()) {
    GgufWriter writer;
    std::vector<std::byte> blocks(2 * type.block_bytes);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      blocks[i] = static_cast<std::byte>(i * 37 & 255);
    writer.add_tensor("t", type.type, {type.block_values, 2}, blocks);
    if (!save(folder + "/type_" + std::string(type.name), writer)) return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "make_gguf_corpus FOLDER\n");
    return 2;
  }
  const std::string folder = arguments[1];
  const bool saved = save(folder + "/every_value", every_value()) &&
                     save(folder + "/like_a_model", like_a_model()) &&
                     save(folder + "/part_of_a_split", part_of_a_split()) && save_types(folder);
  return saved ? 0 : 1;
}

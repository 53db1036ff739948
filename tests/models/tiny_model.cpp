#include "tests/models/tiny_model.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/random.h"

namespace cairn::tests {
namespace {

void set_shape(TinyModel& model, const std::string& architecture) {
  const TinyShape& s = model.shape;
  const auto set = [&](const char* name, std::size_t value) {
    model.metadata.set(architecture + "." + name, static_cast<std::uint32_t>(value));
  };
  model.metadata.set("general.architecture", architecture);
  set("block_count", s.layers);
  set("context_length", 512);
  set("embedding_length", s.width);
  set("feed_forward_length", s.hidden);
  set("attention.head_count", s.heads);
  set("attention.head_count_kv", s.kv_heads);
  set("attention.key_length", s.head_dim);
  set("attention.value_length", s.head_dim);
  model.metadata.set(architecture + ".attention.layer_norm_rms_epsilon", 1e-5f);
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < s.tokens; ++i) tokens.push_back(fmt::format("t{}", i));
  model.metadata.set("tokenizer.ggml.tokens", formats::array_of(tokens));
}

void add_layer(TinyModel& model, std::size_t layer) {
  const TinyShape s = model.shape;
  const auto name = [&](const char* part) { return fmt::format("blk.{}.{}.weight", layer, part); };
  const std::size_t q_rows = s.heads * s.head_dim;
  const std::size_t kv_rows = s.kv_heads * s.head_dim;
  model.add(name("attn_norm"), {s.width}, 0.2f, 1);
  model.add(name("attn_q"), {s.width, q_rows}, 0.2f);
  model.add(name("attn_k"), {s.width, kv_rows}, 0.2f);
  model.add(name("attn_v"), {s.width, kv_rows}, 0.2f);
  model.add(name("attn_output"), {q_rows, s.width}, 0.2f);
  model.add(name("ffn_norm"), {s.width}, 0.2f, 1);
  model.add(name("ffn_gate"), {s.width, s.hidden}, 0.2f);
  model.add(name("ffn_up"), {s.width, s.hidden}, 0.2f);
  model.add(name("ffn_down"), {s.hidden, s.width}, 0.2f);
}

TinyModel tiny_model(const TinyShape& shape, const std::string& architecture) {
  TinyModel model;
  model.shape = shape;
  set_shape(model, architecture);
  model.add("token_embd.weight", {shape.width, shape.embedding_rows}, 1);
  model.add("output_norm.weight", {shape.width}, 0.2f, 1);
  for (std::size_t layer = 0; layer < shape.layers; ++layer) add_layer(model, layer);
  return model;
}

std::vector<std::byte> encode(const TinyTensor& tensor) {
  const ElementTypeInfo& type = info(tensor.type);
  std::vector<std::byte> bytes(bytes_of(tensor.type, tensor.values.size()));
  if (type.encode != nullptr) {
    type.encode(tensor.values.data(), tensor.values.size(), bytes.data());
  } else {
    CAIRN_CHECK(tensor.type == ElementType::kF32);
    std::ranges::copy(std::as_bytes(std::span(tensor.values)), bytes.begin());
  }
  return bytes;
}

}  // namespace

TinyTensor& TinyModel::tensor(std::string_view name) {
  const auto found = std::ranges::find(tensors, name, &TinyTensor::name);
  CAIRN_CHECK(found != tensors.end());
  return *found;
}

void TinyModel::remove(std::string_view name) {
  std::erase_if(tensors, [&](const TinyTensor& tensor) { return tensor.name == name; });
}

void TinyModel::add(std::string name, std::vector<std::uint64_t> dims, float spread, float middle) {
  TinyTensor tensor{.name = std::move(name), .shape = std::move(dims)};
  std::uint64_t values = 1;
  for (const std::uint64_t dim : tensor.shape) values *= dim;
  ++seed_;
  for (std::uint64_t i = 0; i < values; ++i) {
    const auto unit = static_cast<float>(random_unit(seed_, 0, i));
    tensor.values.push_back(middle + spread * (2 * unit - 1));
  }
  tensors.push_back(std::move(tensor));
}

std::vector<std::byte> TinyModel::bytes() const {
  formats::GgufWriter writer;
  for (const std::string_view key : metadata.keys()) writer.set(key, *metadata.find(key));
  for (const TinyTensor& tensor : tensors) {
    writer.add_tensor(tensor.name, tensor.type, tensor.shape, encode(tensor));
  }
  return writer.bytes();
}

TinyModel tiny_llama(const TinyShape& shape) { return tiny_model(shape, "llama"); }

TinyModel tiny_gemma3(const TinyShape& shape) {
  TinyModel model = tiny_model(shape, "gemma3");
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    const auto name = [&](const char* part) {
      return fmt::format("blk.{}.{}.weight", layer, part);
    };
    model.add(name("attn_q_norm"), {shape.head_dim}, 0.2f, 1);
    model.add(name("attn_k_norm"), {shape.head_dim}, 0.2f, 1);
    model.add(name("post_attention_norm"), {shape.width}, 0.2f, 1);
    model.add(name("post_ffw_norm"), {shape.width}, 0.2f, 1);
  }
  model.metadata.set("gemma3.attention.sliding_window", std::uint32_t{16});
  return model;
}

OpenModel open(const TinyModel& model) {
  OpenModel opened{.bytes = model.bytes()};
  opened.file = formats::parse_gguf(opened.bytes);
  return opened;
}

}  // namespace cairn::tests

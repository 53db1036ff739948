// Every decoder and encoder against blocks and values that other programs made (goldens*.txt).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tensor/element_type.h"

namespace cairn {
namespace {

struct Golden {
  std::string action;
  std::string type;
  std::vector<std::byte> input;
  std::vector<std::byte> output;
};

std::vector<std::byte> from_hex(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 2 <= text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<Golden> read_goldens() {
  std::vector<Golden> goldens;
  for (const char* name : {"goldens.txt", "goldens_ggml.txt"}) {
    std::ifstream file(std::string(CAIRN_SOURCE_DIR "/src/tensor/quant/") + name);
    std::string action;
    std::string type;
    std::string input;
    std::string output;
    while (file >> action >> type >> input >> output) {
      goldens.push_back({action, type, from_hex(input), from_hex(output)});
    }
  }
  return goldens;
}

std::vector<float> as_floats(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::uint32_t bits(float value) {
  std::uint32_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

/// Bit for bit, all NaNs equal.
void expect_same(const std::vector<float>& got, const std::vector<float>& want,
                 const std::string& type) {
  ASSERT_EQ(got.size(), want.size()) << type;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(got[i]) && std::isnan(want[i])) continue;
    ASSERT_EQ(bits(got[i]), bits(want[i]))
        << type << " value " << i << ": " << got[i] << " and not " << want[i];
  }
}

std::vector<float> decode(const ElementTypeInfo& type, const std::vector<std::byte>& blocks) {
  std::vector<float> values(blocks.size() / type.block_bytes * type.block_values);
  type.decode(blocks.data(), values.size(), values.data());
  return values;
}

TEST(QuantGoldensTest, EveryTypeDecodesToTheBitsOfItsReference) {
  std::set<std::string> seen;
  for (const Golden& golden : read_goldens()) {
    if (golden.action != "decode") continue;
    const ElementTypeInfo* type = find_element_type(golden.type);
    ASSERT_NE(type, nullptr) << golden.type;
    expect_same(decode(*type, golden.input), as_floats(golden.output), golden.type);
    seen.insert(golden.type);
  }
  for (const ElementTypeInfo& type : element_types()) {
    EXPECT_TRUE(seen.contains(std::string(type.name))) << type.name << " has no golden";
  }
}

TEST(QuantGoldensTest, BlocksDecodeTheSameAtAnyAlignment) {
  for (const Golden& golden : read_goldens()) {
    if (golden.action != "decode") continue;
    const ElementTypeInfo& type = *find_element_type(golden.type);
    std::vector<std::byte> shifted(golden.input.size() + 1);
    std::memcpy(shifted.data() + 1, golden.input.data(), golden.input.size());
    const std::vector<float> want = as_floats(golden.output);
    std::vector<float> got(want.size());
    type.decode(shifted.data() + 1, got.size(), got.data());
    expect_same(got, want, golden.type);
  }
}

TEST(QuantGoldensTest, EncodersWriteTheBytesOfTheirReference) {
  std::set<std::string> seen;
  for (const Golden& golden : read_goldens()) {
    if (golden.action != "encode") continue;
    const ElementTypeInfo* type = find_element_type(golden.type);
    ASSERT_NE(type, nullptr) << golden.type;
    ASSERT_NE(type->encode, nullptr) << golden.type;
    const std::vector<float> values = as_floats(golden.input);
    std::vector<std::byte> blocks(bytes_of(type->type, values.size()));
    type->encode(values.data(), values.size(), blocks.data());
    EXPECT_EQ(blocks, golden.output) << golden.type;
    seen.insert(golden.type);
  }
  EXPECT_THAT(seen, testing::ElementsAre("BF16", "F16", "Q4_0", "Q4_1", "Q4_K", "Q5_0", "Q5_1",
                                         "Q6_K", "Q8_0"));
}

}  // namespace
}  // namespace cairn

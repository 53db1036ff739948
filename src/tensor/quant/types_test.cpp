// The table of types, and single blocks computed by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "tensor/element_type.h"
#include "tensor/quant/mxfp4.h"
#include "tensor/quant/nvfp4.h"

namespace cairn {
namespace {

/// A block built byte by byte.
class Block {
 public:
  Block& byte(unsigned value, std::size_t times = 1) {
    bytes_.insert(bytes_.end(), times, static_cast<std::byte>(value));
    return *this;
  }
  Block& word(unsigned value) { return byte(value & 255).byte(value >> 8); }
  Block& zeros_to(std::size_t size) {
    bytes_.resize(size);
    return *this;
  }
  /// Nibbles 0 to 15 in the low halves and 0 to 15 in the high halves.
  Block& nibbles() {
    for (unsigned i = 0; i < 16; ++i) byte(i | i << 4);
    return *this;
  }

  std::vector<float> decode(ElementType type) const {
    const ElementTypeInfo& row = info(type);
    EXPECT_EQ(bytes_.size() % row.block_bytes, 0u) << row.name;
    std::vector<float> out(bytes_.size() / row.block_bytes * row.block_values);
    row.decode(bytes_.data(), out.size(), out.data());
    return out;
  }

 private:
  std::vector<std::byte> bytes_;
};

constexpr unsigned kHalf = 0x3800;  // 0.5 as f16
constexpr unsigned kOne = 0x3C00;
constexpr unsigned kTwo = 0x4000;
constexpr unsigned kMinusFour = 0xC400;

std::vector<float> twice_0_to_15(float scale, float plus) {
  std::vector<float> values;
  for (int i = 0; i < 32; ++i) values.push_back(scale * static_cast<float>(i % 16) + plus);
  return values;
}

// G18: the header size of a sibling type shifts every nibble and leaves the shape right.
TEST(ElementTypeTest, OneBlockOfEachSmallTypeHasTheValuesComputedByHand) {
  EXPECT_EQ(Block().word(kHalf).nibbles().decode(ElementType::kQ4_0), twice_0_to_15(0.5f, -4.0f));
  EXPECT_EQ(Block().word(kHalf).word(kMinusFour).nibbles().decode(ElementType::kQ4_1),
            twice_0_to_15(0.5f, -4.0f));
  // The fifth bit is set for the upper half only, so that 16 is taken off the lower half.
  std::vector<float> expected = twice_0_to_15(2.0f, -32.0f);
  for (std::size_t i = 16; i < 32; ++i) expected[i] += 32.0f;
  EXPECT_EQ(Block().word(kTwo).word(0).word(0xFFFF).nibbles().decode(ElementType::kQ5_0), expected);
  expected = twice_0_to_15(2.0f, -4.0f);
  for (std::size_t i = 16; i < 32; ++i) expected[i] += 32.0f;
  EXPECT_EQ(
      Block().word(kTwo).word(kMinusFour).word(0).word(0xFFFF).nibbles().decode(ElementType::kQ5_1),
      expected);
}

TEST(ElementTypeTest, Q8_0HoldsSignedBytes) {
  Block block;
  block.word(kHalf);
  for (unsigned i = 0; i < 32; ++i) block.byte(i < 16 ? i : 256 - i);
  const std::vector<float> values = block.decode(ElementType::kQ8_0);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(values[i], (i < 16 ? 0.5f : -0.5f) * static_cast<float>(i)) << i;
  }
}

TEST(ElementTypeTest, IQ4_NLLooksNibblesUp) {
  const std::vector<float> values = Block().word(kTwo).nibbles().decode(ElementType::kIQ4_NL);
  const float expected[] = {-254, -208, -166, -130, -98, -70, -44, -20,
                            2,    26,   50,   76,   106, 138, 178, 226};
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], expected[i % 16]) << i;
}

TEST(ElementTypeTest, MXFP4AndNVFP4HoldFourBitFloats) {
  const float expected[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6};
  const std::vector<float> mx = Block().byte(128).nibbles().decode(ElementType::kMXFP4);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(mx[i], 2.0f * expected[i % 16]) << i;

  Block block;
  block.byte(0x38).byte(0x40).byte(0x34).byte(0x7E);  // 1, 2, 0.75, 448
  block.nibbles().nibbles();
  const std::vector<float> nv = block.decode(ElementType::kNVFP4);
  const float scales[] = {1.0f, 2.0f, 0.75f, 448.0f};
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t in_group = i % 16 % 8 + i / 16 % 2 * 8;
    EXPECT_EQ(nv[i], scales[i / 16] * expected[in_group]) << i;
  }
}

TEST(ElementTypeTest, ScalesOfFourBitFloatsReachTheirEnds) {
  EXPECT_EQ(tensor::mxfp4_half_scale(0), 0x1p-128f);
  EXPECT_EQ(tensor::mxfp4_half_scale(1), 0x1p-127f);
  EXPECT_EQ(tensor::mxfp4_half_scale(2), 0x1p-126f);
  EXPECT_EQ(tensor::mxfp4_half_scale(255), 0x1p127f);
  EXPECT_EQ(tensor::nvfp4_half_scale(0), 0.0f);
  EXPECT_EQ(tensor::nvfp4_half_scale(1), 0x1p-10f);
  EXPECT_EQ(tensor::nvfp4_half_scale(0x38), 0.5f);
  EXPECT_EQ(tensor::nvfp4_half_scale(0x7E), 224.0f);
  EXPECT_EQ(tensor::nvfp4_half_scale(0x7F), 0.0f);
}

TEST(ElementTypeTest, OneAndTwoBitTypesHaveTheValuesComputedByHand) {
  const std::vector<float> one =
      Block().word(kTwo).byte(0b10100101).zeros_to(18).decode(ElementType::kQ1_0);
  const float bits[] = {2, -2, 2, -2, -2, 2, -2, 2, -2};
  for (std::size_t i = 0; i < std::size(bits); ++i) EXPECT_EQ(one[i], bits[i]) << i;
  const std::vector<float> two =
      Block().word(kTwo).byte(0b11100100).zeros_to(18).decode(ElementType::kQ2_0);
  const float pairs[] = {-2, 0, 2, 4, -2};
  for (std::size_t i = 0; i < std::size(pairs); ++i) EXPECT_EQ(two[i], pairs[i]) << i;
}

TEST(ElementTypeTest, Q2_KTakesMinimumsOff) {
  // Scale 3 and minimum 2 in every group; all values 2: 0.5 * 3 * 2 - 2 * 2.
  const std::vector<float> values =
      Block().byte(0x23, 16).byte(0b10101010, 64).word(kHalf).word(kTwo).decode(ElementType::kQ2_K);
  EXPECT_EQ(values, std::vector<float>(256, -1.0f));
}

TEST(ElementTypeTest, Q3_KCountsAClearThirdBitAsMinusFour) {
  // Scales 33 - 32; values 2 with the third bit clear: 2 - 4, and set: 2.
  Block block;
  block.byte(0x0F, 32).byte(0b10101010, 64).byte(0x11, 8).byte(0xAA, 4).word(kTwo);
  const std::vector<float> values = block.decode(ElementType::kQ3_K);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(values[i], i < 128 ? 4.0f : -4.0f) << i;
}

/// Block `b` of a Q4_K tensor: d = b + 1, every scale 1, no minimum, every nibble b + 1.
void add_q4_k(Block& block, unsigned b) {
  const unsigned scales[] = {kOne, kTwo, 0x4200};
  block.word(scales[b]).word(0).byte(1, 4).byte(0, 4).byte(1, 4).byte((b + 1) * 0x11, 128);
}

/// The same for Q6_K; its values are q - 32.
void add_q6_k(Block& block, unsigned b) {
  const unsigned scales[] = {kOne, kTwo, 0x4200};
  block.byte((b + 1) * 0x11, 128).byte(0b10101010, 64).byte(1, 16).word(scales[b]);
}

// G31: block sizes shifted by one type leave the first block right and the rest out of phase.
TEST(ElementTypeTest, ThreeKBlocksInARowStayInPhase) {
  Block q4;
  Block q6;
  for (unsigned b = 0; b < 3; ++b) add_q4_k(q4, b);
  for (unsigned b = 0; b < 3; ++b) add_q6_k(q6, b);
  std::vector<float> expected;
  for (const float value : {1.0f, 4.0f, 9.0f}) expected.insert(expected.end(), 256, value);
  EXPECT_EQ(q4.decode(ElementType::kQ4_K), expected);
  EXPECT_EQ(q6.decode(ElementType::kQ6_K), expected);
}

TEST(ElementTypeTest, TheTableIsAscendingAndItsNamesAreUnique) {
  const auto types = element_types();
  EXPECT_EQ(types.size(), 33u);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ElementTypeInfo& row = types[i];
    EXPECT_TRUE(i == 0 || types[i - 1].type < row.type);
    EXPECT_EQ(find_element_type(row.name), &row);
    EXPECT_EQ(find_element_type(static_cast<std::uint32_t>(row.type)), &row);
    EXPECT_EQ(&info(row.type), &row);
    EXPECT_NE(row.decode, nullptr);
  }
}

TEST(ElementTypeTest, TypesThatHoldActivationsAreRefusedByName) {
  EXPECT_EQ(find_element_type(9u), nullptr);
  EXPECT_EQ(find_element_type(15u), nullptr);
  EXPECT_TRUE(refused_element_type(9).starts_with("Q8_1"));
  EXPECT_TRUE(refused_element_type(15).starts_with("Q8_K"));
  EXPECT_TRUE(refused_element_type(12).empty());
  EXPECT_TRUE(refused_element_type(43).empty());
}

TEST(ElementTypeTest, BytesAreCountedInWholeBlocks) {
  EXPECT_EQ(bytes_of(ElementType::kQ4_1, 64), 40u);
  EXPECT_EQ(bytes_of(ElementType::kQ6_K, 512), 420u);
  EXPECT_EQ(bytes_of(ElementType::kF64, 3), 24u);
}

TEST(ElementTypeTest, EncodedValuesDecodeToTheNearestLevel) {
  for (const ElementTypeInfo& type : element_types()) {
    if (type.encode == nullptr) continue;
    std::vector<float> values(256);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(random_unit(1, 2, i)) * 4.0f - 2.0f;
    }
    std::vector<std::byte> blocks(bytes_of(type.type, values.size()));
    type.encode(values.data(), values.size(), blocks.data());
    std::vector<float> back(values.size());
    type.decode(blocks.data(), back.size(), back.data());
    // Values span 4; the coarsest types have 15 steps, and the farthest level can be half a step
    // further away where one end has a level less.
    // With five bits it is 30 steps, with six 62; a K format's scales are rounded too.
    float step = 4.0f / 200.0f;
    if (type.name.starts_with("Q4")) step = 4.0f / 14.0f;
    if (type.name.starts_with("Q5")) step = 4.0f / 30.0f;
    if (type.name.starts_with("Q6")) step = 4.0f / 62.0f;
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(back[i], values[i], step) << type.name << " " << i;
    }
  }
}

TEST(ElementTypeTest, ValuesThatAreNotFiniteAreEncodedWithoutUndefinedBehaviour) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float odd : {infinity, -infinity, std::nanf(""), 3.4e38f, -3.4e38f, 1e-45f}) {
    for (const ElementTypeInfo& type : element_types()) {
      if (type.encode == nullptr) continue;
      std::vector<float> values(256, 1.0f);
      values[3] = odd;
      values[40] = -odd;
      std::vector<std::byte> blocks(bytes_of(type.type, values.size()));
      type.encode(values.data(), values.size(), blocks.data());
      std::vector<float> back(values.size());
      type.decode(blocks.data(), back.size(), back.data());
    }
  }
}

TEST(ElementTypeTest, AnyBytesAreDecoded) {
  for (const ElementTypeInfo& type : element_types()) {
    std::vector<std::byte> blocks(std::size_t{64} * type.block_bytes);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i] = static_cast<std::byte>(random_bits(7, 0, i) & 255);
    }
    std::vector<float> out(std::size_t{64} * type.block_values);
    type.decode(blocks.data(), out.size(), out.data());
  }
}

}  // namespace
}  // namespace cairn

// Packing keeps every number: what is read back from a packed matrix has the bits of the format's
// own decode, for every format, and costs no more memory than promised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/cpu/packed_matrix.h"

namespace cairn::kernels {
namespace {

std::vector<std::byte> random_bytes(std::size_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(random_bits(seed, 0, i) & 0xFF);
  }
  return bytes;
}

bool same(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::vector<ElementType> weight_types() {
  std::vector<ElementType> types = {ElementType::kF32, ElementType::kF16, ElementType::kBF16};
  for (const PackedFormat& format : packed_formats()) types.push_back(format.type);
  return types;
}

std::string name_of(const testing::TestParamInfo<ElementType>& test) {
  return std::string(info(test.param).name);
}

class PackTest : public testing::TestWithParam<ElementType> {};

TEST_P(PackTest, DecodesToTheBitsOfTheFormat) {
  const ElementTypeInfo& type = info(GetParam());
  Team team(2);
  for (const std::size_t rows : {1, 15, 16, 17, 40}) {
    const std::size_t cols = 3 * std::max<std::size_t>(type.block_values, 5);
    const std::size_t row_bytes = cols / type.block_values * type.block_bytes;
    const std::vector<std::byte> bytes = random_bytes(rows * row_bytes, rows);
    const std::vector<WeightSegment> segments = {{type.type, rows, cols, bytes}};
    auto packed = CpuMatrix::create(segments, team);
    ASSERT_TRUE(packed.ok()) << packed.status().message();
    const auto& matrix = static_cast<const CpuMatrix&>(**packed);
    std::vector<float> expected(cols);
    std::vector<float> actual(cols);
    for (std::size_t r = 0; r < rows; ++r) {
      type.decode(bytes.data() + r * row_bytes, cols, expected.data());
      decode_row(matrix.segments()[0], r, actual.data());
      for (std::size_t k = 0; k < cols; ++k) {
        ASSERT_TRUE(same(actual[k], expected[k]))
            << type.name << " row " << r << " value " << k << ": " << actual[k] << ", expected "
            << expected[k];
      }
    }
  }
}

TEST_P(PackTest, GrowsByLittle) {
  const ElementTypeInfo& type = info(GetParam());
  const PackedFormat* format = find_packed_format(type.type);
  if (format == nullptr) GTEST_SKIP() << "floats are kept as they are";
  EXPECT_EQ(format->block_values, type.block_values);
  const std::size_t source = std::size_t{16} * type.block_bytes;
  const std::size_t percent = type.type == ElementType::kTQ1_0 ? 25 : 5;
  EXPECT_LE(format->block_bytes * 100, source * (100 + percent)) << type.name;
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, PackTest, testing::ValuesIn(weight_types()), name_of);

TEST(PackTest, CoversEveryTypeThatCanBeAWeightOfAProjection) {
  for (const ElementTypeInfo& row : element_types()) {
    const bool integer = row.type == ElementType::kI8 || row.type == ElementType::kI16 ||
                         row.type == ElementType::kI32 || row.type == ElementType::kI64 ||
                         row.type == ElementType::kF64;
    if (integer) continue;
    EXPECT_THAT(weight_types(), testing::Contains(row.type)) << row.name;
  }
}

TEST(PackTest, RefusesIntegersByName) {
  Team team(1);
  const std::vector<std::byte> bytes(32);
  const std::vector<WeightSegment> segments = {{ElementType::kI8, 1, 32, bytes}};
  const Status status = CpuMatrix::create(segments, team).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), testing::HasSubstr("I8"));
}

TEST(PackTest, RefusesSegmentsThatDoNotFitTogether) {
  Team team(1);
  const std::vector<std::byte> bytes(18UL * 2);
  const std::vector<WeightSegment> different = {{ElementType::kQ4_0, 1, 64, bytes},
                                                {ElementType::kQ4_0, 2, 32, bytes}};
  EXPECT_EQ(CpuMatrix::create(different, team).status().code(), StatusCode::kInvalidArgument);
  const std::vector<WeightSegment> short_bytes = {{ElementType::kQ4_0, 3, 32, bytes}};
  EXPECT_EQ(CpuMatrix::create(short_bytes, team).status().code(), StatusCode::kInvalidArgument);
  const std::vector<WeightSegment> half_block = {{ElementType::kQ4_0, 2, 33, bytes}};
  EXPECT_EQ(CpuMatrix::create(half_block, team).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(CpuMatrix::create({}, team).status().code(), StatusCode::kInvalidArgument);
}

TEST(PackTest, StatesItsSizeBeforehand) {
  Team team(1);
  const std::vector<std::byte> bytes(18UL * 2 * 17);
  const std::vector<WeightSegment> segments = {{ElementType::kQ4_0, 17, 64, bytes}};
  auto packed = CpuMatrix::create(segments, team);
  ASSERT_TRUE(packed.ok());
  const Result<std::size_t> bound = CpuMatrix::bytes_bound(segments);
  ASSERT_TRUE(bound.ok()) << bound.status().message();
  EXPECT_EQ(*bound, (*packed)->packed_bytes());
  EXPECT_EQ((*packed)->source_bytes(), bytes.size());
}

TEST(PackTest, TheBoundRefusesWhatPackingWouldRefuse) {
  const WeightSegment ragged = {.type = ElementType::kQ4_0, .rows = 16, .cols = 33};
  EXPECT_EQ(CpuMatrix::bytes_bound({&ragged, 1}).status().code(), StatusCode::kInvalidArgument);
  const WeightSegment wide = {.type = ElementType::kF32, .rows = 1, .cols = std::size_t{1} << 60};
  EXPECT_EQ(CpuMatrix::bytes_bound({&wide, 1}).status().code(), StatusCode::kTooLarge);
  const WeightSegment tall = {
      .type = ElementType::kF32, .rows = std::size_t{1} << 60, .cols = std::size_t{1} << 20};
  EXPECT_EQ(CpuMatrix::bytes_bound({&tall, 1}).status().code(), StatusCode::kTooLarge);
}

}  // namespace
}  // namespace cairn::kernels

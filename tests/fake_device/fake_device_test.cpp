#include "tests/fake_device/fake_device.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace cairn::testing {
namespace {

using kernels::Device;

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(FakeDeviceDeathTest, EndsTheProgramThatFollowsItsAddresses) {
  auto device = create_fake_device().value();
  auto buffer = device->allocate(64).value();
  const volatile std::byte* address = buffer->address();
  EXPECT_DEATH(static_cast<void>(*address), "");
}

TEST(FakeDeviceTest, GivesBackWhatWasUploadedAndStartsWithZeros) {
  auto device = create_fake_device().value();
  auto buffer = device->allocate(16).value();
  std::vector<std::byte> out(16, std::byte{7});
  device->download(out, buffer->address());
  EXPECT_EQ(out, std::vector<std::byte>(16));
  const std::vector<std::byte> in(16, std::byte{3});
  device->upload(buffer->address(), in);
  device->download(out, buffer->address());
  EXPECT_EQ(out, in);
}

TEST(FakeDeviceTest, RunsOpsOnItsMemory) {
  auto device = create_fake_device().value();
  const std::vector<std::byte> weight = bytes_of({1, 2, 3, 4});
  const std::vector<kernels::WeightSegment> segments = {{ElementType::kF32, 2, 2, weight}};
  auto packed = device->pack(segments).value();
  ASSERT_TRUE(device->reserve_scratch(4, 16).ok());
  auto x = device->allocate(2 * sizeof(float)).value();
  auto y = device->allocate(2 * sizeof(float)).value();
  device->upload(x->address(), bytes_of({10, 100}));
  kernels::Project op;
  op.x = {reinterpret_cast<const float*>(x->address()), 1, 2, 2};
  op.weight = packed.get();
  op.out = {reinterpret_cast<float*>(y->address()), 1, 2, 2};
  device->run([&](kernels::Ops& ops) { ops.project(op); });
  std::vector<std::byte> out(2 * sizeof(float));
  device->download(out, y->address());
  EXPECT_EQ(out, bytes_of({210, 430}));
}

}  // namespace
}  // namespace cairn::testing

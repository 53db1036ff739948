#include "base/sha256.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>

namespace cairn {
namespace {

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST(Sha256Test, EqualsThePublishedExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesHashLikeTheWholeAndHexMayBeAskedInBetween) {
  const std::string text = "abc";
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  Sha256 hash;
  hash.update(bytes.first(1));
  EXPECT_EQ(hash.hex(), sha256_hex("a"));
  hash.update(bytes.subspan(1));
  EXPECT_EQ(hash.hex(), sha256_hex("abc"));
  EXPECT_EQ(hash.digest()[0], std::byte{0xba});
}

}  // namespace
}  // namespace cairn

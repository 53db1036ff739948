// One program on processors that this machine is not: the same ids under an emulator of them (Y02).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

constexpr const char* kRun = " --raw -p \"The sky\" -n 2 --threads 1 --json";

/// Standard error is not looked at: the emulator says there which features it lacks.
nlohmann::json run(Program& program, const std::string& before, const std::string& more = "") {
  const Said said = program.run("run " + smollm2() + kRun + more, before);
  EXPECT_EQ(said.code, 0) << said.err;
  return nlohmann::json::parse(said.out, nullptr, false);
}

class EmulatedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (program_.run("--version", "qemu-x86_64-static").code != 0) {
      GTEST_SKIP() << "qemu-x86_64-static (Debian package qemu-user-static) is not here";
    }
  }
  Program program_;
};

TEST_F(EmulatedTest, RunsThePortableTierWithTheSameIdsOnAProcessorWithoutAvx) {
  const nlohmann::json here = run(program_, "");
  const nlohmann::json old = run(program_, "qemu-x86_64-static -cpu Nehalem");
  EXPECT_EQ(old["figures"]["isa"], "portable");
  EXPECT_EQ(old["ids"], here["ids"]);
  EXPECT_EQ(old["figures"]["output_hash"], here["figures"]["output_hash"]);
}

TEST_F(EmulatedTest, RunsTheAvx2TierWithTheSameIdsOnAProcessorWithoutAvx512) {
  const nlohmann::json here = run(program_, "");
  const nlohmann::json haswell = run(program_, "qemu-x86_64-static -cpu max");
  EXPECT_EQ(haswell["figures"]["isa"], "avx2");
  EXPECT_EQ(haswell["ids"], here["ids"]);
}

TEST_F(EmulatedTest, RefusesATierThatTheProcessorLacksAndNamesIt) {
  const Said said =
      program_.run("run " + smollm2() + kRun + " --isa avx2", "qemu-x86_64-static -cpu Nehalem");
  EXPECT_NE(said.code, 0);
  EXPECT_NE(said.err.find("this processor cannot run avx2"), std::string::npos) << said.err;
}

}  // namespace
}  // namespace cairn::cli_test

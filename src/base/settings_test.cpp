#include "base/settings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {
namespace {

struct PlantedSettings {
  std::uint64_t step_tokens = 512;
  std::int64_t bias = -3;
  double temperature = 0.5;
  bool verbose = false;
  std::string device = "auto";
  std::optional<std::uint64_t> ctx;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "step-tokens",
             .unit = "tokens",
             .min = 1,
             .max = 65536,
             .effect = Effect::kSpeed,
             .sentence = "Most tokens in one step."},
            self.step_tokens);
    visitor({.name = "bias", .sentence = "Added."}, self.bias);
    visitor({.name = "temperature", .min = 0, .sentence = "How even the draw is."},
            self.temperature);
    visitor({.name = "verbose", .effect = Effect::kSurface, .sentence = "Says more."},
            self.verbose);
    visitor({.name = "device", .choices = "auto|cpu", .sentence = "Where it runs."}, self.device);
    visitor({.name = "ctx", .unit = "tokens", .min = 1, .sentence = "Longest text."}, self.ctx);
  }
};

class SettingsTest : public ::testing::Test {
 protected:
  Status set(std::string_view name, std::string_view value) {
    return set_setting(settings_, origins_,
                       {.name = name, .value = value, .origin = Origin::kEnvironment});
  }
  std::string message(std::string_view name, std::string_view value) {
    return set(name, value).message();
  }

  PlantedSettings settings_;
  SettingOrigins origins_;
};

TEST_F(SettingsTest, AValueInRangeIsStoredWithItsOrigin) {
  ASSERT_TRUE(set("step-tokens", "64").ok());
  ASSERT_TRUE(set("bias", "-9").ok());
  ASSERT_TRUE(set("temperature", "1.25").ok());
  ASSERT_TRUE(set("verbose", "on").ok());
  ASSERT_TRUE(set("device", "cpu").ok());
  ASSERT_TRUE(set("ctx", "4096").ok());
  EXPECT_EQ(settings_.step_tokens, 64U);
  EXPECT_EQ(settings_.bias, -9);
  EXPECT_EQ(settings_.temperature, 1.25);
  EXPECT_TRUE(settings_.verbose);
  EXPECT_EQ(settings_.device, "cpu");
  EXPECT_EQ(settings_.ctx, 4096U);
  EXPECT_EQ(origins_.of("ctx"), Origin::kEnvironment);
  ASSERT_TRUE(set("ctx", "auto").ok());
  EXPECT_EQ(settings_.ctx, std::nullopt);
}

TEST_F(SettingsTest, ARefusedValueChangesNothingAndSaysWhatIsAccepted) {
  EXPECT_EQ(message("step-tokens", "0"),
            "CAIRN_STEP_TOKENS: found \"0\", expected a whole number of tokens, 1 to "
            "65536");
  for (const std::string_view value :
       {"", "-1", "1e3", "70000", "12x", " 12", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(set("step-tokens", value).code(), StatusCode::kInvalidArgument) << value;
  }
  for (const std::string_view value : {"nan", "inf", "-0.1", "1,5", ""}) {
    EXPECT_EQ(set("temperature", value).code(), StatusCode::kInvalidArgument) << value;
  }
  EXPECT_NE(message("device", "gpu").find("one of auto|cpu"), std::string::npos);
  EXPECT_NE(message("device", "auto|cpu").find("one of"), std::string::npos);
  EXPECT_NE(message("verbose", "yes please").find("on, true"), std::string::npos);
  EXPECT_EQ(settings_.step_tokens, 512U);
  EXPECT_EQ(origins_.of("step-tokens"), Origin::kDefault);
}

TEST_F(SettingsTest, AnUnknownNameIsAnError) {
  EXPECT_EQ(set("step_tokens", "1").code(), StatusCode::kInvalidArgument);
  EXPECT_NE(message("step_tokens", "1").find("did you mean 'step-tokens'"), std::string::npos);
  EXPECT_NE(message("colour", "1").find("\"colour\""), std::string::npos);
}

TEST_F(SettingsTest, AnErrorNamesTheSettingAsItsSourceWritesIt) {
  const auto from = [&](Origin origin) {
    const SettingText text = {.name = "step-tokens", .value = "0", .origin = origin};
    return set_setting(settings_, origins_, text).message();
  };
  EXPECT_TRUE(from(Origin::kFlag).starts_with("--step-tokens: found"));
  EXPECT_TRUE(from(Origin::kFile).starts_with("step-tokens: found"));
}

TEST_F(SettingsTest, TheListShowsDefaultValueRangeAndOrigin) {
  ASSERT_TRUE(set("temperature", "0.7").ok());
  const auto rows = list_settings(settings_, origins_);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].range, "1 to 65536");
  EXPECT_EQ(rows[0].type, "whole number");
  EXPECT_EQ(rows[2].default_text, "0.5");
  EXPECT_EQ(rows[2].value, "0.7");
  EXPECT_EQ(rows[2].origin, Origin::kEnvironment);
  EXPECT_EQ(rows[2].range, "at least 0");
  EXPECT_EQ(rows[5].default_text, "auto");
  EXPECT_EQ(rows[5].type, "whole number");
  const std::string page = settings_table(rows);
  EXPECT_NE(page.find("| `--step-tokens` | `CAIRN_STEP_TOKENS` | whole number, tokens | 1 to 65536 "
                      "| 512 | speed | Most tokens in one step. |\n"),
            std::string::npos);
  EXPECT_NE(page.find("auto\\|cpu"), std::string::npos);
}

TEST_F(SettingsTest, AConfigFileIsLinesOfNameAndValue) {
  const auto values = parse_settings_file("# mine\n\nctx = 10 # short\r\n device=cpu");
  ASSERT_TRUE(values.ok());
  ASSERT_EQ(values->size(), 2U);
  EXPECT_EQ((*values)[0].name, "ctx");
  EXPECT_EQ((*values)[0].value, "10");
  EXPECT_EQ((*values)[1].value, "cpu");
  EXPECT_EQ((*values)[1].origin, Origin::kFile);
  EXPECT_NE(parse_settings_file("a = 1\nctx 10").status().message().find("line 2"),
            std::string::npos);
  EXPECT_FALSE(parse_settings_file("= 10").ok());
}

}  // namespace
}  // namespace cairn

#include "runtime/store/gguf_group.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::runtime {
namespace {

std::vector<GgufGroup> groups_of(const std::vector<std::string>& paths) {
  std::vector<NamedFile> files;
  for (const std::string& path : paths) files.push_back({.path = path, .bytes = 10});
  return group_gguf_files(files);
}

// G22: every part of a split model was listed, and the second one was picked.
TEST(GgufGroupTest, PartsOfASplitModelAreOneModelInOrder) {
  const auto groups = groups_of({"d/m-00002-of-00003.gguf", "d/m-00001-of-00003.gguf", "m.gguf",
                                 "d/m-00003-of-00003.gguf", "readme.md"});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].stem, "d/m");
  EXPECT_EQ(groups[0].parts, 3U);
  EXPECT_EQ(groups[0].bytes(), 30U);
  EXPECT_EQ(groups[0].files[0].path, "d/m-00001-of-00003.gguf");
  EXPECT_TRUE(groups[0].missing().empty());
  EXPECT_EQ(groups[1].stem, "m");
}

TEST(GgufGroupTest, AnExtensionInCapitalsIsAnotherModel) {
  EXPECT_EQ(groups_of({"m.gguf", "m.GGUF"}).size(), 2U);
}

TEST(GgufGroupTest, MissingPartsAreNumbered) {
  const auto groups = groups_of({"m-00002-of-00004.gguf", "m-00004-of-00004.gguf"});
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].missing(), (std::vector<std::uint64_t>{1, 3}));
}

TEST(GgufGroupTest, NamesThatOnlyLookLikePartsAreWhole) {
  EXPECT_EQ(parse_gguf_name("m-00004-of-00003.gguf").stem, "m-00004-of-00003");
  EXPECT_EQ(parse_gguf_name("m-00000-of-00003.gguf").stem, "m-00000-of-00003");
  EXPECT_EQ(parse_gguf_name("m-0001-of-0003.gguf").parts, 1U);
  EXPECT_EQ(parse_gguf_name("m-00001-of-00003.GGUF").parts, 3U);
  EXPECT_EQ(parse_gguf_name("m.gguf.part").stem, "");
  EXPECT_EQ(parse_gguf_name(".gguf").stem, "");
}

TEST(GgufGroupTest, ProjectorsAreNoModels) {
  EXPECT_EQ(groups_of({"mmproj-F16.gguf", "m-Q4_0.gguf"}).size(), 1U);
}

TEST(GgufGroupTest, ATagIsTheEndOfTheNameInAnyCase) {
  const auto groups =
      groups_of({"M-Q4_0.gguf", "M-Q4_K_M.gguf", "M.q8_0.gguf", "M-UD-Q4_K_M.gguf"});
  EXPECT_EQ(*select_group(groups, "q4_0", "r"), 0U);
  EXPECT_EQ(*select_group(groups, "Q8_0", "r"), 3U);
  EXPECT_EQ(*select_group(groups, "M-Q4_K_M", "r"), 1U);
  EXPECT_EQ(*select_group(groups, "M-Q4_K_M.gguf", "r"), 1U);
  EXPECT_EQ(*select_group(groups, "UD-Q4_K_M", "r"), 2U);
  EXPECT_EQ(select_group(groups, "4_0", "r").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(select_group(groups, "Q4_K_M", "r").status().code(), StatusCode::kInvalidArgument);
}

TEST(GgufGroupTest, WithoutATagTheOnlyModelIsMeantAndSeveralAreListed) {
  EXPECT_EQ(*select_group(groups_of({"M-Q4_0.gguf"}), "", "r"), 0U);
  const auto groups = groups_of({"M-Q4_0.gguf", "M-Q8_0.gguf"});
  const Status status = select_group(groups, "", "org/repo").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  for (const std::string_view part : {"org/repo", ":Q4_0", ":Q8_0", "M-Q8_0"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  }
}

TEST(GgufGroupTest, EveryTagThatIsShownChoosesItsModel) {
  const auto groups = groups_of({"M-Q4_0.gguf", "a/M-Q4_0.gguf", "N.gguf", "UD-N.gguf", "M-.gguf"});
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto found = select_group(groups, tag_of(groups, i), "r");
    ASSERT_TRUE(found.ok()) << groups[i].stem << " " << found.status().message();
    EXPECT_EQ(*found, i) << groups[i].stem;
  }
}

}  // namespace
}  // namespace cairn::runtime

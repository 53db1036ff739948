#include "runtime/text_assembler.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cairn::runtime {
namespace {

TEST(TextAssemblerTest, GivesACharacterOnceItIsWhole) {
  TextAssembler assembler;
  EXPECT_EQ(assembler.push("a\xE2"), "a");
  EXPECT_EQ(assembler.push("\x82"), "");
  EXPECT_EQ(assembler.push("\xAC!"), "\xE2\x82\xAC!");
  EXPECT_EQ(assembler.finish(), "");
}

TEST(TextAssemblerTest, GivesTheReplacementCharacterForWhatIsNone) {
  TextAssembler assembler;
  EXPECT_EQ(assembler.push("\xFFx\xF0\x9F"), "\xEF\xBF\xBDx");
  EXPECT_EQ(assembler.push("y"), "\xEF\xBF\xBDy");
  EXPECT_EQ(assembler.push("\xF0\x9F"), "");
  EXPECT_EQ(assembler.finish(), "\xEF\xBF\xBD");
}

TEST(TextAssemblerTest, GivesTheSameTextWhereverTheBytesAreCut) {
  const std::string bytes = "h\xC3\xA9\xF0\x9F\x98\x80\x80\xE2\x82z\xF4\x90\x80\x80";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    TextAssembler assembler;
    std::string text = assembler.push(std::string_view(bytes).substr(0, cut));
    text += assembler.push(std::string_view(bytes).substr(cut));
    text += assembler.finish();
    EXPECT_EQ(text, replace_invalid_utf8(bytes)) << cut;
  }
}

}  // namespace
}  // namespace cairn::runtime

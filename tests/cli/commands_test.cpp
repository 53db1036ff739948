// The commands that need no answer from a model.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "base/file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/generation_flags.h"
#include "cli/plain_command.h"
#include "cli/settings.h"
#include "tests/cli/program.h"

namespace cairn::cli_test {
namespace {

TEST(CommandsTest, EveryCommandHasHelpWithExamples) {
  Program program;
  for (const cli::CommandRow& row : cli::commands()) {
    const Said said = program.run(std::string(row.name) + " --help");
    EXPECT_EQ(said.code, 0) << row.name;
    EXPECT_NE(said.out.find("Examples:"), std::string::npos) << row.name;
    EXPECT_EQ(said.err, "") << row.name;
  }
  for (const cli::PlainCommandRow& row : cli::plain_commands()) {
    const Said said = program.run("help " + std::string(row.command));
    EXPECT_EQ(said.code, 0) << row.command;
    EXPECT_NE(said.out.find("xamples:"), std::string::npos) << row.command;
    EXPECT_EQ(said.err, "") << row.command;
  }
  EXPECT_NE(program.run("--help").out.find("inspect"), std::string::npos);
  EXPECT_EQ(program.run("--version").out, CAIRN_VERSION "\n");
}

TEST(CommandsTest, EverySettingIsOnItsReferencePage) {
  const Result<std::string> page =
      read_file(CAIRN_SOURCE_DIR "/docs/reference/settings.md", 1 << 20);
  ASSERT_TRUE(page.ok()) << page.status().message();
  EXPECT_EQ(*page, cli::settings_page()) << "run: cairn settings --markdown";
  for (const SettingRow& row : list_settings(cli::Settings(), SettingOrigins())) {
    EXPECT_NE(page->find(std::string(row.info.name)), std::string::npos) << row.info.name;
  }
}

TEST(CommandsTest, FlagsWinOverVariablesAndVariablesOverTheFile) {
  Program program;
  program.file("home/config", "# mine\ntop-k = 3\nmin-p = 0.5\nthreads = 1\n");
  const Said said = program.run("settings --json --threads 2", "CAIRN_THREADS=4 CAIRN_TOP_K=7");
  ASSERT_EQ(said.code, 0) << said.err;
  const Result<Json> rows = parse_json(said.out);
  ASSERT_TRUE(rows.ok());
  std::string seen;
  for (const Json& row : *rows) {
    if (row["origin"] == "default") continue;
    seen += row["name"].get<std::string>() + "=" + row["value"].get<std::string>() + "(" +
            row["origin"].get<std::string>() + ") ";
  }
  EXPECT_EQ(seen, "threads=2(flag) top-k=7(environment) min-p=0.5(file) ");
}

TEST(CommandsTest, CompletionScriptsAreValidAndKnowTheFlags) {
  Program program;
  const Said bash = program.run("completion bash");
  EXPECT_EQ(bash.code, 0);
  EXPECT_NE(bash.out.find("--logprobs"), std::string::npos);
  const std::string script = program.file("completion.bash", bash.out);
  EXPECT_EQ(std::system(("bash -n " + script).c_str()), 0);
  EXPECT_NE(program.run("completion fish").out.find("-l temperature"), std::string::npos);
  const std::string zsh = program.run("completion zsh").out;
  EXPECT_LT(zsh.find("compinit && compinit"), zsh.find("bashcompinit"));
}

TEST(CommandsTest, BashCompletesCommandsFlagsValuesAndModels) {
  Program program;
  program.file("home/models/mymodel.gguf", "");
  const std::string script = program.file("completion.bash", program.run("completion bash").out);
  // The last of `words` is the one that is being typed.
  const auto completed = [&](const std::string& words, int count) {
    const Said said = program.run("; cd " + program.folder() + "; exec bash -c '. " + script +
                                      "; COMP_WORDS=(" CAIRN_BINARY " " + words + "); COMP_CWORD=" +
                                      std::to_string(count) + "; _cairn; echo ${COMPREPLY[*]}'",
                                  "export CAIRN_HOME;:");
    return " " + said.out.substr(0, said.out.find('\n')) + " ";
  };
  const auto offers = [&](const std::string& words, int count, const std::string& word) {
    const std::string all = completed(words, count);
    EXPECT_NE(all.find(" " + word + " "), std::string::npos) << words << ":" << all;
  };
  for (const cli::CommandRow& row : cli::commands()) offers("\"\"", 1, std::string(row.name));
  for (const cli::PlainCommandRow& row : cli::plain_commands()) {
    offers("\"\"", 1, std::string(row.command.substr(0, row.command.find(' '))));
  }
  offers("--", 1, "--version");
  offers("run --isa \"\"", 3, "portable");
  offers("run --numerics e", 3, "exact");
  offers("run --device = c", 4, "cpu");
  EXPECT_EQ(completed("completion \"\"", 2).substr(0, 15), " bash zsh fish ");
  offers("bench \"\"", 2, "system-baseline");
  offers("receipts v", 2, "verify");
  offers("native-performance --n", 2, "--next");
  for (const char* command : {"run", "chat", "inspect", "tokenize"}) {
    offers(std::string(command) + " my", 2, "mymodel");
  }
}

TEST(CommandsTest, FeaturesSayWhatIsDetectedAndWhatIsUsed) {  // Y02, Y03
  Program program;
  const Said said = program.run("features --json");
  ASSERT_EQ(said.code, 0) << said.err;
  const Result<Json> object = parse_json(said.out);
  ASSERT_TRUE(object.ok());
  EXPECT_FALSE((*object)["features"].empty());
  EXPECT_EQ((*object)["tiers"].back()["name"], "portable");
  EXPECT_EQ((*object)["tiers"].back()["usable"], true);
}

/// The largest N of the texts `before`N in `text`, 0 without any.
int largest_minor(const std::string& text, const std::string& before) {
  int largest = 0;
  const std::regex pattern(before + "([0-9]{1,3})");
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    largest = std::max(largest, std::stoi((*at)[1].str()));
  }
  return largest;
}

TEST(CommandsTest, TheReadmeNamesTheOldestGlibcThatTheProgramStartsOn) {  // Y04
  const Result<std::string> binary = read_file(CAIRN_BINARY, std::uint64_t{1} << 30);
  const Result<std::string> readme = read_file(CAIRN_SOURCE_DIR "/README.md", 1 << 20);
  ASSERT_TRUE(binary.ok() && readme.ok());
  std::string versions;  // the binary's text between zeros that begins as a symbol version does
  for (std::size_t at = 0; (at = binary->find("GLIBC_2.", at)) != std::string::npos; ++at) {
    versions += std::string(binary->c_str() + at) + "\n";
  }
  const int needed = largest_minor(versions, "GLIBC_2\\.");
  EXPECT_GT(needed, 0);
  EXPECT_LE(needed, largest_minor(*readme, "glibc 2\\."));
}

TEST(CommandsTest, InspectAndTokenizeShowTheFile) {
  Program program;
  const Said text = program.run("inspect " + smollm2());
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("general.architecture"), std::string::npos);
  const Result<Json> object = parse_json(program.run("inspect --json " + smollm2()).out);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)["tensors"].size(), 272U);
  const Result<Json> ids =
      parse_json(program.run("tokenize " + smollm2() + " -p 'Hello world' --json").out);
  ASSERT_TRUE(ids.ok());
  EXPECT_EQ((*ids)["ids"], Json({19556, 905}));
}

TEST(CommandsTest, AnEmptyStoreSaysHowToFillIt) {
  Program program;
  EXPECT_NE(program.run("list", "HF_HUB_CACHE=/nowhere").out.find("cairn pull"), std::string::npos);
}

TEST(CommandsTest, ABiasHasFourForms) {  // P02
  EXPECT_EQ(cli::parse_bias("42=5")->bias, 5.0F);
  EXPECT_EQ(cli::parse_bias("42+5")->bias, 5.0F);
  EXPECT_EQ(cli::parse_bias("42-100")->bias, -100.0F);
  EXPECT_LT(cli::parse_bias("42-inf")->bias, -1e30F);
  EXPECT_EQ(cli::parse_bias("42-inf")->token, 42);
  for (const char* wrong : {"", "42", "=5", "42=", "42-", "4x=1", "42=1x", "-1=5"}) {
    EXPECT_EQ(cli::parse_bias(wrong).status().code(), StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace cairn::cli_test

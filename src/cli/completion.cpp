// cairn completion SHELL: made from the parser's own tree, so that it never lags behind the flags.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/plain_command.h"

namespace cairn::cli {
namespace {

std::string flags_of(const CLI::App& app) {
  std::string flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) flags += " --" + name;
    for (const std::string& name : option->get_snames()) flags += " -" + name;
  }
  return flags.empty() ? flags : flags.substr(1);
}

/// "bench" of "bench system-baseline".
std::string first_word(std::string_view command) {
  return std::string(command.substr(0, command.find(' ')));
}

/// Second words and flags that the usage texts of the plain commands of one first word name, each
/// once, in order.
std::vector<std::string> plain_words(std::string_view first) {
  std::vector<std::string> words;
  const auto add = [&](std::string word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  };
  for (const PlainCommandRow& row : plain_commands()) {
    if (first_word(row.command) != first) continue;
    if (row.command != first) add(std::string(row.command.substr(first.size() + 1)));
    const std::string start = fmt::format("NAME {} ", row.command);
    for (std::size_t at = 0; (at = row.usage.find(start, at)) != std::string_view::npos;) {
      at += start.size();
      const std::size_t end = row.usage.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at);
      if (end > at) add(std::string(row.usage.substr(at, end - at)));  // an action
    }
    for (std::size_t at = 0; (at = row.usage.find("--", at)) != std::string_view::npos;) {
      const std::size_t end = row.usage.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
      if (end > at + 2) add(std::string(row.usage.substr(at, end - at)));
      at = end;
    }
  }
  return words;
}

/// The first words of the plain commands with the summary of the first of each.
std::vector<std::pair<std::string, std::string_view>> plain_names() {
  std::vector<std::pair<std::string, std::string_view>> names;
  for (const PlainCommandRow& row : plain_commands()) {
    const std::string word = first_word(row.command);
    const bool known =
        std::ranges::any_of(names, [&](const auto& name) { return name.first == word; });
    if (!known) names.emplace_back(word, row.summary);
  }
  return names;
}

std::string command_names() {
  std::string names;
  for (const CommandRow& row : commands()) names += " " + std::string(row.name);
  for (const auto& [name, summary] : plain_names()) names += " " + name;
  return names.substr(1);
}

/// zsh runs the same function through its bashcompinit.
std::string bash_script(const CLI::App& root) {
  std::string cases;
  for (const CommandRow& row : commands()) {
    const CLI::App* child = root.get_subcommand(std::string(row.name));
    cases += fmt::format("    {}) words=\"{}\" ;;\n", row.name, flags_of(*child));
  }
  for (const auto& [name, summary] : plain_names()) {
    cases += fmt::format("    {}) words=\"{}\" ;;\n", name, fmt::join(plain_words(name), " "));
  }
  return fmt::format(
      "_cairn() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\"{}\"\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] && case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
      "  return 0\n"
      "}}\n"
      "complete -o filenames -F _cairn cairn\n",
      command_names(), cases);
}

std::string fish_script(const CLI::App& root) {
  std::string script;
  for (const CommandRow& row : commands()) {
    script += fmt::format("complete -c cairn -n __fish_use_subcommand -a {} -d '{}'\n", row.name,
                          row.summary);
    const CLI::App* child = root.get_subcommand(std::string(row.name));
    for (const CLI::Option* option : child->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += fmt::format("complete -c cairn -n '__fish_seen_subcommand_from {}' -l {}\n",
                              row.name, name);
      }
    }
  }
  for (const auto& [name, summary] : plain_names()) {
    script +=
        fmt::format("complete -c cairn -n __fish_use_subcommand -a {} -d '{}'\n", name, summary);
    for (const std::string& word : plain_words(name)) {
      const bool flag = word.starts_with("--");
      script += fmt::format("complete -c cairn -n '__fish_seen_subcommand_from {}' {} {}\n", name,
                            flag ? "-l" : "-a", flag ? word.substr(2) : word);
    }
  }
  return script;
}

class Completion final : public Command {
 public:
  void declare(CLI::App& app) override {
    root_ = app.get_parent();
    app.add_option("shell", shell_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }

  Status run(Session& session) override {
    if (shell_ == "fish") return session.out.write(fish_script(*root_));
    const std::string_view prefix =
        shell_ == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
    return session.out.write(std::string(prefix) + bash_script(*root_));
  }

 private:
  const CLI::App* root_ = nullptr;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace cairn::cli

// cairn completion SHELL: made from the parser's own tree, so that it never lags behind the flags.
#include <fmt/core.h>

#include <string>

#include "cli/command.h"

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

std::string command_names() {
  std::string names;
  for (const CommandRow& row : commands()) names += " " + std::string(row.name);
  return names.substr(1);
}

/// zsh runs the same function through its bashcompinit.
std::string bash_script(const CLI::App& root) {
  std::string cases;
  for (const CommandRow& row : commands()) {
    const CLI::App* child = root.get_subcommand(std::string(row.name));
    cases += fmt::format("    {}) words=\"{}\" ;;\n", row.name, flags_of(*child));
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

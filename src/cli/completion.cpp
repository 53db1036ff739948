// cairn completion SHELL: made from the tables of commands and settings, so that it never lags
// behind them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/completion_words.h"
#include "cli/parse_errors.h"

namespace cairn::cli {
namespace {

constexpr std::string_view kZshPrefix =
    "(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }\n"
    "autoload -U +X bashcompinit && bashcompinit\n";

std::string bash_choices() {
  std::string cases;
  for (const CompletedChoices& each : completed_choices()) {
    cases +=
        fmt::format("    --{}) words=\"{}\" files= ;;\n", each.flag, fmt::join(each.words, " "));
  }
  return cases;
}

std::string bash_commands(std::span<const CompletedCommand> commands) {
  std::string cases;
  for (const CompletedCommand& each : commands) {
    cases += fmt::format("      {}) words=\"{} {}\"", each.name, fmt::join(each.words, " "),
                         fmt::join(each.flags, " "));
    if (each.takes_model) cases += " models=1";
    if (each.name == "completion") cases += " files=";
    cases += " ;;\n";
  }
  return cases;
}

/// zsh runs the same function through its bashcompinit.
std::string bash_script(const CLI::App& root) {
  const std::vector<CompletedCommand> commands = completed_commands(root);
  std::string names;
  for (const CompletedCommand& each : commands) names += each.name + " ";
  return fmt::format(
      "_cairn() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local words= files=1 models=\n"
      "  [ \"$before\" = \"=\" ] && before=${{COMP_WORDS[COMP_CWORD-2]}}\n"
      "  [ \"$word\" = \"=\" ] && word=\n"
      "  case $before in\n{}"
      "    *) case ${{COMP_WORDS[1]}} in\n{}"
      "      esac ;;\n"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -le 1 ] && words=\"{}--help --version\" files= models=\n"
      "  case $word in -*) files= models= ;; esac\n"
      "  [ -n \"$models\" ] && words=\"$words $(\"${{COMP_WORDS[0]}}\" list --names "
      "2>/dev/null)\"\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ -n \"$files\" ] && COMPREPLY+=($(compgen -f -- \"$word\"))\n"
      "  return 0\n"
      "}}\n"
      "complete -o filenames -F _cairn cairn\n",
      bash_choices(), bash_commands(commands), names);
}

/// A text between the single quotes of a shell script.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("\\'") : std::string(1, c);
  return out;
}

std::string fish_command(const CompletedCommand& command,
                         std::span<const CompletedChoices> choices) {
  std::string script = fmt::format("complete -c cairn -n __fish_use_subcommand -a {} -d '{}'\n",
                                   command.name, quoted(command.summary));
  const std::string seen =
      fmt::format("complete -c cairn -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& word : command.words) script += fmt::format("{} -a {}\n", seen, word);
  if (command.takes_model) script += seen + " -a '(cairn list --names 2>/dev/null)'\n";
  for (const std::string& flag : command.flags) {
    if (!flag.starts_with("--")) continue;
    script += fmt::format("{} -l {}", seen, flag.substr(2));
    for (const CompletedChoices& each : choices) {
      if (flag != "--" + each.flag) continue;
      script += fmt::format(" -x -a '{}'", fmt::join(each.words, " "));
    }
    script += "\n";
  }
  return script;
}

std::string fish_script(const CLI::App& root) {
  const std::vector<CompletedChoices> choices = completed_choices();
  std::string script;
  for (const CompletedCommand& each : completed_commands(root)) {
    script += fish_command(each, choices);
  }
  return script;
}

class Completion final : public Command {
 public:
  void declare(CLI::App& app) override {
    root_ = app.get_parent();
    app.add_option("SHELL", shell_, "bash, zsh or fish")
        ->required()
        ->check(one_of(completed_shells()));
  }

  Status run(Session& session) override {
    if (shell_ == "fish") return session.out.write(fish_script(*root_));
    const std::string_view prefix = shell_ == "zsh" ? kZshPrefix : "";
    return session.out.write(std::string(prefix) + bash_script(*root_));
  }

 private:
  const CLI::App* root_ = nullptr;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion() { return std::make_unique<Completion>(); }

}  // namespace cairn::cli

#include "cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/clock.h"
#include "base/file.h"
#include "cli/git_history.h"
#include "cli/settings.h"
#include "evidence/attestation/fold.h"
#include "evidence/pages/check.h"
#include "evidence/pages/write.h"

namespace cairn::cli {
namespace {

namespace fs = std::filesystem;
using evidence::Tree;

constexpr std::array kFlags = {
    PlainFlag{.name = "check", .kind = PlainFlagKind::kSwitch},
    PlainFlag{.name = "pin-gates", .kind = PlainFlagKind::kSwitch},
    PlainFlag{.name = "append"},
    PlainFlag{.name = "subject"},
    PlainFlag{.name = "evidence"},
    PlainFlag{.name = "root"},
};

int fail(const PlainCall& call, std::string_view message) {
  call.say(message);
  return 1;
}

/// Folders that are no part of the tree.
bool is_outside(const fs::path& name) {
  return name == ".git" || name == "build" || name == "shared" || name == "node_modules";
}

bool is_read(const std::string& name) {
  if (name.find('/') == std::string::npos) return name.ends_with(".md");
  return name.starts_with("docs/");
}

/// Reads one file of the tree; a file that went away meanwhile is named.
Status take_file(const std::string& root, const std::string& name, Tree& tree) {
  tree.names.insert(name);
  if (!is_read(name)) return {};
  CAIRN_ASSIGN(tree.files[name], read_file(root + "/" + name, evidence::kDocumentBytesMax));
  return {};
}

Status take_files(const std::string& root, Tree& tree) {
  std::error_code error;
  fs::recursive_directory_iterator walk(root, error);
  if (error) return not_found(root + ": " + error.message());
  for (; walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (walk->is_directory(error) && is_outside(walk->path().filename())) {
      walk.disable_recursion_pending();
    }
    if (!walk->is_regular_file(error)) continue;
    CAIRN_TRY(take_file(root, walk->path().lexically_relative(root).generic_string(), tree));
  }
  return error ? not_found(root + ": " + error.message()) : Status();
}

/// The state record's past, and when its lines were committed (M-06, M-09).
Status take_history(const PlainCall& call, const std::string& root, Tree& tree) {
  const Result<std::vector<FileVersion>> versions =
      file_history(root, std::string(evidence::kStatePath));
  if (!versions.ok()) {
    if (versions.status().code() != StatusCode::kNotFound) return versions.status();
    call.say("warning: " + std::string(versions.status().message()) +
             ", so the state record is not compared with its past");
    return {};
  }
  std::int64_t lines = 0;
  for (const FileVersion& version : *versions) {
    const auto count = static_cast<std::int64_t>(std::ranges::count(version.text, '\n'));
    for (; lines < count; ++lines) tree.line_commits[lines + 1] = version.time_utc;
    tree.earlier.push_back({.commit = version.commit, .text = version.text});
  }
  return {};
}

Result<Tree> load_tree(const PlainCall& call, const std::string& root) {
  Tree tree;
  CAIRN_TRY(take_files(root, tree));
  CAIRN_TRY(take_history(call, root, tree));
  for (const SettingRow& row : SettingFlags().rows()) {
    tree.defaults[std::string(row.info.name)] = row.default_text;
  }
  return tree;
}

int list_findings(const PlainCall& call, const evidence::Findings& findings) {
  for (const evidence::Finding& finding : findings) call.say(finding.text());
  return findings.empty() ? 0 : 1;
}

int check(const PlainCall& call, const Tree& tree) {
  const evidence::Findings findings = evidence::check_pages(tree);
  if (!findings.empty()) {
    list_findings(call, findings);
    return fail(call, fmt::format("{} findings", findings.size()));
  }
  const Status status = call.out.write("pages, records and graph agree\n");
  return status.ok() ? 0 : fail(call, status.message());
}

int write(const PlainCall& call, const std::string& root, const Tree& tree) {
  const evidence::Evidence found = evidence::read_evidence(tree);
  if (!found.findings.empty()) return list_findings(call, found.findings);
  std::error_code error;
  fs::create_directories(root + "/" + std::string(evidence::kPagesFolder), error);
  if (error) return fail(call, root + ": " + error.message());
  for (const auto& [path, text] : evidence::write_pages(found)) {
    const Status status = write_file_whole(fmt::format("{}/{}", root, path), text);
    if (!status.ok()) return fail(call, status.message());
  }
  return 0;
}

int pin_gates(const PlainCall& call, const std::string& root, const Tree& tree) {
  const evidence::Evidence found = evidence::read_evidence(tree);
  const Status status = write_file_whole(root + "/" + std::string(evidence::kGatesPath),
                                         evidence::write_gates(found));
  return status.ok() ? 0 : fail(call, status.message());
}

std::string now_utc() { return evidence::attestation::utc_text(utc_ns()); }

int append(const PlainCall& call, const PlainArguments& arguments, const std::string& root,
           const Tree& tree) {
  const evidence::Evidence found = evidence::read_evidence(tree);
  const std::string path(arguments.value("evidence").value_or(""));
  const auto digest = found.digests.find(path);
  if (digest == found.digests.end()) {
    return fail(call, fmt::format("--evidence: found {}, accepted a receipt or bench record below "
                                  "docs/evidence/ that reads",
                                  evidence::quote(path)));
  }
  const auto before = tree.files.find(std::string(evidence::kStatePath));
  const Result<std::string> text =
      evidence::append_line(before == tree.files.end() ? "" : before->second,
                            {.time_utc = now_utc(),
                             .kind = std::string(*arguments.value("append")),
                             .subject = std::string(arguments.value("subject").value_or("")),
                             .receipt_digest = digest->second,
                             .previous_sha256 = ""});
  if (!text.ok()) return fail(call, text.status().message());
  const Status status = write_file_whole(root + "/" + std::string(evidence::kStatePath), *text);
  return status.ok() ? 0 : fail(call, status.message());
}

}  // namespace

int run_report(const PlainCall& call) {
  const Result<PlainArguments> arguments = parse_plain(kFlags, call.arguments);
  if (!arguments.ok()) return call.wrong_usage(arguments.status().message());
  if (arguments->help) return call.answer_usage();
  if (!arguments->rest.empty()) {
    return call.wrong_usage(
        fmt::format("found the argument '{}', accepted flags only", arguments->rest.front()));
  }
  const bool appends = arguments->value("append").has_value();
  if (appends != arguments->value("subject").has_value() ||
      appends != arguments->value("evidence").has_value()) {
    return call.wrong_usage("--append, --subject and --evidence go together");
  }
  const int modes = int{arguments->on("check")} + int{arguments->on("pin-gates")} + int{appends};
  if (modes > 1) return call.wrong_usage("found more than one of --check, --pin-gates, --append");
  const std::string root(arguments->value("root").value_or("."));
  const Result<Tree> tree = load_tree(call, root);
  if (!tree.ok()) return fail(call, tree.status().message());
  if (arguments->on("check")) return check(call, *tree);
  if (arguments->on("pin-gates")) return pin_gates(call, root, *tree);
  return appends ? append(call, *arguments, root, *tree) : write(call, root, *tree);
}

}  // namespace cairn::cli

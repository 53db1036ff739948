// cairn list: the models that are here.
#include <fmt/core.h>

#include <algorithm>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/model_path.h"
#include "cli/terminal.h"

namespace cairn::cli {
namespace {

Json entries_json(const std::vector<runtime::StoreEntry>& entries) {
  Json rows = Json::array();
  for (const runtime::StoreEntry& entry : entries) {
    rows.push_back({{"name", entry.name},
                    {"path", entry.path},
                    {"repository", entry.repository},
                    {"revision", entry.revision},
                    {"commit", entry.commit},
                    {"bytes", entry.bytes},
                    {"parts", entry.parts},
                    {"parts_missing", entry.parts_missing}});
  }
  return rows;
}

std::string entries_names(const std::vector<runtime::StoreEntry>& entries) {
  std::string text;
  for (const runtime::StoreEntry& entry : entries) text += safe(entry.name) + "\n";
  return text;
}

std::string entries_text(const std::vector<runtime::StoreEntry>& entries) {
  if (entries.empty()) return "no models here yet; cairn pull ORG/REPO fetches one\n";
  std::size_t width = 0;
  for (const runtime::StoreEntry& entry : entries) {
    width = std::max(width, safe(entry.name).size());
  }
  std::string text;
  for (const runtime::StoreEntry& entry : entries) {
    text += fmt::format("{:<{}}  {:>8}  {}", safe(entry.name), width, bytes_text(entry.bytes),
                        entry.commit.empty() ? "file" : entry.commit.substr(0, 12));
    if (entry.parts > 1) text += fmt::format("  {} parts", entry.parts);
    if (entry.parts_missing > 0) text += fmt::format(", {} missing", entry.parts_missing);
    text += "\n";
  }
  return text;
}

class List final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_flag("--json", json_, "Print one JSON array");
    app.add_flag("--names", names_, "Print the names alone, one on a line");
  }

  Status run(Session& session) override {
    CAIRN_ASSIGN(const runtime::Store store, open_store());
    CAIRN_ASSIGN(const std::vector<runtime::StoreEntry> entries, store.list());
    if (names_) return session.out.write(entries_names(entries));
    return session.out.write(json_ ? json_text(entries_json(entries), 2) + "\n"
                                   : entries_text(entries));
  }

 private:
  bool json_ = false;
  bool names_ = false;
};

}  // namespace

std::unique_ptr<Command> make_list() { return std::make_unique<List>(); }

}  // namespace cairn::cli

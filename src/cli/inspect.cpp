// cairn inspect FILE: what a model file holds, without loading it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "formats/describe.h"
#include "formats/model_file.h"

namespace cairn::cli {
namespace {

Json metadata_json(const formats::Description& file) {
  Json rows = Json::array();
  for (const formats::MetadataRow& row : file.metadata) {
    rows.push_back({{"key", row.key}, {"type", row.type}, {"value", row.value}});
  }
  return rows;
}

Json tensors_json(const formats::Description& file) {
  Json rows = Json::array();
  for (const formats::TensorRow& row : file.tensors) {
    rows.push_back({{"name", row.name},
                    {"type", row.type},
                    {"shape", row.shape},
                    {"values", row.values},
                    {"bytes", row.bytes}});
  }
  return rows;
}

Json types_json(const formats::Description& file) {
  Json rows = Json::array();
  for (const formats::TypeRow& row : file.types) {
    rows.push_back({{"type", row.type},
                    {"tensors", row.tensors},
                    {"values", row.values},
                    {"bytes", row.bytes}});
  }
  return rows;
}

Json whole_json(const formats::Description& file) {
  return {{"files", file.files},
          {"file_bytes", file.file_bytes},
          {"values", file.values},
          {"tensor_bytes", file.tensor_bytes},
          {"metadata", metadata_json(file)},
          {"tensors", tensors_json(file)},
          {"types", types_json(file)}};
}

std::string whole_text(const formats::Description& file) {
  std::string text = "Metadata\n";
  for (const formats::MetadataRow& row : file.metadata) {
    text += fmt::format("  {} ({}) = {}\n", row.key, row.type, row.value);
  }
  text += "\nTensors\n";
  for (const formats::TensorRow& row : file.tensors) {
    text += fmt::format("  {:<40} {:<8} [{}] {}\n", row.name, row.type, fmt::join(row.shape, ", "),
                        bytes_text(row.bytes));
  }
  text += "\nSizes by type\n";
  for (const formats::TypeRow& row : file.types) {
    text += fmt::format("  {:<8} {:>5} tensors {:>14} values {:>10}\n", row.type, row.tensors,
                        row.values, bytes_text(row.bytes));
  }
  return text + fmt::format("\n{} values in {} tensors, {} in {} {}\n", file.values,
                            file.tensors.size(), bytes_text(file.file_bytes), file.files,
                            file.files == 1 ? "file" : "files");
}

class Inspect final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("FILE", path_, "A model file; any part of a split model opens all of it")
        ->required();
    app.add_flag("--json", json_, "Print one JSON object");
  }

  Status run(Session& session) override {
    CAIRN_ASSIGN(const formats::ModelFile model, formats::open_model(path_));
    const formats::Description file = formats::describe(model);
    return session.out.write(json_ ? json_text(whole_json(file), 2) + "\n" : whole_text(file));
  }

 private:
  std::string path_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect() { return std::make_unique<Inspect>(); }

}  // namespace cairn::cli

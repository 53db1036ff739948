// cairn inspect MODEL: what a model file holds, without loading it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes_text.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/json_text.h"
#include "cli/model_path.h"
#include "cli/prompt_checks.h"
#include "cli/words.h"
#include "formats/describe.h"
#include "formats/model_file.h"
#include "models/packed_cache.h"
#include "runtime/runtime.h"

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

using Codec = Result<std::unique_ptr<runtime::TextCodec>>;

Json tokenizer_json(const Codec& codec) {
  if (!codec.ok()) return {{"error", codec.status().message()}};
  Json missing = Json::array();
  for (const char byte : (*codec)->missing_bytes())
    missing.push_back(static_cast<unsigned char>(byte));
  return {
      {"tokens", (*codec)->size()}, {"missing_bytes", missing}, {"warnings", (*codec)->warnings()}};
}

std::string tokenizer_text(const Codec& codec) {
  if (!codec.ok()) return fmt::format("  not usable: {}\n", safe(codec.status().message()));
  std::string text = fmt::format("  {}\n", counted((*codec)->size(), "token"));
  for (const std::string& warning : (*codec)->warnings()) text += "  " + safe(warning) + "\n";
  const std::string& missing = (*codec)->missing_bytes();
  if (missing.empty()) return text;
  return text + fmt::format("  no token stands for the bytes {}; they are left out of any text\n",
                            hex_bytes(missing));
}

std::string whole_text(const formats::Description& file, const Codec& codec) {
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
  text += "\nTokenizer\n" + tokenizer_text(codec);
  return text + fmt::format("\n{} in {}, {} in {}\n", counted(file.values, "value"),
                            counted(file.tensors.size(), "tensor"), bytes_text(file.file_bytes),
                            counted(file.files, "file"));
}

class Inspect final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option(
           "MODEL", model_,
           "A model file (any part of a split one), a folder of safetensors files, a name in "
           "the store, or a hub name")
        ->required();
    app.add_flag("--json", json_, "Print one JSON object");
    app.add_flag("--verify", verify_,
                 "Check what --packed-cache keeps for MODEL against its hash, and nothing else");
  }

  Status run(Session& session) override {
    CAIRN_ASSIGN(const std::string path, model_path(model_));
    CAIRN_ASSIGN(const formats::ModelFile model, formats::open_any(path));
    if (verify_) return verify(session, model);
    const formats::Description file = formats::describe(model);
    const Result<std::unique_ptr<runtime::TextCodec>> codec = runtime::TextCodec::open(path);
    if (!json_) return session.out.write(whole_text(file, codec));
    Json object = whole_json(file);
    object["tokenizer"] = tokenizer_json(codec);
    return session.out.write(json_text(object, 2) + "\n");
  }

 private:
  Status verify(Session& session, const formats::ModelFile& model) const {
    const auto packed = models::verify_packed(packed_folder(), model);
    if (!packed.ok()) return packed.status();
    const Json object = {
        {"path", packed->path}, {"matrices", packed->matrices}, {"bytes", packed->bytes}};
    if (json_) return session.out.write(json_text(object, 2) + "\n");
    return session.out.write(fmt::format("{}: {} in {}, as they were written\n", packed->path,
                                         counted(packed->matrices, "packed weight"),
                                         bytes_text(packed->bytes)));
  }

  std::string model_;
  bool json_ = false;
  bool verify_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect() { return std::make_unique<Inspect>(); }

}  // namespace cairn::cli

// The modes of native-performance that read or write documents.
#include <fmt/format.h>

#include "cli/native_performance.h"
#include "evidence/receipt/receipt.h"
#include "evidence/wire/encode.h"

namespace cairn::cli {

int run_baseline_mode(const NativePerformance& run) {
  const std::string_view id = run.value("baseline");
  const evidence::Lever* lever = evidence::find_lever(run.graph, id);
  if (lever == nullptr) {
    return run.refuse(
        fmt::format("--baseline: found the unknown lever {}, accepted the id of a "
                    "lever of the {}",
                    evidence::quote(id), run.graph_name));
  }
  const Result<evidence::Receipt> receipt = evidence::baseline_template(run.graph, *lever);
  if (!receipt.ok()) return run.refuse(receipt.status().message());
  return run.print(evidence::document_text(*receipt));
}

}  // namespace cairn::cli

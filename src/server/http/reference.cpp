#include "server/http/reference.h"

#include <fmt/format.h>

#include "base/settings.h"
#include "server/http/errors.h"
#include "server/settings.h"

namespace cairn::server {

std::string http_page() {
  std::string page =
      "# HTTP\n\n"
      "Made by `make_wire_page http`; a test holds it to the declarations in `src/server/`.\n\n"
      "HTTP/1.0 and 1.1, with keep-alive and pipelining, over TCP and Unix sockets, plain or under "
      "TLS 1.2 and 1.3.\nOf a request that two servers could read differently nothing is answered "
      "but 400. Keys come as\n`Authorization: Bearer KEY` or `X-Api-Key: KEY`. Without keys, only "
      "pages of this machine and names of this\nmachine are served.\n\n"
      "## Limits\n\n" +
      settings_table(list_settings(HttpSettings(), SettingOrigins())) +
      "\n## Errors\n\n"
      "| status | OpenAI's type | OpenAI's code | Anthropic's type | llama.cpp's type | "
      "Retry-After |\n|---|---|---|---|---|---|\n";
  for (int i = 0; i <= static_cast<int>(Cause::kVersion); ++i) {
    const CauseInfo& row = info(static_cast<Cause>(i));
    page += fmt::format("| {} {} | {} | {} | {} | {} | {} |\n", row.status, reason_of(row.status),
                        row.openai_type, row.openai_code.empty() ? "null" : row.openai_code,
                        row.anthropic_type, row.llama_type,
                        row.retry_after_s > 0 ? fmt::format("{} s", row.retry_after_s) : "");
  }
  page += "\n499 is never sent: it stands in the log when a client went away before its answer.\n";
  return page;
}

}  // namespace cairn::server

// Renders chat templates for compare.py: JSON lines on standard input, one result a line.
//
// In:  {"template": "path or text", "text": "...", "context": {...}, "now": [y, m, d, h, min, s]}
// Out: {"text": "..."} or {"error": "..."}
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "base/json.h"
#include "tokenizer/template/chat_template.h"

namespace {

using cairn::Json;
using cairn::Result;
using cairn::tokenizer::ChatTemplate;
using cairn::tokenizer::Rendered;
using cairn::tokenizer::RenderOptions;

Result<Rendered> render(const Json& job, std::map<std::string, ChatTemplate>& parsed) {
  const std::string source = job.at("template").get<std::string>();
  auto found = parsed.find(source);
  if (found == parsed.end()) {
    CAIRN_ASSIGN(ChatTemplate made, ChatTemplate::parse(source));
    found = parsed.emplace(source, std::move(made)).first;
  }
  RenderOptions options;
  options.now = {.year = 2024, .month = 7, .day = 26, .hour = 14, .minute = 5, .second = 9};
  return found->second.render(job.at("context"), options);
}

}  // namespace

int main() {
  std::map<std::string, ChatTemplate> parsed;
  for (std::string line; std::getline(std::cin, line);) {
    auto job = cairn::parse_json(line, 200);
    Json answer;
    if (!job.ok()) {
      answer["error"] = "job: " + job.status().message();
    } else {
      const auto rendered = render(*job, parsed);
      if (rendered.ok()) {
        answer["text"] = rendered->text;
        answer["input"] = Json::array();
        for (const auto& span : rendered->from_input) {
          answer["input"].push_back({span.begin, span.end});
        }
      } else {
        answer["error"] = rendered.status().message();
      }
    }
    std::cout << answer.dump() << '\n';
  }
}

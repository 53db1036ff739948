#include "formats/huggingface/tokenizer_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr std::string_view kMark = "\xE2\x96\x81";  // U+2581

std::string type_name(const Json& part) {
  if (!part.is_object() || !part.contains("type") || !part["type"].is_string()) return {};
  return part["type"].get<std::string>();
}

bool flag(const Json& part, const char* name, bool otherwise) {
  return part.contains(name) && part[name].is_boolean() ? part[name].get<bool>() : otherwise;
}

std::string text_in(const Json& part, const char* name) {
  return part.contains(name) && part[name].is_string() ? part[name].get<std::string>()
                                                       : std::string();
}

/// {"Regex": ...} or {"String": ...} of a Split or Replace.
std::string pattern_of(const Json& part, const char* kind) {
  return part.contains("pattern") && part["pattern"].is_object() ? text_in(part["pattern"], kind)
                                                                 : std::string();
}

Status refuse_part(const char* name, const Json& part) {
  return unsupported(
      fmt::format("{}: {} is not understood by this version", name, printable(line_of(part), 300)));
}

Result<std::string> split_step(const Json& part) {
  const std::string pattern = pattern_of(part, "Regex");
  if (pattern.empty() || flag(part, "invert", false) || text_in(part, "behavior") != "Isolated") {
    return refuse_part("pre_tokenizer", part);
  }
  return "Split " + pattern;
}

/// The step of one part; empty where it changes nothing.
Result<std::string> step_of(const Json& part) {
  const std::string type = type_name(part);
  if (type == "Split") return split_step(part);
  if (type == "Digits" && flag(part, "individual_digits", false)) return std::string("Digits");
  if (type == "ByteLevel" && !flag(part, "add_prefix_space", true)) {
    return std::string(flag(part, "use_regex", true) ? "ByteLevel" : "");
  }
  return refuse_part("pre_tokenizer", part);
}

bool is_mark_for_space(const Json& part) {
  return type_name(part) == "Replace" && pattern_of(part, "String") == " " &&
         text_in(part, "content") == kMark;
}

Status read_mark(const Json& part, SpaceMarks& marks) {
  if (is_mark_for_space(part)) {
    marks.is_used = true;
    return {};
  }
  if (type_name(part) == "Prepend" && text_in(part, "prepend") == kMark) {
    marks.is_prefix = true;
    return {};
  }
  return refuse_part("normalizer", part);
}

/// Spaces are marks already when a text is cut, so a cut at spaces does nothing.
bool cuts_at_spaces(const Json& part) {
  return type_name(part) == "Split" && pattern_of(part, "String") == " ";
}

Status read_metaspace(const Json& part, SpaceMarks& marks) {
  const std::string scheme = text_in(part, "prepend_scheme");
  if (type_name(part) != "Metaspace" || text_in(part, "replacement") != kMark ||
      flag(part, "split", true) || (scheme != "always" && scheme != "never")) {
    return refuse_part("pre_tokenizer", part);
  }
  marks.is_used = true;
  marks.is_prefix = scheme == "always";
  return {};
}

/// The texts of a TemplateProcessing's "single", "A" for the text itself.
Result<std::vector<std::string>> template_items(const Json& part) {
  std::vector<std::string> items;
  if (!part.contains("single") || !part["single"].is_array()) {
    return refuse_part("post_processor", part);
  }
  for (const Json& item : part["single"]) {
    if (item.is_object() && item.contains("Sequence")) {
      items.emplace_back("A");
    } else if (item.is_object() && item.contains("SpecialToken")) {
      items.push_back(text_in(item["SpecialToken"], "id"));
    } else {
      return refuse_part("post_processor", part);
    }
  }
  return items;
}

Status read_template(const Json& part, AroundText& around) {
  CAIRN_ASSIGN(const std::vector<std::string> items, template_items(part));
  const auto at = static_cast<std::size_t>(std::ranges::find(items, "A") - items.begin());
  if (at >= items.size() || at > 1 || items.size() > at + 2) {
    return refuse_part("post_processor", part);
  }
  if (at == 1) around.before = items[0];
  if (items.size() == at + 2) around.behind = items[at + 1];
  return {};
}

}  // namespace

Result<std::vector<Json>> parts_of(const Json& rest, const char* name, const char* list) {
  if (!rest.contains(name) || rest[name].is_null()) return std::vector<Json>();
  const Json& part = rest[name];
  if (type_name(part).empty()) return refuse_part(name, part);
  if (type_name(part) != "Sequence") return std::vector<Json>{part};
  if (!part.contains(list) || !part[list].is_array()) return refuse_part(name, part);
  return std::vector<Json>(part[list].begin(), part[list].end());
}

Result<std::vector<std::string>> pre_tokenizer_steps(const Json& rest) {
  CAIRN_ASSIGN(const std::vector<Json> parts, parts_of(rest, "pre_tokenizer", "pretokenizers"));
  std::vector<std::string> steps;
  for (const Json& part : parts) {
    CAIRN_ASSIGN(std::string step, step_of(part));
    if (!step.empty()) steps.push_back(std::move(step));
  }
  return steps;
}

Result<SpaceMarks> space_marks(const Json& rest) {
  SpaceMarks marks;
  CAIRN_ASSIGN(const std::vector<Json> normalizers, parts_of(rest, "normalizer", "normalizers"));
  for (const Json& part : normalizers) CAIRN_TRY(read_mark(part, marks));
  CAIRN_ASSIGN(const std::vector<Json> parts, parts_of(rest, "pre_tokenizer", "pretokenizers"));
  for (const Json& part : parts) {
    if (marks.is_used && cuts_at_spaces(part)) continue;
    CAIRN_TRY(read_metaspace(part, marks));
  }
  return marks;
}

Result<std::string> byte_level_normalizer(const Json& rest) {
  CAIRN_ASSIGN(const std::vector<Json> parts, parts_of(rest, "normalizer", "normalizers"));
  if (parts.empty()) return std::string();
  if (parts.size() == 1 && type_name(parts[0]) == "NFC") return std::string("NFC");
  return refuse_part("normalizer", rest["normalizer"]);
}

Result<AroundText> around_text(const Json& rest) {
  AroundText around;
  CAIRN_ASSIGN(const std::vector<Json> parts, parts_of(rest, "post_processor", "processors"));
  for (const Json& part : parts) {
    if (type_name(part) == "ByteLevel") continue;  // of offsets alone
    if (type_name(part) != "TemplateProcessing") return refuse_part("post_processor", part);
    CAIRN_TRY(read_template(part, around));
  }
  return around;
}

}  // namespace cairn::formats

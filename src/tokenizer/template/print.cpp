// print() and print_repr(): str() and repr() of every value.
#include <fmt/format.h>

#include "tokenizer/template/loop.h"
#include "tokenizer/template/macro.h"
#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_number.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {
namespace {

void print_items(Run& run, const std::vector<Value>& items, TextBuilder& out) {
  for (std::size_t i = 0; i < items.size() && !run.failed(); ++i) {
    if (i != 0) out.add(", ");
    print_repr(run, items[i], out);
  }
}

std::string range_label(const RangeBounds& range) {
  const std::string label = "range(" + int_text(range.start) + ", " + int_text(range.stop);
  return label + (range.step == 1 ? ")" : ", " + int_text(range.step) + ")");
}

void print_list(Run& run, const List& list, TextBuilder& out) {
  switch (list.kind) {
    case ListKind::kList:
      out.add("[");
      print_items(run, list.items, out);
      return out.add("]");
    case ListKind::kTuple:
      out.add("(");
      print_items(run, list.items, out);
      return out.add(list.items.size() == 1 ? ",)" : ")");
    case ListKind::kRange:
      return out.add(range_label(list.range));
    case ListKind::kKeysView:
      out.add("dict_keys([");
      break;
    case ListKind::kValuesView:
      out.add("dict_values([");
      break;
    case ListKind::kItemsView:
      out.add("dict_items([");
      break;
  }
  print_items(run, list.items, out);
  out.add("])");
}

void print_dict(Run& run, const Dict& dict, TextBuilder& out) {
  out.add("{");
  bool first = true;
  for (const Entry& entry : dict.entries) {
    if (run.failed()) return;
    if (!first) out.add(", ");
    first = false;
    print_repr(run, entry.key, out);
    out.add(": ");
    print_repr(run, entry.value, out);
  }
  out.add("}");
}

// Namespaces can hold themselves: the depth of evaluation bounds the printing.
void print_namespace(Run& run, const Namespace& space, TextBuilder& out) {
  if (run.depth >= run.options().limits.depth_max) {
    run.refuse("a namespace nests too deeply to be printed");
    return;
  }
  ++run.depth;
  out.add("<Namespace {");
  bool first = true;
  for (const auto& [name, value] : space.fields) {
    if (!first) out.add(", ");
    first = false;
    out.add(quote(name) + ": ");
    print_repr(run, value, out);
  }
  out.add("}>");
  --run.depth;
}

void print_plain(Run& run, const Value& value, TextBuilder& out) {
  switch (value.kind()) {
    case ValueKind::kNone:
      return out.add("None");
    case ValueKind::kBool:
      return out.add(value.boolean() ? "True" : "False");
    case ValueKind::kInt:
      return out.add(int_text(value.integer()));
    case ValueKind::kFloat:
      return out.add(float_text(value.floating()));
    case ValueKind::kList:
      return print_list(run, value.list(), out);
    case ValueKind::kDict:
      return print_dict(run, value.dict(), out);
    case ValueKind::kNamespace:
      return print_namespace(run, value.name_space(), out);
    case ValueKind::kMacro: {
      const std::string& name = value.macro().definition->name;
      const bool named = value.macro().definition->kind == StatementKind::kMacro;
      return out.add(named ? "<Macro " + quote(name) + ">" : "<Macro anonymous>");
    }
    case ValueKind::kLoop: {
      const std::size_t count = value.loop().count();
      return out.add(fmt::format("<LoopContext {}/{}>", value.loop().index0 + 1, count));
    }
    default:
      // Python prints an address here, which no two runs share.
      return out.add(fmt::format("<{} object>", type_name(value)));
  }
}

}  // namespace

void print(Run& run, const Value& value, TextBuilder& out) {
  if (value.is_string()) {
    if (run.allow_bytes(out.size() + value.text().bytes.size())) out.add(value.text());
  } else if (!value.undefined() && !value.missing()) {
    if (run.step()) print_plain(run, value, out);
  }
}

void print_repr(Run& run, const Value& value, TextBuilder& out) {
  if (!run.step(1 + out.size() / (1U << 20U)) || !run.meter().fits(out.size())) {
    run.refuse("a printed value is too large");
  } else if (value.is_string()) {
    const std::string quoted = quote(value.text().bytes);
    if (!run.allow_bytes(quoted.size())) return;
    out.add(value.text().markup ? "Markup(" : "");
    out.add_made(value.text(), quoted);
    out.add(value.text().markup ? ")" : "");
  } else if (value.undefined()) {
    out.add("Undefined");
  } else {
    print_plain(run, value, out);
  }
}

Value to_text(Run& run, const Value& value) {
  if (value.is_string()) return value;
  TextBuilder out;
  print(run, value, out);
  return run.text(std::move(out));
}

void print_escaped(const Text& text, TextBuilder& out) {
  std::size_t from = 0;
  const std::string_view bytes = text.bytes;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string_view instead;
    switch (bytes[at]) {
      case '&':
        instead = "&amp;";
        break;
      case '<':
        instead = "&lt;";
        break;
      case '>':
        instead = "&gt;";
        break;
      case '"':
        instead = "&#34;";
        break;
      case '\'':
        instead = "&#39;";
        break;
      default:
        continue;
    }
    out.add_part(text, from, at);
    out.add_made(text, instead);
    from = at + 1;
  }
  out.add_part(text, from, bytes.size());
}

void print_as_markup(const Text& text, TextBuilder& out) {
  if (text.markup) return out.add(text);
  print_escaped(text, out);
}

}  // namespace cairn::tokenizer::jinja

#include "tokenizer/template/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tokenizer/template/macro.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

// A step stands for about this many bytes of text.
constexpr std::uint64_t kBytesPerStep = 256;

/// What stands in for a value after an error.
Value broken() { return Value(std::make_shared<const Undefined>()); }

}  // namespace

Run::Run(const RenderOptions& options)
    : options_(options), meter_(options.limits.memory_bytes_max) {}

Run::~Run() = default;

Value Run::fail(std::string_view reason) {
  if (!failed()) {
    status_ = invalid_argument(fmt::format("chat template, line {}: {}", line_, reason));
  }
  return broken();
}

Value Run::refuse(std::string_view limit) {
  if (!failed()) {
    status_ = too_large(fmt::format("chat template, line {}: {}", line_, limit));
  }
  return broken();
}

Value Run::raise(std::string message) {
  if (!failed()) status_ = invalid_argument(std::move(message));
  return broken();
}

bool Run::step(std::uint64_t count) {
  if (failed()) return false;
  const std::uint64_t steps_max = options_.limits.steps_max;
  if (count > steps_max - steps_) {
    refuse(fmt::format("rendering takes more than {} steps", steps_max));
    return false;
  }
  steps_ += count;
  return true;
}

bool Run::allow_bytes(std::uint64_t bytes) {
  if (failed()) return false;
  const std::size_t text_max = options_.limits.output_bytes_max;
  if (bytes > text_max) {
    refuse(fmt::format("a text of {} bytes, at most {} are allowed", bytes, text_max));
    return false;
  }
  if (!meter_.fits(bytes)) {
    refuse(fmt::format("rendering holds more than {} bytes", options_.limits.memory_bytes_max));
    return false;
  }
  return step(1 + bytes / kBytesPerStep);
}

bool Run::depth_fits(unsigned value_depth) {
  if (failed()) return false;
  if (value_depth <= kValueDepthMax) return true;
  refuse(fmt::format("lists and dicts nest deeper than {}", kValueDepthMax));
  return false;
}

Value Run::text(std::string_view bytes) {
  TextBuilder builder;
  builder.add(bytes);
  return text(std::move(builder));
}

Value Run::text(TextBuilder builder) {
  if (!allow_bytes(builder.size())) return broken();
  auto made = std::make_shared<Text>();
  made->bytes = builder.take_bytes();
  made->input = builder.take_input();
  made->charge = Charge(
      meter_, sizeof(Text) + made->bytes.capacity() + made->input.capacity() * sizeof(TextSpan));
  return Value(std::shared_ptr<const Text>(std::move(made)));
}

Value Run::text_from(const Text& origin, std::string_view bytes) {
  TextBuilder builder;
  builder.add_made(origin, bytes);
  return origin.markup ? markup(std::move(builder)) : text(std::move(builder));
}

Value Run::slice_text(const Text& origin, std::size_t begin, std::size_t end) {
  TextBuilder builder;
  builder.add_part(origin, begin, end);
  return origin.markup ? markup(std::move(builder)) : text(std::move(builder));
}

Value Run::markup(TextBuilder builder) {
  if (!allow_bytes(builder.size())) return broken();
  auto made = std::make_shared<Text>();
  made->bytes = builder.take_bytes();
  made->input = builder.take_input();
  made->markup = true;
  made->charge = Charge(meter_, sizeof(Text) + made->bytes.capacity());
  return Value(std::shared_ptr<const Text>(std::move(made)));
}

std::shared_ptr<List> Run::make_list(std::vector<Value> items, ListKind kind) {
  const std::uint64_t bytes = sizeof(List) + items.capacity() * sizeof(Value);
  const unsigned value_depth = depth_over(items);
  if (!depth_fits(value_depth) || !allow_bytes(bytes)) return nullptr;
  auto made = std::make_shared<List>();
  made->kind = kind;
  made->items = std::move(items);
  made->depth = value_depth;
  made->charge = Charge(meter_, bytes);
  return made;
}

Value Run::list(std::vector<Value> items, ListKind kind) {
  auto made = make_list(std::move(items), kind);
  return made ? Value(std::shared_ptr<const List>(std::move(made))) : broken();
}

Value Run::range(std::vector<Value> items, const RangeBounds& bounds) {
  auto made = make_list(std::move(items), ListKind::kRange);
  if (!made) return broken();
  made->range = bounds;
  return Value(std::shared_ptr<const List>(std::move(made)));
}

Value Run::group(const Value& key, const Value& members) {
  auto made = make_list({key, members}, ListKind::kTuple);
  if (!made) return broken();
  made->is_group = true;
  return Value(std::shared_ptr<const List>(std::move(made)));
}

Value Run::dict(std::vector<Entry> entries) {
  const std::uint64_t bytes = sizeof(Dict) + entries.size() * (sizeof(Entry) + 64);
  if (!allow_bytes(bytes)) return broken();
  auto made = std::make_shared<Dict>();
  made->entries.reserve(entries.size());
  for (Entry& entry : entries) {
    auto key = hash_key(entry.key);
    if (!key) return fail(fmt::format("unhashable type: '{}'", type_name(entry.key)));
    made->depth = std::max({made->depth, depth_of(entry.key) + 1, depth_of(entry.value) + 1});
    const auto [place, fresh] = made->index.try_emplace(std::move(*key), made->entries.size());
    if (fresh) {
      made->entries.push_back(std::move(entry));
    } else {
      made->entries[place->second].value = std::move(entry.value);
    }
  }
  if (!depth_fits(made->depth)) return broken();
  made->charge = Charge(meter_, bytes);
  return Value(std::shared_ptr<const Dict>(std::move(made)));
}

Value Run::generator(std::vector<Value> items) {
  const std::uint64_t bytes = sizeof(Generator) + items.capacity() * sizeof(Value);
  const unsigned value_depth = depth_over(items);
  if (!depth_fits(value_depth) || !allow_bytes(bytes)) return broken();
  auto made = std::make_shared<Generator>();
  made->items = std::move(items);
  made->depth = value_depth;
  made->charge = Charge(meter_, bytes);
  return Value(std::move(made));
}

Value Run::generator(std::function<Value()> make, const Value& source) {
  Value made = generator({});
  if (failed() || !depth_fits(depth_of(source) + 1)) return broken();
  made.generator().make = std::move(make);
  made.generator().depth = depth_of(source) + 1;
  return made;
}

Value Run::bound(const Value& self, const Builtin& row) {
  if (!depth_fits(depth_of(self) + 1)) return broken();
  auto made = std::make_shared<BoundMethod>();
  made->self = self;
  made->row = &row;
  made->depth = depth_of(self) + 1;
  return Value(std::shared_ptr<const BoundMethod>(std::move(made)));
}

Value Run::undefined(std::string message) {
  auto made = std::make_shared<Undefined>();
  made->message = std::move(message);
  return Value(std::shared_ptr<const Undefined>(std::move(made)));
}

Namespace* Run::make_namespace() {
  namespaces_.push_back(std::make_unique<Namespace>());
  namespaces_.back()->charge = Charge(meter_, sizeof(Namespace) + 64);
  if (meter_.full()) allow_bytes(1);
  return namespaces_.back().get();
}

const Macro* Run::keep(std::unique_ptr<const Macro> macro) {
  macros_.push_back(std::move(macro));
  return macros_.back().get();
}

}  // namespace cairn::tokenizer::jinja

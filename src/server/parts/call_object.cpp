#include "server/parts/call_object.h"

#include <utility>

#include "base/json.h"

namespace cairn::server {
namespace {

bool is_name(std::string_view key) { return key == "name" || key == "function"; }

bool is_arguments(std::string_view key) {
  return key == "arguments" || key == "parameters" || key == "input";
}

}  // namespace

std::size_t CallObject::feed(std::string_view bytes, CallWriter& calls, AnswerParts& out) {
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ == State::kMore) {
    if (!begun_) raw_ += bytes[taken];
    take(bytes[taken++], calls, out);
  }
  return taken;
}

void CallObject::take(char c, CallWriter& calls, AnswerParts& out) {
  const std::size_t depth = walk_.depth();
  const bool in_key = walk_.in_key();
  JsonWalk::Step step = walk_.take(c);
  if (step == JsonWalk::Step::kEndsBefore) {
    if (depth == 1) end_value();
    step = walk_.take(c);
  }
  if (step == JsonWalk::Step::kBad || (depth == 0 && walk_.depth() == 0)) {
    state_ = begun_ ? State::kBroken : State::kNoCall;
    return;
  }
  if (depth == 1 && in_key && step == JsonWalk::Step::kInside) key_ += c;
  if (depth == 1 && step == JsonWalk::Step::kBegins) begin_value(c, calls, out);
  if (in_value_) (streaming_ ? void(calls.add({&c, 1}, out)) : void(value_ += c));
  const bool ends = step == JsonWalk::Step::kEnds;
  if (ends && walk_.depth() == 1) end_value();
  if (ends && walk_.depth() == 0) end_object(calls, out);
}

void CallObject::begin_value(char c, CallWriter& calls, AnswerParts& out) {
  in_value_ = true;
  value_.clear();
  streaming_ = name_.has_value() && !begun_ && is_arguments(key_) && c == '{';
  if (streaming_) begin_call(calls, out);
}

void CallObject::end_value() {
  if (!in_value_) return;
  in_value_ = false;
  const std::string key = std::exchange(key_, {});
  if (std::exchange(streaming_, false)) return;
  const Result<Json> value = parse_json(value_);
  if (!value.ok()) return;
  if (is_name(key) && value->is_string()) name_ = value->get<std::string>();
  if (!is_arguments(key)) return;
  if (value->is_object()) arguments_ = value_;
  if (!value->is_string()) return;
  // Some models write the object as a text.
  const std::string text = value->get<std::string>();
  const Result<Json> inner = parse_json(text.empty() ? "{}" : text);
  if (inner.ok() && inner->is_object()) arguments_ = inner->dump();
}

void CallObject::end_object(CallWriter& calls, AnswerParts& out) {
  if (!begun_) {
    const bool enough = arguments_.has_value() || arguments_are_ == ArgumentsAre::kOptional;
    if (!name_ || name_->empty() || !enough) {
      state_ = State::kNoCall;
      return;
    }
    begin_call(calls, out);
    calls.add(arguments_.value_or("{}"), out);  // A26
  }
  calls.end();
  state_ = State::kDone;
}

void CallObject::begin_call(CallWriter& calls, AnswerParts& out) {
  begun_ = true;
  raw_.clear();
  calls.begin(*name_, out);
}

std::size_t CallArguments::feed(std::string_view bytes, CallWriter& calls, AnswerParts& out) {
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ == State::kMore) {
    const char c = bytes[taken];
    JsonWalk::Step step = walk_.take(c);
    if (step == JsonWalk::Step::kEndsBefore) step = walk_.take(c);
    if (step == JsonWalk::Step::kBad || (!begun_ && step == JsonWalk::Step::kBegins && c != '{')) {
      state_ = State::kBroken;
      break;
    }
    ++taken;
    begun_ = begun_ || step == JsonWalk::Step::kBegins;
    if (begun_) calls.add({&c, 1}, out);
    if (walk_.done()) {
      calls.end();
      state_ = State::kDone;
    }
  }
  return taken;
}

}  // namespace cairn::server

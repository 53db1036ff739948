// The two guards of the interpreter, for its source files.
#pragma once

#include <memory>
#include <utility>

#include "tokenizer/template/interpreter.h"

namespace cairn::tokenizer::jinja {

class Interpreter::Frame {
 public:
  /// A new scope inside `parent`, writing to `out`.
  Frame(Interpreter& interpreter, std::shared_ptr<Scope> parent, TextBuilder* out)
      : interpreter_(interpreter), scope_(interpreter.scope_), out_(interpreter.out_) {
    interpreter_.scope_ = std::make_shared<Scope>();
    interpreter_.scope_->parent = std::move(parent);
    interpreter_.out_ = out;
  }
  ~Frame() {
    interpreter_.scope_ = std::move(scope_);
    interpreter_.out_ = out_;
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  Interpreter& interpreter_;
  std::shared_ptr<Scope> scope_;
  TextBuilder* out_ = nullptr;
};

class Interpreter::Level {
 public:
  explicit Level(Run& run) : run_(run) { ++run_.depth; }
  ~Level() { --run_.depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  /// False, with the run failed, when evaluation nests too deeply.
  bool fits() const {
    if (run_.depth <= run_.options().limits.depth_max) return true;
    run_.refuse("expressions, blocks and macros nest too deeply");
    return false;
  }

 private:
  Run& run_;
};

}  // namespace cairn::tokenizer::jinja

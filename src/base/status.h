// Status and Result: how a fallible function answers.
//
// Purpose     every function that can fail returns Status or Result<T>; nothing in cairn throws.
// Invariants  an error carries one code of the table in status.cpp and a message that names the
//             thing, what was found and what would have been accepted.
// Threads     values; no shared state.
// Adding      a code: one enumerator here, one row in status.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn {

/// What went wrong, coarse enough that a caller can act on it.
enum class StatusCode : std::uint8_t {
  kOk,
  kInvalidArgument,  // the caller's value is wrong: a flag, a request field, an id
  kInvalidFile,      // a model file's bytes are wrong
  kNotFound,
  kUnsupported,  // understood, but this build or machine cannot do it
  kTooLarge,     // does not fit: context, memory, a stated limit
  kUnavailable,  // would work later: loading, busy, network
  kCancelled,
  kIo,        // the operating system said no
  kInternal,  // a fault in cairn
};

/// One row per code: what the outer surfaces show for it.
struct StatusCodeInfo {
  StatusCode code = StatusCode::kOk;
  std::string_view name;
  int http_status = 200;
  int c_code = 0;
  bool retry = false;
};

/// The table row of `code`.
const StatusCodeInfo& info(StatusCode code);

/// Success, or a code with a message.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

  /// The same error with "`where`: " put in front of its message.
  Status in(std::string_view where) const;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

/// One maker per code that is an error.
Status invalid_argument(std::string message);
Status invalid_file(std::string message);
Status not_found(std::string message);
Status unsupported(std::string message);
Status too_large(std::string message);
Status unavailable(std::string message);
Status cancelled(std::string message);
Status io_error(std::string message);
Status internal_error(std::string message);

/// A value or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(Status status) : state_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  Status status() const { return ok() ? Status() : std::get<1>(state_); }

  /// Only after ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Status> state_;
};

/// Ends the program with the place and `what`. For CAIRN_CHECK.
[[noreturn]] void check_failed(const char* file, int line, const char* what);

}  // namespace cairn

#define CAIRN_CONCAT_INNER(a, b) a##b
#define CAIRN_CONCAT(a, b) CAIRN_CONCAT_INNER(a, b)

/// Returns the Status from the enclosing function when `expression` is an error.
#define CAIRN_TRY(expression)                                              \
  do {                                                                     \
    if (::cairn::Status cairn_status = (expression); !cairn_status.ok()) { \
      return cairn_status;                                                 \
    }                                                                      \
  } while (false)

/// CAIRN_ASSIGN(auto x, f()): x is f()'s value, or the enclosing function returns f()'s Status.
#define CAIRN_ASSIGN(target, expression) \
  CAIRN_ASSIGN_INNER(CAIRN_CONCAT(cairn_result_, __LINE__), target, expression)
#define CAIRN_ASSIGN_INNER(result, target, expression) \
  auto result = (expression);                          \
  if (!result.ok()) return result.status();            \
  target = std::move(result).value()

/// For programmer errors only: no file, request or flag may reach a failing check.
#define CAIRN_CHECK(condition)                                               \
  do {                                                                       \
    if (!(condition)) ::cairn::check_failed(__FILE__, __LINE__, #condition); \
  } while (false)

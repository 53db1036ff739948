// Chat messages brought into the form that templates are written for.
#pragma once

#include <cstdint>

#include "base/json.h"
#include "base/status.h"

namespace cairn::tokenizer {

/// What becomes of the role "developer", which most templates do not know.
enum class DeveloperRole : std::uint8_t { kKeep, kAsSystem };
/// What becomes of several system messages.
enum class SystemMessages : std::uint8_t { kKeep, kMerge };
/// What becomes of a message with null or without content.
enum class AbsentContent : std::uint8_t { kKeep, kAsEmpty };

/// How to normalise.
struct MessageOptions {
  DeveloperRole developer = DeveloperRole::kAsSystem;
  SystemMessages system = SystemMessages::kMerge;
  AbsentContent content = AbsentContent::kAsEmpty;
};

/// The messages with
/// - the arguments of tool calls as objects: texts are parsed, "" and null become {};
/// - absent or null content as "", and other keys that are null left out;
/// - "developer" as "system", and all system messages whose content is text merged into one in
///   front, their texts joined by a blank line.
/// Errors: kInvalidArgument naming the message for arguments that are no JSON object, and for
/// messages that are no objects or have no role.
Result<Json> normalize_messages(const Json& messages, const MessageOptions& options);

}  // namespace cairn::tokenizer

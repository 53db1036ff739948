// CallForm: what calls of tools have to look like, as a grammar: the other direction of a parser.
//
// Purpose     keeps a model to calls that its syntax's parser reads, with names that there are and
//             arguments that their schemas allow.
// Invariants  what such a grammar allows, the parser of the same file tells as calls.
// Adding      a syntax: its form beside its parser, named in its row in syntax.cpp.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "runtime/answer_form.h"

namespace cairn::server {

/// A tool that may be called.
struct FormTool {
  std::string where = {};  // "tools[3].function 'lookup'", for errors
  std::string name = {};
  Json parameters = {};  // its schema; null: any object
};

/// Whether text may come instead, or in front.
enum class CallsAre : std::uint8_t { kOptional, kRequired };
enum class CallCount : std::uint8_t { kOne, kAny };

struct CallForm {
  runtime::Grammar& grammar;
  std::vector<FormTool> tools = {};
  CallsAre calls = CallsAre::kOptional;
  CallCount count = CallCount::kAny;
  /// The control token of that name; -1 where there is none, as for an empty text.
  std::function<TokenId(std::string_view)> control = {};
};

/// The form of a whole answer. Errors: kInvalidArgument for a schema, with the tool, the JSON
/// pointer and the keyword; kUnsupported where the syntax cannot be kept to what is asked.
using MakeCallForm = Result<runtime::GrammarNode> (*)(const CallForm& form);

/// Texts, of which some may be names of control tokens.
using Pieces = std::vector<std::string_view>;

/// How one call is written, around its name and its arguments.
struct CallLayout {
  Pieces before_name = {};
  Pieces after_name = {};
  Pieces after_arguments = {};
};

/// A syntax whose calls each begin with a marker that may stand behind text.
struct CallShape {
  std::string_view lead = {};       // in front of the first marker where no text is
  std::string_view open = {};       // the marker
  std::string_view separator = {};  // between calls, or nothing
  std::string_view tail = {};       // behind the last one, or nothing
};

/// The form of such a syntax; `one` is a call behind its marker.
runtime::GrammarNode marked_calls(const CallForm& form, const CallShape& shape,
                                  runtime::GrammarNode one);

/// A call in one of several layouts. Errors: of schemas.
Result<runtime::GrammarNode> one_call(const CallForm& form, const std::vector<CallLayout>& layouts);

/// `one`, and more behind it where more are allowed: `separator` stands between.
runtime::GrammarNode calls_after(const CallForm& form, runtime::GrammarNode one,
                                 runtime::GrammarNode separator);

/// The texts one after the other.
runtime::GrammarNode pieces(const CallForm& form, const Pieces& texts);

/// What a tool's arguments may be. Errors: of its schema.
Result<runtime::GrammarNode> arguments_of(const CallForm& form, const FormTool& tool);

}  // namespace cairn::server

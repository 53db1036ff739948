// Readers of values: what a row of the table names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/wire/fields.h"

namespace cairn::server {

/// A value as messages show it: its type, and the value itself when it is short.
std::string shown(const Json& value);

/// Within the row's range. Numbers with a fraction of zero are whole numbers.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::optional<bool>& out);
/// See above.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::optional<std::int64_t>& out);
/// See above.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::optional<double>& out);
/// See above.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::optional<std::string>& out);
/// A text or an array of at most kTextsMax texts, none empty (A13).
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::vector<std::string>& out);
/// An array of at most kIdsMax ids.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::vector<std::int64_t>& out);
/// See above.
std::optional<FieldFault> read_value(const Field& field, const Json& value,
                                     std::optional<std::vector<std::int64_t>>& out);
/// As the row's shape says: an object, or an array of objects.
std::optional<FieldFault> read_value(const Field& field, const Json& value, Json& out);

/// Stores into that member.
template <auto Member>
std::optional<FieldFault> read(const Field& field, const Json& value, GenerationRequest& request) {
  return read_value(field, value, request.*Member);
}

/// A token id: 0 to 2^31 - 1.
std::optional<std::int64_t> token_id(const Json& value);

/// Ids of any number.
std::optional<FieldFault> read_detokenized(const Field& field, const Json& value,
                                           GenerationRequest& request);
/// One text, for a prompt.
std::optional<FieldFault> read_text_prompt(const Field& field, const Json& value,
                                           GenerationRequest& request);
/// Anthropic's messages, into OpenAI's: tool_use blocks become calls, tool_result blocks messages
/// of the role tool, thinking blocks reasoning_content.
std::optional<FieldFault> read_anthropic_messages(const Field& field, const Json& value,
                                                  GenerationRequest& request);
/// A text, or text blocks.
std::optional<FieldFault> read_anthropic_system(const Field& field, const Json& value,
                                                GenerationRequest& request);
/// [{name, description, input_schema}], into OpenAI's tools.
std::optional<FieldFault> read_anthropic_tools(const Field& field, const Json& value,
                                               GenerationRequest& request);
/// {type: auto | any | tool | none}, into OpenAI's choice.
std::optional<FieldFault> read_anthropic_tool_choice(const Field& field, const Json& value,
                                                     GenerationRequest& request);
/// {type: enabled | adaptive | disabled}.
std::optional<FieldFault> read_anthropic_thinking(const Field& field, const Json& value,
                                                  GenerationRequest& request);
/// float or base64.
std::optional<FieldFault> read_encoding_format(const Field& field, const Json& value,
                                               GenerationRequest& request);
/// The input of a response, into messages: calls join the assistant's message before them.
std::optional<FieldFault> read_response_input(const Field& field, const Json& value,
                                              GenerationRequest& request);
/// A text that stands before the messages.
std::optional<FieldFault> read_instructions(const Field& field, const Json& value,
                                            GenerationRequest& request);
/// [{type: function, name, description, parameters, strict}], into OpenAI's tools of chats.
std::optional<FieldFault> read_response_tools(const Field& field, const Json& value,
                                              GenerationRequest& request);
/// none, auto, required, or {type: function, name}.
std::optional<FieldFault> read_response_tool_choice(const Field& field, const Json& value,
                                                    GenerationRequest& request);
/// {format, verbosity}, the format into a chat's response_format.
std::optional<FieldFault> read_response_text(const Field& field, const Json& value,
                                             GenerationRequest& request);
/// {effort, summary}.
std::optional<FieldFault> read_response_reasoning(const Field& field, const Json& value,
                                                  GenerationRequest& request);
/// What is to be added to the reply, by its names.
std::optional<FieldFault> read_response_include(const Field& field, const Json& value,
                                                GenerationRequest& request);
/// The prompt of a completion: text, texts, ids, lists of ids (Z13, Z14).
std::optional<FieldFault> read_prompt(const Field& field, const Json& value,
                                      GenerationRequest& request);
/// The messages of a chat; parts that are no text are refused by their type (A40).
std::optional<FieldFault> read_messages(const Field& field, const Json& value,
                                        GenerationRequest& request);
/// {"42": -100}, or llama.cpp's [[42, -1.5], [43, false]].
std::optional<FieldFault> read_logit_bias(const Field& field, const Json& value,
                                          GenerationRequest& request);
/// {include_usage, continuous_usage_stats}.
std::optional<FieldFault> read_stream_options(const Field& field, const Json& value,
                                              GenerationRequest& request);
/// {type: text | json_object | json_schema}.
std::optional<FieldFault> read_response_format(const Field& field, const Json& value,
                                               GenerationRequest& request);
/// A JSON Schema, also as a text.
std::optional<FieldFault> read_guided_json(const Field& field, const Json& value,
                                           GenerationRequest& request);
/// [{type: function, function: {name, description, parameters, strict}}].
std::optional<FieldFault> read_tools(const Field& field, const Json& value,
                                     GenerationRequest& request);
/// none, auto, required, or {type: function, function: {name}}.
std::optional<FieldFault> read_tool_choice(const Field& field, const Json& value,
                                           GenerationRequest& request);
/// The chat's logprobs, which is a boolean.
std::optional<FieldFault> read_chat_logprobs(const Field& field, const Json& value,
                                             GenerationRequest& request);
/// The native limit, where -1 is none.
std::optional<FieldFault> read_n_predict(const Field& field, const Json& value,
                                         GenerationRequest& request);
/// 1 to 128 characters without "@", "/", a backslash or NUL.
std::optional<FieldFault> read_cache_salt(const Field& field, const Json& value,
                                          GenerationRequest& request);
/// One of OpenAI's words.
std::optional<FieldFault> read_reasoning_effort(const Field& field, const Json& value,
                                                GenerationRequest& request);

}  // namespace cairn::server

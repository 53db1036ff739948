// What an answer can be kept to, as front ends put it together: a grammar is sealed and set as
// SamplingParams::grammar.
#pragma once

#include "engine/grammar/grammar.h"
#include "engine/grammar/json_schema.h"

namespace cairn::runtime {

using engine::add_json_schema;
using engine::Grammar;
using engine::GrammarMember;
using engine::GrammarNode;
using engine::MayEnd;

}  // namespace cairn::runtime

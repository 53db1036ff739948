// What the command line shows of a valid graph (native-performance.md 12.1). Same graph, same
// bytes.
#pragma once

#include <string>
#include <string_view>

#include "evidence/graph/graph.h"

namespace cairn::evidence {

/// The human map; `envelope_id` restricts the list of levers, empty means all envelopes.
std::string render_map(const Graph& graph, std::string_view envelope_id = "");

/// The packet of the next lever to witness, or the one line that there is none.
std::string render_next(const Graph& graph, std::string_view envelope_id = "");

/// Graphviz DOT text; Graphviz itself is never started.
std::string render_dot(const Graph& graph, std::string_view envelope_id = "");

/// The shortest plain decimals of a finite number: 3.3, 5, 6.966061.
std::string plain_number(double value);

/// `ids` joined by commas, or "-" when there are none.
std::string joined_ids(const std::vector<std::string>& ids);

/// `text` with control characters escaped, so that it stays on its line.
std::string one_line(std::string_view text);

}  // namespace cairn::evidence

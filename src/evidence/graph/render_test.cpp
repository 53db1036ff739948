#include "evidence/graph/render.h"

#include <gtest/gtest.h>

#include "evidence/data/pinned_graph.h"
#include "evidence/graph/validate.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

/// Only what belongs to the Metal envelope.
Graph metal_graph() {
  Graph graph = pinned_graph();
  graph.envelopes.pop_back();
  graph.levers.resize(8);
  return graph;
}

TEST(RenderTest, TheMapSaysWhatItMust) {
  const std::string text = render_map(pinned_graph());
  for (const std::string_view part :
       {"P32/T64", "6.966061 tok/s", "3.3 [witnessed/approximate]", "5..6.966061 [hypothesis]",
        "[x] resident-q4k-weights", "[ ] coarse-token-submission", "#8697", "expected [hypothesis]",
        "next witness:", "fak-native/cuda", "\nIndependent levers"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(text.starts_with("NATIVE RAW-MODEL HILL CLIMB\nEnvelope: "));
  EXPECT_EQ(count(render_map(pinned_graph(), "qwen38-27b-q4k-a100-p1-decode"), "\n- [x] metal."),
            0U);
}

TEST(RenderTest, ColumnsButTheLastArePaddedToTheWidestCellAndTwoBlanks) {
  const std::string text = render_map(pinned_graph());
  const std::size_t row = text.find("[x]  present");
  const std::size_t head = text.find("ON   STATUS   RUNG");
  ASSERT_NE(row, std::string::npos);
  ASSERT_NE(head, std::string::npos);
  EXPECT_NE(text.find("WITNESSED TOK/S              NEXT\n"), std::string::npos) << text;
}

TEST(RenderTest, TheNextLeverFollowsGraphOrderAndState) {  // T-21
  Graph graph = metal_graph();
  EXPECT_EQ(next_lever(graph)->id, "metal.command-buffer-amortization");
  graph.levers[1].witnessed = graph.levers[0].witnessed;
  EXPECT_EQ(next_lever(graph)->id, "metal.paged-kv");
  graph.levers[1].witnessed.reset();
  graph.levers[1].enabled = true;
  EXPECT_EQ(next_lever(graph)->id, "metal.fused-hybrid-graph-coverage");
  for (Lever& lever : graph.levers) lever.witnessed = graph.levers[0].witnessed;
  EXPECT_TRUE(validate_graph(graph).empty());
  EXPECT_EQ(render_next(graph), "NEXT NATIVE-PERFORMANCE ARM: none\n");
}

TEST(RenderTest, ThePacketNamesAnEnabledConflict) {  // T-107
  const std::string text = render_next(pinned_graph(), "qwen38-27b-q4k-a100-p1-decode");
  EXPECT_NE(text.find("Lever: cuda.q8_1-activation-quant\n"), std::string::npos);
  EXPECT_NE(text.find("Conflicts: cuda.scalar-f32-activation-baseline (enabled: switch OFF for "
                      "this experiment)\n"),
            std::string::npos);
}

TEST(RenderTest, DotHasTwoClustersAndNoEdgeBetweenThem) {  // T-23
  const std::string text = render_dot(pinned_graph());
  EXPECT_EQ(count(text, "subgraph cluster_"), 2U);
  EXPECT_EQ(count(text, "[label=\"depends\"];"), 9U);
  EXPECT_EQ(count(text, "label=\"conflicts\"];"), 1U);
  EXPECT_NE(text.find("  \"cuda.q8_1-activation-quant\" -> "
                      "\"cuda.scalar-f32-activation-baseline\" "
                      "[dir=both,style=dashed,color=red,label=\"conflicts\"];\n"),
            std::string::npos);
  EXPECT_NE(text.find("    \"metal.paged-kv\" [label=\"metal.paged-kv\\nabsent\"];\n"),
            std::string::npos);
  EXPECT_NE(text.find("subgraph cluster_qwen38_27b_q4km_m3pro_p32_t64 {"), std::string::npos);
  EXPECT_EQ(count(text, "\\n"), 12U);
}

TEST(RenderTest, TheSameGraphGivesTheSameBytes) {  // T-22
  EXPECT_EQ(render_map(pinned_graph()), render_map(pinned_graph()));
  EXPECT_EQ(render_dot(pinned_graph()), render_dot(pinned_graph()));
  EXPECT_EQ(render_next(pinned_graph()), render_next(pinned_graph()));
  EXPECT_EQ(document_text(pinned_graph()), document_text(pinned_graph()));
}

TEST(RenderTest, ACallersCopyDoesNotChangeTheNextOne) {  // T-20
  Graph mine = pinned_graph();
  mine.levers[0].id = "changed";
  EXPECT_EQ(pinned_graph().levers[0].id, "metal.resident-q4k-weights");
}

TEST(RenderTest, TextOfAFileStaysOnItsLineAndInsideItsQuotes) {
  Graph graph = metal_graph();
  graph.levers[1].next_witness = "a\nb\x1b[31m";
  graph.levers[7].id = "metal.\"x\\";
  EXPECT_NE(render_next(graph).find("Required witness: a\\u000ab\\u001b[31m\n"), std::string::npos);
  EXPECT_NE(render_dot(graph).find("\"metal.\\\"x\\\\\" [label="), std::string::npos);
}

TEST(GraphTest, AGraphSurvivesWritingAndReading) {
  const std::string text = document_text(pinned_graph());
  const Decoded<Graph> read = decode_graph(text);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "graph");
  EXPECT_EQ(document_text(read.value), text);
}

TEST(GraphTest, KeysOfV3AreUnknownInV2) {
  Graph graph = pinned_graph();
  graph.schema = kGraphSchemaV3;
  graph.profile_routes.emplace();
  std::string text = document_text(graph);
  EXPECT_TRUE(decode_graph(text).ok());
  text.replace(text.find("/v3"), 3, "/v2");
  const Findings findings = decode_graph(text).findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].ids[0], "J-01");
  EXPECT_EQ(findings[0].path, "profile_routes");
}

TEST(GraphTest, NullAndEmptyEdgesAreAlike) {  // J-08
  std::string text = canonical_text(pinned_graph());
  const std::size_t at = text.find("\"conflict_ids\":[]");
  text.replace(at, 17, "\"conflict_ids\":null");
  const Decoded<Graph> read = decode_graph(text);
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "graph");
  EXPECT_EQ(canonical_text(read.value), canonical_text(pinned_graph()));
}

}  // namespace
}  // namespace cairn::evidence

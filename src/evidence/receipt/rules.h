// What the rules of a receipt look at.
#pragma once

#include <span>

#include "evidence/receipt/receipt.h"
#include "evidence/wire/finding.h"

namespace cairn::evidence {

/// A receipt, the graph, and what the receipt names in it; null where the graph has no such thing.
struct ReceiptView {
  const Graph& graph;
  const Receipt& receipt;
  const Lever* lever = nullptr;
  const Envelope* envelope = nullptr;
};

using ReceiptRule = Rule<ReceiptView>;

/// The rows of each part of 5.5, one file each.
std::span<const ReceiptRule> identity_rules();
std::span<const ReceiptRule> measurement_rules();
std::span<const ReceiptRule> attachment_rules();

}  // namespace cairn::evidence

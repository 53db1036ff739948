// PrefixTree: full pages by everything that stands before them.
//
// Purpose     a node is one full page of ids after one certain prefix; it knows the page of each
//             group that holds its keys and values. Nodes are found by a chained SHA-256 over the
//             parent's hash and the page's ids; the root's hash covers salt and identity (cache
//             type, numeric class), each with its length in front.
// Invariants  a hit compares ids and parent too, so that equal hashes of different prefixes do no
//             harm. A node lives while it holds a page, has children or is pinned.
// Threads     one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sha256.h"
#include "base/token.h"
#include "engine/cache/cache_groups.h"
#include "kernels/ops.h"

namespace cairn::engine {

using PageIds = std::span<const TokenId, kernels::kPagePositions>;
using PageHash = Sha256Digest (*)(const Sha256Digest& parent, PageIds ids);

/// SHA-256 of the parent's hash and the ids as little-endian u32.
Sha256Digest page_hash(const Sha256Digest& parent, PageIds ids);

/// The hash that stands before the first page of prompts of `salt`.
Sha256Digest root_hash(std::string_view identity, std::string_view salt);

struct PrefixNode {
  Sha256Digest hash = {};
  PrefixNode* parent = nullptr;                           // nullptr: a root
  std::array<TokenId, kernels::kPagePositions> ids = {};  // of a root: unused
  std::string salt = {};                                  // of a root
  std::vector<std::uint32_t> pages = {};                  // per group, or kNoPage
  std::size_t held = 0;                                   // pages, children and pins
};

class PrefixTree {
 public:
  /// `identity` says what pages of this engine hold beside ids. `hash` is page_hash but in tests.
  PrefixTree(std::size_t groups, std::string identity, PageHash hash);
  ~PrefixTree();
  PrefixTree(const PrefixTree&) = delete;
  PrefixTree& operator=(const PrefixTree&) = delete;

  /// The root of `salt`, pinned.
  PrefixNode* pin_root(std::string_view salt);
  /// The node of `ids` behind `parent`, or nullptr.
  PrefixNode* find(const PrefixNode& parent, PageIds ids) const;
  /// The same, made where there is none; pinned.
  PrefixNode* pin_child(PrefixNode& parent, PageIds ids);
  static void pin(PrefixNode& node) { ++node.held; }
  void unpin(PrefixNode* node) { let_go(node); }

  /// `node` has its keys and values of `group` in `page`; it had none there.
  static void set_page(PrefixNode& node, std::size_t group, std::uint32_t page);
  void clear_page(PrefixNode& node, std::size_t group);

  std::size_t nodes() const { return nodes_.size(); }

 private:
  using Nodes = std::unordered_multimap<std::uint64_t, std::unique_ptr<PrefixNode>>;
  PrefixNode* add(const Sha256Digest& hash, PrefixNode* parent);
  void let_go(PrefixNode* node);

  std::size_t groups_ = 0;
  std::string identity_;
  PageHash hash_;
  Nodes nodes_;  // by the first eight bytes of the hash
};

}  // namespace cairn::engine

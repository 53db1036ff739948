#include "engine/cache/prefix_tree.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/status.h"

namespace cairn::engine {
namespace {

std::uint64_t key_of(const Sha256Digest& hash) {
  std::uint64_t key = 0;
  std::memcpy(&key, hash.data(), sizeof(key));
  return key;
}

/// The length in front keeps two texts apart that read the same when joined.
void add_text(Sha256& hash, std::string_view text) {
  std::array<std::byte, 8> size = {};
  for (std::size_t i = 0; i < size.size(); ++i) size[i] = std::byte(text.size() >> (8 * i));
  hash.update(size);
  hash.update(std::as_bytes(std::span(text)));
}

}  // namespace

Sha256Digest page_hash(const Sha256Digest& parent, PageIds ids) {
  std::array<std::byte, kernels::kPagePositions* 4> bytes = {};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(ids[i]);
    for (std::size_t b = 0; b < 4; ++b) bytes[4 * i + b] = std::byte(bits >> (8 * b));
  }
  Sha256 hash;
  hash.update(parent);
  hash.update(bytes);
  return hash.digest();
}

Sha256Digest root_hash(std::string_view identity, std::string_view salt) {
  Sha256 text;
  add_text(text, "cairn prefix");
  add_text(text, identity);
  add_text(text, salt);
  return text.digest();
}

PrefixTree::PrefixTree(std::size_t groups, std::string identity, PageHash hash)
    : groups_(groups), identity_(std::move(identity)), hash_(hash) {}

PrefixTree::~PrefixTree() = default;

PrefixNode* PrefixTree::add(const Sha256Digest& hash, PrefixNode* parent) {
  auto node = std::make_unique<PrefixNode>();
  node->hash = hash;
  node->parent = parent;
  node->pages.assign(groups_, kNoPage);
  node->held = 1;
  if (parent != nullptr) ++parent->held;
  return nodes_.emplace(key_of(hash), std::move(node))->second.get();
}

PrefixNode* PrefixTree::pin_root(std::string_view salt) {
  const Sha256Digest hash = root_hash(identity_, salt);
  const auto [begin, end] = nodes_.equal_range(key_of(hash));
  for (auto at = begin; at != end; ++at) {
    PrefixNode& node = *at->second;
    if (node.parent != nullptr || node.salt != salt) continue;
    pin(node);
    return &node;
  }
  PrefixNode* node = add(hash, nullptr);
  node->salt = salt;
  return node;
}

PrefixNode* PrefixTree::find(const PrefixNode& parent, PageIds ids) const {
  const auto [begin, end] = nodes_.equal_range(key_of(hash_(parent.hash, ids)));
  for (auto at = begin; at != end; ++at) {
    PrefixNode& node = *at->second;
    if (node.parent == &parent && std::ranges::equal(node.ids, ids)) return &node;
  }
  return nullptr;
}

PrefixNode* PrefixTree::pin_child(PrefixNode& parent, PageIds ids) {
  PrefixNode* node = find(parent, ids);
  if (node != nullptr) {
    pin(*node);
    return node;
  }
  node = add(hash_(parent.hash, ids), &parent);
  std::ranges::copy(ids, node->ids.begin());
  return node;
}

void PrefixTree::set_page(PrefixNode& node, std::size_t group, std::uint32_t page) {
  CAIRN_CHECK(node.pages[group] == kNoPage);
  node.pages[group] = page;
  ++node.held;
}

void PrefixTree::clear_page(PrefixNode& node, std::size_t group) {
  CAIRN_CHECK(node.pages[group] != kNoPage);
  node.pages[group] = kNoPage;
  let_go(&node);
}

void PrefixTree::let_go(PrefixNode* node) {
  while (node != nullptr) {
    CAIRN_CHECK(node->held > 0);
    if (--node->held > 0) return;
    PrefixNode* parent = node->parent;
    const auto [begin, end] = nodes_.equal_range(key_of(node->hash));
    nodes_.erase(
        std::find_if(begin, end, [&](const auto& entry) { return entry.second.get() == node; }));
    node = parent;
  }
}

}  // namespace cairn::engine

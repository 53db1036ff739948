#include "engine/cache/sequence_pages.h"

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace cairn::engine {
namespace {

PageIds page_ids(std::span<const TokenId> ids, std::size_t page) {
  return ids.subspan(page * kernels::kPagePositions).first<kernels::kPagePositions>();
}

/// Whole pages in front of the last of `ids` ids.
std::size_t pages_before(std::size_t ids) {
  return ids == 0 ? 0 : snapshot_position(ids) / kernels::kPagePositions;
}

}  // namespace

SequencePages::SequencePages(KvCache& cache, std::string salt, std::size_t positions_max)
    : cache_(cache),
      salt_(std::move(salt)),
      tables_(cache.groups().size()),
      left_(cache.groups().size()) {
  ids_.reserve(positions_max);
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    tables_[group].reserve(cache.groups()[group].pages_for(positions_max));
  }
}

std::size_t SequencePages::match(std::span<const TokenId> ids) {
  CAIRN_CHECK(ids_.empty() && node_ == nullptr);
  if (ids.empty()) return 0;
  prompt_end_ = snapshot_position(ids.size());
  std::vector<PrefixNode*> nodes;
  PrefixNode* root = cache_.tree_.pin_root(salt_);
  const PrefixNode* node = root;
  while ((nodes.size() + 1) * kernels::kPagePositions < ids.size()) {
    PrefixNode* next = cache_.tree_.find(*node, page_ids(ids, nodes.size()));
    if (next == nullptr) break;
    nodes.push_back(next);
    node = next;
  }
  nodes.resize(stored_positions(nodes) / kernels::kPagePositions);
  take_prefix(nodes);
  node_ = nodes.empty() ? root : nodes.back();
  node_pages_ = nodes.size();
  if (!nodes.empty()) {
    PrefixTree::pin(*node_);
    cache_.tree_.unpin(root);
  }
  ids_.assign(ids.begin(),
              ids.begin() + static_cast<std::ptrdiff_t>(nodes.size() * kernels::kPagePositions));
  return ids_.size();
}

std::size_t SequencePages::restore(std::span<const TokenId> ids, const KeptPages& kept) {
  const std::size_t found = ids_.size() / kernels::kPagePositions;
  const std::size_t end = std::min(kept.first + kept.pages.size(), pages_before(ids.size()));
  if (found < kept.first || found >= end) return ids_.size();
  auto pages = std::span(kept.pages).subspan(found - kept.first);
  // A state is known behind the last of them, or nowhere.
  const bool whole = std::ranges::any_of(cache_.groups(), &CacheGroup::recurrent);
  if (whole && end < kept.first + kept.pages.size()) return ids_.size();
  pages = pages.first(end - found);
  const std::size_t step = whole ? pages.size() : 1;
  for (; !pages.empty(); pages = pages.subspan(step)) {
    const auto next = ids.subspan(ids_.size()).first(step * kernels::kPagePositions);
    if (!restore_pages(next, pages.first(step))) break;
  }
  return ids_.size();
}

/// Takes room for `pages`, which hold `ids`; false, with none taken, where it is missing.
bool SequencePages::restore_pages(std::span<const TokenId> ids,
                                  std::span<const KeptPages::Page> pages) {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    const std::size_t needed = cache_.groups()[group].recurrent() ? 1 : pages.size();
    if (cache_.pool(group).available() < needed) return false;
  }
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    if (cache_.groups()[group].recurrent()) {
      renew_page(group);
      cache_.options_.fill_page(group, tables_[group][0], pages.back()[group]);
      continue;
    }
    for (const KeptPages::Page& page : pages) {
      tables_[group].push_back(cache_.take(group));
      cache_.options_.fill_page(group, tables_[group].back(), page[group]);
    }
  }
  append(ids);
  return true;
}

/// The one page of a recurrent group becomes another that nobody else has.
void SequencePages::renew_page(std::size_t group) {
  std::vector<std::uint32_t>& table = tables_[group];
  const std::uint32_t page = cache_.take(group);
  if (!table.empty()) cache_.release(group, table[0]);
  table.assign(1, page);
}

/// Positions of the longest beginning of `nodes` of which every group has what the next query looks
/// at.
std::size_t SequencePages::stored_positions(std::span<PrefixNode* const> nodes) const {
  std::vector<std::size_t> runs(tables_.size());  // pages in a row up to the current one
  std::size_t best = 0;
  for (std::size_t page = 0; page < nodes.size(); ++page) {
    const std::size_t positions = (page + 1) * kernels::kPagePositions;
    bool all = true;
    for (std::size_t group = 0; group < runs.size(); ++group) {
      runs[group] = nodes[page]->pages[group] == kNoPage ? 0 : runs[group] + 1;
      const CacheGroup& of = cache_.groups()[group];
      const std::size_t first = of.recurrent() ? page : of.first_page(positions);
      all = all && runs[group] >= page + 1 - std::min(first, page + 1);
    }
    if (all) best = positions;
  }
  return best;
}

void SequencePages::take_prefix(std::span<PrefixNode* const> nodes) {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    if (cache_.groups()[group].recurrent()) {
      if (nodes.empty()) continue;
      tables_[group] = {nodes.back()->pages[group]};  // copied before it is written
      cache_.pool(group).share(tables_[group][0]);
      continue;
    }
    const std::size_t first =
        cache_.groups()[group].first_page(nodes.size() * kernels::kPagePositions);
    left_[group] = std::min(first, nodes.size());
    tables_[group].assign(nodes.size(), kNoPage);
    for (std::size_t page = left_[group]; page < nodes.size(); ++page) {
      tables_[group][page] = nodes[page]->pages[group];
      cache_.pool(group).share(tables_[group][page]);
    }
  }
}

/// The page that the next position is written to, which may not be there yet.
std::size_t SequencePages::written_page(std::size_t group) const {
  return cache_.groups()[group].pages_for(ids_.size() + 1) - 1;
}

bool SequencePages::writes_shared(std::size_t group) const {
  const std::size_t page = written_page(group);
  if (page >= tables_[group].size()) return false;
  // A snapshot is written by nobody, though one sequence may have it alone.
  return cache_.pool(group).owners(tables_[group][page]) > 1 ||
         cache_.stored(group, tables_[group][page]);
}

std::size_t SequencePages::missing(std::size_t group, std::size_t positions) const {
  const std::size_t wanted = cache_.groups()[group].pages_for(positions);
  const std::size_t grown = wanted - std::min(wanted, tables_[group].size());
  return grown + (writes_shared(group) ? 1 : 0);
}

bool SequencePages::fits(std::size_t positions) const {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    if (missing(group, positions) > cache_.pool(group).available()) return false;
  }
  return true;
}

bool SequencePages::reserve(std::size_t positions) {
  if (!fits(positions)) return false;
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    std::vector<std::uint32_t>& table = tables_[group];
    if (writes_shared(group)) {
      std::uint32_t& shared = table[written_page(group)];
      const std::uint32_t copy = cache_.take(group);
      cache_.options_.copy_page(group, shared, copy);
      cache_.release(group, std::exchange(shared, copy));
      ++cache_.figures_.copied_pages;
    }
    const std::size_t wanted = cache_.groups()[group].pages_for(positions);
    while (table.size() < wanted) table.push_back(cache_.take(group));
  }
  return true;
}

void SequencePages::append(std::span<const TokenId> ids) {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    CAIRN_CHECK(cache_.groups()[group].pages_for(ids_.size() + ids.size()) <=
                tables_[group].size());
  }
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  store_full_pages();
  keep_snapshots();
  leave_behind();
}

void SequencePages::store_full_pages() {
  if (private_) return;
  const std::size_t full = ids_.size() / kernels::kPagePositions;
  if (node_ == nullptr && full > 0) node_ = cache_.tree_.pin_root(salt_);
  for (; node_pages_ < full; ++node_pages_) {
    PrefixNode* parent = node_;
    node_ = cache_.tree_.pin_child(*parent, page_ids(ids_, node_pages_));
    cache_.tree_.unpin(parent);
    for (std::size_t group = 0; group < tables_.size(); ++group) {
      if (cache_.groups()[group].recurrent()) continue;
      const std::uint32_t page = tables_[group][node_pages_];
      if (node_->pages[group] == kNoPage) cache_.store(*node_, group, page);
    }
  }
}

/// Of the recurrent states as they are now, where a prompt like this one will look for them.
void SequencePages::keep_snapshots() {
  const std::size_t positions = ids_.size();
  const std::size_t every = cache_.options_.snapshot_tokens;
  if (private_ || every == 0 || positions == 0 || positions % kernels::kPagePositions != 0) return;
  if (positions % every != 0 && positions != prompt_end_) return;
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    if (!cache_.groups()[group].recurrent()) continue;
    cache_.keep_snapshot(*node_, group, tables_[group][0]);
  }
}

void SequencePages::leave_behind() {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    const std::size_t first = cache_.groups()[group].first_page(ids_.size());
    for (; left_[group] < first; ++left_[group]) {
      std::uint32_t& page = tables_[group][left_[group]];
      cache_.release(group, std::exchange(page, kNoPage));
    }
  }
}

void SequencePages::trim() {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    const std::size_t kept = cache_.groups()[group].pages_for(ids_.size());
    std::vector<std::uint32_t>& table = tables_[group];
    while (table.size() > std::max(kept, left_[group])) {
      cache_.release(group, table.back());
      table.pop_back();
    }
  }
}

void SequencePages::clear() {
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    // Last pages first: they are the first to be evicted, and a prefix is found from its beginning.
    std::vector<std::uint32_t>& table = tables_[group];
    while (table.size() > left_[group]) {
      cache_.release(group, table.back());
      table.pop_back();
    }
    table.clear();
    left_[group] = 0;
  }
  ids_.clear();
  if (node_ != nullptr) cache_.tree_.unpin(std::exchange(node_, nullptr));
  node_pages_ = 0;
  prompt_end_ = 0;
}

void SequencePages::fork(const SequencePages& other) {
  CAIRN_CHECK(ids_.empty() && node_ == nullptr && &cache_ == &other.cache_);
  ids_.assign(other.ids_.begin(), other.ids_.end());
  left_ = other.left_;
  node_ = other.node_;
  node_pages_ = other.node_pages_;
  if (node_ != nullptr) PrefixTree::pin(*node_);
  for (std::size_t group = 0; group < tables_.size(); ++group) {
    tables_[group].assign(other.tables_[group].begin(), other.tables_[group].end());
    for (std::size_t page = left_[group]; page < tables_[group].size(); ++page) {
      cache_.pool(group).share(tables_[group][page]);
    }
  }
}

}  // namespace cairn::engine

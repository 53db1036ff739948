#include "engine/cache/sequence_pages.h"

#include <utility>

#include "base/status.h"

namespace cairn::engine {

SequencePages::SequencePages(PagePool& pool, std::size_t positions_max) : pool_(&pool) {
  ids_.reserve(positions_max);
  pages_.reserve(pages_for(positions_max));
}

SequencePages::SequencePages(SequencePages&& other) noexcept
    : pool_(other.pool_),
      ids_(std::exchange(other.ids_, {})),
      pages_(std::exchange(other.pages_, {})) {}

bool SequencePages::reserve(std::size_t positions) {
  const std::size_t wanted = pages_for(positions);
  if (wanted <= pages_.size()) return true;
  if (wanted - pages_.size() > pool_->free()) return false;
  while (pages_.size() < wanted) pages_.push_back(*pool_->take());
  return true;
}

void SequencePages::append(std::span<const TokenId> ids) {
  CAIRN_CHECK(pages_for(ids_.size() + ids.size()) <= pages_.size());
  ids_.insert(ids_.end(), ids.begin(), ids.end());
}

void SequencePages::shorten(std::size_t positions) {
  if (positions < ids_.size()) ids_.resize(positions);
  while (pages_.size() > pages_for(ids_.size())) {
    pool_->release(pages_.back());
    pages_.pop_back();
  }
}

}  // namespace cairn::engine

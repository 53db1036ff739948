#include "engine/cache/page_fetch.h"

#include <algorithm>
#include <utility>

#include "engine/cache/prefix_tree.h"

namespace cairn::engine {

PageFetch::PageFetch(PageStore& store, std::string identity, std::vector<Group> groups)
    : store_(store),
      identity_(std::move(identity)),
      groups_(std::move(groups)),
      taken_(std::make_shared<std::atomic<std::uint64_t>>(0)) {
  for (const Group& group : groups_) {
    page_bytes_ += group.bytes;
    if (group.recurrent) snapshot_bytes_ += group.bytes;
  }
}

/// Room for `bytes` more.
bool PageFetch::take_room(FetchedPages& fetched, std::uint64_t bytes) {
  if (taken_->fetch_add(bytes) + bytes > kBytesMax) {
    taken_->fetch_sub(bytes);
    return false;
  }
  // Each page's room holds that of the page before.
  fetched.room =
      std::shared_ptr<void>(nullptr, [taken = taken_, bytes, before = std::move(fetched.room)](
                                         void*) { taken->fetch_sub(bytes); });
  return true;
}

/// Whether the page is here in every group that is not recurrent; one in front of the last snapshot
/// needs no other.
bool PageFetch::has(PageKey key) const {
  for (key.group = 0; key.group < groups_.size(); ++key.group) {
    if (!groups_[key.group].recurrent && !store_.has(key)) return false;
  }
  return true;
}

/// Either the groups that are recurrent or the others, or nothing of them.
bool PageFetch::read(PageKey key, bool recurrent, KeptPages::Page& page) {
  for (key.group = 0; key.group < groups_.size(); ++key.group) {
    if (groups_[key.group].recurrent != recurrent) continue;
    std::optional<std::vector<std::byte>> bytes = store_.read(key, groups_[key.group].bytes);
    if (!bytes) return false;
    page[key.group] = std::move(*bytes);
  }
  return true;
}

/// Drops the pages behind the last one that has snapshots. `keys` are those of the fetched pages.
void PageFetch::read_snapshots(std::span<const PageKey> keys, FetchedPages& fetched) {
  std::vector<KeptPages::Page>& pages = fetched.pages.pages;
  if (snapshot_bytes_ == 0 || pages.empty()) return;
  if (!take_room(fetched, snapshot_bytes_)) return pages.clear();
  while (!pages.empty() && !read(keys[pages.size() - 1], true, pages.back())) pages.pop_back();
}

FetchedPages PageFetch::fetch(std::span<const TokenId> ids, std::string_view salt,
                              std::size_t known) {
  FetchedPages fetched{.pages = {.first = known}};
  std::vector<PageKey> keys;
  PageKey key{.parent = root_hash(identity_, salt)};
  for (std::size_t at = 0; at + kernels::kPagePositions < ids.size();
       at += kernels::kPagePositions) {
    const PageIds page = ids.subspan(at).first<kernels::kPagePositions>();
    key.hash = page_hash(key.parent, page);
    std::ranges::copy(page, key.ids.begin());
    if (at / kernels::kPagePositions >= known) {
      KeptPages::Page contents(groups_.size());
      if (!has(key) || !take_room(fetched, page_bytes_ - snapshot_bytes_)) break;
      if (!read(key, false, contents)) break;
      fetched.pages.pages.push_back(std::move(contents));
      keys.push_back(key);
    }
    key.parent = key.hash;
  }
  read_snapshots(keys, fetched);
  return fetched;
}

}  // namespace cairn::engine

#include "engine/cache/page_fetch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/cache/prefix_tree.h"

namespace cairn::engine {

PageFetch::PageFetch(PageStore& store, std::string identity, std::vector<std::size_t> group_bytes)
    : store_(store),
      identity_(std::move(identity)),
      group_bytes_(std::move(group_bytes)),
      page_bytes_(std::accumulate(group_bytes_.begin(), group_bytes_.end(), std::uint64_t{0})),
      taken_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

/// Room for one more page.
bool PageFetch::take_room(FetchedPages& fetched) {
  if (taken_->fetch_add(page_bytes_) + page_bytes_ > kBytesMax) {
    taken_->fetch_sub(page_bytes_);
    return false;
  }
  // Each page's room holds that of the page before.
  fetched.room = std::shared_ptr<void>(
      nullptr, [taken = taken_, bytes = page_bytes_, before = std::move(fetched.room)](void*) {
        taken->fetch_sub(bytes);
      });
  return true;
}

/// The page in every group, or nothing of it.
bool PageFetch::read(PageKey key, KeptPages& pages) {
  KeptPages::Page page;
  for (std::size_t group = 0; group < group_bytes_.size(); ++group) {
    key.group = group;
    std::optional<std::vector<std::byte>> bytes = store_.read(key, group_bytes_[group]);
    if (!bytes) return false;
    page.push_back(std::move(*bytes));
  }
  pages.pages.push_back(std::move(page));
  return true;
}

FetchedPages PageFetch::fetch(std::span<const TokenId> ids, std::string_view salt,
                              std::size_t known) {
  FetchedPages fetched{.pages = {.first = known}};
  PageKey key{.parent = root_hash(identity_, salt)};
  for (std::size_t at = 0; at + kernels::kPagePositions < ids.size();
       at += kernels::kPagePositions) {
    const PageIds page = ids.subspan(at).first<kernels::kPagePositions>();
    key.hash = page_hash(key.parent, page);
    std::ranges::copy(page, key.ids.begin());
    if (at / kernels::kPagePositions >= known) {
      if (!store_.has(key) || !take_room(fetched) || !read(key, fetched.pages)) break;
    }
    key.parent = key.hash;
  }
  return fetched;
}

}  // namespace cairn::engine

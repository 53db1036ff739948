#include "engine/page_keeper.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

/// All that pages depend on beside ids, in words.
std::string identity_of(const Forwarder& forwarder, const PageKeeping& keeping) {
  std::string text = fmt::format("model {}\npages {}, layout {}", keeping.model,
                                 forwarder.cache_identity(), forwarder.page_layout());
  for (std::size_t group = 0; group < forwarder.groups().size(); ++group) {
    const CacheGroup& of = forwarder.groups()[group];
    text += fmt::format("\ngroup {}: kind {}, window {}, {} bytes", group,
                        static_cast<int>(of.kind), of.window, forwarder.page_bytes(group));
  }
  return text;
}

std::vector<PageFetch::Group> groups_to_fetch(const Forwarder& forwarder) {
  std::vector<PageFetch::Group> groups;
  for (std::size_t group = 0; group < forwarder.groups().size(); ++group) {
    groups.push_back(
        {.bytes = forwarder.page_bytes(group), .recurrent = forwarder.groups()[group].recurrent()});
  }
  return groups;
}

PageKey page_key_of(const PrefixNode& node, std::size_t group) {
  return {.hash = node.hash, .parent = node.parent->hash, .ids = node.ids, .group = group};
}

}  // namespace

PageKeeper::PageKeeper(Forwarder& forwarder, std::unique_ptr<PageStore> store)
    : forwarder_(forwarder),
      store_(std::move(store)),
      fetch_(*store_, forwarder.cache_identity(), groups_to_fetch(forwarder)) {}

Result<std::unique_ptr<PageKeeper>> PageKeeper::open(Forwarder& forwarder,
                                                     const PageKeeping& keeping) {
  if (keeping.folder.empty()) return std::unique_ptr<PageKeeper>();
  if (forwarder.page_layout() == 0) {
    return unsupported("this device's pages of the cache can not be kept on disk");
  }
  CAIRN_ASSIGN(std::unique_ptr<PageStore> store,
               PageStore::open({.folder = keeping.folder,
                                .identity = identity_of(forwarder, keeping),
                                .bytes_max = keeping.bytes_max,
                                .on_warning = keeping.on_warning}));
  return std::unique_ptr<PageKeeper>(new PageKeeper(forwarder, std::move(store)));
}

bool PageKeeper::offer(const PrefixNode& node, std::size_t group, std::uint32_t page) {
  PageContents contents{.key = page_key_of(node, group)};
  const std::size_t bytes = fetch_.group_bytes(group);
  if (!store_->wants(contents.key, bytes)) return false;
  contents.bytes.resize(bytes);
  forwarder_.read_page(group, page, contents.bytes);
  store_->write(std::move(contents));
  return true;
}

void PageKeeper::keep_all(const KvCache& cache) {
  struct Idle {
    const PrefixNode* node = nullptr;
    std::uint32_t page = 0;
  };
  std::vector<std::vector<Idle>> idle(cache.groups().size());
  cache.visit_idle([&](const PrefixNode& node, std::size_t group, std::uint32_t page) {
    idle[group].push_back({.node = &node, .page = page});
  });
  // Those let go last are kept, and written last, so that they are the last to be removed.
  const std::uint64_t most = store_->bytes_max() / fetch_.page_bytes();
  for (std::size_t group = 0; group < idle.size(); ++group) {
    const std::size_t kept = std::min<std::uint64_t>(most, idle[group].size());
    for (const Idle& each : std::span(idle[group]).last(kept)) {
      if (offer(*each.node, group, each.page)) continue;
      if (store_->has(page_key_of(*each.node, group))) continue;
      store_->flush();
      offer(*each.node, group, each.page);
    }
  }
  store_->flush();
}

}  // namespace cairn::engine

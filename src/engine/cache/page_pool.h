// PagePool: which pages of one cache group are taken, and by how many.
//
// Purpose     counts owners; keeps pages without owners in the order in which they were let go, so
//             that a prefix can be found in them again.
// Invariants  a page is free, idle (no owner, its content kept) or has at least one owner; nothing
//             is allocated after creation.
// Threads     one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::engine {

class PagePool {
 public:
  explicit PagePool(std::size_t pages);

  /// A page that was given out, and whether it was idle: then what it held is gone.
  struct Taken {
    std::uint32_t page = 0;
    bool evicted = false;
  };
  /// A page with one owner: of the free ones the lowest number, else the idle one that was let go
  /// longest ago; nothing when all have owners.
  std::optional<Taken> take();
  /// One more owner of a page that has one or is idle.
  void share(std::uint32_t page);

  /// What becomes of a page without owners.
  enum class Keep : std::uint8_t { kNo, kYes };
  /// One owner less; without any the page is free, or idle and the newest of them.
  void release(std::uint32_t page, Keep keep);
  /// The idle page that was let go longest ago becomes free; nothing without one.
  std::optional<std::uint32_t> drop_idle();

  /// Idle pages, the one that was let go longest ago first.
  std::vector<std::uint32_t> idle_list() const;

  std::size_t size() const { return owners_.size(); }
  std::size_t free() const { return free_.size(); }
  std::size_t idle() const { return idle_; }
  /// Pages that were ever given out: as the lowest number goes first, 0 up to this.
  std::size_t touched() const { return touched_; }
  /// How often take() can succeed.
  std::size_t available() const { return free_.size() + idle_; }
  std::uint32_t owners(std::uint32_t page) const { return owners_[page]; }

 private:
  struct Link {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
  };
  void unlink(std::uint32_t page);
  void add_free(std::uint32_t page);

  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> free_;  // a heap, the lowest page on top
  std::vector<Link> links_;          // of idle pages, oldest first; the last entry is both ends
  std::vector<bool> idle_pages_;
  std::size_t idle_ = 0;
  std::size_t touched_ = 0;
};

}  // namespace cairn::engine

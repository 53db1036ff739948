#include "tests/faults/failing_allocator.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAIRN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CAIRN_SANITIZED 1
#endif
#endif

namespace {

constinit std::atomic<std::int64_t> next_number = 0;
constinit std::atomic<std::int64_t> failing_number = -1;
constinit std::atomic<std::int64_t> blocks = 0;

}  // namespace

namespace cairn::faults {

bool replaced() {
#ifdef CAIRN_SANITIZED
  return false;
#else
  return true;
#endif
}

void fail_at(std::int64_t number) {
  failing_number = -1;
  next_number = 0;
  failing_number = number;
}

std::int64_t counted() { return next_number; }
bool failed() { return failing_number >= 0 && next_number > failing_number; }
std::int64_t live_blocks() { return blocks; }

}  // namespace cairn::faults

#ifndef CAIRN_SANITIZED

// glibc's own, under the names that it keeps for programs that replace the others.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);
extern "C" void* __libc_realloc(void* block, std::size_t size);
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size);
extern "C" void __libc_free(void* block);

namespace {

bool fails() { return next_number.fetch_add(1) == failing_number; }

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

void* take(std::size_t size) {
  void* block = fails() ? nullptr : __libc_malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  ++blocks;
  return block;
}

void* take(std::size_t size, std::align_val_t alignment) {
  void* block = fails()
                    ? nullptr
                    : __libc_memalign(static_cast<std::size_t>(alignment), size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  ++blocks;
  return block;
}

void give(void* block) {
  if (block == nullptr) return;
  --blocks;
  __libc_free(block);
}

}  // namespace

extern "C" void* malloc(std::size_t size) { return fails() ? no_memory() : __libc_malloc(size); }
extern "C" void* calloc(std::size_t count, std::size_t size) {
  return fails() ? no_memory() : __libc_calloc(count, size);
}
extern "C" void* realloc(void* block, std::size_t size) {
  return fails() ? no_memory() : __libc_realloc(block, size);
}
extern "C" void free(void* block) { __libc_free(block); }

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, std::align_val_t alignment) { return take(size, alignment); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return take(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return take(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* block) noexcept { give(block); }
void operator delete[](void* block) noexcept { give(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { give(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { give(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { give(block); }
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept { give(block); }
void operator delete(void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  give(block);
}
void operator delete[](void* block, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  give(block);
}

#endif

// The program's own allocator, which fails when it is told to.
//
// Purpose     operator new in all its forms, malloc, calloc and realloc are counted, and the one
//             with a given number fails; blocks of operator new that live are counted too.
// Invariants  one allocation fails per fail_at(): what the code does about it can allocate again.
// Threads     any.
#pragma once

#include <cstdint>

namespace cairn::faults {

/// False under sanitizers, which have an allocator of their own.
bool replaced();

/// The allocation with this number from now on fails, counted from 0; -1: none.
void fail_at(std::int64_t number);
/// Allocations since the last fail_at().
std::int64_t counted();
/// Whether the one that fail_at() named has come.
bool failed();
/// Blocks of operator new that were not given back.
std::int64_t live_blocks();

}  // namespace cairn::faults

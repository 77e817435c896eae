// Sweep: repeats work and refuses its requests for memory in turn.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/memory/failing_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <initializer_list>

namespace valkyr::test {

/// The value of VALKYR_MEMORY_STRIDE; 0 if it is not set. N refuses every N-th request in turn; 1
/// takes minutes.
inline uint64_t memory_stride() {
    const char* text = std::getenv("VALKYR_MEMORY_STRIDE");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
}

/// Calls attempt(first, count) for both ways of running out of memory: only request `first` is
/// refused (count 1), or all from there on (FailingMemory::kForever). attempt() returns how many
/// requests it made; with `first` beyond them it must succeed.
/// runs  approximate number of attempts by default, half of them for each way
template <typename Attempt>
void sweep_memory(uint64_t runs, Attempt&& attempt) {
    const uint64_t requests = attempt(UINT64_MAX, uint64_t{1});
    REQUIRE(requests > 0);
    const uint64_t stride = memory_stride() != 0 ? memory_stride() : 2 * requests / runs + 1;
    for (const uint64_t count : {uint64_t{1}, FailingMemory::kForever}) {
        uint64_t tried = 0;
        for (uint64_t first = 1 + stride / 2; first <= requests; first += stride) {
            CAPTURE(first);
            CAPTURE(count);
            attempt(first, count);
            ++tried;
        }
        CHECK(tried > 0);
    }
}

}  // namespace valkyr::test

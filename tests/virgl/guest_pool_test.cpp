// Guest pool test: small storage comes back to its client as zeros, and few descriptors are kept.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/guest_pool.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <utility>
#include <vector>

using namespace valkyr;
using virgl::GuestPool;
using virgl::SharedMemory;

namespace {

SharedMemory taken(GuestPool& pool, size_t bytes) {
    auto memory = pool.take(bytes);
    REQUIRE(memory);
    REQUIRE(memory->size() == bytes);
    return std::move(*memory);
}

SharedMemory shared(GuestPool& pool, size_t bytes) {
    SharedMemory memory = taken(pool, bytes);
    pool.share(memory);
    return memory;
}

}  // namespace

TEST_CASE("storage of a resource that ended serves the next one of its size, as zeros") {
    GuestPool pool;
    SharedMemory first = shared(pool, 8);
    const std::byte* const place = first.bytes().data();
    std::ranges::fill(first.bytes(), std::byte{0xAB});
    pool.give(std::move(first));
    const SharedMemory other_size = shared(pool, 16);
    CHECK(other_size.bytes().data() != place);
    const SharedMemory again = shared(pool, 8);
    CHECK(again.bytes().data() == place);
    CHECK(again.descriptor() >= 0);
    CHECK(std::ranges::all_of(again.bytes(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("large storage is not kept") {
    GuestPool pool;
    SharedMemory large = shared(pool, GuestPool::kLargest + 1);
    CHECK(large.descriptor() < 0);
    pool.give(std::move(large));
    CHECK(taken(pool, GuestPool::kLargest + 1).descriptor() >= 0);
}

TEST_CASE("a pool keeps few descriptors, however many resources there are") {
    GuestPool pool;
    std::vector<SharedMemory> many;
    for (size_t i = 0; i < 3 * GuestPool::kMost; ++i)
        many.push_back(shared(pool, 8));
    const auto open = [&] {
        return static_cast<size_t>(std::ranges::count_if(
            many, [](const SharedMemory& memory) { return memory.descriptor() >= 0; }));
    };
    CHECK(open() == GuestPool::kMost);
    for (SharedMemory& memory : many)
        pool.give(std::move(memory));
    for (SharedMemory& memory : many)
        memory = shared(pool, 8);
    CHECK(open() == GuestPool::kMost);
}

TEST_CASE("storage that no client got is not counted") {
    GuestPool pool;
    for (size_t i = 0; i < 2 * GuestPool::kMost; ++i)
        pool.give(taken(pool, 8));
    CHECK(shared(pool, 8).descriptor() >= 0);
}

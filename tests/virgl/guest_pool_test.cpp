// Guest pool test: storage comes back to its client as zeros, and few descriptors are kept.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "virgl/protocol/guest_pool.hpp"
#include "virgl/protocol/protocol.hpp"
#include "virgl/state/resource.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <iterator>
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

auto open_descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

SharedMemory shared(GuestPool& pool, size_t bytes) {
    SharedMemory memory = taken(pool, bytes);
    pool.share(memory);
    return memory;
}

}  // namespace

TEST_CASE("storage of a resource that ended serves the next one of its size, as zeros") {
    GuestPool pool(GuestPool::kMost);
    SharedMemory first = shared(pool, 8);
    const std::byte* const place = first.bytes().data();
    std::ranges::fill(first.bytes(), std::byte{0xAB});
    pool.give(std::move(first));
    const SharedMemory other_size = shared(pool, 16);
    CHECK(other_size.bytes().data() != place);
    const SharedMemory again = shared(pool, 8);
    CHECK(again.bytes().data() == place);
    CHECK(std::ranges::all_of(again.bytes(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("large storage is not kept, and little of the rest") {
    constexpr size_t kMany = 4 * GuestPool::kMostIdleBytes / GuestPool::kLargest;
    const auto before = open_descriptors();
    GuestPool pool(GuestPool::kMost);
    pool.give(shared(pool, GuestPool::kLargest + 1));
    CHECK(open_descriptors() == before);
    std::vector<SharedMemory> many;
    for (size_t i = 0; i < kMany; ++i)
        many.push_back(shared(pool, GuestPool::kLargest));
    CHECK(open_descriptors() == before + kMany);
    for (SharedMemory& memory : many)
        pool.give(std::move(memory));
    const size_t kept = GuestPool::kMostIdleBytes / GuestPool::kLargest;
    CHECK(open_descriptors() == before + kept);
}

TEST_CASE("a pool keeps few descriptors, those of the youngest resources") {
    GuestPool pool(GuestPool::kMost);
    std::vector<SharedMemory> many;
    for (size_t i = 0; i < 3 * GuestPool::kMost; ++i)
        many.push_back(shared(pool, 8));
    std::vector<const std::byte*> places;
    for (SharedMemory& memory : many) {
        places.push_back(memory.bytes().data());
        CHECK(memory.descriptor() < 0);  // the pool has it
        pool.give(std::move(memory));
    }
    many.clear();
    for (size_t i = 0; i < GuestPool::kMost; ++i) {
        many.push_back(shared(pool, 8));
        CHECK(std::ranges::find(places.end() - GuestPool::kMost, places.end(),
                                many.back().bytes().data()) != places.end());
    }
}

TEST_CASE("a process of few descriptors keeps none, or what it is told to") {
    for (const size_t most : {size_t{0}, size_t{3}}) {
        GuestPool pool(most);
        std::vector<SharedMemory> many;
        std::vector<const std::byte*> places;
        for (size_t i = 0; i < 9; ++i) {
            many.push_back(shared(pool, 8));
            places.push_back(many.back().bytes().data());
        }
        for (SharedMemory& memory : many)
            pool.give(std::move(memory));
        std::vector<SharedMemory> again;
        size_t kept = 0;
        for (size_t i = 0; i < 9; ++i) {
            again.push_back(shared(pool, 8));
            // Unmapped memory may be mapped at the same place again, so idle storage comes first.
            if (i < most)
                kept += std::ranges::count(places, again.back().bytes().data()) != 0 ? 1 : 0;
        }
        CHECK(kept == most);
    }
}

TEST_CASE("storage of resources that stay does not keep others from coming back") {
    GuestPool pool(GuestPool::kMost);
    std::vector<SharedMemory> staying;
    for (size_t i = 0; i < 2 * GuestPool::kMost; ++i)
        staying.push_back(shared(pool, 8));
    SharedMemory one = shared(pool, 64);
    const std::byte* const place = one.bytes().data();
    for (unsigned i = 0; i < 5; ++i) {
        pool.give(std::move(one));
        one = shared(pool, 64);
        CHECK(one.bytes().data() == place);
    }
}

TEST_CASE("storage of a window does not serve another resource") {
    const auto device = gpu::create_device({});
    REQUIRE(device);
    constexpr size_t kBytes = 64 * 64 * 4;
    for (const bool window : {false, true}) {
        CAPTURE(window);
        virgl::Budgets budgets;
        budgets.pool = std::make_shared<GuestPool>(GuestPool::kMost);
        const auto before = open_descriptors();
        virgl::ResourceDesc desc;
        desc.target = virgl::Target::Tex2D;
        desc.format = 1;  // B8G8R8A8
        desc.bind = window ? virgl::kBindDisplayTarget : 0;
        desc.width = desc.height = 64;
        auto made = virgl::Resource::create(**device, budgets, desc, kBytes);
        REQUIRE(made);
        (*made)->share_guest();
        made->reset();
        CHECK(open_descriptors() == before + (window ? 0 : 1));
    }
}

TEST_CASE("storage that no client got is not counted") {
    GuestPool pool(GuestPool::kMost);
    for (size_t i = 0; i < 2 * GuestPool::kMost; ++i)
        pool.give(taken(pool, 8));
    SharedMemory memory = shared(pool, 8);
    const std::byte* const place = memory.bytes().data();
    pool.give(std::move(memory));
    CHECK(taken(pool, 8).bytes().data() == place);
}

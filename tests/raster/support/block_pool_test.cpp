// Block pool test: checks which blocks come back, and that idle ones are bounded.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/support/block_pool.hpp"
#include "tests/raster/native_scene.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

namespace valkyr::raster::test {
namespace {

constexpr size_t kBlockBytes = BlockPool::kSmallest;

std::vector<uint8_t> contents(Device& device, const BufferRef& buffer) {
    std::vector<uint8_t> bytes(buffer->size());
    must(device.read_buffer(buffer, 0, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

}  // namespace

TEST_CASE("a block serves the next resource of its size, and no other size") {
    const auto pool = std::make_shared<BlockPool>();
    PooledBlock first = PooledBlock(pool, kBlockBytes);
    const std::byte* const place = first.get();
    first = PooledBlock();
    const PooledBlock larger = PooledBlock(pool, kBlockBytes + 1);
    CHECK(larger.get() != place);
    const PooledBlock second = PooledBlock(pool, kBlockBytes);
    CHECK(second.get() == place);
    const PooledBlock third = PooledBlock(pool, kBlockBytes);
    CHECK(third.get() != place);
}

TEST_CASE("a pool lives as long as the last of its blocks") {
    auto pool = std::make_shared<BlockPool>();
    const std::weak_ptr<BlockPool> watch = pool;
    PooledBlock block = PooledBlock(pool, kBlockBytes);
    pool.reset();
    CHECK_FALSE(watch.expired());
    block = PooledBlock();
    CHECK(watch.expired());
}

TEST_CASE("idle blocks are bounded by their bytes, the oldest go first") {
    constexpr size_t kMost = BlockPool::kMostIdleBytes / BlockPool::kLargest;
    const auto pool = std::make_shared<BlockPool>();
    PooledBlock oldest = PooledBlock(pool, kBlockBytes);
    std::vector<PooledBlock> blocks;
    std::vector<const std::byte*> places;
    for (size_t i = 0; i < kMost; ++i) {
        blocks.push_back(PooledBlock(pool, BlockPool::kLargest));
        places.push_back(blocks.back().get());
    }
    oldest = PooledBlock();
    CHECK(pool->idle_bytes() == kBlockBytes);
    blocks.clear();
    CHECK(pool->idle_bytes() == kMost * BlockPool::kLargest);  // the small one went
    for (const std::byte* place : places) {
        blocks.push_back(PooledBlock(pool, BlockPool::kLargest));
        CHECK(blocks.back().get() == place);
    }
    CHECK(pool->idle_bytes() == 0);
}

TEST_CASE("small and large blocks are not kept, nor those without a pool") {
    const auto pool = std::make_shared<BlockPool>();
    CHECK(PooledBlock(pool, BlockPool::kSmallest - 1));
    CHECK(PooledBlock(pool, BlockPool::kLargest + 1));
    CHECK(PooledBlock(nullptr, kBlockBytes));
    CHECK(pool->idle_bytes() == 0);
}

TEST_CASE("resources are zero where others before had other contents") {
    const auto device = must(gpu::create_device({}));
    const std::vector<uint8_t> ones(4 * kBlockBytes, 0xFF);
    const auto is_zero = [](uint8_t byte) { return byte == 0; };
    for (int round = 0; round < 2; ++round) {
        const BufferRef empty = must(device->create_buffer(ones.size()));
        CHECK(std::ranges::all_of(contents(*device, empty), is_zero));
        must(device->write_buffer(empty, 0, std::as_bytes(std::span(ones))));
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = desc.height = 256;
        const TextureRef texture = must(device->create_texture(desc));
        std::vector<uint8_t> texels(size_t{4} * 256 * 256, 1);
        must(device->read_texture(texture, 0, {0, 0, 0, 256, 256, 1},
                                  std::as_writable_bytes(std::span(texels)), size_t{4} * 256));
        CHECK(std::ranges::all_of(texels, is_zero));
        must(device->write_texture(texture, 0, {0, 0, 0, 256, 256, 1},
                                   std::as_bytes(std::span(ones)), size_t{4} * 256));
    }
}

}  // namespace valkyr::raster::test

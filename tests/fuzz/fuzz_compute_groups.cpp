// Fuzz target: makes a compute shader of bytes, and runs it on three devices that must agree.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "gpu/create_device.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/oracle/reference_device.hpp"
#include "tests/support/random_groups.hpp"

#include <array>
#include <memory>
#include <vector>

namespace valkyr::fuzz {

namespace {

using Words = std::vector<uint32_t>;

template <typename T>
T must(Result<T> result) {
    VALKYR_CHECK(result.has_value());
    return std::move(*result);
}

/// Runs all groups; returns what they left in both buffers.
std::array<Words, 2> run(raster::Device& device, const test::RandomGroups& groups) {
    raster::DispatchState state;
    state.pipeline = must(device.create_compute_pipeline(
        {must(device.create_shader(groups.text)), groups.shared_bytes}));
    for (const uint32_t words : test::RandomGroups::kBufferWords)
        state.resources.storage.push_back(
            {must(device.create_buffer(size_t{words} * sizeof(uint32_t)))});
    VALKYR_CHECK(device.dispatch(state, groups.grid).has_value());
    std::array<Words, 2> left;
    for (size_t n = 0; n < left.size(); ++n) {
        left[n].resize(test::RandomGroups::kBufferWords[n]);
        VALKYR_CHECK(device
                         .read_buffer(state.resources.storage[n].buffer, 0,
                                      std::as_writable_bytes(std::span(left[n])))
                         .has_value());
    }
    VALKYR_CHECK(device.finish().has_value());
    return left;
}

std::unique_ptr<raster::Device> device_of(raster::Engine engine, unsigned threads) {
    raster::DeviceOptions options;
    options.engine = engine;
    options.threads = threads;
    return must(gpu::create_device(options));
}

}  // namespace

void compute_groups(std::span<const uint8_t> bytes) {
    // Each byte is a choice; behind the last one it is always the middle.
    const test::RandomGroups groups = test::random_groups([&](uint32_t limit) {
        const uint32_t choice = bytes.empty() ? limit / 2 : bytes.front() % limit;
        bytes = bytes.subspan(bytes.empty() ? 0 : 1);
        return choice;
    });
    const auto expected = run(*reference::create_reference_device(), groups);
    VALKYR_CHECK(run(*device_of(raster::Engine::Valhall, 1), groups) == expected);
    VALKYR_CHECK(run(*device_of(raster::Engine::Jit, 2), groups) == expected);
}

}  // namespace valkyr::fuzz

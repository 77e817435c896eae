// Fuzz target: makes a compute shader of bytes, and runs it on three devices that must agree.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/engines.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/random_groups.hpp"

#include <array>
#include <vector>

namespace valkyr::fuzz {

namespace {

using Words = std::vector<uint32_t>;

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

}  // namespace

void compute_groups(std::span<const uint8_t> bytes) {
    const test::RandomGroups groups = test::random_groups(test::choices_of(bytes));
    check_engines(groups.text, [&](raster::Device& device) { return run(device, groups); });
}

}  // namespace valkyr::fuzz

// Tessellation scenes test: compares the divided terrain with the same triangles from a buffer.
// SPDX-License-Identifier: MIT
#include "bench/bench_target.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string_view>

namespace valkyr::bench {
namespace {

std::vector<uint8_t> picture(std::string_view name, unsigned threads) {
    const BenchSceneInfo* const info = find_bench_scene(name);
    REQUIRE(info != nullptr);
    TargetOptions options;
    options.device.threads = threads;
    options.size = 256;
    auto target = BenchTarget::create(*info, options);
    REQUIRE_MESSAGE(target.has_value(), target.error().text);
    REQUIRE((*target)->render(0).has_value());
    auto image = (*target)->image();
    REQUIRE(image.has_value());
    return std::move(*image);
}

}  // namespace

TEST_CASE("a divided terrain and its triangles from a buffer make the same picture") {
    const std::vector<uint8_t> mesh = picture("mesh_terrain", 1);
    // Something is drawn: fewer than half of the bytes are the red of the corner.
    CHECK(std::ranges::count(mesh, mesh[0]) < static_cast<std::ptrdiff_t>(mesh.size() / 2));
    CHECK(picture("tess_terrain", 1) == mesh);
    CHECK(picture("tess_terrain", 2) == mesh);
}

}  // namespace valkyr::bench

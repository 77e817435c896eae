// Validation test: checks the limits of draws, and what their errors say.
// SPDX-License-Identifier: MIT
#include "raster/device/validate.hpp"

#include <doctest/doctest.h>
#include <string>

namespace valkyr::raster::test {
namespace {

std::string error_of(const Result<void>& result) {
    return result ? "" : result.error().text;
}

std::string error_of_draw(const DrawInfo& info) {
    return error_of(validate_draw(DrawState(), info, nullptr, {}));
}

}  // namespace

TEST_CASE("a draw has no more vertices than the limit, and patches have at least one") {
    CHECK(error_of_draw({.count = UINT32_MAX, .instance_count = 1}) == "");
    CHECK(error_of_draw({.count = UINT32_MAX, .instance_count = UINT32_MAX}) ==
          "draw: 4294967295 vertices times 4294967295 instances, at most 4294967296");
    CHECK(error_of_draw({.patch_vertices = 1}) == "");
    CHECK(error_of_draw({.patch_vertices = 32}) == "");
    CHECK(error_of_draw({.patch_vertices = 0}) == "draw: patches of 0 vertices, 1 to 32");
    CHECK(error_of_draw({.patch_vertices = 33}) == "draw: patches of 33 vertices, 1 to 32");
}

TEST_CASE("stages have no more constants and units than the limits") {
    std::vector<std::vector<uint32_t>> buffers(exec::kMaxConstantBuffers);
    buffers.back().resize(kMaxConstantBufferWords);
    CHECK(error_of(validate_constants(buffers, "call")) == "");
    buffers.back().emplace_back();
    CHECK(error_of(validate_constants(buffers, "call")) ==
          "call: 65537 words in a constant buffer, at most 65536");
    buffers.emplace_back();
    CHECK(error_of(validate_constants(buffers, "call")) == "call: 17 constant buffers, at most 16");

    StageResources stage;
    stage.textures.resize(exec::kMaxTextureUnits);
    stage.images.resize(exec::kMaxImages);
    stage.counters.resize(kMaxStorageBuffers);
    CHECK(error_of(validate_units(stage, "call")) == "");
    stage.counters.emplace_back();
    const std::string one_more = std::to_string(kMaxStorageBuffers + 1);
    CHECK(error_of(validate_units(stage, "call")).starts_with("call: " + one_more + " shader"));
    stage.images.emplace_back();
    CHECK(error_of(validate_units(stage, "call")).find(" images, at most ") != std::string::npos);
    stage.samplers.resize(exec::kMaxTextureUnits + 1);
    CHECK(error_of(validate_units(stage, "call")).find(" texture units, at most ") !=
          std::string::npos);
}

}  // namespace valkyr::raster::test

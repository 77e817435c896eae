// Stage picture: draws one triangle with a shader for each stage, whose bodies tests choose.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <array>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

namespace valkyr::debug {

inline constexpr uint32_t kSide = 8;
inline constexpr float kClear = 77;

/// The value of a result, which must not be an error.
template <typename T>
T must(Result<T> result) {
    REQUIRE_MESSAGE(result.has_value(), (result.has_value() ? "" : result.error().text));
    return *std::move(result);
}
inline void must(const Result<void>& result) {
    REQUIRE_MESSAGE(result.has_value(), (result.has_value() ? "" : result.error().text));
}

/// A picture; the texts are the bodies of shaders with the declarations below.
struct Picture {
    std::string vertex = "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\n";
    std::string fragment = "MOV OUT[0], IN[0]\n";
    std::string geometry;  ///< empty: none
    std::string control;   ///< empty: no tessellation
    std::string evaluation;
    std::array<float, 4> attribute{0, 1, -1, 2};  ///< IN[1] of the vertex shader, GENERIC[0]
    std::array<float, 8> constants{0, 1, -1, 2, 3e38F, 100, 0.5F, 70000};
    std::array<float, 4> texel{0, 1, -1, 2};
    raster::Format target = raster::Format::R32G32B32A32_FLOAT;
};

/// The texts, numbered from line 1 on: a body begins behind the declarations.
std::string vertex_text(const Picture& picture);
std::string fragment_text(const Picture& picture);
std::string geometry_text(const Picture& picture);
std::string control_text(const Picture& picture);
std::string evaluation_text(const Picture& picture);

/// Draws a triangle that covers the whole target, and reads its texels.
std::vector<float> draw(raster::Device& device, const Picture& picture);

}  // namespace valkyr::debug

// Target shape: tabulates the operands of texture instructions.
// SPDX-License-Identifier: MIT
#include "tgsi/target_shape.hpp"

#include <array>

namespace valkyr::tgsi {

namespace {

constexpr unsigned kNone = kNoComponent;
constexpr unsigned Y = 1, Z = 2, W = 3;

// clang-format off
constexpr std::array<TargetShape, 19> kShapes{{
    // coordinates, dimensions, layer, reference, shadow, cube, array, multisample
    {1, 1, kNone, kNone, false, false, false, false},  // Buffer
    {1, 1, kNone, kNone, false, false, false, false},  // 1D
    {2, 2, kNone, kNone, false, false, false, false},  // 2D
    {3, 3, kNone, kNone, false, false, false, false},  // 3D
    {3, 2, kNone, kNone, false, true,  false, false},  // Cube
    {2, 2, kNone, kNone, false, false, false, false},  // Rect
    {1, 1, kNone, Z,     true,  false, false, false},  // Shadow1D
    {2, 2, kNone, Z,     true,  false, false, false},  // Shadow2D
    {2, 2, kNone, Z,     true,  false, false, false},  // ShadowRect
    {1, 1, Y,     kNone, false, false, true,  false},  // 1D array
    {2, 2, Z,     kNone, false, false, true,  false},  // 2D array
    {1, 1, Y,     Z,     true,  false, true,  false},  // Shadow1D array
    {2, 2, Z,     W,     true,  false, true,  false},  // Shadow2D array
    {3, 2, kNone, W,     true,  true,  false, false},  // ShadowCube
    {2, 2, kNone, kNone, false, false, false, true},   // 2D multisample
    {2, 2, Z,     kNone, false, false, true,  true},   // 2D array multisample
    {3, 2, W,     kNone, false, true,  true,  false},  // Cube array
    {3, 2, W,     kNone, true,  true,  true,  false},  // ShadowCube array
    {2, 2, kNone, kNone, false, false, false, false},  // Unknown: as 2D
}};
// clang-format on

}  // namespace

TargetShape target_shape(Target target) {
    return kShapes[static_cast<size_t>(target)];
}

Target shadow_target(Target target) {
    switch (target) {
    case Target::Tex1D: return Target::Shadow1D;
    case Target::Tex2D: return Target::Shadow2D;
    case Target::Rect: return Target::ShadowRect;
    case Target::Tex1DArray: return Target::Shadow1DArray;
    case Target::Tex2DArray: return Target::Shadow2DArray;
    case Target::Cube: return Target::ShadowCube;
    case Target::CubeArray: return Target::ShadowCubeArray;
    default: return target;
    }
}

}  // namespace valkyr::tgsi

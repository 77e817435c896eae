// Target shape: tells how each texture target lays out its operands.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"

namespace valkyr::tgsi {

/// Component number that is not there.
inline constexpr unsigned kNoComponent = 4;

/// Coordinates of a target (tgsi.rst "TEX", "TXF"; OpenGL 4.6 section 8.14).
struct TargetShape {
    unsigned coordinates = 0;           ///< components of the coordinate; cubes: 3
    unsigned dimensions = 0;            ///< of a level: cubes 2
    unsigned layer = kNoComponent;      ///< component of operand 0 with the array layer
    unsigned reference = kNoComponent;  ///< component of operand 0 with the shadow reference
    bool shadow = false;                ///< SHADOWCUBEARRAY: reference is in operand 1
    bool cube = false;
    bool array = false;
    bool multisample = false;
};

TargetShape target_shape(Target target);

/// The target with shadow comparison, or the same if it has none.
Target shadow_target(Target target);

}  // namespace valkyr::tgsi

// GLSL source: finds the version of a GLSL text and puts macros behind it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace valkyr::app {

/// The contents of the directive #version; without one, a text is GLSL 1.10.
struct GlslVersion {
    uint32_t number = 110;
    bool es = false;
    bool compatibility = true;  ///< of OpenGL: has the functions that core profiles removed
    size_t end = 0;             ///< where the line behind the directive begins
    uint32_t lines = 0;         ///< up to there
};

GlslVersion glsl_version(std::string_view source);

/// The source with the macros defined behind #version; all its lines keep their numbers.
/// defines  "NAME=VALUE", or "NAME" alone, which is 1
/// errors   Syntax: NAME is no identifier, or VALUE has more than a line
Result<std::string> with_defines(std::string_view source, std::span<const std::string> defines);

}  // namespace valkyr::app

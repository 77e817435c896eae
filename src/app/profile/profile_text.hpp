// Profile text: prints a profile for a terminal.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/mali_estimate.hpp"
#include "app/profile/profile.hpp"

#include <optional>
#include <string>

namespace valkyr::profile {

/// How far kernels are taken apart.
/// Glsl: by line of GLSL; shaders without it by line of their text.
enum class Detail : uint8_t { Kernel, Glsl, Line, Word, Host };

struct TextOptions {
    Detail detail = Detail::Line;
    std::optional<MaliCore> mali;  ///< adds an estimate
    uint32_t rows = 10;            ///< most functions, and most kernels with details
};

std::string profile_text(const Profile& profile, const TextOptions& options);

}  // namespace valkyr::profile

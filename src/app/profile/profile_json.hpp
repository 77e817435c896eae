// Profile JSON: writes a profile for programs.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/mali_estimate.hpp"
#include "app/profile/profile.hpp"

#include <optional>
#include <string>

namespace valkyr::profile {

/// All of a profile as one JSON object; times in seconds. docs/guide/profile.md names its members.
std::string profile_json(const Profile& profile, const std::optional<MaliCore>& mali);

}  // namespace valkyr::profile

// Profile HTML: shows a profile as one page.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/mali_estimate.hpp"
#include "app/profile/profile.hpp"

#include <optional>
#include <string>

namespace valkyr::profile {

/// A page that needs no other file. Kernels, lines and words open with a click; the warmer a row's
/// colour, the more of the frame it took.
std::string profile_html(const Profile& profile, const std::optional<MaliCore>& mali);

}  // namespace valkyr::profile

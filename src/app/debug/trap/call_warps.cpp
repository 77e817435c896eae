// Call warps: tell the warps of a kernel call apart while an interpreter runs them.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/call_warps.hpp"

#include <algorithm>

namespace valkyr::debug {

void CallWarps::begin(bool is_group) {
    group_.clear();
    is_group_ = is_group;
    started_ = 0;
    has_ended_ = true;
}

CallWarps::Place CallWarps::next(const valhall::StepEvent& event) {
    Place place;
    place.is_new = has_ended_;
    if (is_group_) {
        const auto found = std::ranges::find(group_, &event.warp);
        place.slot = static_cast<size_t>(found - group_.begin());
        place.is_new = found == group_.end();
        if (place.is_new)
            group_.push_back(&event.warp);
    }
    if (place.is_new)
        ++started_;
    place.number = is_group_ ? static_cast<uint32_t>(place.slot) : started_ - 1;
    // A fragment warp ends with its last lane that is no helper.
    has_ended_ =
        event.after.alive == 0 || (event.warp.fragment != nullptr && event.after.live == 0);
    return place;
}

}  // namespace valkyr::debug

// Call warps: tell the warps of a kernel call apart while an interpreter runs them.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpreter.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::debug {

/// Counts the warps of a call, or of one of its work-groups.
class CallWarps {
public:
    struct Place {
        /// Among the warps that run at the same time: 0, or the warp of the work-group.
        size_t slot = 0;
        uint32_t number = 0;  ///< in the order of their starts
        bool is_new = false;  ///< it is the warp's first step
    };

    /// A call, or a work-group of one, will run next.
    void begin(bool is_group);
    /// The warp of a step. Warps of a group take turns; other warps run one after the other.
    Place next(const valhall::StepEvent& event);

private:
    std::vector<const exec::Warp*> group_;  ///< in the order of their starts
    bool is_group_ = false;
    uint32_t started_ = 0;
    bool has_ended_ = true;
};

}  // namespace valkyr::debug

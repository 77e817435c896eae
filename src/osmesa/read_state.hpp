// Read state: sets a context's parameters of reads to their initial values for a while.
// SPDX-License-Identifier: MIT
#pragma once

#include "osmesa/egl.hpp"

#include <array>

namespace valkyr::osmesa {

/// While it lives, glReadPixels() of the current context reads the depth of the surface into
/// memory, row by row without gaps. Afterwards the context has its own parameters again.
class ReadState {
public:
    /// core  of the context's profile, which has no pixel transfers
    ReadState(const Gl& gl, bool core);
    ReadState(const ReadState&) = delete;
    ReadState& operator=(const ReadState&) = delete;
    ~ReadState();

private:
    const Gl& gl_;
    bool core_;
    int buffer_ = 0;
    int frame_ = 0;
    std::array<int, 5> pack_{};
    std::array<float, 2> transfer_{};
};

}  // namespace valkyr::osmesa

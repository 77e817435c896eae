// Recorder: records the messages that an environment receives and answers with numbers.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <string>
#include <vector>

namespace valkyr::valhall::test {

/// A draw whose messages are written to `log`, one line each: name, members of the message, the
/// sending lanes, operands of lane 0. Result register k of lane l is answered with 1000*k + l.
struct RecordingDraw : exec::DrawContext {
    RecordingDraw();
    mutable std::vector<std::string> log;
    mutable std::vector<exec::Lanes> operands;  ///< Lanes operands of all messages, in order
    mutable std::vector<exec::Warp> warps;
    uint32_t early_mask = 0xFFFFFFFF;  ///< early_zs ANDs the coverage with it
};

}  // namespace valkyr::valhall::test

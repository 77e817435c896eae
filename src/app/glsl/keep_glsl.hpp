// Keep GLSL: adds to a trace the GLSL of the recorded program, with what Mesa makes of it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <string>

namespace valkyr::app {

/// The number of programs that were kept, and why others were not.
struct KeptGlsl {
    size_t programs = 0;
    size_t left_out = 0;  ///< too many or too long, or Mesa does not link them here
};

/// Links the programs again that Mesa has written to a folder, to learn their TGSI texts, and
/// appends them to the trace. Call leave_preloads() before.
/// errors  System: files, and what Mesa misses; BadEncoding: the trace is damaged
Result<KeptGlsl> keep_glsl(const std::string& folder, const std::string& trace);

}  // namespace valkyr::app

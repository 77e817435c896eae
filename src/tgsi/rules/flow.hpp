// Control flow: finds where each flow instruction goes, for the verifier and the interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::tgsi {

/// The number of no instruction.
inline constexpr uint32_t kNowhere = UINT32_MAX;

/// Longest chain of calls, and deepest nesting of constructs.
inline constexpr uint32_t kMaxCallDepth = 32;
inline constexpr uint32_t kMaxOpenConstructs = 512;

/// Numbers of the instructions that each instruction leads to, by its own number.
struct FlowMap {
    /// IF, UIF: where to go if the condition is false (behind ELSE or ENDIF). ELSE: behind ENDIF.
    /// BRK: behind ENDLOOP or ENDSWITCH. CONT: to ENDLOOP, where lanes wait for those that are
    /// still in the body. ENDLOOP: behind BGNLOOP. CAL: behind BGNSUB. SWITCH: its first CASE or
    /// DEFAULT, or ENDSWITCH; CASE, DEFAULT: the next of these. BGNSUB: behind ENDSUB. KILL,
    /// KILL_IF: behind the innermost ENDLOOP. Others: kNowhere.
    std::vector<uint32_t> target;
};

/// Links the flow instructions by their nesting; labels count only for CAL. Errors (Semantic) are
/// appended: unbalanced or misplaced instructions, calls without subroutine or in a circle, a
/// missing END. The map is complete only if there are none.
FlowMap analyse_flow(const Shader& shader, std::vector<Error>& errors);

}  // namespace valkyr::tgsi

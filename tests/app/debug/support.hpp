// Debugger support: opens sessions for the tests of the debugger.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/shader/shader_session.hpp"

#include <string>
#include <string_view>

namespace valkyr::test {

/// IN registers by lane, constants of buffer 0.
struct DebugInputs {
    std::vector<tgsi::Invocation> lanes = std::vector<tgsi::Invocation>(exec::kLanes);
    std::vector<uint32_t> constants;
};

tgsi::Shader parse_checked(std::string_view text);

std::shared_ptr<const debug::Session> make_session(std::string_view text,
                                                   const DebugInputs& inputs = {},
                                                   std::vector<std::string> disabled_passes = {});

std::unique_ptr<debug::Debugger> make_debugger(std::string_view text,
                                               const DebugInputs& inputs = {},
                                               std::vector<std::string> disabled_passes = {});

/// A session on a work-group whose size is that of the text.
std::shared_ptr<const debug::Session>
make_group_session(std::string_view text,
                   const debug::WorkGroup& place,
                   std::vector<std::vector<uint32_t>> buffers);

inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Lane l has IN[0] = (l, l + 0.5, -l, 1).
DebugInputs counting_inputs();

}  // namespace valkyr::test

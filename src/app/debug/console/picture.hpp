// Text pictures of lanes: the 4x4 block of a fragment warp, or a row of 16.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"

namespace valkyr::debug {

/// A lane's state: '#' runs next, 'h' runs next as a helper, 'o' waits, 'w' waits as a helper,
/// 'b' waits at a barrier, '.' has ended.
char lane_state(const valhall::WarpState& state, unsigned lane);

/// Lines of a picture: fragment warps as the block lies in the window (lanes in Z order), others as
/// one row. `cell` gives the text of a lane; cells are padded to the widest one.
std::vector<std::string> lane_picture(exec::Stage stage,
                                      const std::function<std::string(unsigned lane)>& cell);

/// Pictures side by side, each below its title.
std::string beside(const std::vector<std::pair<std::string, std::vector<std::string>>>& pictures);

/// The lanes' states and numbers.
std::string mask_picture(const Debugger& debugger);

/// "lane 5 (3,0)", in fragment warps with the window's pixel, in work-groups with the invocation.
std::string lane_name(const Debugger& debugger, unsigned lane);

}  // namespace valkyr::debug

// Trace session: plays recorded OpenGL programs for the debugger.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/draw_session.hpp"
#include "virgl/capture/trace.hpp"

#include <memory>
#include <string_view>

namespace valkyr::debug {

/// Whether a name is that of a trace.
bool is_trace(std::string_view name);

/// Frames that the trace shows, over all clients.
/// errors   those of virgl::Replay
Result<uint64_t> count_frames(const virgl::Trace& trace);

/// Replays the trace. Draws count from the beginning of frame `frame`, which is counted from 1;
/// what a trace holds behind its last shown frame counts as one more. errors   OutOfRange: no such
/// frame; those of virgl::Replay
Player trace_player(std::shared_ptr<const virgl::Trace> trace, uint64_t frame);

}  // namespace valkyr::debug

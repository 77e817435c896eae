// Trace session: plays recorded OpenGL programs for the debugger.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_sources.hpp"
#include "app/debug/session/draw_session.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/capture/trace_index.hpp"

#include <memory>
#include <string_view>

namespace valkyr::debug {

/// Whether the name denotes a trace.
bool is_trace(std::string_view name);

/// The GLSL that a trace keeps; null: none.
std::shared_ptr<const GlslSources> glsl_of(const virgl::Trace& trace);

/// The number of frames that the trace presents, over all clients.
/// errors   those of virgl::Replay
Result<uint64_t> count_frames(const virgl::Trace& trace);

/// Replays the trace, from a place of its index on if there is one. Draws are counted from the
/// beginning of frame `frame` (from 1). Commands behind the last presented frame count as one more
/// frame. errors  OutOfRange: no such frame; those of virgl::Replay
Player trace_player(std::shared_ptr<const virgl::Trace> trace,
                    uint64_t frame,
                    std::shared_ptr<const virgl::TraceIndex> index = nullptr);

}  // namespace valkyr::debug

// Environment tap: notes the arguments and results of message routines.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/recording.hpp"

namespace valkyr::debug {

/// Receives the messages of tapped routines.
class MessageSink {
public:
    virtual ~MessageSink() = default;
    /// Whether messages of this warp are wanted.
    virtual bool wants(const exec::Warp& warp) = 0;
    virtual void add(Message message) = 0;
};

/// A copy of a draw whose environment passes every message to the original routine and to a sink.
/// The original and the sink must outlive it.
class TappedDraw : public exec::DrawContext {
public:
    TappedDraw(const exec::DrawContext& original, MessageSink& sink);

    [[nodiscard]] const exec::DrawContext& original() const { return *original_; }
    [[nodiscard]] MessageSink& sink() const { return *sink_; }

private:
    const exec::DrawContext* original_;
    MessageSink* sink_;
    exec::Environment tapped_{};
};

}  // namespace valkyr::debug

// Observer: interface that gets the log lines, shaders, frames and figures of a server.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/message_calls.hpp"
#include "raster/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace valkyr::virgl {

/// Figures of one connection, or of several added up. Times are nanoseconds of a steady clock.
struct Figures {
    uint64_t frames = 0;  ///< reads of window buffers
    uint64_t submits = 0;
    uint64_t commands = 0;
    uint64_t draws = 0;
    uint64_t refused_draws = 0;
    uint64_t dispatches = 0;  ///< grids of compute shaders
    uint64_t refused_dispatches = 0;
    uint64_t clears = 0;
    uint64_t shader_texts = 0;      ///< parsed
    uint64_t shader_text_hits = 0;  ///< known texts, not parsed again
    uint64_t pipelines = 0;         ///< made
    uint64_t kernels = 0;           ///< compiled
    uint64_t uploaded_bytes = 0;
    uint64_t passes = 0;      ///< times that recorded draws were rendered
    uint64_t late_bytes = 0;  ///< bytes of uploads copied because draws still read the old contents
    raster::MessageCalls message_calls{};
    uint64_t submit_ns = 0;    ///< executing command streams; includes all below but waits
    uint64_t shader_ns = 0;    ///< parsing shaders
    uint64_t pipeline_ns = 0;  ///< linking and compiling
    uint64_t wait_ns = 0;      ///< rendering that the client waited for
    uint64_t transfer_ns = 0;  ///< copies between guest and host storage

    Figures& operator+=(const Figures& other);
};

/// The pixels of a presented window: RGBA8, row 0 at the top.
struct FramePixels {
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<std::byte> rgba;
};

/// Several connections call it at a time, each on its thread. An exception, such as std::bad_alloc,
/// ends only the client of that connection.
class Observer {
public:
    virtual ~Observer() = default;
    /// A line, without a line break. `client` is the name that the program gave.
    virtual void log(std::string_view client, std::string_view line) = 0;
    /// A shader text that this connection has not sent before.
    virtual void shader(std::string_view client, std::string_view text) = 0;
    /// Whether frame `number` (from 1) of the connection is wanted.
    [[nodiscard]] virtual bool wants_frame(uint64_t number) = 0;
    virtual void frame(uint64_t number, const FramePixels& pixels) = 0;
    /// The timeline to which a new client's device and connection add their events. It outlives the
    /// client. Null: no events are kept.
    [[nodiscard]] virtual raster::Timeline* timeline() { return nullptr; }
    /// Called at the end of a connection.
    virtual void finished(std::string_view client, const Figures& figures) = 0;
};

/// Calls Observer::log() and drops exceptions: if memory runs out, the line is lost.
void tell(Observer& observer, std::string_view client, std::string_view line) noexcept;

}  // namespace valkyr::virgl

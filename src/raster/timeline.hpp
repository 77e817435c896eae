// Timeline: notes what each thread of a device does and when, for tools.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::raster {

// Names of the rasterizer's events, and what their numbers are. Worker 0 has those of all workers
// together: a pass (number: the workers that it is split for), within it its front end (number of
// segments) and tiles (number of tiles that the targets have); and a transfer by rows (its rows).
inline constexpr const char* kTimelinePass = "pass";
inline constexpr const char* kTimelineFront = "front end";
inline constexpr const char* kTimelineTiles = "tiles";
inline constexpr const char* kTimelineTransfer = "transfer";
// A worker's part of it: a segment of primitives (its number), a tile (its number, row by row),
// rows of a transfer (the first one).
inline constexpr const char* kTimelineSegment = "segment";
inline constexpr const char* kTimelineTile = "tile";
inline constexpr const char* kTimelineRows = "rows";

/// A piece of work of one thread. Times are of std::chrono::steady_clock, in nanoseconds.
struct TimelineEvent {
    const char* name = "";  ///< a literal: those above, others of clients
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    uint64_t number = 0;  ///< says which, or how many
};

/// Frames of which events are wanted, from 1, both included.
struct FrameRange {
    uint64_t first = 1;
    uint64_t last = UINT64_MAX;
};

/// steady_clock now.
VALKYR_API uint64_t timeline_clock_ns();

/// Events by worker. A worker adds only to its own list, so there is no lock; worker 0 is the
/// thread that calls the device, which may add what it does itself. Without memory for an event,
/// or if its worker has had kMostEvents, it is left out: pictures need it not.
class VALKYR_API Timeline {
public:
    static constexpr size_t kMostEvents = size_t{1} << 19;  ///< of a worker: 16 MiB

    explicit Timeline(FrameRange frames = {})
        : frames_wanted_(frames)
        , active_(frames.first <= 1) {}

    /// Room for so many workers; drops the events.
    void reset(unsigned workers) { events_.assign(workers, {}); }
    void add(unsigned worker, const TimelineEvent& event) noexcept;
    /// Adds the frame that ends now, and listens to the next one if it is wanted. Frames follow
    /// each other from 1; called by the thread that calls the device.
    void end_frame() noexcept;
    /// Whether events are wanted now.
    [[nodiscard]] bool active() const noexcept { return active_.load(std::memory_order_relaxed); }

    [[nodiscard]] const std::vector<std::vector<TimelineEvent>>& events() const { return events_; }
    [[nodiscard]] const std::vector<TimelineEvent>& frames() const { return frames_; }
    /// Sum of the durations of events of that name, over all workers, in milliseconds.
    [[nodiscard]] double total_ms(const char* name) const;
    [[nodiscard]] uint64_t left_out() const noexcept { return left_out_.load(); }

    std::string program;             ///< that the events are of, if it has a name
    uint64_t primitives_hidden = 0;  ///< by hierarchical depth, counted a tile

private:
    void add_to(std::vector<TimelineEvent>& list, const TimelineEvent& event) noexcept;

    FrameRange frames_wanted_;
    std::atomic<bool> active_;
    std::atomic<uint64_t> left_out_ = 0;
    std::vector<std::vector<TimelineEvent>> events_;
    std::vector<TimelineEvent> frames_;
    uint64_t frame_begin_ns_ = timeline_clock_ns();
    uint64_t frame_ = 1;
};

/// Adds an event for the time that it lives, if there is a timeline that wants one.
class TimelineScope {
public:
    TimelineScope(Timeline* timeline, unsigned worker, const char* name, uint64_t number = 0)
        : timeline_(timeline != nullptr && timeline->active() ? timeline : nullptr)
        , worker_(worker)
        , event_{name, timeline_ != nullptr ? timeline_clock_ns() : 0, 0, number} {}
    TimelineScope(const TimelineScope&) = delete;
    TimelineScope& operator=(const TimelineScope&) = delete;
    ~TimelineScope() {
        if (timeline_ == nullptr)
            return;
        event_.end_ns = timeline_clock_ns();
        timeline_->add(worker_, event_);
    }

    void set_number(uint64_t number) noexcept { event_.number = number; }

private:
    Timeline* timeline_;
    unsigned worker_;
    TimelineEvent event_;
};

}  // namespace valkyr::raster

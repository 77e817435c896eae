// Timeline: records the work of each thread of a device with its times, for tools.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::raster {

// Names of the rasterizer's events, and the meaning of their numbers. Worker 0 has the events of
// all workers together: a pass (number: the workers that it is split for), within it its front end
// (number of segments) and tiles (number of tiles of the targets); a transfer by rows (number of
// rows); and a dispatch (number of work-groups).
inline constexpr const char* kTimelinePass = "pass";
inline constexpr const char* kTimelineFront = "front end";
inline constexpr const char* kTimelineTiles = "tiles";
inline constexpr const char* kTimelineTransfer = "transfer";
inline constexpr const char* kTimelineDispatch = "dispatch";
// Events of single workers: a segment of primitives (its number), a tile (its number, row by row),
// rows of a transfer (the first row), work-groups of a dispatch (the first one).
inline constexpr const char* kTimelineSegment = "segment";
inline constexpr const char* kTimelineTile = "tile";
inline constexpr const char* kTimelineRows = "rows";
inline constexpr const char* kTimelineGroups = "work-groups";

/// A piece of work of one thread. Times are of std::chrono::steady_clock, in nanoseconds.
struct TimelineEvent {
    const char* name = "";  ///< a literal: one of the names above, or a client's
    uint64_t begin_ns = 0;
    uint64_t end_ns = 0;
    uint64_t number = 0;  ///< index or count, by name
};

/// Range of frames whose events are recorded, counted from 1, both ends included.
struct FrameRange {
    uint64_t first = 1;
    uint64_t last = UINT64_MAX;
};

/// Returns the time of steady_clock.
VALKYR_API uint64_t timeline_clock_ns();

/// Events by worker. A worker adds only to its own list, so there is no lock; worker 0 is the
/// thread that calls the device, which may add events of its own. An event is dropped if there is
/// no memory for it, or if its worker has kMostEvents: pictures do not depend on it.
class VALKYR_API Timeline {
public:
    static constexpr size_t kMostEvents = size_t{1} << 19;  ///< per worker: 16 MiB

    explicit Timeline(FrameRange frames = {})
        : frames_wanted_(frames)
        , active_(frames.first <= 1) {}

    /// Makes room for `workers` workers; drops all events.
    void reset(unsigned workers) { events_.assign(workers, {}); }
    void add(unsigned worker, const TimelineEvent& event) noexcept;
    /// Adds the frame that ends now, and begins recording the next one if it is wanted. Frames are
    /// numbered from 1; the thread that calls the device calls this.
    void end_frame() noexcept;
    /// Returns whether events are recorded now.
    [[nodiscard]] bool active() const noexcept { return active_.load(std::memory_order_relaxed); }

    [[nodiscard]] const std::vector<std::vector<TimelineEvent>>& events() const { return events_; }
    [[nodiscard]] const std::vector<TimelineEvent>& frames() const { return frames_; }
    /// Returns the sum of the durations of events with that name, over all workers, in
    /// milliseconds.
    [[nodiscard]] double total_ms(const char* name) const;
    [[nodiscard]] uint64_t left_out() const noexcept { return left_out_.load(); }

    std::string program;             ///< program that the events belong to, if it has a name
    uint64_t primitives_hidden = 0;  ///< skipped by hierarchical depth, counted per tile

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

/// Adds an event for its own lifetime, if a timeline is given and active.
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

// Renderer: executes passes (the front end by segments, then tiles) and dispatches on all workers.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/front/front_end.hpp"
#include "raster/front/plan.hpp"
#include "raster/loops/level.hpp"
#include "raster/record/dispatch_builder.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/stream_output.hpp"
#include "raster/support/shared_work.hpp"
#include "raster/support/thread_pool.hpp"
#include "raster/timeline.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace valkyr::raster {

class Renderer {
public:
    /// errors  OutOfRange: too many threads; System: a thread cannot be started;
    ///         OutOfMemory
    static Result<std::unique_ptr<Renderer>> create(const DeviceOptions& options);

    /// Makes room for a pass's tiles, or for a program's thread-local storage, in every worker. It
    /// is called before a draw is recorded, so that executing the draw cannot fail.
    /// errors  OutOfMemory; room for earlier draws stays
    Result<void> reserve_tiles(const PassTargets& targets);
    Result<void> reserve_tls(uint32_t bytes_per_lane, uint32_t warps = 1);
    /// Makes room for a work-group of a compute program in every worker: shared memory, waiting
    /// warps and thread-local storage. The room depends on the program, and on no grid.
    /// errors  OutOfMemory; room for earlier programs stays
    Result<void> reserve_groups(const StageProgram& program);
    /// Renders the pass and waits. The pass stays unchanged; the caller resets it. If `watch` is
    /// cancelled, it returns soon and the contents of the targets are undefined.
    /// errors  OutOfMemory: some draws are left out; the renderer can execute further passes
    Result<void> execute(const Pass& pass, const exec::LoopWatch& watch) noexcept;
    /// Runs all groups of a dispatch, and waits. If its watch is cancelled, it returns soon.
    /// errors  OutOfMemory
    Result<void> dispatch(const DispatchRecord& record) noexcept;
    /// Calls rows(first, end) on all workers, for ranges that together are 0..count - 1.
    /// errors  OutOfMemory
    Result<void> run_rows(uint32_t count,
                          const std::function<void(uint32_t, uint32_t)>& rows) noexcept;
    /// Adds the counters that have accumulated since the last call.
    void take_statistics(Statistics& statistics);

    /// Sets the timeline that receives events from now on; null: none.
    void set_timeline(Timeline* timeline);
    [[nodiscard]] unsigned threads() const { return pool_->size(); }
    /// Returns the thread-local storage of worker 0, for uniform prologues that run while
    /// recording.
    [[nodiscard]] uint64_t tls() const;
    /// Captures the primitives of a draw (capture_streams(), capture_emissions()).
    /// in_order  one thread captures everything, because the draw may read captured bytes
    /// errors  OutOfMemory
    Result<StreamCounts> capture(const DrawRecord& draw,
                                 const StreamLayout& layout,
                                 std::span<StreamTargetImpl* const> targets,
                                 bool in_order);

private:
    /// Memory that only grows, and is zero when it does.
    struct Room {
        AlignedBytes bytes;
        size_t size = 0;
        [[nodiscard]] uint64_t address() const { return reinterpret_cast<uint64_t>(bytes.get()); }
    };
    /// Data of one worker; no other thread uses it.
    struct alignas(128) Worker {
        Worker(const HostLoops& ops, uint32_t number)
            : front(ops, number, calls.data())
            , index(number) {}
        MessageCalls calls{};
        FrontEnd front;
        uint32_t index;
        Arena arena{size_t{4} << 20};
        std::vector<uint32_t> bin_entries;  ///< by tile, those of the worker's segments; or empty
        TileBuffer tile;
        TileWalk walk;
        Room tls;
        Room shared;    ///< memory that the invocations of a work-group share
        Room contexts;  ///< an exec::WarpContext for each warp of a work-group
    };

    Result<void> reserve(Room Worker::*room, size_t bytes, const char* what);
    [[nodiscard]] StreamWorkers stream_workers(bool in_order);

    explicit Renderer(const HostLoops& ops)
        : ops_(ops) {}

    Result<void> execute_portion(const Pass& pass, unsigned workers);
    Result<uint32_t> run_front_end(const Pass& pass, uint32_t first_segment, unsigned workers);
    Result<void> run_tiles(const Pass& pass, uint32_t segments, unsigned workers);
    void order_tiles(uint32_t tile_count, unsigned workers);
    void fill_segment(Worker& worker, const Pass& pass, uint32_t number, const SegmentPlan& plan);
    void render_tile(Worker& worker, const Pass& pass, uint32_t tile, uint32_t segments);
    void walk_bins(Worker& worker, uint32_t tile, uint32_t segments, uint32_t covering);

    /// Segments that still matter for a tile's colours.
    struct VisibleSegments {
        uint32_t covering = 0;  ///< the last segment that replaces all colours, or 0
        bool replaced = false;  ///< that segment replaces them before anything else is drawn
    };
    [[nodiscard]] VisibleSegments visible_segments(uint32_t tile, uint32_t segments) const;
    [[nodiscard]] unsigned useful_workers(const Pass& pass) const;
    /// Returns DeviceOptions::plan_threads, or the actual number of workers.
    [[nodiscard]] unsigned planned_workers() const {
        return plan_threads_ != 0 ? plan_threads_ : pool_->size();
    }

    const HostLoops& ops_;
    unsigned plan_threads_ = 0;
    Timeline* timeline_ = nullptr;
    const exec::LoopWatch* watch_ = nullptr;  ///< of the pass that is executed
    std::unique_ptr<ThreadPool> pool_;
    std::vector<std::unique_ptr<Worker>> workers_;
    Plan plan_;
    std::vector<Segment> segments_;
    std::vector<PassTargets> layers_;  ///< targets by layer, for a pass with several layers
    struct TileOrder {
        uint32_t tile = 0;
        uint32_t count = 0;  ///< bin entries
        /// Tiles with more entries come first, then those with smaller numbers.
        friend bool operator<(const TileOrder& a, const TileOrder& b) {
            return a.count != b.count ? a.count > b.count : a.tile < b.tile;
        }
    };
    std::vector<TileOrder> order_;  ///< of the tiles that have entries, worker by worker
    uint32_t ordered_tiles_ = 0;
    std::vector<uint32_t> bin_entries_;  ///< by tile, of all segments
    SharedWork tile_work_;
    alignas(128) std::atomic<uint32_t> next_{0};
    alignas(128) std::atomic<uint64_t> arena_bytes_{0};
};

}  // namespace valkyr::raster

// Renderer: executes passes: front end by segments, then tiles.
// SPDX-License-Identifier: MIT
#include "raster/frame/renderer.hpp"

#include "base/caught_error.hpp"
#include "base/prefetch.hpp"
#include "exec/float_environment.hpp"
#include "exec/vertex_record.hpp"
#include "exec/work_groups.hpp"
#include "raster/frame/capture_emissions.hpp"
#include "raster/front/primitive_stages.hpp"
#include "raster/sample_positions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace valkyr::raster {
namespace {

/// Primitives, pixels and invocations below which waking a worker costs more than it brings.
constexpr uint64_t kParallelPrimitives = 256;
constexpr uint32_t kParallelPixels = 128 * 128;
constexpr uint64_t kParallelInvocations = 64;
/// Most bins that one round of segments may have. A segment has a bin for every tile, so this
/// bounds the segments that are filled before tiles are drawn; kLeastSegments still keep all
/// workers busy.
constexpr uint32_t kMostBins = 1U << 18;
constexpr uint32_t kLeastSegments = 16;

/// Collects bin entries of one tile into packets of primitives of draws that are alike, and walks
/// each packet while the vertices of the next one are prefetched.
class PacketBuilder {
public:
    PacketBuilder(const HostLoops& ops, TileWalk& walk, const exec::LoopWatch* watch)
        : ops_(ops)
        , walk_(walk)
        , watch_(watch) {}

    void add(const Segment& segment, const Bin& bin) {
        uint32_t left = bin.count();
        for (const BinChunk* chunk = bin.first; left != 0 && !exec::is_cancelled(watch_);
             chunk = chunk->next) {
            prefetch(chunk->next, sizeof(BinChunk));
            const uint32_t count = std::min(left, BinChunk::kCapacity);
            prefetch_batches(segment, *chunk, count);
            for (uint32_t i = 0; i < count;)
                i += add(segment.batches[chunk->entries[i] >> 8], chunk->entries + i, count - i);
            left -= count;
        }
    }

    /// Walks the packets that are left.
    void finish() {
        for (size_t i = 0; i < packets_.size(); ++i)
            close();
    }

private:
    struct Packet {
        TileEntry entries[kPacketSize];
        uint32_t count = 0;
    };

    /// Prefetches the batches that the first `count` entries name: one after the other, but for
    /// those of clipped primitives.
    static void prefetch_batches(const Segment& segment, const BinChunk& chunk, uint32_t count) {
        constexpr uint32_t kMostBatches = 16;
        const uint32_t first = chunk.entries[0] >> 8;
        const uint32_t last =
            std::clamp(chunk.entries[count - 1] >> 8, first, first + kMostBatches);
        prefetch(&segment.batches[first], (last - first + 1) * sizeof(Batch));
    }

    /// Adds the entries of one batch that a list begins with, as many as a packet has room for.
    /// Returns how many.
    uint32_t add(const Batch& batch, const BinEntry* entries, uint32_t count) {
        Packet* packet = &packets_[open_];
        if (packet->count == kPacketSize || !may_join(*packet, batch)) {
            close();
            packet = &packets_[open_];
        }
        const BinEntry number = entries[0] >> 8;
        const PrimitiveRef* const primitives = batch.primitives;
        TileEntry* const to = packet->entries + packet->count;
        const uint32_t most = std::min(count, kPacketSize - packet->count);
        uint32_t added = 0;
        for (; added < most && entries[added] >> 8 == number; ++added) {
            const PrimitiveRef* primitive = primitives + (entries[added] & 0xFF);
            __builtin_prefetch(primitive);
            to[added] = {&batch, primitive};
        }
        packet->count += added;
        for (uint32_t i = 0; batch.lines != nullptr && i < added; ++i)
            __builtin_prefetch(batch.lines + (entries[i] & 0xFF));
        return added;
    }

    static bool may_join(const Packet& packet, const Batch& batch) {
        return packet.count == 0 || walk_together(*packet.entries[packet.count - 1].batch, batch);
    }

    /// Lines and quads have set-up functions of their own, so they do not share packets.
    static bool walk_together(const Batch& a, const Batch& b) {
        return &a == &b ||
               (a.draw->alike == b.draw->alike && a.quads == b.quads &&
                a.plain_lines == b.plain_lines && (a.lines != nullptr) == (b.lines != nullptr));
    }

    /// Moves every packet to its next stage: filled, vertices prefetched, walked.
    void close() {
        prefetch_vertices(packets_[(open_ + 2) % 3]);
        open_ = (open_ + 1) % 3;
        Packet& ready = packets_[open_];
        if (ready.count != 0)
            walk(*ready.entries[0].batch->draw, ready);
        ready.count = 0;
    }

    /// Prefetches the vertices of a packet: triangles of a tile lie anywhere in the vertex memory,
    /// and waiting for them costs more than drawing small ones.
    [[gnu::always_inline]] static inline void prefetch_vertices(const Packet& packet) {
        constexpr uint32_t kMaximumBytes = 4 * kCacheLine;
        if (packet.count == 0)
            return;
        const Batch& one = *packet.entries[0].batch;
        const uint32_t bytes =
            std::min(one.draw->shape->record_stride - exec::kRecordVaryings, kMaximumBytes);
        const std::span<const TileEntry> entries(packet.entries, packet.count);
        if (one.lines != nullptr)
            for (const TileEntry& entry : entries)
                prefetch_line(*entry.batch, entry.primitive->v[0], bytes);
        else if (one.quads)
            for (const TileEntry& entry : entries)
                prefetch_quad(*entry.batch, entry.primitive->v[0], bytes != 0);
        else if (one.plain_lines)
            for (const TileEntry& entry : entries)
                prefetch_corners<2>(*entry.batch, entry.primitive->v, bytes);
        else
            for (const TileEntry& entry : entries)
                if (entry.batch->consecutive)
                    prefetch_consecutive(*entry.batch, entry.primitive->v[0], bytes);
                else
                    prefetch_corners<3>(*entry.batch, entry.primitive->v, bytes);
    }

    /// Does prefetch_corners() for a triangle of consecutive vertices from `first` on.
    [[gnu::always_inline]] static inline void
    prefetch_consecutive(const Batch& batch, uint32_t first, uint32_t bytes) {
        prefetch(batch.rows + first, 3 * sizeof(WindowRow));
        if (batch.row_records == nullptr && bytes != 0)
            prefetch(batch.records + exec::kRecordVaryings + size_t{first} * batch.record_stride,
                     size_t{2} * batch.record_stride + bytes);
    }

    /// Prefetches the corners of a triangle or a plain line, up to `bytes` of varyings of each.
    template <unsigned Corners>
    [[gnu::always_inline]] static inline void
    prefetch_corners(const Batch& batch, const uint16_t* v, uint32_t bytes) {
        prefetch_rows<Corners>(batch.rows, v, sizeof(WindowRow));
        if (batch.row_records != nullptr || bytes == 0)
            return;
        const uint8_t* varyings = batch.records + exec::kRecordVaryings;
        if (bytes <= 16)
            prefetch_rows<Corners>(varyings, v, batch.record_stride);
        else
            for (unsigned k = 0; k < Corners; ++k)
                prefetch(varyings + size_t{v[k]} * batch.record_stride, bytes);
    }

    /// v  the first corner of a line's triangles
    [[gnu::always_inline]] static inline void
    prefetch_line(const Batch& batch, uint32_t v, uint32_t bytes) {
        for (const uint8_t* record : batch.lines[v / 4].records)
            prefetch(record + exec::kRecordVaryings, bytes);
    }

    /// Prefetches the corners of a quad, which are consecutive.
    /// v  one of its first three corners
    [[gnu::always_inline]] static inline void
    prefetch_quad(const Batch& batch, uint32_t v, bool varyings) {
        const uint32_t first = v & ~3U;
        __builtin_prefetch(batch.rows + first);
        if (varyings && batch.row_records == nullptr)
            prefetch(batch.records + exec::kRecordVaryings + size_t{first} * batch.record_stride,
                     std::min(size_t{3} * batch.record_stride, size_t{4} * kCacheLine));
    }

    /// Prefetches the first lines of some rows.
    template <unsigned Corners>
    [[gnu::always_inline]] static inline void
    prefetch_rows(const void* first, const uint16_t* v, size_t stride) {
        const auto* bytes = static_cast<const uint8_t*>(first);
        for (unsigned k = 0; k < Corners; ++k)
            __builtin_prefetch(bytes + v[k] * stride);
    }

    void walk(const DrawRecord& draw, const Packet& packet) {
        if (exec::is_cancelled(draw.vertex->watch))
            return;
        if (draw.counters == nullptr && !draw.counts_killed) {
            ops_.walk(walk_, draw, packet.entries, packet.count);
            return;
        }
        const WalkStatistics before = walk_.statistics;
        walk_.call.samples_passed = 0;
        ops_.walk(walk_, draw, packet.entries, packet.count);
        WalkStatistics& after = walk_.statistics;
        if (draw.counts_killed)
            after.samples_killed +=
                after.samples_tested - before.samples_tested - walk_.call.samples_passed;
        if (draw.counters == nullptr)
            return;
        DrawCounters& counters = draw.counters[walk_.call.worker];
        counters.fragments += after.invocations - before.invocations;
        counters.samples_passed += walk_.call.samples_passed;
    }

    const HostLoops& ops_;
    TileWalk& walk_;
    const exec::LoopWatch* watch_;
    std::array<Packet, 3> packets_;
    unsigned open_ = 0;
};

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::create(const DeviceOptions& options) {
    std::unique_ptr<Renderer> renderer(new Renderer(host_loops(options.host)));
    VALKYR_TRY(pool, ThreadPool::create(options.threads));
    renderer->pool_ = std::move(pool);
    for (unsigned i = 0; i < renderer->pool_->size(); ++i)
        renderer->workers_.push_back(std::make_unique<Worker>(renderer->ops_, i));
    renderer->plan_threads_ = std::min(options.plan_threads, kMaxThreads);
    renderer->set_timeline(options.timeline);
    return renderer;
}

Result<void> Renderer::reserve_tiles(const PassTargets& targets) {
    for (const auto& worker : workers_)
        if (!worker->tile.reserve(targets))
            return Error{Errc::OutOfMemory, {}, "no memory for tile buffers"};
    return {};
}

/// Makes a room of every worker have `bytes` bytes, and more for reads beyond them.
Result<void> Renderer::reserve(Room Worker::*room, size_t bytes, const char* what) {
    bytes += kReadSlack;
    for (const auto& worker : workers_) {
        Room& own = (*worker).*room;
        if (bytes <= own.size)
            continue;
        // Without memory, the old room stays: existing pipelines need it.
        AlignedBytes larger = allocate_aligned(bytes);
        if (!larger)
            return Error{Errc::OutOfMemory, {}, std::string("no memory for ") + what};
        std::memset(larger.get(), 0, bytes);
        own.bytes = std::move(larger);
        own.size = bytes;
    }
    return {};
}

Result<void> Renderer::reserve_tls(uint32_t bytes_per_lane, uint32_t warps) {
    return reserve(&Worker::tls, size_t{bytes_per_lane} * exec::kLanes * warps,
                   "thread-local storage");
}

Result<void> Renderer::reserve_groups(const StageProgram& program) {
    const exec::ComputeInfo& info = program.info().compute;
    const uint32_t warps = exec::warps_of(exec::group_invocations(info.block));
    VALKYR_TRY_VOID(reserve_tls(program.tls_bytes(), warps));
    VALKYR_TRY_VOID(reserve(&Worker::shared, info.shared_bytes, "shared memory"));
    if (warps == 1)
        return {};
    return reserve(&Worker::contexts, sizeof(exec::WarpContext) * warps, "warps that wait");
}

uint64_t Renderer::tls() const {
    return workers_[0]->tls.address();
}

StreamWorkers Renderer::stream_workers(bool in_order) {
    StreamWorkers all{pool_.get(), {}, {}, in_order};
    for (const auto& worker : workers_) {
        all.tls.push_back(worker->tls.address());
        all.message_calls.push_back(worker->calls.data());
    }
    return all;
}

Result<StreamCounts> Renderer::capture(const DrawRecord& draw,
                                       const StreamLayout& layout,
                                       std::span<StreamTargetImpl* const> targets,
                                       bool in_order) {
    if (!draw.makes_primitives())
        return capture_streams(draw, layout, targets, stream_workers(in_order));
    return capture_emissions(draw, layout, targets, stream_workers(true));
}

unsigned Renderer::useful_workers(const Pass& pass) const {
    uint64_t primitives = 0;
    for (const DrawRecord* draw : pass.draws)
        primitives += uint64_t{draw->assembly.count} * draw->assembly.instance_count *
                      (draw->patches != nullptr ? expansion(*draw) : 1);
    const bool small = pass.targets.width * pass.targets.height < kParallelPixels;
    return small && primitives < kParallelPrimitives ? 1 : planned_workers();
}

Result<void> Renderer::execute(const Pass& pass, const exec::LoopWatch& watch) noexcept try {
    const exec::FloatEnvironment environment;
    watch_ = &watch;
    const unsigned workers = useful_workers(pass);
    const TimelineScope scope(timeline_, 0, kTimelinePass, workers);
    plan_.start(pass.draws, workers);
    while (plan_.advance() && !exec::is_cancelled(watch_))
        VALKYR_TRY_VOID(execute_portion(pass, workers));
    return {};
} catch (...) {
    return caught_error();
}

Result<void> Renderer::execute_portion(const Pass& pass, unsigned workers) {
    const auto total = static_cast<uint32_t>(plan_.segments().size());
    // There are several rounds only if vertices or bins would take too much memory.
    for (uint32_t done = 0; done < total && !exec::is_cancelled(watch_);) {
        // An incomplete segment may name vertices that do not exist: no tile reads it.
        VALKYR_TRY(filled, run_front_end(pass, done, workers));
        VALKYR_TRY_VOID(run_tiles(pass, filled, workers));
        done += filled;
    }
    return {};
}

Result<uint32_t>
Renderer::run_front_end(const Pass& pass, uint32_t first_segment, unsigned workers) {
    const uint32_t tile_count = pass.targets.tile_count() * pass.layers;
    const auto left = std::min(static_cast<uint32_t>(plan_.segments().size()) - first_segment,
                               std::max(kMostBins / std::max(tile_count, 1U), kLeastSegments));
    if (segments_.size() < left)
        segments_.resize(left);
    next_.store(0, std::memory_order_relaxed);
    arena_bytes_.store(0, std::memory_order_relaxed);
    for (const auto& worker : workers_) {
        worker->arena.reset();
        worker->bin_entries.clear();
    }
    const TimelineScope scope(timeline_, 0, kTimelineFront, left);
    // A small pass is one segment and wakes no worker.
    VALKYR_TRY_VOID(pool_->run(std::min<unsigned>(workers, left), [&](unsigned index) {
        Worker& worker = *workers_[index];
        // Workers take segments in order, so the filled segments are the first ones.
        while (arena_bytes_.load(std::memory_order_relaxed) < kPassVertexBytes &&
               !exec::is_cancelled(watch_)) {
            const uint32_t i = next_.fetch_add(1, std::memory_order_relaxed);
            if (i >= left)
                break;
            const size_t before = worker.arena.used();
            fill_segment(worker, pass, i, plan_.segments()[first_segment + i]);
            arena_bytes_.fetch_add(worker.arena.used() - before, std::memory_order_relaxed);
        }
    }));
    return std::min(next_.load(std::memory_order_relaxed), left);
}

void Renderer::fill_segment(Worker& worker,
                            const Pass& pass,
                            uint32_t number,
                            const SegmentPlan& plan) {
    const TimelineScope scope(timeline_, worker.index, kTimelineSegment, number);
    Segment& segment = segments_[number];
    segment.reset(pass.targets.tile_count() * pass.layers);
    worker.front.begin(segment, worker.arena, pass.targets, worker.tls.address());
    for (uint32_t k = plan.first_item; k < plan.end_item; ++k)
        worker.front.process(plan_.items()[k]);
    // Bins are counted here because the workers do it side by side, and have them in their caches.
    worker.bin_entries.resize(segment.bins.size());
    for (size_t tile = 0; tile < segment.bins.size(); ++tile)
        worker.bin_entries[tile] += segment.bins[tile].count();
}

void Renderer::order_tiles(uint32_t tile_count, unsigned workers) {
    bin_entries_.assign(tile_count, 0);
    for (const auto& worker : workers_)
        for (size_t tile = 0; tile < worker->bin_entries.size(); ++tile)
            bin_entries_[tile] += worker->bin_entries[tile];
    if (order_.size() < tile_count)
        order_.resize(tile_count);
    tile_work_.start(workers);
    auto place = order_.begin();
    for (uint32_t worker = 0, tile = 0; worker < workers; ++worker) {
        const auto first = place;
        for (const uint32_t end = SharedWork::even_start(worker + 1, tile_count, workers);
             tile < end; ++tile) {
            *place = {tile, bin_entries_[tile]};
            place += bin_entries_[tile] != 0 ? 1 : 0;
        }
        // Expensive tiles come first. Tiles with equal counts stay in order, so neighbours stay
        // together. They are in order already if draws cover the screen.
        if (!std::is_sorted(first, place))
            std::sort(first, place);
        tile_work_.set_run(worker, {static_cast<uint32_t>(first - order_.begin()),
                                    static_cast<uint32_t>(place - order_.begin())});
    }
    ordered_tiles_ = static_cast<uint32_t>(place - order_.begin());
}

Result<void> Renderer::run_tiles(const Pass& pass, uint32_t segments, unsigned workers) {
    const uint32_t tile_count = pass.targets.tile_count() * pass.layers;
    order_tiles(tile_count, workers);
    layers_.clear();
    for (uint32_t layer = 0; layer < pass.layers && pass.layers > 1; ++layer)
        layers_.push_back(pass.targets.at_layer(layer));
    const TimelineScope scope(timeline_, 0, kTimelineTiles, tile_count);
    return pool_->run(std::min<unsigned>(workers, ordered_tiles_), [&](unsigned index) {
        Worker& worker = *workers_[index];
        worker.tile.bind(pass.targets, worker.walk.call);
        worker.walk.call.worker = index;
        worker.walk.call.message_calls = worker.calls.data();
        worker.walk.call.tls = worker.tls.address();
        worker.walk.samples = pass.targets.samples;
        for (uint32_t s = 0; s < pass.targets.samples; ++s) {
            const SamplePosition p = sample_positions(pass.targets.samples)[s];
            worker.walk.sample_x[s] = p.x * 16;
            worker.walk.sample_y[s] = p.y * 16;
        }
        for (;;) {
            const SharedWork::Range taken = tile_work_.take(index, 1);
            if (taken.empty() || exec::is_cancelled(watch_))
                break;
            render_tile(worker, pass, order_[taken.first].tile, segments);
        }
    });
}

void Renderer::render_tile(Worker& worker, const Pass& pass, uint32_t tile, uint32_t segments) {
    const TimelineScope scope(timeline_, worker.index, kTimelineTile, tile);
    const uint32_t layer = tile / pass.targets.tile_count();
    const PassTargets& targets = layers_.empty() ? pass.targets : layers_[layer];
    const uint32_t place = tile - layer * targets.tile_count();
    const uint32_t tx = place % targets.tiles_x();
    const uint32_t ty = place / targets.tiles_x();
    worker.walk.call.tile_x = static_cast<int32_t>(tx * exec::kTileSize);
    worker.walk.call.tile_y = static_cast<int32_t>(ty * exec::kTileSize);
    worker.walk.call.layer = layer;
    const VisibleSegments visible = visible_segments(tile, segments);
    const std::optional<uint32_t> depth = TileBuffer::cleared_depth(targets, tx, ty);
    if (depth)
        worker.walk.bounds.set(*depth);
    else
        worker.walk.bounds.forget();
    worker.tile.load(targets, pass.access, tx, ty, !visible.replaced);
    walk_bins(worker, tile, segments, visible.covering);
    worker.tile.store(targets, pass.access, tx, ty);
}

Renderer::VisibleSegments Renderer::visible_segments(uint32_t tile, uint32_t segments) const {
    VisibleSegments visible;
    for (uint32_t i = 0; i < segments; ++i) {
        if (!segments_[i].bins[tile].covered)
            continue;
        visible.covering = i;
        visible.replaced = true;
    }
    // Lasting segments before the covering one are drawn too, onto the colours that the tile has.
    for (uint32_t i = 0; i < visible.covering; ++i)
        visible.replaced = visible.replaced && !segments_[i].lasting;
    return visible;
}

void Renderer::walk_bins(Worker& worker, uint32_t tile, uint32_t segments, uint32_t covering) {
    PacketBuilder packets(ops_, worker.walk, watch_);
    for (uint32_t i = 0; i < segments; ++i) {
        // The next bins are on their way while this one is walked.
        if (i + 2 < segments)
            prefetch(&segments_[i + 2].bins[tile], sizeof(Bin));
        if (i + 1 < segments)
            prefetch(segments_[i + 1].bins[tile].first, sizeof(BinChunk));
        if (i >= covering || segments_[i].lasting)
            packets.add(segments_[i], segments_[i].bins[tile]);
    }
    packets.finish();
}

void Renderer::set_timeline(Timeline* timeline) {
    timeline_ = timeline;
    if (timeline != nullptr)
        timeline->reset(pool_->size());
}

Result<void> Renderer::run_rows(uint32_t count,
                                const std::function<void(uint32_t, uint32_t)>& rows) noexcept {
    constexpr uint32_t kPieces = 8;  // per worker, so that all end at about the same time
    const unsigned workers = planned_workers();
    const TimelineScope scope(timeline_, 0, kTimelineTransfer, count);
    const uint32_t piece = std::max(1U, count / (kPieces * workers));
    SharedWork work;
    work.start(workers);
    for (unsigned i = 0; i < workers; ++i)
        work.set_run(i, {SharedWork::even_start(i, count, workers),
                         SharedWork::even_start(i + 1, count, workers)});
    return pool_->run(workers, [&](unsigned index) {
        for (auto taken = work.take(index, piece); !taken.empty();
             taken = work.take(index, piece)) {
            const TimelineScope rows_scope(timeline_, index, kTimelineRows, taken.first);
            rows(taken.first, taken.end);
        }
    });
}

namespace {

/// Groups that a worker takes at a time: enough invocations that taking them costs nothing beside
/// running them, but no more than leave several pieces for each worker.
uint64_t groups_taken(uint64_t groups, uint32_t invocations, unsigned workers) {
    constexpr uint64_t kInvocations = 2048;
    constexpr uint64_t kPieces = 8;
    return std::clamp<uint64_t>(groups / (kPieces * workers), 1,
                                std::max<uint64_t>(kInvocations / invocations, 1));
}

}  // namespace

Result<void> Renderer::dispatch(const DispatchRecord& record) noexcept {
    const exec::Kernel kernel = record.kernel->entry();
    const uint64_t groups = record.call.group_count;
    const uint32_t invocations = exec::group_invocations(record.call.block);
    const bool small = groups * invocations < kParallelInvocations;
    const uint64_t taken = small ? groups : groups_taken(groups, invocations, planned_workers());
    const TimelineScope scope(timeline_, 0, kTimelineDispatch, groups);
    std::atomic<uint64_t> next{0};
    return pool_->run(taken >= groups ? 1 : pool_->size(), [&](unsigned index) {
        const Worker& worker = *workers_[index];
        exec::ComputeCall call = record.call;
        call.worker = index;
        call.tls = worker.tls.address();
        call.shared = reinterpret_cast<uint8_t*>(worker.shared.bytes.get());
        call.contexts = reinterpret_cast<exec::WarpContext*>(worker.contexts.bytes.get());
        while (!exec::is_cancelled(call.draw->watch)) {
            call.first_group = next.fetch_add(taken, std::memory_order_relaxed);
            if (call.first_group >= groups)
                break;
            call.group_count = std::min(taken, groups - call.first_group);
            const TimelineScope groups_scope(timeline_, index, kTimelineGroups, call.first_group);
            kernel(call);
        }
    });
}

void Renderer::take_statistics(Statistics& statistics) {
    for (const auto& worker : workers_) {
        FrontStatistics& front = worker->front.statistics();
        statistics.vertices += front.vertices;
        statistics.triangles_in += front.triangles_in;
        statistics.triangles_culled += front.triangles_culled;
        statistics.triangles_binned += front.triangles_binned;
        statistics.blocks_shaded += worker->walk.statistics.blocks_shaded;
        statistics.pixels_covered += worker->walk.statistics.pixels_covered;
        statistics.samples_killed += worker->walk.statistics.samples_killed;
        front = {};
        add_calls(statistics.message_calls, std::exchange(worker->calls, {}));
        statistics.triangles_hidden += worker->walk.statistics.primitives_hidden;
        if (timeline_ != nullptr)
            timeline_->primitives_hidden += worker->walk.statistics.primitives_hidden;
        worker->walk.statistics = {};
    }
}

}  // namespace valkyr::raster

// Stream output: plans chunks of primitives, which workers shade and capture.
// SPDX-License-Identifier: MIT
#include "raster/record/stream_output.hpp"

#include "exec/float_environment.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"
#include "raster/data/shade_vertices.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

namespace valkyr::raster {
namespace {

/// Chunks and pieces that are planned before they are executed: limits the memory of the plan.
constexpr size_t kMostChunks = 4096;
constexpr size_t kMostPieces = 16384;
/// Primitives below which waking a worker costs more than it brings.
constexpr uint64_t kParallelPrimitives = 1024;

/// Primitives begin .. end-1 of a run.
struct Piece {
    uint32_t first = 0;     ///< first element of the run
    uint32_t elements = 0;  ///< elements of the run
    uint32_t begin = 0;
    uint32_t end = 0;
};

/// Primitives that are shaded together. Their places in the targets are known before anything is
/// shaded, so chunks are independent of each other.
struct Chunk {
    uint32_t instance = 0;
    uint32_t first_piece = 0;
    uint32_t end_piece = 0;
    uint64_t first = 0;  ///< number of the first primitive within the draw
};

/// Address of primitive 0 of a draw in one target, and the distances to the next ones.
struct Stream {
    uint8_t* base = nullptr;
    uint64_t advance = 0;       ///< bytes from primitive to primitive
    uint64_t vertex_bytes = 0;  ///< bytes from vertex to vertex
};

class Capture {
public:
    Capture(const DrawRecord& draw,
            const StreamLayout& layout,
            std::span<StreamTargetImpl* const> targets,
            const StreamWorkers& workers);

    Result<StreamCounts> run();

private:
    struct Scratch {
        std::array<uint32_t, kChunkVertices + 2 * exec::kLanes> vertex_ids{};
        std::vector<uint8_t> records;
    };

    /// Returns whether the remaining work has no observable effect, or the device is cancelled.
    [[nodiscard]] bool is_done() const {
        return (planned_ > writable_ && !has_effects_) || exec::is_cancelled(draw_.vertex->watch);
    }
    [[nodiscard]] uint64_t count_primitives() const;
    void find_streams(uint64_t generated);
    Result<void> plan_instance(uint32_t number);
    Result<void> plan_run(uint32_t instance, uint32_t first, uint32_t elements);
    Result<void> close_chunk(uint32_t instance);
    Result<void> execute();
    uint32_t list_vertices(const Chunk& chunk, uint32_t* ids) const;
    uint32_t shade(const Chunk& chunk, Scratch& scratch, unsigned worker) const;
    void write(const Chunk& chunk, uint32_t vertices, const uint8_t* records) const;

    const DrawRecord& draw_;
    const StreamLayout& layout_;
    std::span<StreamTargetImpl* const> targets_;
    const StreamWorkers& workers_;
    uint32_t corners_;
    bool has_effects_;  ///< the program has side effects, and no draw shades the vertices again
    std::array<Stream, kMaxStreamTargets> streams_{};
    uint64_t writable_ = 0;  ///< primitives that fit into the targets; later ones are not written
    uint64_t planned_ = 0;   ///< primitives in closed chunks of the draw so far
    uint32_t open_ = 0;      ///< primitives of the chunk that is being planned
    std::vector<Piece> pieces_;
    std::vector<Chunk> chunks_;
    std::vector<Scratch> scratch_;
    std::atomic<uint64_t> vertices_{0};
};

Capture::Capture(const DrawRecord& draw,
                 const StreamLayout& layout,
                 std::span<StreamTargetImpl* const> targets,
                 const StreamWorkers& workers)
    : draw_(draw)
    , layout_(layout)
    , targets_(targets)
    , workers_(workers)
    , corners_(vertices_of(draw.assembly.primitive))
    , has_effects_(draw.vertex->info->has_side_effects && !draw.shape->rasterize) {}

uint64_t Capture::count_primitives() const {
    uint64_t generated = 0;
    for_each_run(draw_.assembly, draw_.vertex->watch, [&](uint32_t /*first*/, uint32_t elements) {
        generated += primitive_count(draw_.assembly, elements);
        return true;
    });
    return generated * draw_.assembly.instance_count;
}

/// Finds the places of primitive 0, and how many primitives fit: all targets take a primitive or
/// none.
void Capture::find_streams(uint64_t generated) {
    writable_ = generated;
    for (size_t b = 0; b < targets_.size(); ++b) {
        const StreamTargetImpl* target = targets_[b];
        if (target == nullptr)
            continue;
        Stream& stream = streams_[b];
        stream.base = target->cursor();
        stream.vertex_bytes = layout_.stride_words[b] * sizeof(uint32_t);
        const uint64_t bytes = stream.vertex_bytes * corners_;
        // A target may be bound more than once: each binding advances it.
        for (size_t other = 0; other < targets_.size(); ++other)
            if (targets_[other] == target)
                stream.advance += layout_.stride_words[other] * sizeof(uint32_t) * corners_;
        if (!target->has_room(bytes))
            writable_ = 0;
        else if (stream.advance != 0)
            writable_ = std::min(
                writable_, (target->size() - target->position() - bytes) / stream.advance + 1);
    }
}

Result<StreamCounts> Capture::run() {
    StreamCounts counts;
    const uint64_t generated = count_primitives();
    counts.generated[0] = generated;
    if (generated == 0)
        return counts;
    find_streams(generated);
    const bool parallel = generated >= kParallelPrimitives && !workers_.in_order;
    scratch_.resize(parallel ? workers_.pool->size() : 1);
    for (Scratch& scratch : scratch_)
        scratch.records.resize(size_t{kChunkVertices + exec::kLanes} * draw_.shape->record_stride);
    for (uint32_t i = 0; i < draw_.assembly.instance_count && !is_done(); ++i)
        VALKYR_TRY_VOID(plan_instance(i));
    VALKYR_TRY_VOID(execute());
    for (size_t b = 0; b < targets_.size(); ++b)
        if (targets_[b] != nullptr)
            targets_[b]->set_position(targets_[b]->position() +
                                      writable_ * streams_[b].vertex_bytes * corners_);
    counts.written[0] = writable_;
    counts.vertices = vertices_;
    return counts;
}

Result<void> Capture::plan_instance(uint32_t number) {
    Result<void> done;
    for_each_run(draw_.assembly, draw_.vertex->watch, [&](uint32_t first, uint32_t elements) {
        done = plan_run(number, first, elements);
        return done.has_value() && !is_done();
    });
    VALKYR_TRY_VOID(std::move(done));
    return open_ != 0 ? close_chunk(number) : Result<void>();
}

Result<void> Capture::plan_run(uint32_t instance, uint32_t first, uint32_t elements) {
    const uint32_t most = kChunkVertices / corners_;
    const auto count = static_cast<uint32_t>(primitive_count(draw_.assembly, elements));
    for (uint32_t p = 0; p < count && !is_done();) {
        const uint32_t taken = std::min(count - p, most - open_);
        pieces_.push_back({first, elements, p, p + taken});
        open_ += taken;
        p += taken;
        if (open_ == most)
            VALKYR_TRY_VOID(close_chunk(instance));
    }
    return {};
}

Result<void> Capture::close_chunk(uint32_t instance) {
    const uint32_t first = chunks_.empty() ? 0 : chunks_.back().end_piece;
    chunks_.push_back({instance, first, static_cast<uint32_t>(pieces_.size()), planned_});
    planned_ += std::exchange(open_, 0);
    return chunks_.size() >= kMostChunks || pieces_.size() >= kMostPieces ? execute()
                                                                          : Result<void>();
}

/// Shades and writes the planned chunks.
Result<void> Capture::execute() {
    std::atomic<size_t> next{0};
    const auto done =
        workers_.pool->run(static_cast<unsigned>(scratch_.size()), [&](unsigned worker) {
            Scratch& scratch = scratch_[worker];
            uint64_t vertices = 0;
            for (size_t i = next.fetch_add(1, std::memory_order_relaxed);
                 i < chunks_.size() && !exec::is_cancelled(draw_.vertex->watch);
                 i = next.fetch_add(1, std::memory_order_relaxed)) {
                const uint32_t shaded = shade(chunks_[i], scratch, worker);
                write(chunks_[i], shaded, scratch.records.data());
                vertices += shaded;
            }
            vertices_.fetch_add(vertices, std::memory_order_relaxed);
        });
    chunks_.clear();
    pieces_.clear();
    return done;
}

/// Lists the vertex IDs of a chunk; returns their number.
uint32_t Capture::list_vertices(const Chunk& chunk, uint32_t* ids) const {
    const AssemblyState& assembly = draw_.assembly;
    uint32_t count = 0;
    for (uint32_t i = chunk.first_piece; i < chunk.end_piece; ++i) {
        const Piece& piece = pieces_[i];
        if (is_list(assembly.primitive)) {
            const uint32_t elements = (piece.end - piece.begin) * corners_;
            element_vertices(assembly, piece.first + piece.begin * corners_,
                             std::span(ids + count, elements));
            count += elements;
            continue;
        }
        for (uint32_t p = piece.begin; p < piece.end; ++p) {
            const Assembled a =
                assemble(assembly.primitive, assembly.provoking_first, piece.elements, p);
            for (uint32_t k = 0; k < corners_; ++k)
                ids[count++] = element_vertex(assembly, piece.first + a.element[k]);
        }
    }
    return count;
}

uint32_t Capture::shade(const Chunk& chunk, Scratch& scratch, unsigned worker) const {
    uint32_t* ids = scratch.vertex_ids.data();
    const uint32_t count = list_vertices(chunk, ids);
    shade_vertices(draw_, {workers_.tls[worker], worker, workers_.message_calls[worker]},
                   chunk.instance, ids, count, scratch.records.data(), draw_.shape->record_stride);
    return count;
}

/// Copies whole words; sizes known at compile time become single moves.
void copy_words(uint8_t* to, const uint8_t* from, unsigned words) {
    switch (words) {
    case 1: std::memcpy(to, from, 4); break;
    case 2: std::memcpy(to, from, 8); break;
    case 3: std::memcpy(to, from, 12); break;
    default: std::memcpy(to, from, 16); break;
    }
}

void Capture::write(const Chunk& chunk, uint32_t vertices, const uint8_t* records) const {
    if (chunk.first >= writable_)
        return;
    const uint64_t room = (writable_ - chunk.first) * corners_;
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(vertices, room));
    const uint32_t stride = draw_.shape->record_stride;
    for (const StreamSource& source : layout_.sources) {
        const Stream& stream = streams_[source.buffer];
        const uint8_t* from = records + source.record_offset;
        uint8_t* to =
            stream.base + chunk.first * stream.advance + source.offset_words * sizeof(uint32_t);
        const uint64_t gap = stream.advance - stream.vertex_bytes * corners_;
        for (uint32_t v = 0; v < count; to += gap)
            for (uint32_t k = 0; k < corners_; ++k, ++v) {
                copy_words(to, from, source.components);
                from += stride;
                to += stream.vertex_bytes;
            }
    }
}

}  // namespace

uint32_t vertices_of(Primitive primitive) {
    switch (shape_of(primitive)) {
    case Shape::Point: return 1;
    case Shape::Line: return 2;
    case Shape::Triangle: break;
    }
    return 3;
}

bool share_buffers(std::span<StreamTargetImpl* const> targets) {
    for (size_t a = 0; a < targets.size(); ++a)
        for (size_t b = 0; b < a; ++b)
            if (targets[a] != nullptr && targets[b] != nullptr &&
                &targets[a]->buffer() == &targets[b]->buffer())
                return true;
    return false;
}

Result<StreamCounts> capture_streams(const DrawRecord& draw,
                                     const StreamLayout& layout,
                                     std::span<StreamTargetImpl* const> targets,
                                     const StreamWorkers& workers) {
    const exec::FloatEnvironment environment;
    return Capture(draw, layout, targets, workers).run();
}

}  // namespace valkyr::raster

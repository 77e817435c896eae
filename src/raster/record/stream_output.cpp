// Stream output: shades and captures a chunk of primitives at a time.
// SPDX-License-Identifier: MIT
#include "raster/record/stream_output.hpp"

#include "base/bits.hpp"
#include "exec/float_environment.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"
#include "raster/support/memory.hpp"
#include "raster/support/thread_pool.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

uint32_t vertices_of(Shape shape) {
    switch (shape) {
    case Shape::Point: return 1;
    case Shape::Line: return 2;
    case Shape::Triangle: break;
    }
    return 3;
}

class Capture {
public:
    Capture(const DrawRecord& draw,
            const StreamLayout& layout,
            std::span<StreamTargetImpl* const> targets,
            uint64_t tls)
        : draw_(draw)
        , layout_(layout)
        , targets_(targets)
        , tls_(tls)
        , corners_(vertices_of(shape_of(draw.primitive)))
        , has_effects_(draw.vertex->info->has_side_effects && !draw.rasterize)
        , records_(size_t{kChunkVertices + exec::kLanes} * draw.record_stride) {}

    StreamCounts run();

private:
    /// Nothing that is left can be seen, or nobody is there to see it.
    [[nodiscard]] bool is_done() const {
        return (full_ && !has_effects_) || exec::is_cancelled(draw_.vertex->watch);
    }
    void instance(uint32_t number, StreamCounts& counts);
    void shade(uint32_t instance);
    void write_chunk(uint32_t instance, StreamCounts& counts);
    bool write_primitive(const uint8_t* records);
    void write_vertex(const uint8_t* record, uint32_t vertex);

    const DrawRecord& draw_;
    const StreamLayout& layout_;
    std::span<StreamTargetImpl* const> targets_;
    uint64_t tls_;
    uint32_t corners_;
    bool has_effects_;   ///< the vertex program stores, and no other pass shades the vertices
    bool full_ = false;  ///< a primitive found no room: nothing more is written
    uint32_t count_ = 0;
    std::array<uint32_t, kChunkVertices + exec::kLanes> vertex_ids_{};
    std::vector<uint8_t> records_;
};

StreamCounts Capture::run() {
    StreamCounts counts;
    uint64_t generated = 0;
    for_each_run(draw_, [&](uint32_t /*first*/, uint32_t elements) {
        generated += primitive_count(draw_.primitive, elements);
        return true;
    });
    counts.generated = generated * draw_.instance_count;
    for (uint32_t i = 0; i < draw_.instance_count && !is_done() && generated != 0; ++i)
        instance(i, counts);
    return counts;
}

void Capture::instance(uint32_t number, StreamCounts& counts) {
    for_each_run(draw_, [&](uint32_t first, uint32_t elements) {
        const uint64_t primitives = primitive_count(draw_.primitive, elements);
        for (uint64_t p = 0; p < primitives && !is_done(); ++p) {
            const Assembled a = assemble(draw_.primitive, draw_.provoking_first, elements,
                                         static_cast<uint32_t>(p));
            for (uint32_t k = 0; k < corners_; ++k)
                vertex_ids_[count_++] = element_vertex(draw_, first + a.element[k]);
            if (count_ + corners_ > kChunkVertices)
                write_chunk(number, counts);
        }
        return !is_done();
    });
    write_chunk(number, counts);
}

void Capture::shade(uint32_t instance) {
    const uint32_t padded = align_up(count_, exec::kLanes);
    for (uint32_t i = count_; i < padded; ++i)
        vertex_ids_[i] = vertex_ids_[count_ - 1];
    exec::VertexCall call;
    call.draw = draw_.vertex;
    call.vertex_ids = vertex_ids_.data();
    call.records = records_.data();
    call.record_stride = draw_.record_stride;
    call.count = count_;
    call.instance_id = instance;
    call.tls = tls_;
    draw_.vertex_kernel(call);
}

void Capture::write_chunk(uint32_t instance, StreamCounts& counts) {
    if (count_ == 0 || is_done())
        return;
    shade(instance);
    counts.vertices += count_;
    for (uint32_t v = 0; v < count_ && !full_; v += corners_) {
        if (!write_primitive(records_.data() + size_t{v} * draw_.record_stride)) {
            full_ = true;
            break;
        }
        ++counts.written;
    }
    count_ = 0;
}

/// All targets or none.
bool Capture::write_primitive(const uint8_t* records) {
    const auto bytes = [&](size_t b) {
        return uint64_t{layout_.stride_words[b]} * sizeof(uint32_t) * corners_;
    };
    for (size_t b = 0; b < targets_.size(); ++b)
        if (targets_[b] != nullptr && !targets_[b]->has_room(bytes(b)))
            return false;
    for (uint32_t k = 0; k < corners_; ++k)
        write_vertex(records + size_t{k} * draw_.record_stride, k);
    for (size_t b = 0; b < targets_.size(); ++b)
        if (targets_[b] != nullptr)
            targets_[b]->set_position(targets_[b]->position() + bytes(b));
    return true;
}

void Capture::write_vertex(const uint8_t* record, uint32_t vertex) {
    for (const StreamSource& source : layout_.sources) {
        const size_t word =
            size_t{vertex} * layout_.stride_words[source.buffer] + source.offset_words;
        uint8_t* to = targets_[source.buffer]->cursor() + word * sizeof(uint32_t);
        std::memcpy(to, record + source.record_offset, source.components * sizeof(uint32_t));
    }
}

}  // namespace

StreamCounts capture_streams(const DrawRecord& draw,
                             const StreamLayout& layout,
                             std::span<StreamTargetImpl* const> targets,
                             uint64_t tls) {
    const exec::FloatEnvironment environment;
    return Capture(draw, layout, targets, tls).run();
}

}  // namespace valkyr::raster

// Draw ranges: find ranges of elements, and the places of their current bytes.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_ranges.hpp"

#include "raster/record/descriptors.hpp"
#include "raster/record/hazards.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Largest range that is gathered: beyond it, rendering the pass costs less.
constexpr uint64_t kMostGathered = uint64_t{256} << 10;

unsigned index_shift(IndexType type) {
    return static_cast<unsigned>(type) - 1;
}

template <typename Index>
std::optional<IdSpan> span_of(const uint8_t* source, uint32_t count, const DrawInfo& info) {
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Index value;
        std::memcpy(&value, source + size_t{i} * sizeof(value), sizeof(value));
        if (info.primitive_restart && value == info.restart_index)
            continue;
        low = std::min<uint32_t>(low, value);
        high = std::max<uint32_t>(high, value);
    }
    return low <= high ? std::optional(IdSpan{low, high}) : std::nullopt;
}

std::optional<IdSpan> index_span(const IndexSource& indices, uint32_t count, const DrawInfo& info) {
    const uint8_t* source = indices.data + (uint64_t{info.first} << index_shift(indices.type));
    switch (indices.type) {
    case IndexType::None: break;
    case IndexType::U8: return span_of<uint8_t>(source, count, info);
    case IndexType::U16: return span_of<uint16_t>(source, count, info);
    case IndexType::U32: return span_of<uint32_t>(source, count, info);
    }
    return std::nullopt;
}

/// Returns low + by .. high + by, or nothing if that wraps.
std::optional<IdSpan> shifted(uint32_t low, uint32_t high, int64_t by) {
    if (low + by < 0 || high + by > int64_t{UINT32_MAX})
        return std::nullopt;
    return IdSpan{static_cast<uint32_t>(low + by), static_cast<uint32_t>(high + by)};
}

const uint8_t* moved(const std::byte* bytes, uint64_t begin) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): only bytes from `begin` on are read.
    return reinterpret_cast<const uint8_t*>(reinterpret_cast<uintptr_t>(bytes) - begin);
}

bool is_far_apart(const BufferImpl& buffer, const ByteRange& range) {
    return buffer.late.place_of(range) == LateWrites::Place::Mixed && range.size() > kMostGathered;
}

}  // namespace

IndexSource bound_indices(const DrawState& state) {
    IndexSource source;
    source.type = state.index_type;
    if (state.index_type == IndexType::None)
        return source;
    const BufferRange& range = state.index_buffer;
    const auto& buffer = static_cast<const BufferImpl&>(*range.buffer);
    if (range.offset >= buffer.size())
        return source;
    source.data = buffer.data() + range.offset;
    source.count =
        std::min(range.size, buffer.size() - range.offset) >> index_shift(state.index_type);
    return source;
}

ByteRange index_range(const DrawState& state, const IndexSource& indices, const DrawInfo& info) {
    const unsigned shift = index_shift(indices.type);
    const uint64_t begin = std::min<uint64_t>(info.first, indices.count);
    const uint64_t end = std::min<uint64_t>(uint64_t{info.first} + info.count, indices.count);
    return {state.index_buffer.offset + (begin << shift),
            state.index_buffer.offset + (end << shift)};
}

std::optional<IdSpan> vertex_ids(const IndexSource& indices, const DrawInfo& info) {
    if (indices.type == IndexType::None)
        return shifted(0, info.count - 1, info.first);
    // Indices beyond the buffer read as 0.
    if (uint64_t{info.first} + info.count > indices.count)
        return std::nullopt;
    const auto span = index_span(indices, info.count, info);
    return span ? shifted(span->low, span->high, info.base_vertex) : std::nullopt;
}

ByteRange attribute_range(const exec::AttributeDescriptor& attribute,
                          const BufferImpl& buffer,
                          const DrawInfo& info,
                          const std::optional<IdSpan>& ids) {
    if (attribute.address == nullptr)
        return {};
    const auto begin = static_cast<uint64_t>(attribute.address - buffer.data());
    const uint64_t end = begin + attribute.size;
    IdSpan span;
    if (attribute.divisor != 0)
        span.high = (std::max(info.instance_count, 1U) - 1) / attribute.divisor;
    else if (ids)
        span = *ids;
    else
        return {begin, end};
    const uint64_t bytes = exec::format_info(attribute.format).block_bytes;
    return {std::min(end, begin + uint64_t{span.low} * attribute.stride),
            std::min(end, begin + uint64_t{span.high} * attribute.stride + bytes)};
}

const uint8_t* current_origin(BufferImpl& buffer, const ByteRange& range, Pass& pass) {
    switch (buffer.late.place_of(range)) {
    case LateWrites::Place::Buffer: buffer.late.note_read(pass.number, range); return buffer.data();
    case LateWrites::Place::Copy: break;
    case LateWrites::Place::Mixed: {
        std::byte* bytes = pass.arena.allocate(range.size() + kReadSlack);
        buffer.late.gather(range, reinterpret_cast<const std::byte*>(buffer.data()), bytes);
        buffer.late.add(range, bytes);
    }
    }
    return moved(buffer.late.copy_of(range), range.begin);
}

bool must_land_writes(const DrawState& state,
                      const PipelineImpl& pipeline,
                      const DrawInfo& info,
                      const Pass& pass) {
    if (shaders_read_late(state, pipeline, pass.number))
        return true;
    IndexSource indices = bound_indices(state);
    if (indices.data != nullptr) {
        const auto& buffer = static_cast<const BufferImpl&>(*state.index_buffer.buffer);
        const ByteRange range = index_range(state, indices, info);
        const auto place = buffer.late.place_of(range);
        if (place == LateWrites::Place::Mixed)
            return true;
        if (place == LateWrites::Place::Copy)
            indices.data =
                moved(buffer.late.copy_of(range), range.begin) + state.index_buffer.offset;
    }
    const auto ids = vertex_ids(indices, info);
    const PipelineDesc& desc = pipeline.desc();
    return std::any_of(desc.elements.begin(), desc.elements.end(), [&](const VertexElement& e) {
        if (e.buffer >= state.vertex_buffers.size() || !state.vertex_buffers[e.buffer].buffer)
            return false;
        const BufferRange& range = state.vertex_buffers[e.buffer];
        const auto& buffer = static_cast<const BufferImpl&>(*range.buffer);
        return is_far_apart(buffer,
                            attribute_range(attribute_descriptor(e, desc.strides[e.buffer], &buffer,
                                                                 range, info.first_instance),
                                            buffer, info, ids));
    });
}

}  // namespace valkyr::raster

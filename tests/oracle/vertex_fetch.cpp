// Vertex fetch: reads index streams and vertex attributes, one element at a time.
// SPDX-License-Identifier: MIT
#include "tests/oracle/vertex_fetch.hpp"

#include "base/check.hpp"
#include "tests/oracle/resources.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::reference {
namespace {

using raster::IndexType;

/// The bytes of the buffer within a range.
std::span<const std::byte> visible(const raster::BufferRange& range) {
    const auto* buffer = dynamic_cast<const ReferenceBuffer*>(range.buffer.get());
    if (buffer == nullptr || range.offset >= buffer->bytes.size())
        return {};
    const std::span<const std::byte> rest = std::span(buffer->bytes).subspan(range.offset);
    return rest.first(std::min<uint64_t>(rest.size(), range.size));
}

uint32_t index_bytes(IndexType type) {
    switch (type) {
    case IndexType::None: return 0;
    case IndexType::U8: return 1;
    case IndexType::U16: return 2;
    case IndexType::U32: return 4;
    }
    VALKYR_UNREACHABLE();
}

uint32_t read_index(std::span<const std::byte> bytes, IndexType type, uint64_t position) {
    const uint32_t size = index_bytes(type);
    uint32_t index = 0;
    if ((position + 1) * size <= bytes.size())
        std::memcpy(&index, &bytes[position * size], size);
    return index;
}

}  // namespace

std::vector<std::vector<uint32_t>> vertex_streams(const raster::DrawState& state,
                                                  const raster::DrawInfo& info) {
    std::vector<std::vector<uint32_t>> streams(1);
    const std::span<const std::byte> indices = visible(state.index_buffer);
    for (uint64_t i = 0; i < info.count; i++) {
        if (state.index_type == IndexType::None) {
            streams.back().push_back(info.first + static_cast<uint32_t>(i));
            continue;
        }
        const uint32_t index = read_index(indices, state.index_type, info.first + i);
        if (info.primitive_restart && index == info.restart_index)
            streams.emplace_back();
        else
            streams.back().push_back(index + static_cast<uint32_t>(info.base_vertex));
    }
    return streams;
}

Vec4 fetch_attribute(const raster::DrawState& state,
                     const raster::PipelineDesc& pipeline,
                     const raster::VertexElement& element,
                     uint32_t vertex_id,
                     uint32_t instance,
                     uint32_t first_instance) {
    if (element.buffer >= state.vertex_buffers.size() || element.buffer >= pipeline.strides.size())
        return {};
    const std::span<const std::byte> bytes = visible(state.vertex_buffers[element.buffer]);
    const uint64_t index =
        element.divisor == 0 ? vertex_id : uint64_t{first_instance} + instance / element.divisor;
    const uint64_t offset = element.offset + index * pipeline.strides[element.buffer];
    const uint32_t size = row(element.format).block_bytes;
    if (offset + size > bytes.size())
        return {};
    uint8_t texel[32];
    std::memcpy(texel, &bytes[offset], size);
    return decode_texel(element.format, texel);
}

}  // namespace valkyr::reference

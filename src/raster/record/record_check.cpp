// Record check: compares the contents of two records of a draw.
// SPDX-License-Identifier: MIT
#include "raster/record/record_check.hpp"

#include "raster/data/stipple_blocks.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Compares by ==, except that two NaN are equal.
template <typename T>
bool same(const T& a, const T& b) {
    const auto is_number = [](const T& value) {
        const T& again = value;
        return value == again;
    };
    return is_number(a) ? a == b : !is_number(b);
}

/// Compares elements without padding, bit by bit.
template <typename T>
bool same_bits(const T* a, const T* b, size_t count) {
    return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

bool same_shape(const ShapeState& a, const ShapeState& b) {
    ShapeState rest = b;
    rest.halves = a.halves;
    return same(a, rest) && std::equal(a.halves, a.halves + a.half_count, b.halves);
}

bool same_tile(const TileState& a, const TileState& b) {
    TileState rest = b;
    rest.slots = a.slots;
    rest.polygon_stipple = a.polygon_stipple;
    if (!same(a, rest) || !std::equal(a.slots, a.slots + a.slot_count, b.slots))
        return false;
    if (a.polygon_stipple == nullptr || b.polygon_stipple == nullptr)
        return a.polygon_stipple == b.polygon_stipple;
    return same_bits(a.polygon_stipple, b.polygon_stipple, kStippleBlocks);
}

/// Compares constants by value: each pass has copies at other addresses.
bool same_constants(const exec::ResourceTables& a, const exec::ResourceTables& b) {
    return std::equal(a.constant_buffers, a.constant_buffers + a.constant_buffer_count,
                      b.constant_buffers, b.constant_buffers + b.constant_buffer_count,
                      [](const exec::BufferDescriptor& from, const exec::BufferDescriptor& to) {
                          return from.size == to.size &&
                                 same_bits(from.address, to.address, from.size);
                      });
}

bool same_texture(const exec::TextureDescriptor& a, const exec::TextureDescriptor& b) {
    return a.kind == b.kind && a.format == b.format && same_bits(a.swizzle, b.swizzle, 4) &&
           a.first_level == b.first_level && a.level_count == b.level_count &&
           a.samples == b.samples && a.power_of_two == b.power_of_two &&
           a.first_layer == b.first_layer && a.layer_count == b.layer_count &&
           same_bits(a.levels, b.levels, exec::kMaxLevels);
}

bool same_image(const exec::ImageDescriptor& a, const exec::ImageDescriptor& b) {
    return a.data == b.data && a.kind == b.kind && a.format == b.format && a.samples == b.samples &&
           a.width == b.width && a.height == b.height && a.depth == b.depth &&
           a.tiles_per_row == b.tiles_per_row && a.slice_bytes == b.slice_bytes;
}

bool same_tables(const exec::ResourceTables& a, const exec::ResourceTables& b) {
    return same_constants(a, b) && a.attribute_count == b.attribute_count &&
           same_bits(a.attributes, b.attributes, a.attribute_count) &&
           a.sampler_count == b.sampler_count &&
           same_bits(a.samplers, b.samplers, a.sampler_count) &&
           std::equal(a.textures, a.textures + a.texture_count, b.textures,
                      b.textures + b.texture_count, same_texture) &&
           std::equal(a.images, a.images + a.image_count, b.images, b.images + b.image_count,
                      same_image);
}

/// Compares contexts of a stage; Key is the type of its kernel key.
template <typename Key>
bool same_context(const exec::DrawContext& a, const exec::DrawContext& b, uint32_t fau_words) {
    return same_bits(a.fau, b.fau, fau_words) && a.environment == b.environment &&
           *static_cast<const Key*>(a.key) == *static_cast<const Key*>(b.key) && a.info == b.info &&
           same_tables(a.tables, b.tables) &&
           same_bits(a.special, b.special, exec::kDrawSpecials) &&
           same_bits(a.blend_constant, b.blend_constant, 4) &&
           same_bits(a.blend_constant_unorm8, b.blend_constant_unorm8, 4) &&
           same_bits(a.stencil_reference, b.stencil_reference, 2) && a.watch == b.watch;
}

bool same_fragment(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline) {
    if (!a.shape->rasterize)
        return true;
    const uint32_t words = pipeline.fragment()->fau_words();
    return a.per_sample == b.per_sample && a.counts_killed == b.counts_killed &&
           same_context<exec::FragmentKey>(*a.fragment[0], *b.fragment[0], words) &&
           same_context<exec::FragmentKey>(*a.fragment[1], *b.fragment[1], words);
}

bool same_geometry(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline) {
    if (a.geometry == nullptr || b.geometry == nullptr)
        return a.geometry == b.geometry;
    return a.geometry->input_stride == b.geometry->input_stride &&
           same_context<exec::VertexKey>(*a.geometry->context, *b.geometry->context,
                                         pipeline.geometry()->fau_words());
}

bool same_tessellation(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline) {
    if (a.patches == nullptr || b.patches == nullptr)
        return a.patches == b.patches;
    const PatchDraw& pa = *a.patches;
    const PatchDraw& pb = *b.patches;
    if ((pa.control == nullptr) != (pb.control == nullptr))
        return false;
    if (pa.control != nullptr &&
        !same_context<exec::VertexKey>(*pa.control, *pb.control, pipeline.control()->fau_words()))
        return false;
    return same_context<exec::VertexKey>(*pa.evaluation, *pb.evaluation,
                                         pipeline.evaluation()->fau_words()) &&
           same_bits(pa.outer_levels.data(), pb.outer_levels.data(), 4) &&
           same_bits(pa.inner_levels.data(), pb.inner_levels.data(), 2);
}

bool same_viewports(const DrawRecord& a, const DrawRecord& b) {
    if (a.viewports == nullptr || b.viewports == nullptr)
        return a.viewports == b.viewports;
    for (uint32_t i = 0; i < a.shape->viewport_count; ++i) {
        const DrawRecord& va = a.viewports[i];
        const DrawRecord& vb = b.viewports[i];
        if (!same_shape(*va.shape, *vb.shape) || !same_tile(*va.tile, *vb.tile) ||
            *va.hidden != *vb.hidden || va.vertex != a.vertex || va.fragment[0] != a.fragment[0])
            return false;
    }
    return true;
}

}  // namespace

const char*
record_difference(const DrawRecord& a, const DrawRecord& b, const PipelineImpl& pipeline) {
    if (a.assembly != b.assembly || a.counters != b.counters)
        return "assembly state";
    if (!same_shape(*a.shape, *b.shape))
        return "shape state";
    if (!same_tile(*a.tile, *b.tile))
        return "tile state";
    if (*a.hidden != *b.hidden)
        return "hidden-work state";
    if (!same_context<exec::VertexKey>(*a.vertex, *b.vertex, pipeline.vertex().fau_words()))
        return "vertex stage";
    if (!same_tessellation(a, b, pipeline))
        return "tessellation stages";
    if (!same_geometry(a, b, pipeline))
        return "geometry stage";
    if (!same_fragment(a, b, pipeline))
        return "fragment stage";
    return same_viewports(a, b) ? nullptr : "viewports";
}

}  // namespace valkyr::raster

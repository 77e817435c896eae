// Texture filtering: finds nearest, linear and gather footprints.
// SPDX-License-Identifier: MIT
#include "raster/messages/texture_filter.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "raster/formats/tiled_texels.hpp"

#include <cmath>
#include <cstring>

namespace valkyr::raster {
namespace {

using exec::Filter;

/// Returns a + weight/256 * (b - a), the blend of texels, slices and levels that are not integer
/// sums. A NaN becomes the quiet NaN, so that results do not depend on the host's payloads.
float blend_number(float a, float b, int32_t weight) {
    const float blend = std::fma(static_cast<float>(weight) / 256, b - a, a);
    return std::isnan(blend) ? as_float(float_bits::kQuietNan) : blend;
}

Values blend_values(const Values& a, const Values& b, int32_t weight) {
    Values result;
    for (unsigned channel = 0; channel < 4; ++channel)
        result[channel] = as_bits(blend_number(as_float(a[channel]), as_float(b[channel]), weight));
    return result;
}

/// Returns 256 * a + weight * (b - a).
int32_t weighted_steps(int32_t a, int32_t b, int32_t weight) {
    return 256 * a + weight * (b - a);
}

bool is_empty(const exec::TextureLevel& level) {
    return level.width == 0 || level.height == 0 || level.depth == 0;
}

int32_t signed_bits(float integer_coordinate) {
    return static_cast<int32_t>(as_bits(integer_coordinate));
}

}  // namespace

/// Texels of a linear footprint in one slice.
struct TextureFilter::Plane {
    LinearTexels x;
    LinearTexels y;
};

TextureFilter::TextureFilter(const exec::TextureDescriptor& texture,
                             const exec::SamplerDescriptor& sampler,
                             bool shadow) noexcept
    : texture_(texture)
    , sampler_(sampler)
    , source_(texture, sampler, shadow) {}

Axis TextureFilter::axis(const exec::TextureLevel& level,
                         const SamplePoint& at,
                         unsigned dimension) const noexcept {
    const std::array<exec::Wrap, 3> wraps{sampler_.modes.wrap_s, sampler_.modes.wrap_t,
                                          sampler_.modes.wrap_r};
    const std::array<uint32_t, 3> sizes{level.width, level.height, level.depth};
    Axis axis{.wrap = wraps[dimension],
              .size = sizes[dimension],
              .normalized = sampler_.modes.normalized && texture_.kind != exec::TextureKind::Rect,
              .offset = at.offset[dimension]};
    if (at.cube && sampler_.modes.seamless_cube)
        axis.wrap = exec::Wrap::ClampToEdge;
    return axis;
}

LinearTexels TextureFilter::axis_texels(const exec::TextureLevel& level,
                                        const SamplePoint& at,
                                        unsigned dimension) const noexcept {
    const Axis a = axis(level, at, dimension);
    if (at.integer) {
        const int64_t first = int64_t{signed_bits(at.c[dimension])} + a.offset;
        return {wrap_index(first, a.wrap, a.size, true),
                wrap_index(first + 1, a.wrap, a.size, true), 0};
    }
    if (at.cube && sampler_.modes.seamless_cube)
        return face_texels(at.c[dimension], a);
    return linear_texels(at.c[dimension], a);
}

TextureFilter::Plane TextureFilter::linear_plane(const exec::TextureLevel& level,
                                                 const SamplePoint& at) const noexcept {
    Plane plane{axis_texels(level, at, 0), {0, 0, 0}};
    if (at.dimensions > 1)
        plane.y = axis_texels(level, at, 1);
    return plane;
}

/// Returns the four texels of a slice in the order x0y0, x1y0, x0y1, x1y1.
std::array<Values, 4> TextureFilter::plane_texels(const exec::TextureLevel& level,
                                                  const SamplePoint& at,
                                                  const Plane& plane,
                                                  int64_t slice) const noexcept {
    std::array<Values, 4> texels;
    for (unsigned i = 0; i < 4; ++i) {
        TexelIndex index{.x = i & 1 ? plane.x.second : plane.x.first,
                         .y = i & 2 ? plane.y.second : plane.y.first};
        if (slice == kBorderTexel)
            index.x = kBorderTexel;
        else
            index.slice = static_cast<uint32_t>(slice);
        if (at.cube && sampler_.modes.seamless_cube) {
            index.slice = at.face;
            texels[i] = source_.cube_texel(level, at.first_slice, index, at.reference);
        } else {
            texels[i] = source_.texel(level, index, at.reference);
        }
    }
    return texels;
}

Values TextureFilter::filter_plane(const std::array<Values, 4>& texels,
                                   const Plane& plane,
                                   unsigned dimensions) const noexcept {
    if (source_.kind() == TexelKind::Numbers) {
        const Values top = blend_values(texels[0], texels[1], plane.x.weight);
        if (dimensions == 1)
            return top;
        return blend_values(top, blend_values(texels[2], texels[3], plane.x.weight),
                            plane.y.weight);
    }
    Values sums;
    for (unsigned channel = 0; channel < 4; ++channel) {
        const auto t = [&](unsigned i) { return static_cast<int32_t>(texels[i][channel]); };
        int32_t n = weighted_steps(t(0), t(1), plane.x.weight);
        if (dimensions > 1)
            n = weighted_steps(n, weighted_steps(t(2), t(3), plane.x.weight), plane.y.weight);
        sums[channel] = as_bits(static_cast<float>(n));
    }
    return sums;
}

/// Combines plane_texels() and filter_plane() for the common case: 2D texels of four bytes that all
/// lie in the level. The sums are exact, so results are equal. Buffers have no tiles: the offset of
/// a tile's texel could lie up to four times their size behind their start.
std::optional<Values> TextureFilter::filter_bytes(const exec::TextureLevel& level,
                                                  const Plane& plane,
                                                  uint32_t slice) const noexcept {
    const auto outside = [](const LinearTexels& t, uint32_t size) {
        return static_cast<uint64_t>(t.first) >= size || static_cast<uint64_t>(t.second) >= size;
    };
    if (!source_.unorm_bytes() || texture_.kind == exec::TextureKind::Buffer ||
        texture_.samples != 1 || level.data == nullptr || slice >= level.depth ||
        outside(plane.x, level.width) || outside(plane.y, level.height))
        return std::nullopt;
    const unsigned channels = source_.info().channel_count;  // also the number of bytes
    using Bytes = std::array<uint8_t, 4>;                    // this many bytes are readable
    const auto texel = [&](int64_t x, int64_t y) {
        Bytes bytes;
        std::memcpy(bytes.data(),
                    level.data +
                        texel_offset({static_cast<uint32_t>(x), static_cast<uint32_t>(y), slice, 0},
                                     level.tiles_per_row, level.slice_bytes, 1, channels),
                    sizeof(bytes));
        return bytes;
    };
    const Bytes a = texel(plane.x.first, plane.y.first);
    const Bytes b = texel(plane.x.second, plane.y.first);
    const Bytes c = texel(plane.x.first, plane.y.second);
    const Bytes d = texel(plane.x.second, plane.y.second);
    Values sums{};
    for (unsigned channel = 0; channel < channels; ++channel) {
        const int32_t top = weighted_steps(a[channel], b[channel], plane.x.weight);
        const int32_t bottom = weighted_steps(c[channel], d[channel], plane.x.weight);
        sums[channel] = as_bits(static_cast<float>(weighted_steps(top, bottom, plane.y.weight)));
    }
    return sums;
}

Values TextureFilter::sample_nearest(const exec::TextureLevel& level,
                                     const SamplePoint& at) const noexcept {
    std::array<int64_t, 3> index{0, 0, at.first_slice + at.face};
    for (unsigned i = 0; i < at.dimensions; ++i)
        index[i] = nearest_texel(at.c[i], axis(level, at, i));
    TexelIndex place{.x = index[0], .y = index[1]};
    if (index[2] == kBorderTexel)
        place.x = kBorderTexel;
    else
        place.slice = static_cast<uint32_t>(index[2]);
    Values texel = source_.texel(level, place, at.reference);
    if (source_.kind() == TexelKind::Steps)
        for (uint32_t& t : texel)
            t = as_bits(static_cast<float>(static_cast<int32_t>(t)));
    return texel;
}

Values TextureFilter::sample_linear(const exec::TextureLevel& level,
                                    const SamplePoint& at) const noexcept {
    const Plane plane = linear_plane(level, at);
    if (at.dimensions == 2)
        if (const auto sums = filter_bytes(level, plane, at.first_slice + at.face))
            return *sums;
    if (at.dimensions < 3)
        return filter_plane(plane_texels(level, at, plane, at.first_slice + at.face), plane,
                            at.dimensions);
    const LinearTexels z = axis_texels(level, at, 2);
    const Values near = filter_plane(plane_texels(level, at, plane, z.first), plane, 3);
    const Values far = filter_plane(plane_texels(level, at, plane, z.second), plane, 3);
    return blend_values(near, far, z.weight);
}

Values TextureFilter::sample_level(const exec::TextureLevel& level,
                                   const SamplePoint& at,
                                   Filter filter) const noexcept {
    if (is_empty(level))
        return {};
    if (filter == Filter::Nearest || source_.kind() == TexelKind::Integers)
        return sample_nearest(level, at);
    return sample_linear(level, at);
}

Values
TextureFilter::blend_levels(const Values& a, const Values& b, int32_t weight) const noexcept {
    return blend_values(a, b, weight);
}

Values
TextureFilter::finish(const Values& sums, const SamplePoint& at, Filter filter) const noexcept {
    if (source_.kind() != TexelKind::Steps)
        return sums;
    // 1 / W is a power of two, so RN(1 / M) / W is RN(1 / (M W)).
    float share = 1;
    if (filter == Filter::Linear)
        share = at.dimensions == 1 ? 1.0F / 256 : 1.0F / 65536;
    Values values;
    for (unsigned channel = 0; channel < 4; ++channel)
        values[channel] = as_bits(as_float(sums[channel]) * (source_.step(channel) * share));
    return values;
}

std::array<Values, 4> TextureFilter::gather(const exec::TextureLevel& level,
                                            const SamplePoint& at) const noexcept {
    if (is_empty(level))
        return {};
    int64_t slice = int64_t{at.first_slice} + at.face;
    if (at.dimensions == 3)
        slice = at.integer ? axis_texels(level, at, 2).first
                           : nearest_texel(at.c[2], axis(level, at, 2));
    const std::array<Values, 4> texels = plane_texels(level, at, linear_plane(level, at), slice);
    std::array<Values, 4> result;
    constexpr std::array<unsigned, 4> kOrder{2, 3, 1, 0};
    for (unsigned i = 0; i < 4; ++i) {
        Values channels = texels[kOrder[i]];
        if (source_.kind() == TexelKind::Steps)
            for (uint32_t& t : channels)
                t = as_bits(static_cast<float>(static_cast<int32_t>(t)));
        result[i] = finish(channels, at, Filter::Nearest);
    }
    return result;
}

}  // namespace valkyr::raster

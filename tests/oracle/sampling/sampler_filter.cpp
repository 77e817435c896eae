// Sampler filter: weighs texels. Integer sums are exact, so their order does not matter.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/sampler_filter.hpp"

#include "base/bits.hpp"
#include "tgsi/arith/arith_float.hpp"

#include <cmath>

namespace valkyr::tgsi {

namespace {

int64_t count(uint32_t steps) {
    return static_cast<int32_t>(steps);
}

bool compare(Comparison how, float reference, float texel) {
    switch (how) {
    case Comparison::Never: return false;
    case Comparison::Less: return reference < texel;
    case Comparison::Equal: return reference == texel;
    case Comparison::LessEqual: return reference <= texel;
    case Comparison::Greater: return reference > texel;
    case Comparison::NotEqual: return reference != texel;
    case Comparison::GreaterEqual: return reference >= texel;
    case Comparison::Always: return true;
    }
    return false;
}

int64_t floor_div(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

SamplerFilter::SamplerFilter(const TexelView& view,
                             const ReferenceSamplerState& sampler,
                             Target target)
    : view_(view)
    , sampler_(sampler)
    , shape_(target_shape(target))
    , normalized_(sampler.normalized && target != Target::Rect && target != Target::ShadowRect)
    , compares_(shape_.shadow && sampler.compare_enable &&
                view.texel_class() != TexelClass::Integers)
    , seamless_(shape_.cube && sampler.seamless_cube)
    , class_(compares_ ? TexelClass::Steps : view.texel_class()) {}

SamplerAxis SamplerFilter::axis(uint32_t level_number, const SamplePlace& place, unsigned d) const {
    SamplerAxis out;
    out.wrap = seamless_ ? WrapMode::ClampToEdge : sampler_.wrap[d];
    out.size = view_.extent(level_number)[d];
    out.normalized = normalized_;
    out.offset = place.offset[d];
    return out;
}

Word4 SamplerFilter::compared(const Word4& texel, float reference) const {
    float value = as_float(texel[0]);
    if (view_.texel_class() == TexelClass::Steps)
        value = static_cast<float>(count(texel[0])) * (1.0F / static_cast<float>(view_.steps(0)));
    // References of normalised textures are limited to their range (OpenGL 4.6 section 8.23.1).
    if (view_.is_unorm() || view_.is_snorm())
        reference = as_float(arith::clamp(as_bits(std::isnan(reference) ? 0.0F : reference),
                                          as_bits(view_.is_snorm() ? -1.0F : 0.0F), arith::kOne));
    return {compare(sampler_.compare, reference, value) ? 1U : 0U, 0, 0, 0};
}

Word4 SamplerFilter::texel(
    uint32_t level_number, int64_t x, int64_t y, int64_t slice, const SamplePlace& place) const {
    const auto extent = view_.extent(level_number);
    Word4 value{};
    if (x == kBorder || y == kBorder || slice == kBorder)
        value = view_.border(sampler_.border);
    else if (x >= extent[0] || y >= extent[1] || slice >= extent[2])
        value = view_.zero();  // a cube without six faces
    else
        value = view_.texel(
            level_number,
            {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(slice)}, 0);
    return compares_ ? compared(value, place.reference) : value;
}

Word4 SamplerFilter::corner(const Word4& a, const Word4& b, const Word4& c) const {
    Word4 out{};
    for (unsigned i = 0; i < 4; ++i) {
        if (class_ == TexelClass::Steps)
            out[i] =
                static_cast<uint32_t>(floor_div(count(a[i]) + count(b[i]) + count(c[i]) + 1, 3));
        else
            out[i] = as_bits(((as_float(a[i]) + as_float(b[i])) + as_float(c[i])) * (1.0F / 3.0F));
    }
    return out;
}

/// A texel of a face or one texel beyond its edges; the one missing at a corner is the mean of the
/// three that meet there.
Word4 SamplerFilter::cube_texel(uint32_t level_number,
                                int64_t x,
                                int64_t y,
                                const SamplePlace& place) const {
    const int64_t size = view_.extent(level_number)[0];
    const auto read = [&](int64_t u, int64_t v) {
        const CubeTexel at = over_the_edge({place.face, u, v}, size);
        return texel(level_number, at.x, at.y, int64_t{place.first_slice} + at.face, place);
    };
    const int64_t inner_x = x < 0 ? 0 : x >= size ? size - 1 : x;
    const int64_t inner_y = y < 0 ? 0 : y >= size ? size - 1 : y;
    if (inner_x == x || inner_y == y)
        return read(x, y);
    return corner(read(inner_x, inner_y), read(x, inner_y), read(inner_x, y));
}

SamplerFilter::Footprint SamplerFilter::footprint(uint32_t level_number,
                                                  const SamplePlace& place) const {
    Footprint out;
    out.x = linear_texels(place.coord[0], axis(level_number, place, 0), seamless_);
    if (shape_.dimensions > 1)
        out.y = linear_texels(place.coord[1], axis(level_number, place, 1), seamless_);
    return out;
}

/// i0j0, i1j0, i0j1, i1j1.
std::array<Word4, 4> SamplerFilter::texels(uint32_t level_number,
                                           const SamplePlace& place,
                                           const Footprint& at,
                                           int64_t slice) const {
    std::array<Word4, 4> out{};
    for (unsigned i = 0; i < 4; ++i) {
        const int64_t x = (i & 1) != 0 ? at.x.second : at.x.first;
        const int64_t y = (i & 2) != 0 ? at.y.second : at.y.first;
        out[i] = seamless_ ? cube_texel(level_number, x, y, place)
                           : texel(level_number, x, y, slice, place);
    }
    return out;
}

Word4 SamplerFilter::plane(const std::array<Word4, 4>& t, const Footprint& at) const {
    if (class_ != TexelClass::Steps) {
        const Word4 upper = blend(t[0], t[1], at.x.weight);
        return shape_.dimensions == 1 ? upper
                                      : blend(upper, blend(t[2], t[3], at.x.weight), at.y.weight);
    }
    Word4 out{};
    const int64_t wx = at.x.weight;
    const int64_t wy = at.y.weight;
    for (unsigned c = 0; c < 4; ++c) {
        const int64_t upper = (256 - wx) * count(t[0][c]) + wx * count(t[1][c]);
        const int64_t lower = (256 - wx) * count(t[2][c]) + wx * count(t[3][c]);
        const int64_t sum = shape_.dimensions == 1 ? upper : (256 - wy) * upper + wy * lower;
        out[c] = as_bits(static_cast<float>(sum));
    }
    return out;
}

Word4 SamplerFilter::nearest(uint32_t level_number, const SamplePlace& place) const {
    std::array<int64_t, 3> at{0, 0, int64_t{place.first_slice} + place.face};
    for (unsigned d = 0; d < shape_.dimensions; ++d)
        at[d] = nearest_texel(place.coord[d], axis(level_number, place, d));
    Word4 out = texel(level_number, at[0], at[1], at[2], place);
    if (class_ == TexelClass::Steps)
        for (uint32_t& c : out)
            c = as_bits(static_cast<float>(count(c)));
    return out;
}

Word4 SamplerFilter::linear(uint32_t level_number, const SamplePlace& place) const {
    const Footprint at = footprint(level_number, place);
    if (shape_.dimensions < 3)
        return plane(texels(level_number, place, at, int64_t{place.first_slice} + place.face), at);
    const TexelPair z = linear_texels(place.coord[2], axis(level_number, place, 2), false);
    return blend(plane(texels(level_number, place, at, z.first), at),
                 plane(texels(level_number, place, at, z.second), at), z.weight);
}

Word4 SamplerFilter::level(uint32_t level_number,
                           const SamplePlace& place,
                           TexelFilter filter) const {
    const auto extent = view_.extent(level_number);
    if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0)
        return {};
    const bool interpolates = filter == TexelFilter::Linear && class_ != TexelClass::Integers;
    return interpolates ? linear(level_number, place) : nearest(level_number, place);
}

Word4 SamplerFilter::blend(const Word4& a, const Word4& b, int32_t weight) {
    Word4 out{};
    for (unsigned c = 0; c < 4; ++c)
        out[c] = as_bits(std::fma(static_cast<float>(weight) / 256.0F,
                                  as_float(b[c]) - as_float(a[c]), as_float(a[c])));
    return out;
}

float SamplerFilter::scale(unsigned component, TexelFilter filter) const {
    const float weights = filter == TexelFilter::Nearest ? 1.0F
                          : shape_.dimensions == 1       ? 256.0F
                                                         : 65536.0F;
    const float steps = compares_ ? 1.0F : static_cast<float>(view_.steps(component));
    return 1.0F / (steps * weights);
}

Word4 SamplerFilter::finish(const Word4& sums, TexelFilter filter) const {
    if (class_ != TexelClass::Steps)
        return sums;
    Word4 out{};
    for (unsigned c = 0; c < 4; ++c)
        out[c] = as_bits(as_float(sums[c]) * scale(c, filter));
    return out;
}

std::array<Word4, 4> SamplerFilter::gather(const SamplePlace& place) const {
    const auto extent = view_.extent(0);
    if (extent[0] == 0 || extent[1] == 0 || extent[2] == 0)
        return {};
    const Footprint at = footprint(0, place);
    const auto t = texels(0, place, at, int64_t{place.first_slice} + place.face);
    std::array<Word4, 4> out{t[2], t[3], t[1], t[0]};
    if (class_ != TexelClass::Steps)
        return out;
    for (Word4& value : out) {
        for (uint32_t& c : value)
            c = as_bits(static_cast<float>(count(c)));
        value = finish(value, TexelFilter::Nearest);
    }
    return out;
}

namespace {

Word4 swizzled(const Word4& from, const std::array<ViewSwizzle, 4>& swizzle, uint32_t one) {
    Word4 out{};
    for (unsigned c = 0; c < 4; ++c) {
        if (swizzle[c] <= ViewSwizzle::W)
            out[c] = from[static_cast<size_t>(swizzle[c])];
        else
            out[c] = swizzle[c] == ViewSwizzle::One ? one : 0;
    }
    return out;
}

}  // namespace

Word4 SamplerFilter::result(const Word4& value) const {
    const uint32_t one = class_ == TexelClass::Integers ? 1 : arith::kOne;
    const Word4 shadow{value[0], value[0], value[0], one};
    return swizzled(compares_ ? swizzled(shadow, view_.format_swizzle(), one) : value,
                    view_.swizzle(), one);
}

Word4 SamplerFilter::fetch(uint32_t level_number,
                           const std::array<int64_t, 3>& at,
                           uint32_t sample) const {
    bool inside = level_number < view_.levels() && sample < view_.samples();
    const std::array<uint32_t, 3> extent =
        inside ? view_.extent(level_number) : std::array<uint32_t, 3>{};
    for (unsigned d = 0; d < 3; ++d)
        inside = inside && at[d] >= 0 && at[d] < extent[d];
    Word4 value{};
    if (inside) {
        value = view_.texel(level_number,
                            {static_cast<uint32_t>(at[0]), static_cast<uint32_t>(at[1]),
                             static_cast<uint32_t>(at[2])},
                            sample);
    } else {
        value = view_.zero();
    }
    if (class_ == TexelClass::Steps) {
        for (uint32_t& c : value)
            c = as_bits(static_cast<float>(count(c)));
        value = finish(value, TexelFilter::Nearest);
    }
    return result(value);
}

}  // namespace valkyr::tgsi

// Sampler filter: turns texels of one level into a value.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/sampling/reference_sampler.hpp"
#include "tests/oracle/sampling/sampler_coordinates.hpp"
#include "tgsi/target_shape.hpp"

namespace valkyr::tgsi {

/// Place at which one lane samples.
struct SamplePlace {
    std::array<float, 3> coord{};  ///< cubes: s, t of the face
    uint32_t first_slice = 0;      ///< slice of the layer; cubes: of face 0
    uint32_t face = 0;
    float reference = 0;
    std::array<int32_t, 3> offset{};
};

/// A view, a sampler and a target: reads and filters texels. Results of the filter steps are sums
/// (Steps), numbers or integers, in r, g, b, a; finish() makes values of them.
class SamplerFilter {
public:
    SamplerFilter(const TexelView& view, const ReferenceSamplerState& sampler, Target target);

    [[nodiscard]] TexelClass texel_class() const { return class_; }
    [[nodiscard]] unsigned dimensions() const { return shape_.dimensions; }
    [[nodiscard]] bool is_normalized() const { return normalized_; }

    [[nodiscard]] Word4 level(uint32_t number, const SamplePlace& place, TexelFilter filter) const;
    /// a + weight/256 * (b - a) of sums or numbers.
    [[nodiscard]] static Word4 blend(const Word4& a, const Word4& b, int32_t weight);
    /// Sums of a filter to values.
    [[nodiscard]] Word4 finish(const Word4& sums, TexelFilter filter) const;
    /// The four texels of the linear footprint of level 0 as values, in the order of a gather:
    /// i0j1, i1j1, i1j0, i0j0.
    [[nodiscard]] std::array<Word4, 4> gather(const SamplePlace& place) const;
    /// Values to the result: shadow results and the view's swizzle.
    [[nodiscard]] Word4 result(const Word4& value) const;
    /// A single texel by integer coordinates, as result; outside the texture the texel is 0.
    [[nodiscard]] Word4
    fetch(uint32_t level, const std::array<int64_t, 3>& at, uint32_t sample) const;

private:
    struct Footprint {
        TexelPair x;
        TexelPair y;
    };
    [[nodiscard]] SamplerAxis axis(uint32_t number, const SamplePlace& place, unsigned d) const;
    [[nodiscard]] Footprint footprint(uint32_t number, const SamplePlace& place) const;
    [[nodiscard]] std::array<Word4, 4>
    texels(uint32_t number, const SamplePlace& place, const Footprint& at, int64_t slice) const;
    [[nodiscard]] Word4 plane(const std::array<Word4, 4>& texels, const Footprint& at) const;
    [[nodiscard]] Word4 nearest(uint32_t number, const SamplePlace& place) const;
    [[nodiscard]] Word4 linear(uint32_t number, const SamplePlace& place) const;
    [[nodiscard]] Word4
    texel(uint32_t number, int64_t x, int64_t y, int64_t slice, const SamplePlace& place) const;
    [[nodiscard]] Word4
    cube_texel(uint32_t number, int64_t x, int64_t y, const SamplePlace& place) const;
    [[nodiscard]] Word4 corner(const Word4& a, const Word4& b, const Word4& c) const;
    [[nodiscard]] Word4 compared(const Word4& texel, float reference) const;
    [[nodiscard]] float scale(unsigned component, TexelFilter filter) const;

    const TexelView& view_;
    const ReferenceSamplerState& sampler_;
    TargetShape shape_;
    bool normalized_;
    bool compares_;
    bool seamless_;
    TexelClass class_;  ///< shadow comparisons are steps with M = 1
};

}  // namespace valkyr::tgsi

// Texture filtering: filters texels at coordinates in a level to channel values.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/sampling.md. Sums of small normalised texels are exact integers N; all other
// filters use binary32 with FMA.
#pragma once

#include "raster/messages/texel_source.hpp"
#include "raster/messages/texture_wrap.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::raster {

/// Place of one sample in a texture.
struct SamplePoint {
    std::array<float, 3> c{};     ///< coordinates
    std::array<int, 3> offset{};  ///< texel offsets
    unsigned dimensions = 2;      ///< 1..3
    bool cube = false;            ///< c is (s, t) on `face`
    bool integer = false;         ///< c holds the bits of 32-bit integers: texels of the level
    uint32_t face = 0;
    uint32_t first_slice = 0;  ///< layer of arrays, 6 * cube of cube arrays
    float reference = 0;       ///< shadow compare
};

/// Filters for one texture, sampler and message.
class TextureFilter {
public:
    TextureFilter(const exec::TextureDescriptor& texture,
                  const exec::SamplerDescriptor& sampler,
                  bool shadow) noexcept;

    [[nodiscard]] const TexelSource& source() const noexcept { return source_; }

    /// Returns the channels at one level before the final scaling: binary32 sums N for Steps
    /// texels, values for Numbers, integers for Integers.
    [[nodiscard]] Values sample_level(const exec::TextureLevel& level,
                                      const SamplePoint& at,
                                      exec::Filter filter) const noexcept;

    /// Returns the blend of two levels before the final scaling; the second has weight/256.
    [[nodiscard]] Values
    blend_levels(const Values& a, const Values& b, int32_t weight) const noexcept;

    /// Returns the final channel values of a result of sample_level() or blend_levels().
    [[nodiscard]] Values
    finish(const Values& sums, const SamplePoint& at, exec::Filter filter) const noexcept;

    /// Returns the four texels of the linear filter in the order x0y1, x1y1, x1y0, x0y0, as final
    /// channel values.
    [[nodiscard]] std::array<Values, 4> gather(const exec::TextureLevel& level,
                                               const SamplePoint& at) const noexcept;

private:
    struct Plane;
    [[nodiscard]] Axis
    axis(const exec::TextureLevel& level, const SamplePoint& at, unsigned dimension) const noexcept;
    [[nodiscard]] Plane linear_plane(const exec::TextureLevel& level,
                                     const SamplePoint& at) const noexcept;
    [[nodiscard]] LinearTexels axis_texels(const exec::TextureLevel& level,
                                           const SamplePoint& at,
                                           unsigned dimension) const noexcept;
    [[nodiscard]] std::array<Values, 4> plane_texels(const exec::TextureLevel& level,
                                                     const SamplePoint& at,
                                                     const Plane& plane,
                                                     int64_t slice) const noexcept;
    [[nodiscard]] Values filter_plane(const std::array<Values, 4>& texels,
                                      const Plane& plane,
                                      unsigned dimensions) const noexcept;
    [[nodiscard]] std::optional<Values> filter_bytes(const exec::TextureLevel& level,
                                                     const Plane& plane,
                                                     uint32_t slice) const noexcept;
    [[nodiscard]] Values sample_nearest(const exec::TextureLevel& level,
                                        const SamplePoint& at) const noexcept;
    [[nodiscard]] Values sample_linear(const exec::TextureLevel& level,
                                       const SamplePoint& at) const noexcept;

    const exec::TextureDescriptor& texture_;
    const exec::SamplerDescriptor& sampler_;
    TexelSource source_;
};

}  // namespace valkyr::raster

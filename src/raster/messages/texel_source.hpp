// Texel source: reads one texture for one sampler: formats, borders, shadow compares, cube edges.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/formats/format_convert.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Kind of a texel's numbers, which decides how they are filtered (docs/rules/sampling.md).
enum class TexelKind : uint8_t {
    Steps,    ///< signed integers t of a value t / M: filtered in integers
    Numbers,  ///< binary32: filtered by FMA
    Integers  ///< numbers of integer formats: never filtered
};

/// A texel of a level, or the border: x or y may be kBorderTexel.
struct TexelIndex {
    int64_t x = 0;
    int64_t y = 0;
    uint32_t slice = 0;
    uint32_t sample = 0;
};

/// A texture and its sampler, for one message. It is cheap to construct and keeps pointers to both.
class TexelSource {
public:
    /// shadow  texels become the result, 1 or 0, of a comparison with a reference
    TexelSource(const exec::TextureDescriptor& texture,
                const exec::SamplerDescriptor& sampler,
                bool shadow) noexcept;

    [[nodiscard]] TexelKind kind() const noexcept { return kind_; }
    [[nodiscard]] const FormatInfo& info() const noexcept { return info_; }
    [[nodiscard]] bool shadow() const noexcept { return shadow_; }

    /// Returns whether each byte of a texel is the steps of one channel, which most textures
    /// satisfy.
    [[nodiscard]] bool unorm_bytes() const noexcept { return unorm_bytes_; }

    /// Returns RN(1 / M) of a channel of Steps texels; 1 for shadow results.
    [[nodiscard]] float step(unsigned channel) const noexcept { return step_[channel]; }

    /// Returns the channels of a texel in memory order; places outside the level read as zero bits.
    /// reference  of the shadow compare
    [[nodiscard]] Values
    texel(const exec::TextureLevel& level, const TexelIndex& at, float reference) const noexcept;

    /// Returns a texel of a cube face; each index may be one outside. Beyond an edge lies the next
    /// face, beyond a corner the mean of the three texels that meet there.
    [[nodiscard]] Values cube_texel(const exec::TextureLevel& level,
                                    uint32_t first_slice,
                                    const TexelIndex& at,
                                    float reference) const noexcept;

    /// Returns components r, g, b, a of final channel values: applies the view's swizzle; a shadow
    /// result becomes r, r, r, 1.
    [[nodiscard]] Values components(const Values& channels) const noexcept;

private:
    [[nodiscard]] Values stored(const uint8_t* texel) const noexcept;
    [[nodiscard]] Values from_codes(const Codes& codes) const noexcept;
    [[nodiscard]] Values border() const noexcept;
    [[nodiscard]] Values compared(const Values& texel, float reference) const noexcept;
    [[nodiscard]] Values
    corner_mean(const Values& a, const Values& b, const Values& c) const noexcept;

    const exec::TextureDescriptor& texture_;
    const exec::SamplerDescriptor& sampler_;
    const FormatInfo& info_;
    bool shadow_;
    TexelKind kind_;
    bool unorm_bytes_ = false;  ///< each byte of a texel is the steps of one channel
    Values border_{};
    std::array<float, 4> step_{1, 1, 1, 1};
};

}  // namespace valkyr::raster

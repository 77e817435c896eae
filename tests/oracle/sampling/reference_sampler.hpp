// Reference sampler: samples textures to the bit, written for clarity.
// SPDX-License-Identifier: MIT
//
// Implements docs/rules/tgsi.md "Textures": which texels and weights a coordinate has, exact
// integer sums for formats of at most 8 bits, the level of detail, the order of every other
// operation. Other samplers are tested against it.
#pragma once

#include "tgsi/interpreter/texture_units.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::tgsi {

enum class WrapMode : uint8_t {
    Repeat,
    ClampToEdge,
    ClampToBorder,
    MirrorRepeat,
    MirrorClampToEdge,
    MirrorClampToBorder,
    Clamp,  ///< GL_CLAMP: to the edge for nearest, half border for linear
    MirrorClamp,
};
enum class TexelFilter : uint8_t { Nearest, Linear };
enum class LevelFilter : uint8_t { None, Nearest, Linear };
enum class Comparison : uint8_t {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always
};

/// State of a sampler. Levels of detail are in 1/256.
struct ReferenceSamplerState {
    std::array<WrapMode, 3> wrap{};  ///< s, t, r
    TexelFilter min_filter = TexelFilter::Nearest;
    TexelFilter mag_filter = TexelFilter::Nearest;
    LevelFilter mip_filter = LevelFilter::None;
    bool compare_enable = false;
    Comparison compare = Comparison::LessEqual;
    bool seamless_cube = true;
    bool normalized = true;       ///< false: coordinates count texels
    uint32_t max_anisotropy = 1;  ///< 1 = off, at most 16
    int32_t lod_bias = 0;
    int32_t min_lod = 0;
    int32_t max_lod = 0x1FFF;
    Word4 border{};  ///< float bits, or integers for integer textures
};

/// How the components of a texel are given and filtered.
enum class TexelClass : uint8_t {
    Steps,     ///< signed counts of 1/M: unorm and snorm of at most 8 bits, not sRGB
    Numbers,   ///< float bits
    Integers,  ///< never filtered
};

/// Where a component of the result comes from.
enum class ViewSwizzle : uint8_t { X, Y, Z, W, Zero, One };

/// A texture as the sampler sees it: sizes and single texels. Components are r, g, b, a of the
/// format; those that it has not are 0, 0, 0, 1 (Steps: M = 1).
class TexelView {
public:
    virtual ~TexelView() = default;

    [[nodiscard]] virtual TexelClass texel_class() const = 0;
    /// M of a component (Steps).
    [[nodiscard]] virtual uint32_t steps(unsigned component) const = 0;
    /// Whether the format is unorm or snorm: shadow references are limited to its range.
    [[nodiscard]] virtual bool is_unorm() const = 0;
    [[nodiscard]] virtual bool is_snorm() const = 0;
    /// Levels of the view; 0: nothing is bound, every result is 0, 0, 0, 1.
    [[nodiscard]] virtual uint32_t levels() const = 0;
    [[nodiscard]] virtual uint32_t samples() const = 0;
    /// Texels of a level; depth counts slices of 3D textures, layers of arrays, faces of cubes.
    [[nodiscard]] virtual std::array<uint32_t, 3> extent(uint32_t level) const = 0;
    /// A texel that is there.
    [[nodiscard]] virtual Word4
    texel(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) const = 0;
    /// The texel whose bits are all 0: what fetches outside the texture read.
    [[nodiscard]] virtual Word4 zero() const = 0;
    /// The border colour as a texel of this format.
    [[nodiscard]] virtual Word4 border(const Word4& color) const = 0;
    [[nodiscard]] virtual std::array<ViewSwizzle, 4> swizzle() const {
        return {ViewSwizzle::X, ViewSwizzle::Y, ViewSwizzle::Z, ViewSwizzle::W};
    }
    /// The format's own swizzle, which a shadow result r, r, r, 1 goes through before the view's.
    [[nodiscard]] virtual std::array<ViewSwizzle, 4> format_swizzle() const {
        return {ViewSwizzle::X, ViewSwizzle::Y, ViewSwizzle::Z, ViewSwizzle::W};
    }

protected:
    TexelView() = default;
    TexelView(const TexelView&) = default;
    TexelView& operator=(const TexelView&) = default;
};

/// Texture units over views and samplers that the caller keeps. Numbers without a view read
/// 0, 0, 0, 1; numbers without a sampler use a default state.
class ReferenceSampler final : public TextureUnits {
public:
    std::vector<const TexelView*> views;
    std::vector<ReferenceSamplerState> samplers;

    std::array<Word4, 4> sample(const TextureRequest& request) override;
    TextureSize size(uint32_t texture, uint32_t level) override;
};

/// A level of detail as operand: limited to +-16, in 1/256, nearest even; NaN gives -16.
int32_t fixed_lod(uint32_t lod_bits);

}  // namespace valkyr::tgsi

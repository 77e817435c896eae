// Texture messages as host code: what the parts of the expansion share.
// SPDX-License-Identifier: MIT
//
// The expansion gives the bits of docs/sampling.md for the textures and samplers that the kernel's
// key names. Its parts: coordinates to texel numbers (inline_texture_wrap.cpp), level of detail
// (inline_texture_lod.cpp), texels and filters
// (inline_texture_taps.cpp, inline_texture_bytes.cpp, inline_texture_numbers.cpp), and the order of
// all that with its loop over mip levels (inline_texture.cpp). Temporaries that outlive a part lie
// in the frame's staging areas, so few registers are needed at once.
#pragma once

#include "jit/emit_context.hpp"

#include <array>

namespace valkyr::jit {

/// Expands a texture message whose handles are known, if there is an expansion for it and for the
/// state of its units. False: nothing was emitted, call the routine.
bool expand_texture(EmitContext& c, const exec::TextureMessage& message);

// ---------------------------------------------------------------------------------------------
// Parts of the expansion.

/// Temporaries that an expansion may have at once. They are set free before its first jump, since
/// nothing may be evicted in code that can be skipped.
inline constexpr unsigned kTextureTemporaries = 12;

// Scalars of the expansion.
inline constexpr Gp kTextureBase = Gp::T0;  ///< TextureDescriptor
inline constexpr Gp kLevelBase = Gp::T1;    ///< TextureLevel
inline constexpr Gp kTexels = Gp::T2;       ///< TextureLevel::data
inline constexpr Gp kLanesLeft = Gp::T3;    ///< lanes whose level is still to come
inline constexpr Gp kLevelLanes = Gp::T4;   ///< lanes of the level at hand
inline constexpr Gp kLevelNumber = Gp::T5;
inline constexpr Gp kTemporary = Gp::T6;

/// How the texels of a level are filtered: known when the kernel is made, or lane by lane.
enum class FilterChoice : uint8_t { Nearest, Linear, ByLane };

/// What texels are and so how they are filtered (docs/sampling.md "Values").
enum class TexelKind : uint8_t {
    None,     ///< no expansion
    Bytes,    ///< steps: unorm bytes, up to four
    Shadow,   ///< steps: 1 or 0 by the comparison of the first component
    Numbers,  ///< binary32
};

/// One message and what the key says of its units.
struct TextureSite {
    EmitContext& c;
    exec::TextureMessage message;
    exec::TextureKey texture = {};
    exec::SamplerKey sampler = {};
    const exec::FormatInfo* info = nullptr;  ///< of the texture's format
    TexelKind kind = TexelKind::None;
    FilterChoice filter = FilterChoice::Nearest;
    bool level_matters = false;  ///< mip levels are chosen by the level of detail
    bool blends_levels = false;  ///< two levels are blended
    unsigned channels_used = 0;  ///< mask of format channels that the results need
    int32_t texture_offset = 0;  ///< of the descriptors in their tables
    int32_t sampler_offset = 0;
    unsigned part = 0;

    // Where the lanes of the part wait.
    [[nodiscard]] Address coordinate(unsigned axis) const { return staged(axis); }
    [[nodiscard]] Address lod_operand() const { return staged(3); }
    [[nodiscard]] Address level() const { return staged(4); }         ///< number of the level
    [[nodiscard]] Address level_weight() const { return staged(5); }  ///< of the next, 0..255
    [[nodiscard]] Address linear() const { return staged(6); }        ///< ~0 where linear filters
    [[nodiscard]] Address reference() const { return staged(7); }     ///< of shadow compares
    /// A channel's number on its way to sum().
    [[nodiscard]] Address number(unsigned channel) const {
        return VALKYR_FRAME(out).plus(static_cast<int32_t>((4 + channel) * sizeof(exec::Lanes)));
    }
    [[nodiscard]] Address sum(unsigned channel) const {
        return VALKYR_FRAME(out).plus(static_cast<int32_t>(channel * sizeof(exec::Lanes)));
    }
    /// Whether coordinates count texels.
    [[nodiscard]] bool unnormalized() const {
        return !sampler.normalized || texture.kind == exec::TextureKind::Rect;
    }
    [[nodiscard]] exec::Wrap wrap(unsigned axis) const;

private:
    [[nodiscard]] static Address staged(unsigned index) {
        return VALKYR_FRAME(in).plus(static_cast<int32_t>(index * sizeof(exec::Lanes)));
    }
};

/// Member of the level at kLevelBase.
inline Address level_member(size_t offset) {
    return {kLevelBase, static_cast<int32_t>(offset)};
}

/// Whether a wrap mode has an expansion.
bool wraps_inline(exec::Wrap wrap);
/// The part of wrapping that does not depend on the level: afterwards the coordinate lies within
/// [-1, 2], or is NaN. In place, in the frame.
void fold_coordinate(const TextureSite& site, unsigned axis);

/// Texels of one axis for the level at kLevelBase.
struct AxisTexels {
    Vec first;
    Vec second;  ///< not for nearest
    Vec weight;  ///< of the second in 1/256; not for nearest
};
AxisTexels axis_texels(const TextureSite& site, unsigned axis);

/// Element numbers: x alone, y alone; their sum is the texel's. In place.
void spread_x(const TextureSite& site, Vec x);
void spread_y(const TextureSite& site, Vec y);

/// Whether the message needs a level of detail at all.
bool needs_lod(const TextureSite& site);
/// The level of detail of every lane as docs/sampling.md has it: an integer in 1/256.
/// running  lanes of this part, if some may not run
Vec fixed_lod(const TextureSite& site, bool some_idle);

/// How texels of the format are filtered; `shadow` if they are compared.
TexelKind texel_kind(const exec::FormatInfo& info, bool shadow);

/// Element numbers, scaled for fetch_word(), of the texel that a nearest filter takes.
Vec nearest_element(const TextureSite& site);
/// The same of a linear footprint: x0y0, x1y0, x0y1, x1y1 (1D: two), and the weights in 1/256.
struct Footprint {
    std::array<Vec, 4> element;
    unsigned count = 4;
    Vec across;
    Vec down;  ///< not for 1D
};
Footprint linear_elements(const TextureSite& site);
/// d = 32 bits of each texel, from byte 4 * word on.
void fetch_word(const TextureSite& site, Vec d, Vec element, unsigned word);

/// What the filter gives for the level at kLevelBase, before the final scaling: sums of steps, or
/// numbers.
struct Sums {
    std::array<Vec, 4> channel;
    bool biased = false;  ///< 2^23 too low each
};
/// exact_sums  the sums are blended later, so they must not be biased
Sums sample_level(const TextureSite& site, bool exact_sums);
Sums sample_bytes(const TextureSite& site);
Sums sample_shadow(const TextureSite& site);
Sums sample_numbers(const TextureSite& site);
/// A NaN that a blend gives is the quiet NaN.
void quiet_numbers(const TextureSite& site, Vec v);
/// Brings the reference of a shadow compare into the range of the format, in place.
void limit_reference(const TextureSite& site);

/// Values of sums, in place.
void finish_sums(const TextureSite& site, Sums& sums);

}  // namespace valkyr::jit

// Texture messages as host code: what the parts of the expansion share.
// SPDX-License-Identifier: MIT
//
// The expansion gives the bits of docs/sampling.md for the textures and samplers that the kernel's
// key names. Its parts: coordinates to texel numbers (inline_texture_wrap.cpp), level of detail
// (inline_texture_lod.cpp), texels and filters (inline_texture_filter.cpp), and the order of all
// that with its loop over mip levels (inline_texture.cpp). Temporaries that outlive a part lie in
// the frame's staging areas, so few registers are needed at once.
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

/// Channels of a format that is filtered in integers: unorm fields of at most 8 bits.
struct StepLayout {
    uint8_t bytes = 0;     ///< of a texel
    uint8_t channels = 0;  ///< at most 4, one byte each
};

/// One message and what the key says of its units.
struct TextureSite {
    EmitContext& c;
    exec::TextureMessage message;
    exec::TextureKey texture = {};
    exec::SamplerKey sampler = {};
    StepLayout layout = {};
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

/// The layout of a format that this expansion filters; bytes 0 if it does not.
StepLayout step_layout(exec::Format format);

/// Channel sums of the level at kLevelBase (docs/sampling.md "Steps").
struct Sums {
    std::array<Vec, 4> channel;
    bool biased = false;  ///< 2^23 too low each
};
/// exact_sums  the sums are blended later, so they must not be biased
Sums sample_level(const TextureSite& site, bool exact_sums);

/// Values of sums, in place.
void finish_sums(const TextureSite& site, Sums& sums);

}  // namespace valkyr::jit

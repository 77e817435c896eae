// Texture state: chooses the expansion of texture messages by the facts known before emission.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/message_source.hpp"

#include <optional>

namespace valkyr::jit {

/// How the texels of a level are filtered: a mode known when the kernel is made, or lane by lane.
enum class FilterChoice : uint8_t { Nearest, Linear, ByLane };

/// The kind of texels, which decides how they are filtered (docs/rules/sampling.md "Values").
enum class TexelKind : uint8_t {
    None,     ///< no expansion
    Bytes,    ///< steps: unorm bytes, up to four
    Steps,    ///< steps: any other unorm and snorm channels of at most 8 bits
    Shadow,   ///< steps: 1 or 0 by the comparison of the first component
    Numbers,  ///< binary32
};

/// A message, and the state of its units from the key.
struct TextureState {
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
    bool indexed = false;  ///< the handles are known at run time only; the offsets are 0

    bool cube = false;
    bool has_slices = false;    ///< a layer, face or depth selects one of several
    unsigned coordinates = 2;   ///< filtered coordinates: 1 to 3
    unsigned axes = 2;          ///< of a slice: 1 or 2
    bool leaves_faces = false;  ///< footprints can have other faces' texels
    bool gathers = false;       ///< TEX_GATHER: Sums holds its results
    bool anisotropic = false;   ///< lanes may take several probes a level

    /// Whether coordinates count texels.
    [[nodiscard]] bool unnormalized() const {
        return !sampler.normalized || texture.kind == exec::TextureKind::Rect;
    }
    [[nodiscard]] exec::Wrap wrap(unsigned axis) const;
};

/// A range of consecutive units with equal state.
struct UnitRun {
    uint32_t first = 0;
    uint32_t count = 0;
};

/// Chooses for TEX_*: inline if the message and the state of its units have an expansion.
MessageChoice choose_texture(const MessageSource& m);
/// Chooses for VAR_TEX*: always routines.
MessageChoice choose_varying_texture(const MessageSource& m);

/// The message of TEX_* and VAR_TEX*, with the handles of its choice if these are known.
exec::TextureMessage texture_message(const valhall::Instr& instr, const MessageChoice& choice);

/// The state of a TEX_* with known handles; nullopt: there is no expansion.
std::optional<TextureState> known_texture(const KernelSource& source,
                                          const valhall::Instr& instr,
                                          const exec::TextureMessage& message);

/// The state for run-time handles: that of the longest run of units in the key.
struct IndexedTexture {
    TextureState state;
    UnitRun run;
};
std::optional<IndexedTexture> indexed_texture(const KernelSource& source,
                                              const valhall::Instr& instr,
                                              const exec::TextureMessage& message);

// ---------------------------------------------------------------------------------------------
// Parts of the choice.

/// Reads the state of the units that the handles name; false: the key lacks it.
bool take_units(TextureState& state, const KernelSource& source);
/// Reads the state of the longest run in the key, for run-time handles; 0 units if there is none.
UnitRun take_run(TextureState& state, const KernelSource& source);
/// How texels of the format are filtered. `shadow`: they are compared; `gathers`: they are gathered
/// instead of filtered.
TexelKind texel_kind(const exec::FormatInfo& info, bool shadow, bool gathers);
/// Whether the texture is multisampled: the third byte of a fetch's offset word is a sample.
bool has_samples(const TextureState& state);
/// Whether a TEX_FETCH of the format has an expansion.
bool fetch_is_expanded(const TextureState& state);
/// Whether a TEX_FETCH of one level keeps what it makes of an axis for others: the texel's element
/// number along it, -1 outside.
bool shares_fetched_axes(const TextureState& state);

/// Whether the message filters texels from their copy of footprints.
bool uses_footprints(const TextureState& state);
/// Whether any texel can be the border.
bool has_borders(const TextureState& state);
/// Whether texels of an axis can be the border.
bool has_border(const TextureState& state, unsigned axis);
/// Whether a message of this mode has an operand for the level of detail.
bool sends_lod(exec::LodMode mode);

}  // namespace valkyr::jit

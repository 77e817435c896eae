// Texture state: chooses the expansion of texture messages by what is known of them before.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/message_source.hpp"

#include <optional>

namespace valkyr::jit {

/// How the texels of a level are filtered: known when the kernel is made, or lane by lane.
enum class FilterChoice : uint8_t { Nearest, Linear, ByLane };

/// The kind of texels, which decides how they are filtered (docs/rules/sampling.md "Values").
enum class TexelKind : uint8_t {
    None,     ///< no expansion
    Bytes,    ///< steps: unorm bytes, up to four
    Steps,    ///< steps: any other unorm and snorm channels of at most 8 bits
    Shadow,   ///< steps: 1 or 0 by the comparison of the first component
    Numbers,  ///< binary32
};

/// One message and what the key says of its units.
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
    bool indexed = false;  ///< the handles are of run time, the offsets 0

    bool cube = false;
    bool has_slices = false;    ///< a layer, face or depth selects one of several
    unsigned coordinates = 2;   ///< that are filtered: 1 to 3
    unsigned axes = 2;          ///< of a slice: 1 or 2
    bool leaves_faces = false;  ///< footprints can have other faces' texels
    bool gathers = false;       ///< TEX_GATHER: sums are its results
    bool anisotropic = false;   ///< lanes may take several probes a level

    /// Whether coordinates count texels.
    [[nodiscard]] bool unnormalized() const {
        return !sampler.normalized || texture.kind == exec::TextureKind::Rect;
    }
    [[nodiscard]] exec::Wrap wrap(unsigned axis) const;
};

/// Units with numbers side by side and the same state.
struct UnitRun {
    uint32_t first = 0;
    uint32_t count = 0;
};

/// TEX_*: inline if there is an expansion for the message and for the state of its units.
MessageChoice choose_texture(const MessageSource& m);
/// VAR_TEX*: always routines.
MessageChoice choose_varying_texture(const MessageSource& m);

/// The message of TEX_* and VAR_TEX*, with the handles of its choice if these are known.
exec::TextureMessage texture_message(const valhall::Instr& instr, const MessageChoice& choice);

/// The state of TEX_* whose handles are known; nothing: there is no expansion.
std::optional<TextureState> known_texture(const KernelSource& source,
                                          const valhall::Instr& instr,
                                          const exec::TextureMessage& message);

/// The same for handles of run time: the state of the longest run of units that the key has.
struct IndexedTexture {
    TextureState state;
    UnitRun run;
};
std::optional<IndexedTexture> indexed_texture(const KernelSource& source,
                                              const valhall::Instr& instr,
                                              const exec::TextureMessage& message);

// ---------------------------------------------------------------------------------------------
// Parts of the choice.

/// Takes the state of the units that the handles name; false: the key does not know them.
bool take_units(TextureState& state, const KernelSource& source);
/// Takes the state of the longest run that the key has, for handles of run time; none: 0 units.
UnitRun take_run(TextureState& state, const KernelSource& source);
/// How texels of the format are filtered; `shadow` if they are compared, `gathers` if they are not
/// filtered but gathered.
TexelKind texel_kind(const exec::FormatInfo& info, bool shadow, bool gathers);
/// Whether the texture is multisampled: the third byte of a fetch's offset word is a sample.
bool has_samples(const TextureState& state);
/// Whether a TEX_FETCH of the format has an expansion.
bool fetch_is_expanded(const TextureState& state);
/// Whether a message of this mode has an operand for the level of detail.
bool sends_lod(exec::LodMode mode);

}  // namespace valkyr::jit

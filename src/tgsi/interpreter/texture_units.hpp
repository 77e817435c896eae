// Texture units: abstract interfaces through which the interpreter reads textures and images.
// SPDX-License-Identifier: MIT
//
// tests/oracle/sampling implements TextureUnits to the bit; callers may supply another.
#pragma once

#include "tgsi/shader.hpp"

#include <array>
#include <cstdint>

namespace valkyr::tgsi {

/// Four 32-bit words: float bits or integers.
using Word4 = std::array<uint32_t, 4>;

/// Request of a texture instruction.
enum class TextureAction : uint8_t {
    Sample,    ///< a filtered value
    Fetch,     ///< one texel by integer coordinates
    Gather,    ///< one component of the four texels of the linear footprint
    QueryLod,  ///< x = level that would be accessed, y = computed level of detail
};

/// Where the level of detail comes from.
enum class LodMode : uint8_t {
    Zero,
    Implicit,  ///< from the differences between the lanes of the quad
    Bias,      ///< implicit, plus TextureLane::lod
    Explicit,  ///< TextureLane::lod
    Gradient,  ///< from TextureLane::ddx and ddy
};

/// The operands of one lane: array layer, reference and so on are no longer in the coordinate
/// vector.
struct TextureLane {
    bool active = false;  ///< in the running group; inactive lanes have no coordinates
    /// s, t, r as floats; cube maps: the direction; Fetch: integers, cubes as (x, y, face).
    std::array<uint32_t, 3> coord{};
    uint32_t layer = 0;             ///< array layer: float bits, or an integer for Fetch
    uint32_t reference = 0;         ///< of shadow targets: float bits
    uint32_t lod = 0;               ///< float bits; for Fetch an integer level
    uint32_t sample = 0;            ///< Fetch from multisample textures
    std::array<uint32_t, 3> ddx{};  ///< LodMode::Gradient: float bits
    std::array<uint32_t, 3> ddy{};
    /// Texel offsets; Gather may have four, one for each result component.
    std::array<std::array<int32_t, 3>, Instruction::kMaxOffsets> offsets{};
};

/// One texture instruction of one quad: lane l is at x = l & 1, y = l >> 1.
struct TextureRequest {
    TextureAction action = TextureAction::Sample;
    LodMode lod_mode = LodMode::Zero;
    Target target = Target::Tex2D;
    uint32_t texture = 0;       ///< number of the sampler view
    uint32_t sampler = 0;       ///< number of the sampler
    unsigned component = 0;     ///< Gather
    unsigned offset_count = 0;  ///< 0, 1 or 4
    std::array<TextureLane, 4> lanes;
};

/// Sizes of a view's level: TXQ, TXQS, SVIEWINFO.
struct TextureSize {
    uint32_t width = 0;   ///< texels
    uint32_t height = 0;  ///< 0 where the target has none
    uint32_t depth = 0;   ///< slices of 3D textures, layers of arrays, faces of cubes
    uint32_t levels = 0;
    uint32_t samples = 1;
};

/// The textures and samplers bound to a stage.
class TextureUnits {
public:
    virtual ~TextureUnits() = default;
    /// One result a lane; those of inactive lanes are ignored.
    virtual std::array<Word4, 4> sample(const TextureRequest& request) = 0;
    /// The size of level `level`, counted from the view's first. For a level that does not exist
    /// the sizes are 0; `levels` and `samples` are set.
    virtual TextureSize size(uint32_t texture, uint32_t level) = 0;

protected:
    TextureUnits() = default;
    TextureUnits(const TextureUnits&) = default;
    TextureUnits& operator=(const TextureUnits&) = default;
};

/// A place in an image: texel coordinates by target (1D arrays have the layer in y, 2D arrays,
/// cubes and 3D in z; cube arrays 6 * cube + face), and the sample of multisample images.
struct ImagePlace {
    uint32_t image = 0;
    Target target = Target::Tex2D;
    std::array<uint32_t, 3> coord{};
    uint32_t sample = 0;
    std::string_view format;  ///< PIPE_FORMAT_ name without prefix, from the instruction or DCL
};

/// The images bound to a stage. Loads outside give 0, stores and atomics outside do nothing.
class ImageUnits {
public:
    virtual ~ImageUnits() = default;
    /// Components as float bits or integers by format; missing ones are 0, 0, 0, 1.
    virtual Word4 load(const ImagePlace& place) = 0;
    virtual void store(const ImagePlace& place, const Word4& value) = 0;
    /// The address of a 32-bit texel for an atomic, or nullptr outside the image.
    virtual uint32_t* texel(const ImagePlace& place) = 0;
    /// Width, height, layers and samples.
    virtual TextureSize size(uint32_t image) = 0;

protected:
    ImageUnits() = default;
    ImageUnits(const ImageUnits&) = default;
    ImageUnits& operator=(const ImageUnits&) = default;
};

}  // namespace valkyr::tgsi

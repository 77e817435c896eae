// Expansions: name the ways in which a message becomes host code.
// SPDX-License-Identifier: MIT
//
// choose_expansions() gives every step one of these, before all other planning. Trimming and
// planning read it, the emitter of the message obeys it. A choice at run time ("one load if all
// lanes agree, else gathers") is part of an expansion.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::jit {

enum class Expansion : uint8_t {
    None,     ///< no message: nothing to choose
    Routine,  ///< a call of the environment's routine, or of the recompiler's

    Varying,         ///< LD_VAR*: a known varying
    VaryingSpecial,  ///< LD_VAR_SPECIAL: planes of the primitive

    Atest,       ///< ATEST: alpha only
    AtestPass,   ///< ATEST: leaves the coverage in r60 unchanged
    AtestTests,  ///< ATEST: alpha, then depth and stencil
    ZsEmit,      ///< ZS_EMIT

    BlendOff,         ///< BLEND: the draw has no such target
    BlendBytes,       ///< BLEND: four bytes of unorm
    BlendConstant,    ///< BLEND: four bytes of unorm; the colour is encoded once a call
    BlendSmallBytes,  ///< BLEND: blends with one or two bytes of unorm
    BlendNumbers,     ///< BLEND: all other formats, as numbers

    TilePixel,  ///< LD_TILE, ST_TILE: the pixel itself, else the routine (at run time)

    Attribute,  ///< LD_ATTR*: a known attribute

    BufferWords,  ///< LD_BUFFER: words

    LocalFixed,      ///< LOAD, STORE: words at the thread-local pointer
    LocalComputed,   ///< LOAD, STORE: words at its sum with a word
    MemoryWords,     ///< LOAD, STORE: words at any addresses
    MemoryPart,      ///< STORE: bytes or half-words at any addresses
    MemoryAtomic,    ///< ATOM*: words at any addresses
    RecordRow,       ///< STORE: 16 bytes to the lane's own vertex record
    RecordElements,  ///< STORE: other sizes to that record
    InputRow,        ///< LOAD: words of a row of an input record of the lane's primitive
    EmittedRow,      ///< STORE: 16 bytes to a record that the lane emits
    EmittedElement,  ///< STORE: a word to such a record

    Texture,         ///< TEX_*: known handles
    IndexedTexture,  ///< TEX_*: run-time handles in one range of units, else the routine

    KnownImage,   ///< LD_TEX, LEA_TEX: a known handle
    CommonImage,  ///< LD_TEX, LEA_TEX: a run-time handle; all units are alike
    ImageTexels,  ///< ST_CVT: texels of a known format
};

/// How a load of an image takes part in a strip (image_strips.hpp).
enum class Strip : uint8_t {
    None,
    Begins,  ///< first of the loads that may share one
    GoesOn,
};

/// Places of the frame for SharedValue: words of axes, and addresses of levels.
inline constexpr unsigned kSharedAxisWords = 32;
inline constexpr unsigned kSharedLevels = 4;
/// A value that several messages of a block compute alike: the first stores it in the frame, others
/// load it (shared_axes.hpp).
struct SharedValue {
    static constexpr uint8_t kNone = 0xFF;
    uint8_t place = kNone;  ///< its number among the places of the frame
    bool stored = false;    ///< by a message before this one

    [[nodiscard]] bool is_loaded() const { return place != kNone && stored; }
    [[nodiscard]] bool is_made() const { return place != kNone && !stored; }
};

/// The choice for a message, and the operand words that are known when the kernel is made.
struct MessageChoice {
    Expansion expansion = Expansion::None;
    /// The handle of the texture, image or constant buffer; the number of the attribute; the byte
    /// offset of the varying; the conversion word of LD_TILE and ST_TILE; the format that ST_CVT
    /// stores; or the vertex of an input record, or number of an emitted one, in its lane's.
    /// nullopt: it is unknown, or the expansion does not use it.
    std::optional<uint32_t> known = {};
    std::optional<uint32_t> sampler = {};     ///< TEX_*: its handle, if `known` is the texture's
    std::optional<uint32_t> conversion = {};  ///< LEA_TEX: the word for its last register
    Strip strip = Strip::None;                ///< LD_TEX
    bool notes_row = false;                   ///< LEA_TEX (noted_row.hpp)
    bool takes_row = false;                   ///< ATOM*, ST_CVT
    std::array<SharedValue, 2> axes = {};     ///< TEX_*: of x and y
    SharedValue level = {};                   ///< TEX_*: the address of the only level

    /// Whether the coordinate of an axis is not read.
    [[nodiscard]] bool loads_axis(unsigned axis) const {
        return axis < axes.size() && axes[axis].is_loaded();
    }
};

}  // namespace valkyr::jit

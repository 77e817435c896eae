// Expansions: names the ways in which a message becomes host code.
// SPDX-License-Identifier: MIT
//
// choose_expansions() gives every step one of these before anything else is planned. Trimming and
// planning read it, and the emitter of the message obeys it. A way that is chosen at run time ("one
// load if all lanes agree, else gathers") is a part of the expansion.
#pragma once

#include <cstdint>
#include <optional>

namespace valkyr::jit {

enum class Expansion : uint8_t {
    None,     ///< no message: nothing to choose
    Routine,  ///< a call of the environment's routine, or of the recompiler's

    Varying,         ///< LD_VAR*: a varying that the plan knows
    VaryingSpecial,  ///< LD_VAR_SPECIAL: planes of the primitive

    Atest,       ///< ATEST: alpha only
    AtestPass,   ///< ATEST: passes on the coverage in r60, in all lanes that count
    AtestTests,  ///< ATEST: alpha, then depth and stencil
    ZsEmit,      ///< ZS_EMIT

    BlendOff,         ///< BLEND: the draw has no such target
    BlendBytes,       ///< BLEND: four bytes of unorm
    BlendConstant,    ///< BLEND: the same, of a colour that is encoded once a call
    BlendSmallBytes,  ///< BLEND: blends with one or two bytes of unorm
    BlendNumbers,     ///< BLEND: all other formats, as numbers

    TilePixel,  ///< LD_TILE, ST_TILE: the pixel itself, else the routine (at run time)

    Attribute,  ///< LD_ATTR*: an attribute that the plan knows

    BufferWords,  ///< LD_BUFFER: words

    LocalFixed,      ///< LOAD, STORE: words at the thread-local pointer
    LocalComputed,   ///< LOAD, STORE: words at its sum with a word
    MemoryWords,     ///< LOAD, STORE: words at any addresses
    MemoryPart,      ///< STORE: bytes or half-words at any addresses
    RecordRow,       ///< STORE: 16 bytes to the lane's own vertex record
    RecordElements,  ///< STORE: other sizes to that record

    Texture,         ///< TEX_*: handles that the plan knows
    IndexedTexture,  ///< TEX_*: handles of run time in one run of units, else the routine

    KnownImage,   ///< LD_TEX, LEA_TEX: a handle that the plan knows
    CommonImage,  ///< LD_TEX, LEA_TEX: a handle of run time, all units being alike
    ImageTexels,  ///< ST_CVT: texels of a format that the plan knows
};

/// The choice for a message, and the words of its operands that are known beforehand.
struct MessageChoice {
    Expansion expansion = Expansion::None;
    /// Names what the message is about: handle of the texture, image or constant buffer; number of
    /// the attribute; byte offset of the varying; conversion word of LD_TILE and ST_TILE; format
    /// that ST_CVT stores. None: it is not known, or the expansion makes no use of it.
    std::optional<uint32_t> known = {};
    std::optional<uint32_t> sampler = {};     ///< TEX_*: its handle, if `known` is the texture's
    std::optional<uint32_t> conversion = {};  ///< LEA_TEX: the word that its last register gets
};

}  // namespace valkyr::jit

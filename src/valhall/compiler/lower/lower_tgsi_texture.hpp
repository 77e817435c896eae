// Texture lowering: puts texture messages together. Internal to the lower_tgsi_texture*.cpp files.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {

inline constexpr uint8_t kNoComponent = 0xFF;

/// Where a texture target keeps its coordinates.
struct TargetInfo {
    Dimension dimension = Dimension::n2d;
    uint8_t coordinates = 2;           ///< components of the position (cube: 3)
    uint8_t array = kNoComponent;      ///< component of the layer
    uint8_t reference = kNoComponent;  ///< component of the comparison reference; 4 = x of the next
                                       ///< source
    bool multisampled = false;
    bool is_buffer = false;
    [[nodiscard]] bool is_cube() const { return dimension == Dimension::cube; }
    [[nodiscard]] bool is_shadow() const { return reference != kNoComponent; }
    [[nodiscard]] bool is_array() const { return array != kNoComponent; }
};
const TargetInfo& target_info(tgsi::Target target);

/// The unit of a texture instruction.
struct TextureUnit {
    Operand resource;  ///< 64-bit source
    tgsi::Target target = tgsi::Target::Unknown;
    RegisterType result = RegisterType::f;
    tgsi::RegisterRef view;
    tgsi::RegisterRef state;  ///< the sampler
};

/// Operands of a texture message before they are put in order.
struct TextureRequest {
    TextureUnit unit;
    std::array<Operand, 3> position{};  ///< as TGSI has it; cubes: the direction
    Operand layer;                      ///< kind None = absent, as below
    Operand reference;
    Operand offset_word;
    Operand lod_word;
    LodMode lod_mode = LodMode::zero;
    Op op = Op::TEX_SINGLE;
    FetchComponent component = FetchComponent::gather4_r;
    uint8_t mask = 0xF;  ///< components wanted
};

/// TEX_SINGLE, TEX_FETCH or TEX_GATHER; components outside the mask are literal 0.
Vec4 emit_texture(Lowering& l, const TextureRequest& request);

/// emit_texture, then the view's swizzle, then the destination.
void store_texture(Lowering& l, const Instruction& inst, const TextureRequest& request);

/// The unit named by resource operands: texture `texture`, sampler `sampler` (may be equal).
TextureUnit texture_unit(Lowering& l, const Instruction& inst, unsigned texture, unsigned sampler);
/// Position, layer and reference from source 0 (and 1).
void read_coordinates(Lowering& l, const Instruction& inst, TextureRequest& request);
/// The packed offset bytes x, y, z of texel offset `i`; kind None without offsets.
Operand offset_bytes(Lowering& l, const Instruction& inst, unsigned i);
/// A LOD or bias as the message wants it: 8.8 in the low half (docs/rules/isa-notes.md, Texture
/// operands).
Operand lod_word(Builder& b, Operand lod);

/// Face word and s, t of a cube direction.
struct CubePosition {
    Operand x;  ///< packed face and s
    Operand y;  ///< t
};
CubePosition cube_position(Builder& b, const std::array<Operand, 3>& direction);

}  // namespace valkyr::valhall::lower

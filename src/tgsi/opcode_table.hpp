// The opcode table: operands, types, channel rule and stages of each opcode (from opcodes.inc).
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace valkyr::tgsi {

/// Operands that follow the registers of an instruction in the text.
enum class OperandKind : uint8_t {
    Plain,    ///< nothing
    Texture,  ///< a target, then up to four texel offsets
    Sample,   ///< up to four texel offsets
    Memory,   ///< memory qualifiers, target, format: each may be left out
};

/// Rule for the source components that a destination component depends on.
enum class ChannelRule : uint8_t {
    None,         ///< no destination
    Component,    ///< component c from components c of the sources
    Replicate,    ///< one result, written to every component of the write mask
    Dependent,    ///< a different formula for each component (LIT, DST, UP4UB, ...)
    Wide,         ///< 64-bit result in pairs xy and zw; narrow sources are read from x and y
    Narrow,       ///< the first component of x, y that is written from the source pair
                  ///< xy, the second from zw
    WideCompare,  ///< x from the pairs xy, z from the pairs zw: ~0 or 0; y, w are left alone
    Other,        ///< see the opcode's section in tgsi.rst
};

/// Type of an operand: decides what source modifiers and saturate mean.
enum class OperandType : uint8_t {
    Untyped,  ///< 32 bits; modifiers act as on Float
    Float,
    Signed,
    Unsigned,
    Double,
    Signed64,
    Unsigned64,
    Resource,  ///< a sampler, view, buffer, image, ...: names a resource, is not read as a value
};

/// True for types that take a pair of components.
constexpr bool is_wide(OperandType type) {
    return type == OperandType::Double || type == OperandType::Signed64 ||
           type == OperandType::Unsigned64;
}

/// Stages in which an opcode is legal.
enum class StageRule : uint8_t {
    Any,
    Fragment,
    Geometry,
    Workgroup,  ///< compute and tessellation control
};

struct OpcodeInfo {
    std::string_view name;
    OperandKind kind = OperandKind::Plain;
    ChannelRule channels = ChannelRule::None;
    StageRule stages = StageRule::Any;
    uint8_t dst_count = 0;
    uint8_t src_count = 0;
    uint8_t min_src_count = 0;  ///< less than src_count if the last source may be left out
    uint8_t dedent = 0;         ///< printing: levels closed before the line
    uint8_t indent = 0;         ///< printing: levels opened after the line
    std::array<OperandType, Instruction::kMaxDst> dst_types{};
    std::array<OperandType, Instruction::kMaxSrc> src_types{};
};

inline constexpr unsigned kOpcodeCount = 0
#define VALKYR_TGSI_OPCODE(name, ...) +1
#include "tgsi/opcodes.inc"
#undef VALKYR_TGSI_OPCODE
    ;

/// The row of an opcode.
const OpcodeInfo& opcode_info(Opcode opcode);

/// The opcode of a name without suffixes, case-insensitive.
std::optional<Opcode> find_opcode(std::string_view name);

/// Whether the opcode may stand in a shader of this stage.
bool legal_in_stage(StageRule rule, Stage stage);

}  // namespace valkyr::tgsi

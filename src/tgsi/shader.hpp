// Shader: holds everything a TGSI text says, in the order it says it.
// SPDX-License-Identifier: MIT
//
// Facts: tgsi.rst (Mesa's TGSI specification); text forms as Mesa 22.3 prints them.
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::tgsi {

/// The pipeline stage named by the first line of the text.
enum class Stage : uint8_t { Fragment, Vertex, Geometry, TessCtrl, TessEval, Compute };

/// Register files (tgsi.rst "Declaration", "Other tokens").
enum class File : uint8_t {
#define VALKYR_TGSI_FILE(enumerator, ...) enumerator,
#include "tgsi/keywords.inc"
};

/// tgsi.rst "Declaration Semantic".
enum class Semantic : uint8_t {
#define VALKYR_TGSI_SEMANTIC(enumerator, ...) enumerator,
#include "tgsi/keywords.inc"
};

/// tgsi.rst "Declaration Interpolate".
enum class Interpolation : uint8_t { Constant, Linear, Perspective, Color };
enum class Location : uint8_t { Center, Centroid, Sample };

/// Texture targets as printed after texture instructions and in SVIEW and IMAGE declarations.
enum class Target : uint8_t {
#define VALKYR_TGSI_TARGET(enumerator, ...) enumerator,
#include "tgsi/keywords.inc"
};

enum class ReturnType : uint8_t { Unorm, Snorm, Sint, Uint, Float };
enum class ImmediateType : uint8_t { Float32, Uint32, Int32, Float64, Uint64, Int64 };
enum class MemoryKind : uint8_t { Global, Shared, Private, Input };

/// Opcodes, spelled as in tgsi.rst. The table itself (operands, channel rule, types, stages) is
/// opcodes.inc; opcode_table.hpp gives access to it.
enum class Opcode : uint16_t {
#define VALKYR_TGSI_OPCODE(name, ...) name,
#include "tgsi/opcodes.inc"
#undef VALKYR_TGSI_OPCODE
};

/// A component of another register used as an index: ADDR[0].x.
struct IndirectIndex {
    File file = File::Address;
    uint16_t index = 0;
    uint8_t component = 0;  ///< 0..3 = x..w
    friend bool operator==(const IndirectIndex&, const IndirectIndex&) = default;
};

/// One index of a register: `[5]`, `[ADDR[0].x+5]`; `value` is the constant part.
struct RegisterIndex {
    int32_t value = 0;
    bool indirect = false;
    IndirectIndex by;
    friend bool operator==(const RegisterIndex&, const RegisterIndex&) = default;
};

/// FILE[outer][index](array): the outer index exists if has_outer (CONST[1][3], IN[vertex][2]).
struct RegisterRef {
    File file = File::Null;
    bool has_outer = false;
    RegisterIndex outer;
    RegisterIndex index;
    uint16_t array_id = 0;        ///< 0 = none; only with an indirect index
    uint16_t outer_array_id = 0;  ///< array id of the outer index
    friend bool operator==(const RegisterRef&, const RegisterRef&) = default;
};

/// A destination operand; `write_mask` bit c = component c is written.
struct Dst {
    RegisterRef reg;
    uint8_t write_mask = 0xF;
    friend bool operator==(const Dst&, const Dst&) = default;
};

/// A source operand. `absolute` applies before `negate`.
struct Src {
    RegisterRef reg;
    std::array<uint8_t, 4> swizzle{0, 1, 2, 3};
    bool negate = false;
    bool absolute = false;
    friend bool operator==(const Src&, const Src&) = default;
};

/// A texel offset operand behind a texture target: IMM[3].xyz.
struct TexelOffset {
    File file = File::Immediate;
    int32_t index = 0;
    std::array<uint8_t, 3> swizzle{0, 1, 2};
    friend bool operator==(const TexelOffset&, const TexelOffset&) = default;
};

/// Memory qualifiers of LOAD, STORE and ATOM*: a bit set.
enum MemoryQualifier : uint8_t {
    kCoherent = 1,
    kRestrict = 2,
    kVolatile = 4,
    kStreamCachePolicy = 8,
};

struct Instruction {
    static constexpr unsigned kMaxDst = 2;
    static constexpr unsigned kMaxSrc = 5;
    static constexpr unsigned kMaxOffsets = 4;

    Opcode opcode{};
    bool saturate = false;
    bool precise = false;
    uint8_t dst_count = 0;
    uint8_t src_count = 0;
    uint8_t offset_count = 0;
    bool has_target = false;
    bool has_label = false;
    Target target = Target::Unknown;
    uint8_t qualifiers = 0;  ///< MemoryQualifier bits
    uint32_t label = 0;      ///< the ":n" behind flow opcodes; stale in real texts, so ignored
    std::array<Dst, kMaxDst> dst;
    std::array<Src, kMaxSrc> src;
    std::array<TexelOffset, kMaxOffsets> offsets;
    std::string
        format;     ///< PIPE_FORMAT_ name without the prefix, for image instructions; else empty
    SourcePos pos;  ///< of the opcode
};

/// One DCL statement.
struct Declaration {
    File file = File::Null;
    uint32_t first = 0;  ///< range of indexes, inclusive
    uint32_t last = 0;
    bool has_outer = false;   ///< CONST[outer][first..last], HWATOMIC[outer][..]
    bool per_vertex = false;  ///< "[]" of geometry and tessellation inputs and outputs
    uint32_t outer = 0;
    uint8_t usage_mask = 0xF;
    bool has_semantic = false;
    Semantic semantic = Semantic::Generic;
    uint32_t semantic_index = 0;  ///< of `first`; later registers of a range count up
    bool has_interpolation = false;
    Interpolation interpolation = Interpolation::Constant;
    Location location = Location::Center;
    bool invariant = false;
    bool local = false;
    uint32_t array_id = 0;  ///< ARRAY(n); 0 = none
    bool has_streams = false;
    std::array<uint8_t, 4> streams{};
    bool has_target = false;  ///< SVIEW and IMAGE
    Target target = Target::Unknown;
    uint8_t return_type_count = 0;  ///< 1 or 4 as written; the array is filled in any case
    std::array<ReturnType, 4> return_types{ReturnType::Float, ReturnType::Float, ReturnType::Float,
                                           ReturnType::Float};
    std::string format;  ///< IMAGE: PIPE_FORMAT_ name without the prefix
    bool writable = false;
    bool raw = false;
    bool atomic = false;
    bool has_memory_kind = false;
    MemoryKind memory_kind = MemoryKind::Global;
    SourcePos pos;
};

/// One IMM statement: four 32-bit words; 64-bit types use words 0,1 and 2,3 (low word first).
struct Immediate {
    ImmediateType type = ImmediateType::Float32;
    std::array<uint32_t, 4> words{};
    SourcePos pos;
};

/// One PROPERTY statement. The name is kept as written (upper case); symbolic values keep their
/// number (property_symbol() in names.hpp has the symbols).
struct Property {
    std::string name;
    uint32_t value = 0;
    SourcePos pos;
};

/// The kind of a statement.
enum class StatementKind : uint8_t { Property, Declaration, Immediate, Instruction };

/// A parsed shader. IMM[i] is immediates[i]; instructions are numbered from 0.
struct Shader {
    Stage stage = Stage::Vertex;
    std::vector<Property> properties;
    std::vector<Declaration> declarations;
    std::vector<Immediate> immediates;
    std::vector<Instruction> instructions;
    std::vector<StatementKind> order;  ///< one entry a statement

    /// The value of a property, or `fallback` if the text has none of that name.
    [[nodiscard]] uint32_t property(std::string_view name, uint32_t fallback) const;
};

}  // namespace valkyr::tgsi

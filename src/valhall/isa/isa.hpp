// Instruction tables: describe opcodes, effects, operands, modifiers and their bit positions.
// SPDX-License-Identifier: MIT
//
// Everything here is generated from xml/valhall.xml by tools/isagen/isagen.py at build time; this
// header gives the tables their types. No encoding fact stands in C++ code.
#pragma once

#include "base/check.hpp"
#include "base/export.hpp"
#include "valhall_isa_gen.hpp"  // Op, Mod, kOpCount, kModCount, EnumId and one enum class per XML enum

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace valkyr::valhall {

/// A set of effects (valhall.xml, element effects).
class Effects {
public:
    constexpr Effects() = default;
    constexpr Effects(Effect effect)  // NOLINT(google-explicit-constructor): one is a set, too
        : bits_(static_cast<uint32_t>(effect)) {}

    /// Whether the two sets have a member in common.
    [[nodiscard]] constexpr bool any(Effects other) const { return (bits_ & other.bits_) != 0; }
    [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
    /// Whether bit `bit` (0..31) is a member.
    [[nodiscard]] constexpr bool has_bit(unsigned bit) const { return (bits_ >> bit & 1) != 0; }
    /// Both sets together.
    friend constexpr Effects operator|(Effects a, Effects b) {
        a.bits_ |= b.bits_;
        return a;
    }
    friend constexpr bool operator==(Effects, Effects) = default;

private:
    uint32_t bits_ = 0;
};
constexpr Effects operator|(Effect a, Effect b) {
    return Effects(a) | Effects(b);
}

/// Instructions that read memory which other instructions may write.
inline constexpr Effects kReadsMemory = Effect::load | Effect::image_load | Effect::atomic;
/// Instructions that write memory outside of the program.
inline constexpr Effects kWritesMemory = Effect::store | Effect::image_store | Effect::atomic;
/// Instructions that read or write the tile buffer.
inline constexpr Effects kTouchesTile = Effect::blend | Effect::tile_load | Effect::tile_store;

/// Execution unit of an instruction (valhall.xml, attribute unit).
enum class Unit : uint8_t { Fma, Cvt, Sfu, Varying, LoadStore, Texture, VaryingTexture, None };

/// FMA, CVT and SFU are ALU units; the others are messages. FAU limits differ between the two.
constexpr bool is_alu(Unit unit) {
    return unit <= Unit::Sfu;
}

/// The unit as valhall.xml spells it: "FMA", "CVT", "SFU", "V", "LS", "T", "VT" or "NONE".
VALKYR_API std::string_view unit_name(Unit unit);

/// Place of a bit field in the machine word.
struct BitField {
    uint8_t start = 0;
    uint8_t size = 0;  ///< 0 = absent
};

/// Kind of a source's selector; decides how the interpreter and the recompiler read it.
enum class SelectorKind : uint8_t {
    None,
    Swizzle16,
    Swizzle32,
    Widen8,
    Widen16,
    Widen32,
    Widen64,
    Lanes,
    HalfSwizzle,
    Lane8,
    Lane16,
    Combine,
};

struct SourceInfo {
    uint8_t byte = 0;   ///< of the word: bits 8*byte .. 8*byte+7
    uint8_t size = 32;  ///< bits read per lane: 8, 16, 32 or 64 (type size or own)
    bool is_float = false;
    SelectorKind selector = SelectorKind::None;
    EnumId selector_enum{};  ///< values of the selector field
    BitField selector_bits;
    uint8_t selector_default = 0;
    bool selector_required = false;  ///< no default: always printed, must be written
    BitField neg;                    ///< size 1 where the source takes .neg/.abs
    BitField abs;
    BitField bit_not;              ///< size 1 where the source takes .not
    uint16_t selector_values = 1;  ///< bit v set: value v of the selector field is not reserved
    bool low_lane = false;         ///< of a 16-bit swizzle, only the low lane counts
    bool is_uniform = false;       ///< must be the same in all running lanes
    std::string_view role;         ///< what the operand is for
};

/// How the number of registers of a staging run follows from the instruction (valhall.xml,
/// attribute needs); staging_count() computes it.
enum class StagingNeed : uint8_t {
    Number,           ///< StagingInfo::need_count
    Components,       ///< vecsize components of 16 or 32 bits
    Size,             ///< the type size
    Loaded,           ///< the type size, extended as the load lane says
    Exchanged,        ///< the type size, twice with .compare
    TextureResults,   ///< components of the write mask
    TextureOperands,  ///< coordinates, layer, reference, offset and level of detail
    FusedResults,     ///< of a fused varying and texture instruction
};

struct StagingInfo {
    bool read = false;
    bool write = false;
    BitField base;
    BitField count;  ///< holds count, or count - 1 if count_minus_one
    bool count_minus_one = false;
    bool may_be_empty = false;
    uint8_t max_count = 7;
    StagingNeed need = StagingNeed::Number;
    uint8_t need_count = 0;
    std::string_view role;
};

struct ImmediateInfo {
    std::string_view name;  ///< empty for the "#" constants
    BitField bits;
    bool is_signed = false;
    bool is_label = false;  ///< counts instructions from the next one: assembly may name a label
    std::string_view role;
};

struct ModInfo {
    Mod mod{};
    std::string_view name;  ///< printed token of a flag
    BitField bits;
    bool is_flag = false;  ///< one bit, printed as its name
    EnumId values{};       ///< otherwise
    uint8_t default_value = 0;
    bool required = false;      ///< no default
    uint16_t valid_values = 0;  ///< bit v set: value v is not reserved
    std::string_view note;      ///< meaning of a flag
};

/// The part of an instruction that a rejection looks at.
enum class TestSubject : uint8_t { Modifier, Selector, Immediate };

/// A condition of a rejection: the value is, or is not, one of a set.
struct TestInfo {
    TestSubject subject{};
    uint8_t index = 0;    ///< the Mod, or the ordinal of the source or immediate
    bool inside = true;   ///< false: holds for values outside of the set
    uint16_t values = 0;  ///< bit v set: value v is in the set
};

/// Words that decode but have no meaning (valhall.xml, element rejections).
struct RejectionInfo {
    std::span<const TestInfo> tests;  ///< applies if all of them hold
    std::string_view reason;
};

/// One instruction of the set.
struct OpInfo {
    Op op{};
    uint16_t opcode = 0;  ///< primary opcode
    Unit unit = Unit::None;
    uint8_t type_size = 32;  ///< bits of a lane
    Effects effects;
    uint8_t stages = 0;   ///< bit s: programs of stage s (exec::Stage) may use it
    uint8_t cost = 1;     ///< estimated work beside a plain addition
    uint8_t latency = 0;  ///< estimated cycles until a host has the result
    bool has_dest = false;
    bool dest_is_pair = false;   ///< 64-bit result: even register, full mask
    bool dest_is_float = false;  ///< the result is a float, or halves
    BitField dest_reg;
    BitField dest_mask;     ///< bit 0 low half, bit 1 high half; 0 is illegal
    std::string_view name;  ///< mnemonic, e.g. "FMA.f32"
    /// All bits with a constant value: opcode, secondary opcode, flags of bits 46-47.
    uint64_t fixed_mask = 0;
    uint64_t fixed_value = 0;
    uint64_t field_mask = 0;  ///< bits covered by fields; neither here nor in fixed_mask: must be 0
    std::span<const SourceInfo> sources;
    std::span<const StagingInfo> staging;
    std::span<const ImmediateInfo> immediates;
    std::span<const ModInfo> mods;
    std::span<const RejectionInfo> rejections;  ///< the first one that applies gives the reason
    std::string_view title;                     ///< one line of prose
    std::string_view description;
};

namespace tables {
VALKYR_API extern const OpInfo kOpRows[kOpCount];
}

/// The row of an instruction. Inline, because decoding and emission ask several times an
/// instruction.
inline const OpInfo& op_info(Op op) {
    VALKYR_DCHECK(static_cast<unsigned>(op) < kOpCount);
    return tables::kOpRows[static_cast<unsigned>(op)];
}
/// Whether the instruction has one of these effects.
inline bool has_effect(Op op, Effects any) {
    return op_info(op).effects.any(any);
}
/// Name and meaning of an effect (valhall.xml, element effect).
struct EffectInfo {
    std::string_view name;
    std::string_view note;
};
/// The row of bit `bit` (0..kEffectCount - 1) of a set of effects.
VALKYR_API const EffectInfo& effect_info(unsigned bit);

/// All rows, indexed by Op.
VALKYR_API std::span<const OpInfo> all_ops();
/// The instruction with this mnemonic, spelled exactly.
VALKYR_API std::optional<Op> find_op(std::string_view name);

/// The instruction with the primary and secondary opcode of this word; other bits do not matter.
VALKYR_API std::optional<Op> op_of_word(uint64_t word);

/// One enumeration.
struct EnumInfo {
    std::string_view name;
    std::string_view description;
    std::span<const std::string_view> tokens;  ///< by value; empty = reserved
    std::span<const std::string_view> notes;   ///< meaning of each value; may be empty
    int default_value = -1;                    ///< -1: none, the value must be written
};

/// The row of an enumeration.
VALKYR_API const EnumInfo& enum_info(EnumId id);
/// Tokens of an enum by value; an empty token marks a reserved value, as does a value past the end.
VALKYR_API std::span<const std::string_view> enum_tokens(EnumId id);

/// The 32 small constants that source bytes 0xC0..0xDF name.
VALKYR_API std::span<const uint32_t, 32> immediate_table();
/// The use of a small constant, in words.
VALKYR_API std::string_view immediate_note(unsigned index);

/// Name of special k (0..15) of FAU page `page` (0..3), e.g. "lane_id"; empty if reserved.
VALKYR_API std::string_view special_name(unsigned page, unsigned k);
/// Its meaning in words.
VALKYR_API std::string_view special_note(unsigned page, unsigned k);
/// The index 16 * page + k of the special with this name.
VALKYR_API std::optional<unsigned> find_special(std::string_view name);

}  // namespace valkyr::valhall

// IR: represents programs as scalar SSA over Valhall instructions, blocks in source order.
// SPDX-License-Identifier: MIT
//
// One instruction is one Valhall instruction (or one of the pseudo instructions below) on 32-bit
// values. Vectors and 64-bit pairs are tuples of consecutive values: a message result defines
// values def, def + 1, ...; staging runs and pair sources name their members in Function::pool.
// Everything lies in flat vectors, so that a pass is a linear walk and a compilation allocates a
// few dozen times at most.
#pragma once

#include "base/cancellation.hpp"
#include "base/float_bits.hpp"
#include "exec/abi.hpp"
#include "valhall/compiler/ir/double_template.hpp"
#include "valhall/isa/instr.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace valkyr::valhall::ir {

using ValueId = uint32_t;
using BlockId = uint32_t;  ///< index into Function::blocks = position in the layout
inline constexpr uint32_t kNone = 0xFFFFFFFF;

/// Kind of an operand. `Operand::value` holds: the value id; the 32 literal bits; the index into
/// Function::uniforms; 16 * page + k of a FAU special; the first of two pool entries (low, high);
/// the index of a small constant; the register number.
enum class OperandKind : uint8_t {
    None,
    Value,
    Literal,
    Uniform,
    Special,
    Pair,
    Constant,  ///< entry of the immediate table (after lower_constants)
    Register,  ///< after allocate_registers
};

/// Operand::flags.
inline constexpr uint8_t kNeg = 1;
inline constexpr uint8_t kAbs = 2;  ///< applied before kNeg
inline constexpr uint8_t kNot = 4;
inline constexpr uint8_t kLastUse = 8;  ///< after mark_last_use

/// Operand::selector: the slot's default.
inline constexpr uint8_t kDefaultSelector = 0xFF;

struct Operand {
    uint32_t value = 0;
    OperandKind kind = OperandKind::None;
    uint8_t flags = 0;
    uint8_t selector = kDefaultSelector;  ///< raw value of the slot's selector field
    uint8_t word = 0;                     ///< specials: 32-bit half

    [[nodiscard]] bool is_value() const { return kind == OperandKind::Value; }
    /// A literal whose bits are `value`: without modifiers or a selector.
    [[nodiscard]] bool is_number() const {
        return kind == OperandKind::Literal && flags == 0 && selector == kDefaultSelector;
    }
    [[nodiscard]] bool is_literal(uint32_t bits) const { return is_number() && value == bits; }
    friend bool operator==(const Operand& a, const Operand& b) {
        return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
    }
};
static_assert(sizeof(Operand) == 8);

inline Operand value_operand(ValueId id) {
    return {id, OperandKind::Value, 0, kDefaultSelector, 0};
}
inline Operand literal(uint32_t bits) {
    return {bits, OperandKind::Literal, 0, kDefaultSelector, 0};
}
/// A literal with its float modifiers worked into the bits.
inline Operand fold_flags(Operand x) {
    if ((x.flags & kAbs) != 0)
        x.value &= ~float_bits::kSign;
    if ((x.flags & kNeg) != 0)
        x.value ^= float_bits::kSign;
    x.flags = static_cast<uint8_t>(x.flags & ~(kAbs | kNeg));
    return x;
}
/// `x` with the other sign.
inline Operand negated(Operand x) {
    x.flags ^= kNeg;
    return x;
}
/// `operand` with another selector (a raw field value, e.g. of enum Widen).
inline Operand select(Operand operand, uint8_t selector) {
    operand.selector = selector;
    return operand;
}

/// Pseudo instructions: numbers past the machine's opcodes.
inline constexpr Op kPhi = static_cast<Op>(kOpCount);  ///< pool run: one operand a pred
inline constexpr Op kPreload =
    static_cast<Op>(kOpCount + 1);                          ///< value = register `fixed` at entry
inline constexpr Op kJump = static_cast<Op>(kOpCount + 2);  ///< to successor 0
inline constexpr Op kBranch = static_cast<Op>(
    kOpCount + 3);  ///< source 0 is a 0/~0 boolean: ~0 goes to successor 0, 0 to successor 1
inline constexpr Op kEnd = static_cast<Op>(kOpCount + 4);  ///< the program ends here
/// An operation on doubles, imm[0] a DoubleOp: pure, its source words in the pool run in any
/// registers. The registers of its scratch pairs are the bits of Inst::word after allocation.
/// `pack` makes words of it.
inline constexpr Op kDouble = static_cast<Op>(kOpCount + 5);
inline constexpr unsigned kPseudoCount = 6;

constexpr bool is_pseudo(Op op) {
    return static_cast<unsigned>(op) >= kOpCount;
}
constexpr bool is_terminator(Op op) {
    return op == kJump || op == kBranch || op == kEnd;
}

inline constexpr uint8_t kNotFixed = 0xFF;

struct Inst {
    uint64_t word = 0;  ///< modifier fields at their place in the machine word, opcode included
    std::array<Operand, 4> src{};
    std::array<int32_t, 2> imm{};
    ValueId def = kNone;   ///< first value defined; a register number after allocation
    uint32_t staging = 0;  ///< first pool entry of the read run (phi: of its operands)
    uint32_t line = 0;     ///< of the TGSI text, 0 = none
    Op op{};
    uint16_t staging_count = 0;  ///< registers read as a run (phi: predecessors)
    uint8_t def_count = 0;       ///< 0, 1, or the length of the written run or pair
    uint8_t src_count = 0;
    uint8_t fixed =
        kNotFixed;  ///< register that the definition, or else the read run, must start at
    Flow flow = Flow::none;
    uint8_t staging_base = 0;  ///< register of the read run, after allocation

    [[nodiscard]] std::span<const Operand> sources() const { return {src.data(), src_count}; }
    [[nodiscard]] std::span<Operand> sources() { return {src.data(), src_count}; }
};

/// A basic block: instructions [first, end), phis first, a terminator last.
struct Block {
    uint32_t first = 0;
    uint32_t end = 0;
    std::array<BlockId, 2> succ{kNone, kNone};
    uint32_t pred_first = 0;  ///< into Function::preds
    uint32_t pred_count = 0;
    uint32_t loop = kNone;  ///< innermost loop, index into Function::loops
};

/// A loop: blocks [first, last], `first` the header, `last` the block that jumps back.
struct Loop {
    BlockId first = kNone;
    BlockId last = kNone;
    uint32_t parent = kNone;
};

/// The operation of a kDouble.
inline DoubleOp double_op(const Inst& inst) {
    return static_cast<DoubleOp>(inst.imm[0]);
}
/// Whether the pool run of an instruction has to lie in consecutive registers when it is read.
inline bool reads_run(const Inst& inst) {
    return inst.staging_count != 0 && inst.op != kPhi && inst.op != kEnd && inst.op != kDouble;
}

struct ValueLog;

struct Function {
    std::vector<Inst> insts;
    std::vector<Inst> spare;  ///< memory for the pass that writes the instructions anew
    std::vector<Block> blocks;
    std::vector<Loop> loops;
    std::vector<Operand> pool;
    std::vector<BlockId> preds;
    std::vector<FauWord> uniforms;  ///< words asked for; the FAU layout after lower_constants
    uint32_t value_count = 0;
    uint32_t tls_bytes = 0;
    uint32_t spilled_values = 0;
    uint32_t made_doubles = 0;  ///< operations on doubles that the builder appended
    /// Registers that only fixed definitions may use: r60 and r61 of fragments (coverage and sample
    /// word), r4-r7 with a second source colour.
    uint64_t reserved = 0;
    exec::ProgramInfo info;
    Cancellation cancellation = {};  ///< passes may end early when it is requested
    ValueLog* log = nullptr;         ///< if values are followed for a debugger (value_log.hpp)
    FindTemplate find_template = nullptr;  ///< for functions with a kDouble
    /// Opcodes that the function has or had: passes that look for others need not walk over it.
    std::bitset<kOpCount + kPseudoCount> ops;

    [[nodiscard]] bool may_have(Op op) const { return ops[static_cast<unsigned>(op)]; }
    void note(Op op) { ops[static_cast<unsigned>(op)] = true; }

    /// An empty vector with the spare memory; hand the old instructions back by replace_insts().
    [[nodiscard]] std::vector<Inst> take_spare() {
        spare.clear();
        spare.reserve(insts.size() + insts.size() / 4 + 16);
        return std::move(spare);
    }
    void replace_insts(std::vector<Inst>&& fresh) {
        spare = std::move(insts);
        insts = std::move(fresh);
    }

    [[nodiscard]] std::span<const Operand> staging(const Inst& inst) const {
        return {pool.data() + inst.staging, inst.staging_count};
    }
    [[nodiscard]] std::span<Operand> staging(const Inst& inst) {
        return {pool.data() + inst.staging, inst.staging_count};
    }
    /// The two members of a pair source.
    [[nodiscard]] std::span<const Operand> pair(const Operand& operand) const {
        return {pool.data() + operand.value, 2};
    }
    [[nodiscard]] std::span<Operand> pair(const Operand& operand) {
        return {pool.data() + operand.value, 2};
    }
    [[nodiscard]] std::span<const BlockId> preds_of(const Block& block) const {
        return {preds.data() + block.pred_first, block.pred_count};
    }
};

/// Calls f(Operand&) for each operand that an instruction reads: sources, members of pairs, the
/// staging run. The pair operand itself is not visited.
template <typename FunctionT, typename InstT, typename F>
void for_each_operand(FunctionT& function, InstT& inst, F&& f) {
    for (auto& source : inst.sources()) {
        if (source.kind == OperandKind::Pair) {
            for (auto& member : function.pair(source))
                f(member);
        } else {
            f(source);
        }
    }
    if (inst.staging_count == 0)
        return;
    for (auto& member : function.staging(inst))
        f(member);
}

}  // namespace valkyr::valhall::ir

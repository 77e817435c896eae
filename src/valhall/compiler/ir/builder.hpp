// Builder: appends instructions and blocks to a Function.
// SPDX-License-Identifier: MIT
//
// Operands may carry float modifiers (kNeg, kAbs) wherever they are read as floats; for a source
// that does not take them, the builder first makes the modified value (FADD x, -0.0: the identity).
#pragma once

#include "base/float_bits.hpp"
#include "valhall/compiler/ir/ir.hpp"
#include "valhall/compiler/ir/spec.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>

namespace valkyr::valhall::ir {

/// A literal shift count as a shift operand: the small constant whose byte `selector` it is.
Operand shift_count(unsigned count);

class Builder {
public:
    explicit Builder(Function& function)
        : function_(function) {}

    Function& function() { return function_; }
    void set_line(uint32_t line) { line_ = line; }
    [[nodiscard]] uint32_t line() const { return line_; }

    // Blocks. Instructions go to the block started last.
    BlockId start_block(std::span<const BlockId> preds, uint32_t loop);
    /// Ends the current block with a terminator; successors are patched when they start.
    BlockId end_with_jump();
    BlockId end_with_branch(Operand condition);
    BlockId end_program();
    [[nodiscard]] BlockId current_block() const { return current_; }
    void set_successor(BlockId block, unsigned slot, BlockId target) {
        function_.blocks[block].succ[slot] = target;
    }

    // Values.
    /// Appends an instruction with one result.
    Operand emit(const Spec& spec, std::initializer_list<Operand> sources);
    /// Appends an instruction with `def_count` results (0 = none) and an optional staging run.
    struct Message {
        uint8_t def_count = 0;
        std::span<const Operand> staging{};
        std::array<int32_t, 2> imm{};
        uint8_t fixed = kNotFixed;
        Flow flow = Flow::none;
    };
    Inst&
    emit_message(const Spec& spec, std::initializer_list<Operand> sources, const Message& message);
    Operand phi(std::span<const Operand> inputs);
    Operand preload(uint8_t reg);
    /// A 64-bit source made of two words.
    Operand pair(Operand low, Operand high);
    /// The instruction that defines a value.
    [[nodiscard]] Inst& def_inst(ValueId id) { return function_.insts[value_def_[id]]; }

    /// An operation on doubles; `words` are its source words. The results are this value and, if
    /// the operation has two, the next one.
    Operand double_op(DoubleOp op, std::span<const Operand> words);

    /// The bits of `x` as an operand without modifiers: on literals they are folded, else computed.
    Operand resolve(Operand x);

    // Floats. Operands may carry kNeg and kAbs.
    Operand fadd(Operand a, Operand b) { return emit(Spec(Op::FADD_F32), {a, b}); }
    Operand fmul(Operand a, Operand b) { return fma(a, b, literal(float_bits::kSign)); }
    Operand fma(Operand a, Operand b, Operand c) { return emit(Spec(Op::FMA_F32), {a, b, c}); }
    Operand fmin(Operand a, Operand b) { return emit(Spec(Op::FMIN_F32), {a, b}); }
    Operand fmax(Operand a, Operand b) { return emit(Spec(Op::FMAX_F32), {a, b}); }
    Operand fround(Operand a, RoundMode mode) {
        return emit(Spec(Op::FROUND_F32).with(Mod::roundmode, mode), {a});
    }
    Operand unary(Op op, Operand a) { return emit(Spec(op), {a}); }
    Operand fclamp(Operand a, Clamp clamp) {
        return emit(Spec(Op::FADD_F32).with(Mod::clamp, clamp), {a, literal(float_bits::kSign)});
    }
    Operand fcmp(Condition condition, ResultType result, Operand a, Operand b) {
        return compare(Op::FCMP_F32, condition, result, a, b);
    }
    Operand csel_f32(Condition condition, Operand a, Operand b, Operand c, Operand d) {
        return emit(Spec(Op::CSEL_F32).with(Mod::cmp, condition), {a, b, c, d});
    }
    Operand f32_to_s32(Operand a, RoundMode mode) {
        return emit(Spec(Op::F32_TO_S32).with(Mod::roundmode, mode), {a});
    }
    Operand f32_to_u32(Operand a, RoundMode mode) {
        return emit(Spec(Op::F32_TO_U32).with(Mod::roundmode, mode), {a});
    }

    // Integers.
    Operand iadd(Operand a, Operand b) { return emit(Spec(Op::IADD_U32), {a, b}); }
    Operand isub(Operand a, Operand b) { return emit(Spec(Op::ISUB_U32), {a, b}); }
    Operand imul(Operand a, Operand b) { return emit(Spec(Op::IMUL_I32), {a, b}); }
    Operand mov(Operand a) { return emit(Spec(Op::MOV_I32), {a}); }
    Operand icmp_u32(Condition condition, ResultType result, Operand a, Operand b) {
        return compare(Op::ICMP_U32, condition, result, a, b);
    }
    Operand icmp_s32(Condition condition, ResultType result, Operand a, Operand b) {
        return compare(Op::ICMP_S32, condition, result, a, b);
    }
    Operand csel_u32(Condition condition, Operand a, Operand b, Operand c, Operand d) {
        return emit(Spec(Op::CSEL_U32).with(Mod::cmp, condition), {a, b, c, d});
    }
    Operand csel_s32(Condition condition, Operand a, Operand b, Operand c, Operand d) {
        return emit(Spec(Op::CSEL_S32).with(Mod::cmp, condition), {a, b, c, d});
    }
    Operand bit_and(Operand a, Operand b) {
        return emit(Spec(Op::LSHIFT_AND_I32), {a, shift_count(0), b});
    }
    Operand bit_or(Operand a, Operand b) {
        return emit(Spec(Op::LSHIFT_OR_I32), {a, shift_count(0), b});
    }
    Operand bit_xor(Operand a, Operand b) {
        return emit(Spec(Op::LSHIFT_XOR_I32), {a, shift_count(0), b});
    }
    Operand bit_not(Operand a) {
        return emit(Spec(Op::LSHIFT_OR_I32).with(Mod::not_result, 1),
                    {a, shift_count(0), literal(0)});
    }
    /// Shift counts are a literal below 32 or a value, of which the low five bits count.
    Operand shift_left(Operand a, Operand count) {
        return shift(Op::LSHIFT_OR_I32, false, a, count);
    }
    Operand shift_right(Operand a, Operand count) {
        return shift(Op::RSHIFT_OR_I32, false, a, count);
    }
    Operand shift_right_signed(Operand a, Operand count) {
        return shift(Op::RSHIFT_OR_I32, true, a, count);
    }
    Operand mux(Mux mode, Operand a, Operand b, Operand mask) {
        return emit(Spec(Op::MUX_I32).with(Mod::mux, mode), {a, b, mask});
    }

private:
    BlockId end_block();
    Inst& append(Op op, uint64_t word);
    void define(Inst& inst, uint8_t count);
    Operand fit(Operand source, Op op, unsigned i);
    Operand compare(Op op, Condition condition, ResultType result, Operand a, Operand b);
    Operand shift(Op op, bool is_signed, Operand a, Operand count);

    Function& function_;
    std::vector<uint32_t> value_def_;
    BlockId current_ = kNone;
    uint32_t line_ = 0;
};

}  // namespace valkyr::valhall::ir

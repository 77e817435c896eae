// Builder: instruction and block construction.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/builder.hpp"

#include "base/check.hpp"
#include "base/float_bits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace valkyr::valhall::ir {
namespace {

/// Selector values of lanes_8_bit: byte n for every lane.
constexpr uint8_t kLanesB00 = 4;

}  // namespace

Operand shift_count(unsigned count) {
    if (count == 0)
        return select(literal(0), kLanesB00);
    const uint32_t first = count & ~3U;
    const uint32_t word = first * 0x01010101U + 0x03020100U;
    return select(literal(word), static_cast<uint8_t>(kLanesB00 + (count & 3)));
}

BlockId Builder::start_block(std::span<const BlockId> preds, uint32_t loop) {
    Block block;
    block.first = block.end = static_cast<uint32_t>(function_.insts.size());
    block.pred_first = static_cast<uint32_t>(function_.preds.size());
    block.pred_count = static_cast<uint32_t>(preds.size());
    block.loop = loop;
    function_.preds.insert(function_.preds.end(), preds.begin(), preds.end());
    function_.blocks.push_back(block);
    current_ = static_cast<BlockId>(function_.blocks.size() - 1);
    return current_;
}

/// The current block ends with the instruction appended last.
BlockId Builder::end_block() {
    function_.blocks[current_].end = static_cast<uint32_t>(function_.insts.size());
    return std::exchange(current_, kNone);
}

BlockId Builder::end_with_jump() {
    append(kJump, 0);
    return end_block();
}

BlockId Builder::end_with_branch(Operand condition) {
    Inst& inst = append(kBranch, 0);
    inst.src[0] = condition;
    inst.src_count = 1;
    return end_block();
}

BlockId Builder::end_program() {
    append(kEnd, 0);
    return end_block();
}

Inst& Builder::append(Op op, uint64_t word) {
    VALKYR_DCHECK(current_ != kNone);
    Inst& inst = function_.insts.emplace_back();
    inst.op = op;
    inst.word = word;
    inst.line = line_;
    function_.note(op);
    return inst;
}

void Builder::define(Inst& inst, uint8_t count) {
    inst.def = function_.value_count;
    inst.def_count = count;
    function_.value_count += count;
    value_def_.insert(value_def_.end(), count, static_cast<uint32_t>(function_.insts.size() - 1));
}

/// The operand as source `i` of `op` can read it. Each instruction gets members of a pair of its
/// own, because passes replace them.
Operand Builder::fit(Operand source, Op op, unsigned i) {
    if (source.kind == OperandKind::Pair)
        return pair(function_.pool[source.value], function_.pool[source.value + 1]);
    if ((source.flags & (kNeg | kAbs)) == 0)
        return source;
    if (source.kind == OperandKind::Literal)
        return fold_flags(source);
    return takes_modifiers(op, i) ? source : resolve(source);
}

Operand Builder::emit(const Spec& spec, std::initializer_list<Operand> sources) {
    std::array<Operand, 4> ready{};
    unsigned count = 0;
    for (const Operand& source : sources) {
        ready[count] = fit(source, spec.op, count);
        ++count;
    }
    Inst& inst = append(spec.op, spec.word);
    inst.src = ready;
    inst.src_count = static_cast<uint8_t>(count);
    inst.def = function_.value_count++;
    inst.def_count = 1;
    value_def_.push_back(static_cast<uint32_t>(function_.insts.size() - 1));
    return value_operand(inst.def);
}

Inst& Builder::emit_message(const Spec& spec,
                            std::initializer_list<Operand> sources,
                            const Message& message) {
    std::array<Operand, 4> ready{};
    unsigned count = 0;
    for (const Operand& source : sources) {
        ready[count] = fit(source, spec.op, count);
        ++count;
    }
    const auto pool_first = static_cast<uint32_t>(function_.pool.size());
    if (!message.staging.empty())
        function_.pool.insert(function_.pool.end(), message.staging.begin(), message.staging.end());

    Inst& inst = append(spec.op, spec.word);
    inst.src = ready;
    inst.src_count = static_cast<uint8_t>(count);
    inst.staging = pool_first;
    inst.staging_count = static_cast<uint16_t>(message.staging.size());
    inst.imm = message.imm;
    inst.fixed = message.fixed;
    inst.flow = message.flow;
    if (message.def_count != 0)
        define(inst, message.def_count);
    return inst;
}

Operand Builder::phi(std::span<const Operand> inputs) {
    const auto pool_first = static_cast<uint32_t>(function_.pool.size());
    function_.pool.insert(function_.pool.end(), inputs.begin(), inputs.end());
    Inst& inst = append(kPhi, 0);
    inst.staging = pool_first;
    inst.staging_count = static_cast<uint16_t>(inputs.size());
    define(inst, 1);
    return value_operand(inst.def);
}

Operand Builder::preload(uint8_t reg) {
    Inst& inst = append(kPreload, 0);
    inst.fixed = reg;
    define(inst, 1);
    return value_operand(inst.def);
}

Operand Builder::pair(Operand low, Operand high) {
    const auto first = static_cast<uint32_t>(function_.pool.size());
    function_.pool.push_back(low);
    function_.pool.push_back(high);
    return {first, OperandKind::Pair, 0, kDefaultSelector, 0};
}

Operand Builder::double_op(DoubleOp op, std::span<const Operand> words) {
    std::array<Operand, kMaxDoubleSources> plain{};
    std::ranges::transform(words, plain.begin(), [&](Operand word) { return resolve(word); });
    ++function_.made_doubles;
    const Inst& inst = emit_message(Spec(kDouble), {},
                                    {.def_count = double_op_info(op).result_words,
                                     .staging = {plain.data(), words.size()},
                                     .imm = {static_cast<int32_t>(op), 0}});
    return value_operand(inst.def);
}

Operand Builder::resolve(Operand x) {
    if ((x.flags & (kNeg | kAbs)) == 0)
        return x;
    if (x.kind == OperandKind::Literal)
        return fold_flags(x);
    // Not FADD x, -0.0: that makes every NaN the quiet one, but a modifier keeps its other bits.
    const uint8_t flags = x.flags & (kNeg | kAbs);
    x.flags = 0;
    switch (flags) {
    case kNeg: return bit_xor(x, literal(float_bits::kSign));
    case kAbs: return bit_and(x, literal(~float_bits::kSign));
    default: return bit_or(x, literal(float_bits::kSign));
    }
}

Operand Builder::compare(Op op, Condition condition, ResultType result, Operand a, Operand b) {
    const Spec spec = Spec(op).with(Mod::cmp, condition).with(Mod::result_type, result);
    return emit(spec, {a, b, literal(0)});
}

Operand Builder::shift(Op op, bool is_signed, Operand a, Operand count) {
    const Operand lanes = count.kind == OperandKind::Literal ? shift_count(count.value & 31)
                                                             : select(count, kLanesB00);
    Spec spec(op);
    if (is_signed)
        spec = spec.with(Mod::signed_, 1);
    return emit(spec, {a, lanes, literal(0)});
}

}  // namespace valkyr::valhall::ir

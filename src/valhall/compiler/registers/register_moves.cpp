// Parallel moves: emits moves whose destination is no longer read, then the cycles.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/registers/register_moves.hpp"

#include "valhall/compiler/ir/builder.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/registers/constant_table.hpp"

namespace valkyr::valhall::ir {
namespace {

Inst& append(const Spec& spec, unsigned to, uint32_t line, std::vector<Inst>& out) {
    Inst& inst = out.emplace_back();
    inst.op = spec.op;
    inst.word = spec.word;
    inst.def = to;
    inst.def_count = 1;
    inst.line = line;
    return inst;
}

Operand reg(unsigned number) {
    return {number, OperandKind::Register, 0, kDefaultSelector, 0};
}

Operand zero(Op op, unsigned slot, Operand operand = literal(0)) {
    use_table(op, slot, operand);
    return operand;
}

void emit_move(const Move& move, uint32_t line, std::vector<Inst>& out) {
    if (move.from.kind == OperandKind::Literal) {
        Inst& inst = append(Spec(Op::IADD_IMM_I32), move.to, line, out);
        inst.src[0] = zero(Op::IADD_IMM_I32, 0);
        inst.src_count = 1;
        inst.imm[0] = static_cast<int32_t>(move.from.value);
        return;
    }
    Inst& inst = append(Spec(Op::MOV_I32), move.to, line, out);
    inst.src[0] = move.from;
    inst.src_count = 1;
}

/// Exchanges two registers: three exclusive ors. Hosts see neither copies nor floats in them, and
/// compute all three.
void emit_exchange(unsigned a, unsigned b, uint32_t line, std::vector<Inst>& out) {
    for (unsigned step = 0; step < 3; ++step) {
        const unsigned to = step == 1 ? b : a;
        const unsigned from = step == 1 ? a : b;
        Inst& inst = append(Spec(Op::LSHIFT_XOR_I32), to, line, out);
        inst.src = {reg(to), zero(Op::LSHIFT_XOR_I32, 1, shift_count(0)), reg(from), {}};
        inst.src_count = 3;
    }
}

bool is_read(const std::vector<Move>& moves, unsigned number) {
    for (const Move& move : moves) {
        if (move.from.kind == OperandKind::Register && move.from.value == number)
            return true;
    }
    return false;
}

}  // namespace

void add_move(std::vector<Move>& moves, unsigned to, Operand from) {
    if (from.kind == OperandKind::Register && from.value == to)
        return;
    moves.push_back({static_cast<uint8_t>(to), from});
}

void emit_moves(std::vector<Move>& moves,
                std::optional<uint8_t> spare,
                uint32_t line,
                std::vector<Inst>& out) {
    while (!moves.empty()) {
        bool progress = false;
        for (size_t i = 0; i < moves.size();) {
            const Move move = moves[i];
            moves[i] = moves.back();
            moves.pop_back();
            if (is_read(moves, move.to)) {
                moves.push_back(move);
                std::swap(moves[i], moves.back());
                ++i;
                continue;
            }
            emit_move(move, line, out);
            progress = true;
        }
        if (progress)
            continue;
        // Only cycles are left: each register is read once and written once.
        const Move move = moves.back();
        unsigned now_in = move.from.value;  // the old value of move.to
        if (spare) {
            now_in = *spare;
            emit_move({*spare, reg(move.to)}, line, out);
        } else {
            moves.pop_back();
            emit_exchange(move.to, move.from.value, line, out);
        }
        for (Move& other : moves) {
            if (other.from.value == move.to)
                other.from.value = now_in;
        }
        std::erase_if(moves, [](const Move& other) { return other.from.value == other.to; });
    }
}

}  // namespace valkyr::valhall::ir

// Register rewrite: replaces values by registers, phis and misplaced members of runs by moves.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/value_log.hpp"
#include "valhall/compiler/registers/register_allocator.hpp"

#include <bit>

namespace valkyr::valhall::ir::registers {
namespace {

constexpr unsigned kFirstKept = exec::kPixelRegister;

}  // namespace

Operand Allocator::in_register(Operand operand) const {
    if (operand.is_value()) {
        operand.kind = OperandKind::Register;
        operand.value = reg_of_[operand.value];
    }
    return operand;
}

/// Marks `operand`, the register of `value`, if instruction `i` is the last to read it.
void Allocator::mark_last_read(Operand& operand, ValueId value, uint32_t i) const {
    // Blend shaders may read the coverage and sample registers of a fragment.
    const bool kept = f_.info.stage == exec::Stage::Fragment && operand.value >= kFirstKept;
    if (live_.end[value] == i && !kept)
        operand.flags |= kLastUse;
}

/// Replaces the operands of an instruction without runs.
void Allocator::rewrite_plain(const Inst& from, uint32_t i) {
    Inst& inst = out_.emplace_back(from);
    for (Operand& source : inst.sources()) {
        if (!source.is_value())
            continue;
        const ValueId value = source.value;
        source = in_register(source);
        mark_last_read(source, value, i);
    }
    if (inst.def_count != 0)
        inst.def = reg_of_[inst.def];
}

/// Moves members of runs into place and replaces operands.
void Allocator::rewrite_inst(uint32_t i) {
    if (f_.insts[i].staging_count == 0 && traits(f_.insts[i].op).wide_sources == 0) {
        rewrite_plain(f_.insts[i], i);
        return;
    }
    Inst inst = f_.insts[i];
    if (inst.op == kEnd || inst.op == kDouble) {
        // Results of a prologue, and words of doubles, stay where they are.
        for (Operand& word : f_.staging(inst))
            word = in_register(word);
        if (inst.def_count != 0)
            inst.def = reg_of_[inst.def];
        out_.push_back(inst);
        return;
    }
    moves_.clear();
    const auto place = [&](uint32_t first, unsigned count) {
        const Group& group = groups_[group_at_[first]];
        for (unsigned k = 0; k < count; ++k)
            add_move(moves_, group.base + k, in_register(f_.pool[first + k]));
        return group.base;
    };
    for (unsigned s = 0; s < inst.src_count; ++s) {
        Operand& source = inst.src[s];
        if (source.kind == OperandKind::Pair) {
            const uint8_t base = place(source.value, 2);
            source = {base, OperandKind::Register, 0, kDefaultSelector, 0};
        } else if (source.is_value()) {
            const ValueId value = source.value;
            source = in_register(source);
            mark_last_read(source, value, i);
        }
    }
    if (inst.staging_count != 0)
        inst.staging_base = place(inst.staging, inst.staging_count);
    const size_t first_move = out_.size();
    emit_moves(moves_, spare_, inst.line, out_);
    if (out_.size() != first_move) {
        // A move may just have overwritten a register that dies here: its mark would be wrong.
        for (Operand& source : inst.sources())
            source.flags = static_cast<uint8_t>(source.flags & ~kLastUse);
    }
    if (inst.def_count != 0)
        inst.def = reg_of_[inst.def];
    out_.push_back(inst);
}

void Allocator::emit_phi_moves(BlockId from) {
    const BlockId to = f_.blocks[from].succ[0];
    const std::span<const BlockId> preds = f_.preds_of(f_.blocks[to]);
    size_t edge = 0;
    while (preds[edge] != from)
        ++edge;
    moves_.clear();
    uint32_t line = 0;
    for (uint32_t i = f_.blocks[to].first; f_.insts[i].op == kPhi; ++i) {
        const Inst& phi = f_.insts[i];
        add_move(moves_, reg_of_[phi.def], in_register(f_.pool[phi.staging + edge]));
        line = phi.line;
    }
    if (f_.log != nullptr)  // numbers ascend: the moves are the jump's
        line = f_.insts[f_.blocks[from].end - 1].line;
    emit_moves(moves_, spare_, line, out_);
}

void Allocator::note_places() {
    ValueLog& log = *f_.log;
    log.intervals.assign(f_.value_count, {});
    log.slots.resize(f_.value_count, kNone);
    for (ValueId v = 0; v < f_.value_count; ++v) {
        ValueLog::Interval& interval = log.intervals[v];
        interval.slot = log.slots[v];
        if (live_.start[v] == kNone || reg_of_[v] == kNoRegister)
            continue;
        const Op op = f_.insts[live_.start[v]].op;
        interval.reg = reg_of_[v];
        interval.at_entry = op == kPhi || op == kPreload;
        interval.first = live_.start[v];
        interval.last = live_.end[v];
    }
    log.inst_points.clear();
    log.inst_jumps.clear();
    for (uint32_t i = 0; i < f_.insts.size(); ++i) {
        log.inst_points.push_back(f_.insts[i].line);
        log.inst_jumps.push_back(f_.insts[i].op == kJump ? 1 : 0);
        f_.insts[i].line = i;
    }
}

/// The first register that no value, no run and no operation on doubles uses in the whole program.
std::optional<uint8_t> Allocator::find_spare() const {
    Mask used = f_.reserved;
    for (const uint8_t reg : reg_of_)
        used |= reg != kNoRegister ? bit(reg) : 0;
    for (const Group& group : groups_)
        used |= group.base != kNoRegister ? run_mask(group.base, group.count) : 0;
    for (const Inst& inst : f_.insts)
        used |= inst.op == kDouble ? inst.word : 0;
    const auto first = static_cast<uint8_t>(std::countr_one(used));
    return first < exec::kHighRegister ? std::optional(first) : std::nullopt;
}

void Allocator::rewrite() {
    spare_ = find_spare();
    out_ = f_.take_spare();
    std::vector<Block> blocks = f_.blocks;
    for (BlockId id = 0; id < blocks.size(); ++id) {
        blocks[id].first = static_cast<uint32_t>(out_.size());
        for (uint32_t i = f_.blocks[id].first;
             i < f_.blocks[id].end && !f_.cancellation.requested(); ++i) {
            const Op op = f_.insts[i].op;
            if (op == kPhi || op == kPreload)
                continue;
            if (op == kJump)
                emit_phi_moves(id);
            rewrite_inst(i);
        }
        blocks[id].end = static_cast<uint32_t>(out_.size());
    }
    f_.blocks.swap(blocks);
    f_.replace_insts(std::move(out_));
}

}  // namespace valkyr::valhall::ir::registers

// Spilling: stores each spilled value in one word of thread-local storage.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/registers/spill.hpp"

#include "exec/specials.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/value_log.hpp"

#include <algorithm>

namespace valkyr::valhall::ir {
namespace {

/// The signed 16-bit offset of LOAD and STORE reaches this far.
constexpr uint32_t kMaxThreadLocalBytes = 0x7FF0;

class Spiller {
public:
    Spiller(Function& f, const std::vector<uint8_t>& spilled, std::vector<uint8_t>& never)
        : f_(f)
        , spilled_(spilled)
        , never_(never)
        , slot_of_(f.value_count, kNone) {}

    bool run() {
        never_.resize(f_.value_count, 0);
        uint32_t bytes = f_.tls_bytes;
        for (ValueId v = 0; v < spilled_.size(); ++v) {
            if (spilled_[v] == 0)
                continue;
            ++f_.spilled_values;
            slot_of_[v] = bytes;
            note_slot(v, bytes);
            bytes += 4;
            never_[v] = 1;
        }
        if (bytes == f_.tls_bytes || bytes > kMaxThreadLocalBytes)
            return false;
        f_.tls_bytes = bytes;
        rewrite();
        never_.resize(f_.value_count, 1);
        return true;
    }

private:
    void note_slot(ValueId v, uint32_t slot) {
        if (f_.log == nullptr)
            return;
        f_.log->slots.resize(std::max<size_t>(f_.log->slots.size(), size_t{v} + 1), kNone);
        f_.log->slots[v] = slot;
    }
    [[nodiscard]] bool is_spilled(ValueId v) const {
        return v < slot_of_.size() && slot_of_[v] != kNone;
    }
    [[nodiscard]] bool is_spilled(const Operand& operand) const {
        return operand.is_value() && is_spilled(operand.value);
    }

    Inst& access(Op op, uint32_t slot) {
        Inst& inst = out_.emplace_back();
        // Helper lanes spill too: without `force` their accesses would do nothing.
        const Spec spec = Spec(op).with(Mod::memory_access, MemoryAccess::force);
        inst.op = op;
        inst.word = spec.word;
        inst.line = line_;
        inst.src[0] = {exec::kThreadLocalPointer, OperandKind::Special, 0, kDefaultSelector, 0};
        inst.src_count = 1;
        inst.imm[0] = static_cast<int32_t>(slot);
        return inst;
    }

    Operand load(ValueId v) {
        Inst& inst = access(Op::LOAD_I32, slot_of_[v]);
        set_mod(inst, Mod::unsigned_, 1);
        inst.def = f_.value_count++;
        inst.def_count = 1;
        return value_operand(inst.def);
    }

    void store(Operand value, uint32_t slot) {
        const auto first = static_cast<uint32_t>(f_.pool.size());
        f_.pool.push_back(value);
        Inst& inst = access(Op::STORE_I32, slot);
        inst.staging = first;
        inst.staging_count = 1;
    }

    void replace_operands(Inst& inst);
    void phi_edge(BlockId from);
    void copy_inst(Inst inst);
    void rewrite();

    Function& f_;
    const std::vector<uint8_t>& spilled_;
    std::vector<uint8_t>& never_;
    std::vector<uint32_t> slot_of_;
    std::vector<uint32_t> original_first_;
    std::vector<Inst> out_;
    uint32_t line_ = 0;
};

void Spiller::replace_operands(Inst& inst) {
    struct Loaded {
        ValueId value;
        ValueId copy;
    };
    std::vector<Loaded> loaded;
    for_each_operand(f_, inst, [&](Operand& operand) {
        if (!is_spilled(operand))
            return;
        const auto known = std::ranges::find(loaded, operand.value, &Loaded::value);
        const ValueId copy = known != loaded.end() ? known->copy : load(operand.value).value;
        if (known == loaded.end())
            loaded.push_back({operand.value, copy});
        operand.value = copy;
    });
}

/// Before the jump of block `from`: supplies the phis of its successor on this edge.
void Spiller::phi_edge(BlockId from) {
    const BlockId to = f_.blocks[from].succ[0];
    const std::span<const BlockId> preds = f_.preds_of(f_.blocks[to]);
    const auto edge = static_cast<uint32_t>(std::ranges::find(preds, from) - preds.begin());
    struct Late {
        Operand value;
        uint32_t slot;
    };
    std::vector<Late> late;
    const uint32_t first = original_first_[to];
    uint32_t end = first;
    while (f_.insts[end].op == kPhi)
        ++end;
    const auto is_phi_here = [&](ValueId v) {
        return v >= f_.insts[first].def && end > first && v <= f_.insts[end - 1].def;
    };
    // Loads come first where a register is wanted, or where this edge overwrites the loaded word.
    for (uint32_t i = first; i < end; ++i) {
        Operand& input = f_.pool[f_.insts[i].staging + edge];
        const bool to_memory = is_spilled(f_.insts[i].def);
        if (!is_spilled(input) || (to_memory && input.value == f_.insts[i].def))
            continue;
        if (!to_memory)
            input = load(input.value);
        else if (is_phi_here(input.value))
            late.push_back({load(input.value), slot_of_[f_.insts[i].def]});
    }
    for (uint32_t i = first; i < end; ++i) {
        const Operand input = f_.pool[f_.insts[i].staging + edge];
        const ValueId phi = f_.insts[i].def;
        if (!is_spilled(phi) || (is_spilled(input) && is_phi_here(input.value)))
            continue;
        store(is_spilled(input) ? load(input.value) : input, slot_of_[phi]);
    }
    for (const Late& l : late)
        store(l.value, l.slot);
}

void Spiller::copy_inst(Inst inst) {
    line_ = inst.line;
    if (inst.op == kPhi) {
        if (!is_spilled(inst.def))
            out_.push_back(inst);
        return;
    }
    replace_operands(inst);
    out_.push_back(inst);
    for (uint32_t k = 0; k < inst.def_count; ++k) {
        if (is_spilled(inst.def + k))
            store(value_operand(inst.def + k), slot_of_[inst.def + k]);
    }
}

void Spiller::rewrite() {
    out_ = f_.take_spare();
    for (const Block& block : f_.blocks)
        original_first_.push_back(block.first);
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        const Block old = f_.blocks[id];
        f_.blocks[id].first = static_cast<uint32_t>(out_.size());
        for (uint32_t i = old.first; i < old.end; ++i) {
            if (f_.insts[i].op == kJump)
                phi_edge(id);
            copy_inst(f_.insts[i]);
        }
        f_.blocks[id].end = static_cast<uint32_t>(out_.size());
    }
    f_.replace_insts(std::move(out_));
}

}  // namespace

bool spill(Function& function, const std::vector<uint8_t>& spilled, std::vector<uint8_t>& never) {
    return Spiller(function, spilled, never).run();
}

}  // namespace valkyr::valhall::ir

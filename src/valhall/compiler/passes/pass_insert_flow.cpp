// Pass insert_flow: inserts branches, message slots, waits, reconvergence and ends.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/isa-notes.md. A flow value acts after its instruction, so the wait for an
// instruction's operands stands on the instruction before it. All slots are drained before control
// flow meets or splits.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/registers/constant_table.hpp"

#include <array>

namespace valkyr::valhall::ir {
namespace {

constexpr unsigned kMessageSlots = 3;
constexpr unsigned kAllMessageSlots = (1U << kMessageSlots) - 1;
/// Messages that share a slot at most: more would wait for the last of them too long.
constexpr unsigned kMaxShared = 4;

class FlowInserter {
public:
    explicit FlowInserter(Function& f)
        : f_(f) {}

    void run();

private:
    struct SlotState {
        uint64_t writes = 0;    ///< registers that a message will write
        bool varyings = false;  ///< has LD_VARs, which share one saved position (R4)
    };
    /// A memory access whose message is still on its way.
    struct Access {
        unsigned slot = 0;
        bool store = false;
        MemoryAccess space = MemoryAccess::none;  ///< records and thread-local storage are apart
        Operand base;
        bool base_changed = false;
        int32_t first = 0;  ///< bytes [first, end); end 0 = unknown
        int32_t end = 0;
    };
    /// The interpolation position that is saved: of the last LD_VAR with update mode `store`.
    struct Position {
        bool valid = false;
        uint8_t sample = 0;
        Operand source;
    };

    [[nodiscard]] BlockId thread(BlockId block) const;
    [[nodiscard]] bool is_empty(BlockId block) const;
    void find_targets();

    void emit_block(BlockId id, BlockId next);
    void emit(const Inst& inst);
    void emit_message(Inst inst);
    void note_written(uint64_t registers);
    void emit_branch(const Inst& branch, BlockId yes, BlockId no, BlockId next);
    void emit_branch_to(BlockId to, bool equal_zero, Operand condition, uint32_t line);
    void emit_jump(BlockId to, uint32_t line);
    void go_to(BlockId to, uint32_t line, BlockId next);
    void wait_for(unsigned slots);
    void forget(unsigned slots);
    [[nodiscard]] static Access access_of(const Inst& inst);
    [[nodiscard]] static bool conflict(const Access& a, const Access& b);
    void wait_before(Flow flow);
    void drain();
    void set_end();
    void nop(Flow flow);
    [[nodiscard]] unsigned needed_slots(const Inst& inst) const;
    void choose_update(Inst& inst);
    unsigned choose_slot(const Inst& inst);
    void send(Inst& inst);
    bool at_block_start() const { return out_.size() == block_first_; }

    Function& f_;
    std::vector<Inst> out_;
    std::vector<uint8_t> is_target_;  ///< by block: a branch leads here
    std::vector<uint8_t> used_;       ///< by block: reachable
    std::array<SlotState, kMessageSlots> slots_{};
    std::vector<Access> accesses_;
    Position position_;
    unsigned next_slot_ = kMessageSlots - 1;
    unsigned shared_ = 0;  ///< consecutive messages that got next_slot_
    size_t block_first_ = 0;
    uint32_t line_ = 0;
};

/// Registers of an operand, as a mask.
uint64_t register_mask(const Operand& operand, bool pair) {
    if (operand.kind != OperandKind::Register)
        return 0;
    return (pair ? uint64_t{3} : uint64_t{1}) << operand.value;
}

uint64_t run_registers(unsigned base, unsigned count) {
    return ((uint64_t{1} << count) - 1) << base;
}

uint64_t read_registers(const Function& f, const Inst& inst) {
    uint64_t mask = 0;
    if (inst.op == kDouble)
        for (const Operand& word : f.staging(inst))
            mask |= register_mask(word, false);
    for (unsigned i = 0; i < inst.src_count; ++i) {
        const bool pair = (traits(inst.op).wide_sources >> i & 1) != 0 &&
                          inst.src[i].selector == kDefaultSelector;
        mask |= register_mask(inst.src[i], pair);
    }
    if (reads_run(inst))
        mask |= run_registers(inst.staging_base, inst.staging_count);
    return mask;
}

uint64_t written_registers(const Inst& inst) {
    const uint64_t scratch = inst.op == kDouble ? inst.word : 0;
    return scratch | (inst.def_count == 0 ? 0 : run_registers(inst.def, inst.def_count));
}

bool has_any(const Inst& inst, Effects effects) {
    return traits(inst.op).effects.any(effects);
}

/// Whether the order of two such instructions matters where they may access one place.
bool touches_memory(const Inst& inst) {
    return has_any(inst, kReadsMemory | kWritesMemory);
}

bool has_slot(Op op) {
    return mod_field(op, Mod::slot).size != 0;
}

/// Whether a block has only a jump. Jumps back to a loop's head count as contents: lanes that
/// branched there on their own would run ahead of lanes still in the loop, and not meet them again.
bool FlowInserter::is_empty(BlockId block) const {
    const Block& b = f_.blocks[block];
    return b.end - b.first == 1 && f_.insts[b.first].op == kJump && b.succ[0] > block;
}

/// The block where a branch to `block` ends up: blocks with only a jump are left out.
BlockId FlowInserter::thread(BlockId block) const {
    for (unsigned steps = 0; steps < f_.blocks.size() && is_empty(block); ++steps)
        block = f_.blocks[block].succ[0];
    return block;
}

void FlowInserter::find_targets() {
    used_.assign(f_.blocks.size(), 0);
    is_target_.assign(f_.blocks.size(), 0);
    used_[0] = 1;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        if (id != 0 && is_empty(id))
            continue;
        for (const BlockId succ : f_.blocks[id].succ) {
            if (succ != kNone)
                used_[thread(succ)] = 1;
        }
    }
}

void FlowInserter::run() {
    find_targets();
    out_ = f_.take_spare();
    std::vector<Block> blocks = f_.blocks;
    std::vector<BlockId> layout;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        if (used_[id] != 0)
            layout.push_back(id);
        else
            blocks[id].first = blocks[id].end = 0;
    }
    for (size_t i = 0; i < layout.size(); ++i) {
        block_first_ = out_.size();
        emit_block(layout[i], i + 1 < layout.size() ? layout[i + 1] : kNone);
        blocks[layout[i]].first = static_cast<uint32_t>(block_first_);
        blocks[layout[i]].end = static_cast<uint32_t>(out_.size());
    }
    f_.replace_insts(std::move(out_));
    f_.blocks.swap(blocks);
    // Branches name blocks so far; now they name the first instruction of the block.
    for (Inst& inst : f_.insts) {
        if (inst.op == Op::BRANCHZ)
            inst.imm[0] = static_cast<int32_t>(f_.blocks[static_cast<uint32_t>(inst.imm[0])].first);
    }
}

void FlowInserter::nop(Flow flow) {
    Inst& inst = out_.emplace_back();
    inst.op = Op::NOP;
    inst.word = base_word(Op::NOP);
    inst.line = line_;
    inst.flow = flow;
}

/// The messages of these slots have arrived.
void FlowInserter::forget(unsigned slots) {
    for (unsigned s = 0; s < kMessageSlots; ++s) {
        if ((slots >> s & 1) != 0)
            slots_[s] = {};
    }
    std::erase_if(accesses_, [&](const Access& access) { return (slots >> access.slot & 1) != 0; });
}

FlowInserter::Access FlowInserter::access_of(const Inst& inst) {
    Access access;
    access.store = has_any(inst, kWritesMemory);
    access.base = inst.src[0];
    access.base.flags = 0;
    if (mod_field(inst.op, Mod::memory_access).size == 0 || has_any(inst, Effect::image_store))
        return access;
    access.space = get_mod_as<MemoryAccess>(inst, Mod::memory_access);
    if (access.space == MemoryAccess::istream)
        access.space = MemoryAccess::estream;
    access.first = inst.imm[0];
    access.end = inst.imm[0] + op_info(inst.op).type_size / 8;
    return access;
}

/// R3: two accesses that are not provably apart, one of them a store.
bool FlowInserter::conflict(const Access& a, const Access& b) {
    if ((!a.store && !b.store) || a.space != b.space)
        return false;
    const bool comparable = !a.base_changed && a.base == b.base && a.end != 0 && b.end != 0;
    return !comparable || (a.first < b.end && b.first < a.end);
}

/// Puts a wait for the slots of the mask before the next instruction.
void FlowInserter::wait_for(unsigned slots) {
    if (slots == 0)
        return;
    forget(slots);
    if (at_block_start()) {
        nop(static_cast<Flow>(slots));
        return;
    }
    const auto now = static_cast<unsigned>(out_.back().flow);
    if (now <= static_cast<unsigned>(Flow::wait012))
        out_.back().flow = static_cast<Flow>(now | slots);
    else if (out_.back().flow != Flow::wait && out_.back().flow != Flow::wait0126)
        nop(static_cast<Flow>(slots));
}

/// Puts exactly this wait (wait0126 or wait) before the next instruction.
void FlowInserter::wait_before(Flow flow) {
    forget(kAllMessageSlots);
    if (!at_block_start() &&
        static_cast<unsigned>(out_.back().flow) <= static_cast<unsigned>(Flow::wait012))
        out_.back().flow = flow;
    else if (at_block_start() || out_.back().flow != flow)
        nop(flow);
}

void FlowInserter::drain() {
    unsigned slots = 0;
    for (unsigned s = 0; s < kMessageSlots; ++s)
        slots |= slots_[s].writes != 0 ? 1U << s : 0;
    for (const Access& access : accesses_)
        slots |= 1U << access.slot;
    wait_for(slots);
}

unsigned FlowInserter::needed_slots(const Inst& inst) const {
    if ((slots_[0].writes | slots_[1].writes | slots_[2].writes) == 0 && accesses_.empty())
        return 0;
    const uint64_t touched = read_registers(f_, inst) | written_registers(inst);
    unsigned slots = 0;
    for (unsigned s = 0; s < kMessageSlots; ++s) {
        if ((slots_[s].writes & touched) != 0)
            slots |= 1U << s;
    }
    if (!touches_memory(inst))
        return slots;
    const Access own = access_of(inst);
    for (const Access& access : accesses_) {
        if (conflict(access, own))
            slots |= 1U << access.slot;
    }
    return slots;
}

/// LD_VAR*: a repeat of the saved position retrieves it; another position waits for its users.
void FlowInserter::choose_update(Inst& inst) {
    const bool special = inst.op == Op::LD_VAR_SPECIAL;
    const uint8_t sample = get_mod(inst, Mod::sample);
    const auto same_source = [&](const Operand& a, const Operand& b) {
        return a.kind == b.kind && a.value == b.value;
    };
    if (!special && position_.valid && position_.sample == sample &&
        same_source(position_.source, inst.src[0])) {
        set_mod(inst, Mod::update, UpdateMode::retrieve);
        return;
    }
    unsigned slots = 0;
    for (unsigned s = 0; s < kMessageSlots; ++s)
        slots |= slots_[s].varyings ? 1U << s : 0;
    wait_for(slots);
    position_ = {!special, sample, inst.src[0]};
}

/// Slots take turns; messages of one unit that follow each other directly arrive together and share
/// a slot, so that one wait is enough for them.
unsigned FlowInserter::choose_slot(const Inst& inst) {
    const bool follows = !at_block_start() && out_.back().flow == Flow::none &&
                         traits(out_.back().op).unit == traits(inst.op).unit &&
                         has_slot(out_.back().op) && shared_ < kMaxShared;
    if (!follows) {
        shared_ = 0;
        ++next_slot_;
    }
    ++shared_;
    return next_slot_ % kMessageSlots;
}

/// Gives a message a slot and notes what it leaves pending.
void FlowInserter::send(Inst& inst) {
    unsigned slot = 0;
    if (has_any(inst, Effect::barrier)) {
        set_mod(inst, Mod::slot, Slot::slot7);
        return;
    }
    if (has_slot(inst.op)) {
        // Coverage and blend messages follow a wait for all slots, so slot 0 is free.
        if (!has_any(inst, Effect::coverage | Effect::blend))
            slot = choose_slot(inst);
        set_mod(inst, Mod::slot, slot);
    } else if (is_pseudo(inst.op)) {
        return;
    }
    SlotState& state = slots_[slot];
    state.writes |= written_registers(inst);
    if (touches_memory(inst)) {
        accesses_.push_back(access_of(inst));
        accesses_.back().slot = slot;
    }
    state.varyings = state.varyings || has_any(inst, Effect::varying);
}

void FlowInserter::emit(const Inst& inst) {
    line_ = inst.line;
    const bool computes = traits(inst.op).alu || inst.op == kDouble;
    if (!computes || has_slot(inst.op)) {
        emit_message(inst);
        return;
    }
    if (inst.op == kDouble && f_.find_template(double_op(inst)).loops) {
        // In the words this is the end of a block.
        drain();
        position_.valid = false;
    } else {
        wait_for(needed_slots(inst));
    }
    note_written(written_registers(inst));
    out_.push_back(inst);
}

/// The registers get other values: places that were known by them become unknown.
void FlowInserter::note_written(uint64_t registers) {
    if (position_.valid && (registers & register_mask(position_.source, false)) != 0)
        position_.valid = false;
    for (Access& access : accesses_)
        access.base_changed =
            access.base_changed || (registers & register_mask(access.base, true)) != 0;
}

void FlowInserter::emit_message(Inst inst) {
    if (has_any(inst, Effect::coverage))
        wait_before(Flow::wait0126);
    else if (has_any(inst, kTouchesTile))
        wait_before(Flow::wait);
    else if (has_any(inst, Effect::barrier))
        drain();
    else
        wait_for(needed_slots(inst));
    if (has_any(inst, Effect::varying))
        choose_update(inst);
    note_written(written_registers(inst));
    send(inst);
    out_.push_back(inst);
    if (has_any(inst, Effect::barrier))
        out_.back().flow = Flow::wait;
}

void FlowInserter::emit_branch_to(BlockId to, bool equal_zero, Operand condition, uint32_t line) {
    Inst& inst = out_.emplace_back();
    const Spec spec = Spec(Op::BRANCHZ).with(Mod::eq, equal_zero);
    inst.op = spec.op;
    inst.word = spec.word;
    inst.line = line;
    inst.src[0] = condition;
    inst.src_count = 1;
    inst.imm[0] = static_cast<int32_t>(to);
    inst.flow = Flow::reconverge;
}

void FlowInserter::emit_jump(BlockId to, uint32_t line) {
    Operand zero = literal(0);
    use_table(Op::BRANCHZ, 0, zero);
    emit_branch_to(to, true, zero, line);
}

/// Jumps, or falls through together with the lanes that wait at the next block.
void FlowInserter::go_to(BlockId to, uint32_t line, BlockId next) {
    if (to != next)
        emit_jump(to, line);
    else if (!at_block_start() && out_.back().flow == Flow::none)
        out_.back().flow = Flow::reconverge;
    else
        nop(Flow::reconverge);
}

/// Branches to `yes` and `no`; the one that is the next block is reached by falling through.
void FlowInserter::emit_branch(const Inst& branch, BlockId yes, BlockId no, BlockId next) {
    Operand condition = branch.src[0];
    condition.selector = static_cast<uint8_t>(Combine::h0);
    if (yes == no) {
        go_to(yes, branch.line, next);
        return;
    }
    if (no == next) {
        emit_branch_to(yes, false, condition, branch.line);
        return;
    }
    emit_branch_to(no, true, condition, branch.line);
    if (yes != next)
        emit_jump(yes, branch.line);
}

void FlowInserter::set_end() {
    if (!at_block_start()) {
        Inst& last = out_.back();
        if (last.op == Op::BRANCHZI)
            return;  // the epilogue of a BLEND that ends
        const bool plain =
            f_.info.stage != exec::Stage::Compute || traits(last.op).alu || last.op == kDouble;
        if (last.flow == Flow::none && plain) {
            last.flow = Flow::end;
            return;
        }
    }
    nop(Flow::end);
}

void FlowInserter::emit_block(BlockId id, BlockId next) {
    const Block& block = f_.blocks[id];
    forget(kAllMessageSlots);
    position_.valid = false;
    for (uint32_t i = block.first; i < block.end && !f_.cancellation.requested(); ++i) {
        const Inst& inst = f_.insts[i];
        if (!is_terminator(inst.op)) {
            emit(inst);
            continue;
        }
        line_ = inst.line;
        if (inst.op == kEnd) {
            // The caller reads registers where a compute program ends: no message may be pending.
            if (f_.info.stage == exec::Stage::Compute)
                drain();
            set_end();
            return;
        }
        wait_for(inst.op == kBranch ? needed_slots(inst) : 0);
        drain();
        if (inst.op == kBranch) {
            emit_branch(inst, thread(block.succ[0]), thread(block.succ[1]), next);
            continue;
        }
        go_to(thread(block.succ[0]), inst.line, next);
    }
}

}  // namespace

void insert_flow(Function& function) {
    FlowInserter(function).run();
}

}  // namespace valkyr::valhall::ir

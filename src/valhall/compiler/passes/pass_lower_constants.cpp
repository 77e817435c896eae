// Pass lower_constants: turns literals and uniforms into operands that the machine can name.
// SPDX-License-Identifier: MIT
//
// In order of preference: an entry of the immediate table (with a selector and a sign, where the
// slot has them), a FAU word, a register set by MOV, IADD_IMM or LD_BUFFER before the instruction.
// Words that one instruction reads together get one 64-bit slot if none of them has a place yet.
#include "valhall/compiler/ir/flat_map.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/compiler/registers/constant_table.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <array>

namespace valkyr::valhall::ir {
namespace {

/// FAU words that the compiler uses: u0..u127.
constexpr uint32_t kFauWords = 128;
/// Weight of a use per loop around it.
constexpr uint32_t kLoopWeight = 8;

/// A word that operands ask for, before it has a place.
struct Wanted {
    FauWord word;
    uint32_t weight = 0;
    uint32_t partner = kNone;  ///< shares the 64-bit slot
    bool is_low = true;        ///< of a pair
    bool hard = false;         ///< must be placed, and next to its partner if it has one
    uint32_t place = kNone;    ///< FAU word
};

class ConstantLowering {
public:
    explicit ConstantLowering(Function& f)
        : f_(f) {}

    Result<void> run() {
        collect();
        if (!place())
            return Error{Errc::OutOfRange, {}, "too many driver values for the uniform words"};
        rewrite();
        return {};
    }

private:
    uint32_t want(const FauWord& word);
    void want_operand(Operand& operand, uint32_t weight);
    void want_member(Operand& member, uint32_t weight);
    void want_pair(Operand& operand, uint32_t weight);
    void collect();
    void collect_inst(Inst& inst, uint32_t weight);
    void couple(const Inst& inst);
    bool place();
    void place_group(uint32_t id, std::vector<uint32_t>& singles);

    void rewrite();
    void rewrite_inst(Inst& inst);
    void place_phi_operands(BlockId from);
    void place_operand(Operand& operand);
    void legalize(Inst& inst);
    Operand to_register(Operand operand);
    Operand to_register_pair(Operand operand);
    Operand word_in_register(Operand operand);
    Operand load_word(const FauWord& word);
    Operand append(const Spec& spec, Operand source, int32_t imm);
    [[nodiscard]] uint32_t loop_depth(uint32_t loop) const;

    Function& f_;
    std::vector<Wanted> wanted_;
    FlatMap ids_;
    std::vector<FauWord> layout_;
    std::vector<Inst> added_;               ///< for the place in front of the current instruction
    std::vector<uint32_t> original_first_;  ///< of each block, before instructions were added
    /// Registers made in the current block: by FAU word, by special, by literal, ...
    FlatMap made_;
    uint32_t line_ = 0;
};

/// Sources that are neither registers nor pairs of them.
unsigned fau_sources(const Inst& inst) {
    unsigned count = 0;
    for (const Operand& source : inst.sources())
        count += source.kind != OperandKind::Value && source.kind != OperandKind::Pair ? 1 : 0;
    return count;
}

uint64_t key_of(const FauWord& word) {
    return uint64_t{static_cast<uint8_t>(word.kind)} << 40 | uint64_t{word.buffer} << 32 |
           word.value;
}

uint32_t ConstantLowering::want(const FauWord& word) {
    uint32_t& id = ids_.find_or_insert(key_of(word), kNone);
    if (id == kNone) {
        id = static_cast<uint32_t>(wanted_.size());
        const bool hard = word.kind == FauKind::Driver || word.kind == FauKind::Prologue;
        wanted_.push_back({word, 0, kNone, true, hard, kNone});
    }
    return id;
}

/// Makes `operand` an index into wanted_ if it is a uniform or a literal.
void ConstantLowering::want_operand(Operand& operand, uint32_t weight) {
    if (operand.kind == OperandKind::Uniform)
        operand.value = want(f_.uniforms[operand.value]);
    else if (operand.kind == OperandKind::Literal)
        operand.value = want({FauKind::Immediate, 0, operand.value});
    else
        return;
    operand.kind = OperandKind::Uniform;
    wanted_[operand.value].weight += weight;
}

/// Moves fill runs, mixed pairs and phis: their literals need no FAU word.
void ConstantLowering::want_member(Operand& member, uint32_t weight) {
    if (member.kind == OperandKind::Uniform)
        want_operand(member, weight);
    else if (member.kind == OperandKind::Literal)
        use_table(Op::MOV_I32, 0, member);
}

/// A pair of constants takes one slot of its own and becomes a 64-bit uniform.
void ConstantLowering::want_pair(Operand& operand, uint32_t weight) {
    const std::span<Operand> members = f_.pair(operand);
    const auto word_of = [&](const Operand& member) {
        return member.kind == OperandKind::Uniform ? f_.uniforms[member.value]
                                                   : FauWord{FauKind::Immediate, 0, member.value};
    };
    const auto is_constant = [](const Operand& member) {
        return member.kind == OperandKind::Uniform || member.kind == OperandKind::Literal;
    };
    if (!is_constant(members[0]) || !is_constant(members[1])) {
        for (Operand& member : members)
            want_member(member, weight);
        return;
    }
    // The table is zero-extended where 64 bits are read.
    Operand small = members[0];
    if (members[1].is_literal(0) && small.kind == OperandKind::Literal &&
        use_table(Op::MOV_I32, 0, small)) {
        operand = small;
        return;
    }
    const FauWord low = word_of(members[0]);
    const FauWord high = word_of(members[1]);
    const uint64_t key = (key_of(low) * 31 + key_of(high)) | uint64_t{1} << 63;
    uint32_t& id = ids_.find_or_insert(key, kNone);
    if (id == kNone) {
        id = static_cast<uint32_t>(wanted_.size());
        wanted_.push_back({low, 0, id + 1, true, true, kNone});
        wanted_.push_back({high, 0, id, false, true, kNone});
    }
    wanted_[id].weight += weight;
    operand.kind = OperandKind::Uniform;
    operand.value = id;
}

uint32_t ConstantLowering::loop_depth(uint32_t loop) const {
    uint32_t depth = 0;
    for (; loop != kNone; loop = f_.loops[loop].parent)
        ++depth;
    return depth;
}

void ConstantLowering::collect() {
    for (const Block& block : f_.blocks) {
        uint32_t weight = 1;
        for (uint32_t d = std::min(loop_depth(block.loop), 4U); d > 0; --d)
            weight *= kLoopWeight;
        for (uint32_t i = block.first; i < block.end; ++i)
            collect_inst(f_.insts[i], weight);
    }
}

void ConstantLowering::collect_inst(Inst& inst, uint32_t weight) {
    bool any = false;
    for (unsigned i = 0; i < inst.src_count; ++i) {
        Operand& source = inst.src[i];
        if (source.is_value())
            continue;
        any = true;
        if (source.kind == OperandKind::Pair)
            want_pair(source, weight);
        else if (source.kind != OperandKind::Literal || inst.op == kBranch ||
                 !use_table(inst.op, i, source))
            want_operand(source, weight);
    }
    for (Operand& member : f_.staging(inst))
        want_member(member, weight);
    if (any)
        couple(inst);
}

/// Gives two words of one instruction one slot, if both have no place yet.
void ConstantLowering::couple(const Inst& inst) {
    uint32_t first = kNone;
    for (const Operand& source : inst.sources()) {
        if (source.kind != OperandKind::Uniform || source.value == first)
            continue;
        if (first == kNone) {
            first = source.value;
            continue;
        }
        Wanted& a = wanted_[first];
        Wanted& b = wanted_[source.value];
        if (a.partner == kNone && b.partner == kNone) {
            a.partner = source.value;
            b.partner = first;
            b.is_low = false;
        }
        return;
    }
}

bool ConstantLowering::place() {
    std::vector<uint32_t> order(wanted_.size());
    for (uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    if (wanted_.size() > kFauWords) {
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            if (wanted_[a].hard != wanted_[b].hard)
                return wanted_[a].hard;
            return wanted_[a].weight > wanted_[b].weight;
        });
    }
    std::vector<uint32_t> singles;
    for (const uint32_t id : order)
        place_group(id, singles);
    for (const uint32_t id : singles) {
        if (layout_.size() >= kFauWords)
            break;
        wanted_[id].place = static_cast<uint32_t>(layout_.size());
        layout_.push_back(wanted_[id].word);
    }
    if (layout_.size() % 2 != 0)
        layout_.push_back({});
    for (const Wanted& wanted : wanted_) {
        if (wanted.hard && wanted.place == kNone)
            return false;
    }
    return true;
}

/// Places the pair of `id`; a word without a partner is noted for later.
void ConstantLowering::place_group(uint32_t id, std::vector<uint32_t>& singles) {
    Wanted& wanted = wanted_[id];
    if (wanted.place != kNone)
        return;
    if (wanted.partner == kNone || layout_.size() + singles.size() + 2 > kFauWords) {
        if (!wanted.hard || wanted.partner == kNone) {
            singles.push_back(id);
            return;
        }
    }
    if (layout_.size() + 2 > kFauWords)
        return;
    Wanted& partner = wanted_[wanted.partner];
    const auto base = static_cast<uint32_t>(layout_.size());
    (wanted.is_low ? wanted : partner).place = base;
    (wanted.is_low ? partner : wanted).place = base + 1;
    layout_.push_back((wanted.is_low ? wanted : partner).word);
    layout_.push_back((wanted.is_low ? partner : wanted).word);
}

/// Rewrites in place up to the first instruction that needs others in front of it, then copies.
void ConstantLowering::rewrite() {
    std::vector<Inst> out;
    bool moved = false;
    original_first_.reserve(f_.blocks.size());
    for (const Block& block : f_.blocks)
        original_first_.push_back(block.first);
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        Block& block = f_.blocks[id];
        const uint32_t first = moved ? static_cast<uint32_t>(out.size()) : block.first;
        made_.clear();
        for (uint32_t i = block.first; i < block.end; ++i) {
            if (f_.insts[i].op == kJump)
                place_phi_operands(id);
            rewrite_inst(f_.insts[i]);
            if (!added_.empty() && !moved) {
                moved = true;
                out = f_.take_spare();
                out.assign(f_.insts.begin(), f_.insts.begin() + i);
            }
            if (!moved)
                continue;
            out.insert(out.end(), added_.begin(), added_.end());
            out.push_back(f_.insts[i]);
            added_.clear();
        }
        block.first = first;
        block.end = moved ? static_cast<uint32_t>(out.size()) : block.end;
    }
    if (moved)
        f_.replace_insts(std::move(out));
    f_.uniforms.swap(layout_);
}

void ConstantLowering::rewrite_inst(Inst& inst) {
    line_ = inst.line;
    if (inst.staging_count == 0 && std::ranges::all_of(inst.sources(), &Operand::is_value))
        return;
    if (inst.op != kPhi)
        for_each_operand(f_, inst, [&](Operand& operand) { place_operand(operand); });
    if (inst.op == kBranch && !inst.src[0].is_value())
        inst.src[0] = to_register(inst.src[0]);
    if (inst.op == kDouble)
        for (Operand& word : f_.staging(inst))
            word = word_in_register(word);
    if (!is_pseudo(inst.op) && fau_sources(inst) > 1)
        legalize(inst);
}

/// Makes phi operands where their edge starts.
void ConstantLowering::place_phi_operands(BlockId from) {
    const BlockId to = f_.blocks[from].succ[0];
    if (to == kNone || f_.blocks[from].succ[1] != kNone)
        return;
    const std::span<const BlockId> preds = f_.preds_of(f_.blocks[to]);
    const auto edge = static_cast<size_t>(std::ranges::find(preds, from) - preds.begin());
    for (uint32_t i = original_first_[to]; f_.insts[i].op == kPhi; ++i)
        place_operand(f_.pool[f_.insts[i].staging + edge]);
}

/// Turns an index into wanted_ into a FAU word; words without a place are made in a register, or
/// stay literals for instructions that need no operand for them.
void ConstantLowering::place_operand(Operand& operand) {
    if (operand.kind != OperandKind::Uniform)
        return;
    const Wanted& wanted = wanted_[operand.value];
    if (wanted.place != kNone) {
        operand.value = wanted.place;
        return;
    }
    const Operand value = load_word(wanted.word);
    operand.kind = value.kind;
    operand.value = value.value;
}

Operand ConstantLowering::append(const Spec& spec, Operand source, int32_t imm) {
    Inst inst;
    inst.op = spec.op;
    inst.word = spec.word;
    inst.line = line_;
    inst.src[0] = source;
    inst.src_count = 1;
    inst.imm[0] = imm;
    inst.def = f_.value_count++;
    inst.def_count = 1;
    added_.push_back(inst);
    return value_operand(inst.def);
}

/// Loads a word without a FAU place into a register; once a block.
Operand ConstantLowering::load_word(const FauWord& word) {
    uint32_t& made = made_.find_or_insert(key_of(word), kNone);
    if (made != kNone)
        return value_operand(made);
    Operand zero = literal(0);
    use_table(Op::MOV_I32, 0, zero);
    if (word.kind == FauKind::Immediate) {
        const Operand value =
            append(Spec(Op::IADD_IMM_I32), zero, static_cast<int32_t>(word.value));
        made_.find_or_insert(key_of(word), kNone) = value.value;
        return value;
    }
    const Operand offset =
        append(Spec(Op::IADD_IMM_I32), zero, static_cast<int32_t>(word.value * 4));
    Operand buffer = literal(word.buffer);
    if (!use_table(Op::MOV_I32, 0, buffer))
        buffer = append(Spec(Op::IADD_IMM_I32), zero, word.buffer);
    const Operand value = append(Spec(Op::LD_BUFFER_I32).with(Mod::unsigned_, 1), offset, 0);
    added_.back().src[1] = buffer;
    added_.back().src_count = 2;
    f_.info.constant_buffers_read |= 1U << word.buffer;
    made_.find_or_insert(key_of(word), kNone) = value.value;
    return value;
}

Operand ConstantLowering::to_register(Operand operand) {
    const uint64_t key = uint64_t{1} << 62 | uint64_t{static_cast<uint8_t>(operand.kind)} << 40 |
                         uint64_t{operand.word} << 32 | operand.value;
    uint32_t& made = made_.find_or_insert(key, kNone);
    Operand plain = operand;
    plain.flags = 0;
    plain.selector = kDefaultSelector;
    if (made == kNone)
        made = append(Spec(Op::MOV_I32), plain, 0).value;
    operand.kind = OperandKind::Value;
    operand.value = made;
    operand.word = 0;
    return operand;
}

/// to_register() for a 64-bit operand.
Operand ConstantLowering::to_register_pair(Operand operand) {
    Operand high = operand;
    if (operand.kind == OperandKind::Uniform)
        ++high.value;
    else if (operand.kind == OperandKind::Special)
        high.word = 1;
    else
        high = {0, OperandKind::Constant, 0, kDefaultSelector, 0};  // entry 0 of the table is 0
    const auto first = static_cast<uint32_t>(f_.pool.size());
    const Operand low_value = to_register(operand);
    const Operand high_value = to_register(high);
    f_.pool.push_back(low_value);
    f_.pool.push_back(high_value);
    return {first, OperandKind::Pair, 0, kDefaultSelector, 0};
}

/// An operation on doubles reads registers only.
Operand ConstantLowering::word_in_register(Operand operand) {
    if (operand.is_value())
        return operand;
    return operand.kind == OperandKind::Literal ? load_word({FauKind::Immediate, 0, operand.value})
                                                : to_register(operand);
}

/// FAU limits of one instruction: two words in all, one 64-bit slot of uniforms and specials (two
/// for messages), one page. Words beyond the limits go through registers.
void ConstantLowering::legalize(Inst& inst) {
    struct Used {
        OperandKind kind;
        uint32_t value;
        uint8_t word;
    };
    std::array<Used, 2> used{};
    unsigned used_count = 0;
    std::array<uint32_t, 2> slots{};
    unsigned slot_count = 0;
    uint32_t page = kNone;
    const unsigned slot_limit = traits(inst.op).alu ? kFauAluSlots : kFauMessageSlots;
    const auto fits = [&](const Operand& operand, bool wide) {
        for (unsigned i = 0; i < used_count; ++i) {
            if (used[i].kind == operand.kind && used[i].value == operand.value &&
                used[i].word == operand.word)
                return true;
        }
        if (used_count + (wide ? 2 : 1) > used.size())
            return false;
        if (operand.kind != OperandKind::Constant) {
            const bool is_special = operand.kind == OperandKind::Special;
            const uint32_t slot = is_special ? 0x1000 + operand.value : operand.value / 2;
            const uint32_t own_page =
                is_special ? operand.value / 16 : operand.value / kUniformsPerPage;
            const bool known =
                (slot_count > 0 && slots[0] == slot) || (slot_count > 1 && slots[1] == slot);
            if ((page != kNone && page != own_page) || (!known && slot_count == slot_limit))
                return false;
            page = own_page;
            if (!known)
                slots[slot_count++] = slot;
        }
        used_count += wide ? 2 : 1;
        used[used_count - 1] = {operand.kind, operand.value, operand.word};
        return true;
    };
    // Specials first, because their places are fixed; then constants, then uniforms.
    for (const OperandKind kind :
         {OperandKind::Special, OperandKind::Constant, OperandKind::Uniform}) {
        for (unsigned i = 0; i < inst.src_count; ++i) {
            Operand& source = inst.src[i];
            if (source.kind != kind)
                continue;
            const SourceInfo& info = source_info(inst.op, i);
            const bool wide = info.size == 64 && source.selector == kDefaultSelector;
            if (!fits(source, wide && kind != OperandKind::Constant))
                source = wide ? to_register_pair(source) : to_register(source);
        }
    }
}

}  // namespace

Result<void> lower_constants(Function& function) {
    return ConstantLowering(function).run();
}

}  // namespace valkyr::valhall::ir

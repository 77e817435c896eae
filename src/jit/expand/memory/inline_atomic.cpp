// Inline atomics: ATOM, ATOM_RETURN and ATOM1_RETURN of 32 bits as host code.
// SPDX-License-Identifier: MIT
//
// If all lanes name one word, their operands are combined first, in lane order, and the word
// changes once. If all lanes run and their words are an aligned block in any memory, as those of
// the pixels of a warp in an image, the host combines four words at once. Otherwise lanes go one
// after the other. Shared memory belongs to one work-group, which one thread runs: if all lanes
// name words of it, they need no atomic instructions of the host. All this is decided at run time.
#include "jit/expand/memory/inline_atomic.hpp"

#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/dense_rows.hpp"
#include "jit/expand/memory/lane_addresses.hpp"
#include "jit/expand/memory/noted_row.hpp"

#include <cstddef>
#include <optional>

namespace valkyr::jit {

using valhall::AtomicOperation;
using valhall::AtomicOperationWith1;
using valhall::Mod;
using valhall::Op;

namespace {

/// An atomic of 32 bits.
struct Atomic {
    AtomicOperation operation = AtomicOperation::aadd;
    bool compares = false;             ///< compare and exchange
    std::optional<uint32_t> constant;  ///< the operand of an atomic "with 1"
    std::optional<Reg> operand;        ///< the first register of the operands
    std::optional<Reg> result;         ///< the register of the old words
};

Atomic with_one(AtomicOperationWith1 operation) {
    switch (operation) {
    case AtomicOperationWith1::ainc: return {AtomicOperation::aadd, false, 1U, {}, {}};
    case AtomicOperationWith1::adec: return {AtomicOperation::aadd, false, 0xFFFFFFFF, {}, {}};
    case AtomicOperationWith1::aumax1: return {AtomicOperation::aumax, false, 1U, {}, {}};
    case AtomicOperationWith1::asmax1: return {AtomicOperation::asmax, false, 1U, {}, {}};
    case AtomicOperationWith1::aor1: return {AtomicOperation::aor, false, 1U, {}, {}};
    }
    return {};
}

Atomic atomic_of(const valhall::Instr& instr) {
    if (instr.op == Op::ATOM1_RETURN_I32) {
        Atomic atomic = with_one(instr.get<AtomicOperationWith1>(Mod::atom_opc_1));
        atomic.result = instr.staging[0].base;
        return atomic;
    }
    Atomic atomic;
    atomic.operation = instr.get<AtomicOperation>(Mod::atom_opc);
    if (instr.op == Op::ATOM_I32) {
        atomic.operand = instr.staging[0].base;
        return atomic;
    }
    atomic.compares = instr.mod(Mod::compare) != 0;
    atomic.operand = instr.staging[1].base;
    atomic.result = instr.staging[0].base;
    return atomic;
}

/// Operand k of the part's lanes, in the frame.
Address operands(unsigned k) {
    return VALKYR_FRAME(in).plus(static_cast<int32_t>(k * sizeof(exec::Lanes)));
}

/// Stores the operands of the part's lanes in the frame.
void stage_operands(EmitContext& c, const Atomic& atomic) {
    for (unsigned k = 0; atomic.operand && k < (atomic.compares ? 2U : 1U); ++k) {
        const auto r = register_behind(*atomic.operand, k);
        c.h.store(operands(k), c.regs.use(r, c.part));
    }
}

/// d = the operand of a lane.
void load_operand(EmitContext& c, const Atomic& atomic, Gp d, Gp lane) {
    if (atomic.constant)
        c.h.move(d, uint64_t{*atomic.constant});
    else
        c.h.load32(d, of_lane(operands(0), lane));
}

/// value = the smaller or larger of value and old.
void keep_one(EmitContext& c, Gp value, Gp old, bool is_signed, bool larger) {
    const Label keep = c.h.new_label();
    c.h.compare32(larger ? old : value, larger ? value : old);
    c.h.jump(is_signed ? Jump::Less : Jump::Below, keep);
    c.h.move(value, old);
    c.h.bind(keep);
}

/// value = the new word, from the operand in `value` and the old word.
void combine(EmitContext& c, AtomicOperation operation, Gp value, Gp old) {
    switch (operation) {
    case AtomicOperation::aadd: return c.h.add64(value, old);
    case AtomicOperation::aand: return c.h.and32(value, old);
    case AtomicOperation::aor: return c.h.or32(value, old);
    case AtomicOperation::axor: return c.h.xor32(value, old);
    case AtomicOperation::axchg: return;
    case AtomicOperation::asmin: return keep_one(c, value, old, true, false);
    case AtomicOperation::asmax: return keep_one(c, value, old, true, true);
    case AtomicOperation::aumin: return keep_one(c, value, old, false, false);
    case AtomicOperation::aumax: return keep_one(c, value, old, false, true);
    }
}

void store_result(EmitContext& c, const Atomic& atomic, Gp old, Gp lane) {
    if (atomic.result)
        c.h.store32(of_lane(VALKYR_FRAME(out), lane), old);
}

/// Updates a word that other threads may update at the same time; old = the old word.
/// load(Gp d) emits d = the operand
template <typename Load>
void update_word(EmitContext& c, AtomicOperation operation, Gp old, Address word, Load load) {
    HostAssembler& h = c.h;
    if (operation == AtomicOperation::aadd) {
        load(old);
        h.exchange_add32(old, word);
    } else if (operation == AtomicOperation::axchg) {
        load(old);
        h.exchange32(old, word);
    } else {
        const Scalar value = c.scalar();
        const Label again = h.new_label();
        h.load32(old, word);
        h.bind(again);
        load(Gp(value));
        combine(c, operation, value, old);
        h.compare_exchange32(old, word, value);
        h.jump(Jump::NotEqual, again);
    }
}

/// Updates a lane's word; other threads may update it at the same time.
void update_atomically(EmitContext& c, const Atomic& atomic, Gp lane, Address word) {
    HostAssembler& h = c.h;
    const Scalar old = c.scalar();
    if (atomic.compares) {
        const Scalar value = c.scalar();
        h.load32(value, of_lane(operands(0), lane));
        h.load32(old, of_lane(operands(1), lane));
        h.compare_exchange32(old, word, value);
    } else {
        update_word(c, atomic.operation, old, word,
                    [&](Gp d) { load_operand(c, atomic, d, lane); });
    }
    store_result(c, atomic, old, lane);
}

/// Updates a lane's word of shared memory.
void update_shared(EmitContext& c, const Atomic& atomic, Gp lane, Address word) {
    HostAssembler& h = c.h;
    const Scalar value = c.scalar();
    const Scalar old = c.scalar();
    h.load32(old, word);
    load_operand(c, atomic, value, lane);
    if (atomic.compares) {
        const Label differs = h.new_label();
        h.compare32(old, of_lane(operands(1), lane));
        h.jump(Jump::NotEqual, differs);
        h.store32(word, value);
        h.bind(differs);
    } else {
        combine(c, atomic.operation, value, old);
        h.store32(word, value);
    }
    store_result(c, atomic, old, lane);
}

/// lanes = the lanes among these whose bit is not in the mask.
void drop_lanes(EmitContext& c, Gp lanes, Mask mask) {
    const Scalar bits = c.scalar();
    c.h.mask_bits(bits, mask);
    c.h.and_not32(lanes, bits, lanes);
}

/// Updates words of shared memory. Jumps if a lane names another word.
void update_all_shared(EmitContext& c, const Atomic& atomic, Label otherwise) {
    HostAssembler& h = c.h;
    const auto member = [](size_t offset) {
        return Address{Gp::Call, static_cast<int32_t>(offset)};
    };
    const Address shared = member(offsetof(exec::ComputeCall, shared));
    {
        Scalar others = storing_lanes(c);
        const Temp place = c.scratch();
        const Temp size = c.scratch();
        const TempMask inside = c.scratch_mask();
        // Bytes from the start of shared memory to the word itself.
        h.load(place, low_words());
        h.op(Binary::SubI32, place, place, Operand::broadcast(shared));
        h.op(Binary::AddI32, place, place, c.pool(static_cast<uint32_t>(word_offset(c, 0))));
        h.move(size, Operand::broadcast(member(offsetof(exec::ComputeCall, shared_bytes))));
        h.compare(IntCond::Less, Element::B32, false, inside, place, size);
        {
            const TempMask same = c.scratch_mask();
            h.load(place, high_words());
            h.compare(IntCond::Equal, Element::B32, true, same, place,
                      Operand::broadcast(shared.plus(4)));
            h.mask_and(inside, inside, same);
        }
        drop_lanes(c, others, inside);
        h.test32(others);
        h.jump(Jump::NotEqual, otherwise);
    }
    const Scalar lanes = storing_lanes(c);
    const Scalar window = c.scalar();
    h.load32(window, shared.plus(4));
    h.shift_left64(window, 32);
    each_lane(c, lanes, [&](Gp lane) {
        const Scalar at = c.scalar();
        h.load32(at, of_lane(low_words(), lane));
        h.add64(at, window);
        update_shared(c, atomic, lane, {at, word_offset(c, 0)});
    });
}

/// Updates words at any addresses; address 0 changes nothing.
void update_anywhere(EmitContext& c, const Atomic& atomic) {
    HostAssembler& h = c.h;
    const Scalar lanes = storing_lanes(c);
    {
        const Temp address = c.scratch();
        const Temp high = c.scratch();
        const TempMask none = c.scratch_mask();
        h.load(address, low_words());
        h.load(high, high_words());
        h.op(Binary::Or, address, address, high);
        h.zero(high);
        h.compare(IntCond::Equal, Element::B32, true, none, address, high);
        drop_lanes(c, lanes, none);
    }
    each_address(c, lanes, [&](Gp lane, Address word, int32_t /*stride*/) {
        update_atomically(c, atomic, lane, word);
    });
}

/// The operation on lane vectors; none: the operand replaces the word.
std::optional<Binary> row_operation(AtomicOperation operation) {
    switch (operation) {
    case AtomicOperation::aadd: return Binary::AddI32;
    case AtomicOperation::aand: return Binary::And;
    case AtomicOperation::aor: return Binary::Or;
    case AtomicOperation::axor: return Binary::Xor;
    case AtomicOperation::axchg: break;
    case AtomicOperation::asmin: return Binary::MinS32;
    case AtomicOperation::asmax: return Binary::MaxS32;
    case AtomicOperation::aumin: return Binary::MinU32;
    case AtomicOperation::aumax: return Binary::MaxU32;
    }
    return std::nullopt;
}

/// Whether a message may find all words of a part in a tile of an image.
bool takes_tile(const EmitContext& c) {
    return has_noted_row(c) && c.stage() == exec::Stage::Fragment;
}

/// Updates the words of a block, whose start is in Gp::Argument.
/// places  the numbers of the lanes' words in it: as an order, they are their own inverse
void update_words(EmitContext& c, const Atomic& atomic, Vec places, Vec old) {
    HostAssembler& h = c.h;
    Temp operand = c.scratch();
    const auto constant = atomic.constant ? atomic.constant : c.regs.constant(*atomic.operand);
    if (constant)
        c.move_constant(operand, *constant);
    else
        h.permute(operand, places, c.regs.use(*atomic.operand, c.part));
    h.combine_row(row_operation(atomic.operation), old, operand, VALKYR_FRAME(out));
    if (atomic.result)
        h.permute(old, places, old);
}

/// Updates the words of a tile that LEA_TEX found for all lanes. Jumps if it found none.
void update_tile(EmitContext& c, const Atomic& atomic, Vec old, Label otherwise) {
    {
        const Scalar tile = noted_row(c, otherwise);
        c.h.move(Gp::Argument, tile);
    }
    const Temp places = c.scratch();
    load_noted_order(c, places);
    update_words(c, atomic, places, old);
}

/// Updates the words of lanes that all store, if they are a block (require_block()). Jumps if not.
void update_block(
    EmitContext& c, const Atomic& atomic, const VecPair& address, Vec old, Label otherwise) {
    HostAssembler& h = c.h;
    const uint32_t lanes = h.traits().lanes;
    {
        const Scalar storing = storing_lanes(c);
        const LaneStarts starts = find_starts(c, address, storing, otherwise);
        require_block(c, starts, address.low, otherwise);
        // The block begins at lane 0's address without the bits of the place.
        const Scalar place = c.scalar();
        h.move(place, starts.address);
        h.and32(place, 4 * lanes - 1);
        h.move(Gp::Argument, starts.address);
        h.sub64(Gp::Argument, place);
    }
    const U32 places(c, u32(address.low) >> 2 & (lanes - 1));
    update_words(c, atomic, places, old);
}

/// Whether operands can be combined before the word: old words of other lanes than the first are
/// known only for sums.
bool combines_operands(const Atomic& atomic) {
    return !atomic.compares && atomic.operation != AtomicOperation::axchg &&
           (!atomic.result || atomic.operation == AtomicOperation::aadd);
}

/// The operand that changes no word.
uint32_t neutral_operand(AtomicOperation operation) {
    switch (operation) {
    case AtomicOperation::aand:
    case AtomicOperation::aumin: return ~0U;
    case AtomicOperation::asmin: return 0x7FFFFFFF;
    case AtomicOperation::asmax: return 0x80000000;
    default: return 0;
    }
}

/// Updates the word that all running lanes name. Jumps if they name several, none, or thread-local
/// storage. Before the jump, nothing has changed.
void update_one(EmitContext& c, const Atomic& atomic, const VecPair& address, Label otherwise) {
    HostAssembler& h = c.h;
    const Scalar word = first_running(c, address.low, low_words(), otherwise);
    {
        const Scalar high = first_running(c, address.high, high_words(), otherwise);
        h.compare32(high, kLocalHigh);
        h.jump(Jump::Equal, otherwise);
        h.test32(high);
        h.jump(Jump::Equal, otherwise);
        h.shift_left64(high, 32);
        h.add64(word, high);
    }
    const Scalar all = c.scalar();
    {
        const Scalar lanes = storing_lanes(c);
        h.test32(lanes);
        h.jump(Jump::Equal, otherwise);
        h.move(all, uint64_t{neutral_operand(atomic.operation)});
        each_lane(c, lanes, [&](Gp lane) {
            store_result(c, atomic, all, lane);
            const Scalar value = c.scalar();
            load_operand(c, atomic, value, lane);
            combine(c, atomic.operation, all, value);
        });
    }
    {
        const Scalar old = c.scalar();
        update_word(c, atomic.operation, old, {word, word_offset(c, 0)},
                    [&](Gp d) { h.move(d, all); });
        if (!atomic.result)
            return;
        h.store32(VALKYR_FRAME(spare), old);
    }
    // The old word of a lane is that of the memory and the operands of the lanes before.
    const Scalar lanes = storing_lanes(c);
    const TempMask storing = c.scratch_mask();
    h.mask_from_bits(storing, lanes);
    const Temp zero = c.scratch();
    h.zero(zero);
    U32 old(c);
    old = VALKYR_FRAME(out);
    old += Operand::broadcast(VALKYR_FRAME(spare));
    h.select(Element::B32, old, storing, old, zero);
    h.store(VALKYR_FRAME(out), old);
}

/// Updates the lanes' words; the old words go to the frame.
void update_lanes(EmitContext& c, const Atomic& atomic, const VecPair& address) {
    HostAssembler& h = c.h;
    h.store(low_words(), address.low);
    h.store(high_words(), address.high);
    stage_operands(c, atomic);
    const Label several = h.new_label();
    const Label finished = h.new_label();
    if (combines_operands(atomic)) {
        update_one(c, atomic, address, several);
        h.jump(finished);
    }
    h.bind(several);
    if (atomic.result) {
        const Temp zero = c.scratch();
        h.zero(zero);
        h.store(VALKYR_FRAME(out), zero);
    }
    const Label anywhere = h.new_label();
    const Label done = h.new_label();
    if (c.stage() == exec::Stage::Compute) {
        update_all_shared(c, atomic, anywhere);
        h.jump(done);
    }
    h.bind(anywhere);
    update_anywhere(c, atomic);
    h.bind(done);
    h.bind(finished);
}

/// Brings the operands to host registers, so that code that may be skipped only reads them.
void load_operands(EmitContext& c, const Atomic& atomic) {
    for (unsigned k = 0; atomic.operand && k < (atomic.compares ? 2U : 1U); ++k)
        c.regs.use(register_behind(*atomic.operand, k), c.part);
}

void update_part(EmitContext& c, const Atomic& atomic) {
    HostAssembler& h = c.h;
    constexpr unsigned kTemporaries = 5;
    const VecPair address = c.widen64(0, false);
    load_operands(c, atomic);
    make_room(c, kTemporaries);
    const Temp old = c.scratch();
    const Label apart = h.new_label();
    const Label done = h.new_label();
    if (h.traits().combines_rows && !atomic.compares && word_offset(c, 0) == 0) {
        if (takes_tile(c))
            update_tile(c, atomic, old, apart);
        else
            update_block(c, atomic, address, old, apart);
        h.jump(done);
    }
    h.bind(apart);
    update_lanes(c, atomic, address);
    if (atomic.result)
        h.load(old, VALKYR_FRAME(out));
    h.bind(done);
    if (atomic.result)
        c.regs.define(*atomic.result, c.part, old);
}

}  // namespace

MessageChoice choose_atomic(const MessageSource& m) {
    MessageChoice choice{m.inline_messages ? Expansion::MemoryAtomic : Expansion::Routine};
    choice.takes_row = takes_row(m);
    return choice;
}

void expand_atomic(EmitContext& c) {
    const Atomic atomic = atomic_of(c.instr());
    expand_parts(c, [&] { update_part(c, atomic); });
}

}  // namespace valkyr::jit

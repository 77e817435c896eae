// Inline thread-local accesses: LOAD and STORE of words that lie interleaved by lane.
// SPDX-License-Identifier: MIT
//
// The word at a fixed offset is one vector in memory. So is that at a computed offset if all
// running lanes agree about it, which is decided at run time; otherwise lanes gather and scatter
// (exec/thread_storage.hpp).
#include "jit/expand/memory/inline_local.hpp"

#include "exec/specials.hpp"
#include "exec/thread_storage.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <array>

namespace valkyr::jit {

using valhall::Instr;
using valhall::Op;
using valhall::SourceKind;

namespace {

/// Index, lane offsets and results.
constexpr unsigned kTemporaries = 6;
/// Memory of one byte of all lanes.
constexpr int32_t kScale = exec::kLanes;
constexpr unsigned kScaleShift = 4;
static_assert(kScale == 1 << kScaleShift && sizeof(exec::Lanes) == 4U << kScaleShift);

/// How an access finds its words.
enum class Offset : uint8_t { Unknown, Fixed, Computed };

bool is_pointer(const valhall::Source& source) {
    return source.kind == SourceKind::Special && source.index == exec::kThreadLocalPointer &&
           source.word == 0 && source.selector == 0;
}

/// Pointer + unsigned word, into the pair of registers r.
bool adds_to_pointer(const Instr& i, Reg r) {
    return i.op == Op::SHADDX_U64 && i.dest.reg == r && is_pointer(i.src[0]) &&
           i.src[1].selector == static_cast<uint8_t>(valhall::Swizzles64Bit::w0) && i.imm[0] == 0;
}

Offset offset_kind(const EmitContext& c) {
    const valhall::Source& address = c.instr().src[0];
    if (is_pointer(address))
        return Offset::Fixed;
    if (address.kind != SourceKind::Register || address.selector != 0 || address.index > 62 ||
        c.block == nullptr)
        return Offset::Unknown;
    const auto low = address.index;
    const auto now = static_cast<uint32_t>(c.step - c.program.steps.data());
    for (uint32_t k = now; k-- > c.block->first;) {
        const Step& step = c.program.steps[k];
        if (step.access.writes.has(low) || step.access.writes.has(static_cast<Reg>(low + 1)))
            return adds_to_pointer(step.instr, low) ? Offset::Computed : Offset::Unknown;
    }
    return Offset::Unknown;
}

bool is_expanded(const EmitContext& c, unsigned bits) {
    const Instr& i = c.instr();
    return c.inline_messages && bits % 32 == 0 && i.staging[0].count == bits / 32 &&
           i.imm[0] % 4 == 0;
}

Reg data_register(const EmitContext& c, unsigned k) {
    return static_cast<Reg>((c.instr().staging[0].base + k) % exec::kRegisters);
}

/// Byte 4 * k behind the instruction's offset, in memory.
int32_t word_place(const EmitContext& c, unsigned k) {
    return (static_cast<int32_t>(c.instr().imm[0]) + static_cast<int32_t>(4 * k)) * kScale;
}

/// Offsets of the part's lanes.
Address offsets() {
    return VALKYR_FRAME(operand[0]);
}

/// The address of the words that all lanes have at the offset of the first one. Jumps if others
/// have another one.
Scalar find_same(EmitContext& c, Vec offset, Label differ) {
    Scalar place = first_running(c, offset, offsets(), differ);
    c.h.shift_left64(place, kScaleShift);
    const Scalar base = c.load64(c.thread_storage());
    c.h.add64(place, base);
    return place;
}

/// In place: from a lane's own offset to that in the storage of the warp.
void spread_offsets(EmitContext& c, Vec offset) {
    std::array<uint32_t, exec::kLanes> lanes{};
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
        lanes[lane] = 4 * lane;
    const Temp own = c.lane_table(lanes);
    c.h.op(ImmOp::Shl32, offset, offset, kScaleShift);
    c.h.op(Binary::AddI32, offset, offset, own);
}

/// A copy that may be changed, also in the frame.
Temp copy_offsets(EmitContext& c) {
    Temp offset = c.scratch();
    Temp source = c.word(0);
    c.h.move(offset, source);
    c.done_with(source);
    c.h.store(offsets(), offset);
    return offset;
}

void load_computed(EmitContext& c, unsigned words) {
    HostAssembler& h = c.h;
    const Temp offset = copy_offsets(c);
    make_room(c, kTemporaries);
    std::array<Temp, 4> results;
    for (unsigned k = 0; k < words; ++k)
        results[k] = c.scratch();
    const Label differ = h.new_label();
    const Label done = h.new_label();
    {
        const Scalar place = find_same(c, offset, differ);
        if (c.plan.rounds > 1)
            h.add64(place, Gp::Half);
        const auto part = static_cast<int32_t>(c.part * h.traits().lanes * 4);
        for (unsigned k = 0; k < words; ++k)
            h.load(results[k], {place, word_place(c, k) + part});
    }
    h.jump(done);
    h.bind(differ);
    spread_offsets(c, offset);
    const Scalar base = c.load64(c.thread_storage());
    const TempMask running = running_mask(c);
    for (unsigned k = 0; k < words; ++k)
        h.gather32(results[k], {base, word_place(c, k)}, offset, running);
    h.bind(done);
    for (unsigned k = 0; k < words; ++k)
        c.regs.define(data_register(c, k), c.part, results[k]);
}

void load_fixed(EmitContext& c, unsigned words) {
    const Scalar base = c.load64(c.thread_storage());
    for (unsigned k = 0; k < words; ++k) {
        Temp v = c.scratch();
        c.h.load(v, c.lanes_at({base, word_place(c, k)}));
        c.regs.define(data_register(c, k), c.part, v);
        c.done_with(v);
    }
}

/// Lane by lane, from copies in the frame.
void scatter_words(EmitContext& c, Gp lanes, const std::array<Temp, 4>& data, unsigned words) {
    HostAssembler& h = c.h;
    for (unsigned k = 0; k < words; ++k)
        h.store(staged_array(VALKYR_FRAME(in), k), data[k]);
    const Scalar base = c.load64(c.thread_storage());
    each_lane(c, lanes, [&](Gp lane) {
        const Scalar place = c.scalar();
        const Scalar word = c.scalar();
        h.load32(place, {Gp::Frame, offsets().offset, lane, 2});
        h.add64(place, base);
        for (unsigned k = 0; k < words; ++k) {
            h.load32(word, {Gp::Frame, staged_array(VALKYR_FRAME(in), k).offset, lane, 2});
            h.store32({place, word_place(c, k)}, word);
        }
    });
}

void store_computed(EmitContext& c, unsigned words) {
    HostAssembler& h = c.h;
    const Temp offset = copy_offsets(c);
    std::array<Temp, 4> data;
    for (unsigned k = 0; k < words; ++k)
        data[k] = c.regs.use(data_register(c, k), c.part);
    make_room(c, 3);
    const Label differ = h.new_label();
    const Label done = h.new_label();
    Scalar storing = storing_lanes(c);
    {
        const Scalar place = find_same(c, offset, differ);
        if (c.plan.rounds > 1)
            h.add64(place, Gp::Half);
        const TempMask mask = c.scratch_mask();
        h.mask_from_bits(mask, storing);
        const auto part = static_cast<int32_t>(c.part * h.traits().lanes * 4);
        for (unsigned k = 0; k < words; ++k)
            h.store_masked({place, word_place(c, k) + part}, mask, data[k]);
    }
    h.jump(done);
    h.bind(differ);
    spread_offsets(c, offset);
    if (h.traits().scatters) {
        const Scalar base = c.load64(c.thread_storage());
        const TempMask mask = c.scratch_mask();
        h.mask_from_bits(mask, storing);
        for (unsigned k = 0; k < words; ++k)
            h.scatter32({base, word_place(c, k)}, offset, mask, data[k]);
    } else {
        h.store(offsets(), offset);
        scatter_words(c, storing, data, words);
    }
    h.bind(done);
}

void store_fixed(EmitContext& c, unsigned words) {
    const Scalar base = c.load64(c.thread_storage());
    const TempMask mask = c.scratch_mask();
    {
        const Scalar storing = storing_lanes(c);
        c.h.mask_from_bits(mask, storing);
    }
    for (unsigned k = 0; k < words; ++k) {
        Temp v = c.regs.use(data_register(c, k), c.part);
        c.h.store_masked(c.lanes_at({base, word_place(c, k)}), mask, v);
        c.done_with(v);
    }
}

}  // namespace

bool expand_local_load(EmitContext& c, unsigned bits) {
    const Offset kind = offset_kind(c);
    if (!is_expanded(c, bits) || kind == Offset::Unknown)
        return false;
    each_part(c, [&] {
        kind == Offset::Fixed ? load_fixed(c, bits / 32) : load_computed(c, bits / 32);
        c.regs.end_part();
    });
    return true;
}

bool expand_local_store(EmitContext& c, unsigned bits) {
    const Offset kind = offset_kind(c);
    if (!is_expanded(c, bits) || kind == Offset::Unknown)
        return false;
    each_part(c, [&] {
        kind == Offset::Fixed ? store_fixed(c, bits / 32) : store_computed(c, bits / 32);
        c.regs.end_part();
    });
    return true;
}

}  // namespace valkyr::jit

// Inline thread-local accesses: LOAD and STORE of words that lie interleaved by lane.
// SPDX-License-Identifier: MIT
//
// The words of all lanes at one offset are a vector in memory. A computed offset that all running
// lanes share, which is tested at run time, needs one vector access as well. Otherwise lanes gather
// and scatter, or store one by one where the host has no scatter (exec/thread_storage.hpp).
#include "jit/expand/memory/inline_local.hpp"

#include "exec/specials.hpp"
#include "exec/thread_storage.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <array>
#include <optional>
#include <vector>

namespace valkyr::jit {

using valhall::Instr;
using valhall::Op;
using valhall::SourceKind;

namespace {

/// Index, lane offsets and results.
constexpr unsigned kTemporaries = 6;
/// Bytes of memory for one byte of every lane.
constexpr int32_t kScale = exec::kLanes;
constexpr unsigned kScaleShift = 4;
static_assert(kScale == 1 << kScaleShift && sizeof(exec::Lanes) == 4U << kScaleShift);

bool is_pointer(const valhall::Source& source) {
    return source.kind == SourceKind::Special && source.index == exec::kThreadLocalPointer &&
           source.word == 0 && source.selector == 0;
}

/// Whether i writes pointer + unsigned word to the register pair at r.
bool adds_to_pointer(const Instr& i, Reg r) {
    return i.op == Op::SHADDX_U64 && i.dest.reg == r && is_pointer(i.src[0]) &&
           i.src[1].selector == static_cast<uint8_t>(valhall::Swizzles64Bit::w0) && i.imm[0] == 0;
}

/// Whether the last of steps [first, end) that writes the pair is a sum with the pointer; nullopt
/// if no step writes the pair.
std::optional<bool> sum_in(const GuestProgram& program, uint32_t first, uint32_t end, Reg low) {
    for (uint32_t k = end; k-- > first;) {
        const RegSet writes = program.steps[k].access.writes;
        if (writes.has(low) || writes.has(static_cast<Reg>(low + 1)))
            return adds_to_pointer(program.steps[k].instr, low);
    }
    return std::nullopt;
}

/// Whether sum_in() holds for all predecessors of block `at`, and for predecessors of a block that
/// does not write the pair.
bool sum_before(const GuestProgram& program, uint32_t at, Reg low) {
    std::vector<uint8_t> seen(program.blocks.size(), 0);
    std::vector<uint32_t> open{at};
    while (!open.empty()) {
        const uint32_t to = open.back();
        open.pop_back();
        if (to == 0)
            return false;  // the pair has its initial value
        for (uint32_t from = 0; from < program.blocks.size(); ++from) {
            bool leads = false;
            program.each_successor(from, [&](uint32_t next) { leads |= next == to; });
            if (!leads || seen[from] != 0)
                continue;
            seen[from] = 1;
            const Block& block = program.blocks[from];
            const auto sum = sum_in(program, block.first, block.first + block.count, low);
            if (!sum)
                open.push_back(from);
            else if (!*sum)
                return false;
        }
    }
    return true;
}

/// Programs with more blocks are not searched for the origin of an address.
constexpr size_t kMaxBlocksSearched = 64;

/// The expansion for the address of an access; Routine if it is not known to be thread-local.
Expansion expansion_of_address(const MessageSource& m) {
    const valhall::Source& address = m.instr().src[0];
    if (is_pointer(address))
        return Expansion::LocalFixed;
    if (address.kind != SourceKind::Register || address.selector != 0 || address.index > 62)
        return Expansion::Routine;
    auto sum = sum_in(m.program, m.block.first, m.at, address.index);
    const bool forced = m.instr().get<valhall::MemoryAccess>(valhall::Mod::memory_access) ==
                        valhall::MemoryAccess::force;
    if (!sum && forced && m.program.blocks.size() <= kMaxBlocksSearched)
        sum = sum_before(m.program, static_cast<uint32_t>(&m.block - m.program.blocks.data()),
                         address.index);
    return sum.value_or(false) ? Expansion::LocalComputed : Expansion::Routine;
}

bool is_fixed(const EmitContext& c) {
    return c.message().expansion == Expansion::LocalFixed;
}

/// The place in memory of byte 4 * k after the instruction's offset.
int32_t word_place(const EmitContext& c, unsigned k) {
    return (static_cast<int32_t>(c.instr().imm[0]) + static_cast<int32_t>(4 * k)) * kScale;
}

/// The distance in memory from word 0 of an access to word k.
int32_t word_stride(unsigned k) {
    return static_cast<int32_t>(k * sizeof(exec::Lanes));
}

/// The offsets of the part's lanes.
Address offsets() {
    return VALKYR_FRAME(operand[0]);
}

/// The address of all lanes' words at the first lane's offset. Jumps if lanes have other offsets.
Scalar find_same(EmitContext& c, Vec offset, Label differ) {
    Scalar place = first_running(c, offset, offsets(), differ);
    c.h.shift_left64(place, kScaleShift);
    const Scalar base = c.load64(c.thread_storage());
    c.h.add64(place, base);
    return place;
}

/// The places of each lane's word 0 in the storage of the warp.
Temp own_words(EmitContext& c) {
    std::array<uint32_t, exec::kLanes> lanes{};
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
        lanes[lane] = 4 * lane;
    return c.lane_table(lanes);
}

/// Converts, in place, offsets within a lane to offsets within the storage of the warp.
void spread_offsets(EmitContext& c, Vec offset) {
    const Temp own = own_words(c);
    U32 place(c, offset);
    place = (place << kScaleShift) + own;
}

/// A copy of the offsets that may be overwritten; stores them in the frame, too.
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
        c.regs.define(staging_register(c, k), c.part, results[k]);
}

void load_fixed(EmitContext& c, unsigned words) {
    const Scalar base = c.load64(c.thread_storage());
    for (unsigned k = 0; k < words; ++k) {
        Temp v = c.scratch();
        c.h.load(v, c.lanes_at({base, word_place(c, k)}));
        c.regs.define(staging_register(c, k), c.part, v);
        c.done_with(v);
    }
}

/// Stores for the lanes of the mask on hosts without scatter. All lanes store: lanes outside the
/// mask rewrite the first words of their storage, which no other lane reads, with their old values.
void store_all_lanes(
    EmitContext& c, Mask mask, Vec offset, const std::array<Temp, 4>& data, unsigned words) {
    HostAssembler& h = c.h;
    const Scalar base = c.load64(c.thread_storage());
    h.op(Binary::AddI32, offset, offset, c.pool(static_cast<uint32_t>(word_place(c, 0))));
    {
        const Temp own = own_words(c);
        h.select(Element::B32, offset, mask, Operand(offset), own);
    }
    h.store(offsets(), offset);
    {
        const Temp word = c.scratch();
        for (unsigned k = 0; k < words; ++k) {
            c.gather(word, {base, word_stride(k)}, offset);
            h.select(Element::B32, word, mask, Operand(data[k]), word);
            h.store(staged_array(VALKYR_FRAME(in), k), word);
        }
    }
    const Scalar place = c.scalar();
    const Scalar word = c.scalar();
    for (unsigned lane = 0; lane < h.traits().lanes; ++lane) {
        const auto at = static_cast<int32_t>(4 * lane);
        h.load32(place, offsets().plus(at));
        h.add64(place, base);
        for (unsigned k = 0; k < words; ++k) {
            h.load32(word, staged_array(VALKYR_FRAME(in), k).plus(at));
            h.store32({place, word_stride(k)}, word);
        }
    }
}

/// Whether the store may write for all lanes: it is forced, and no lane waits or has ended, so
/// lanes outside the mask never read their storage.
bool stores_for_all(const EmitContext& c) {
    return c.block != nullptr && !c.block->partial && !c.program.lanes_end &&
           c.instr().get<valhall::MemoryAccess>(valhall::Mod::memory_access) ==
               valhall::MemoryAccess::force;
}

void store_computed(EmitContext& c, unsigned words) {
    HostAssembler& h = c.h;
    const Temp offset = copy_offsets(c);
    std::array<Temp, 4> data;
    for (unsigned k = 0; k < words; ++k)
        data[k] = c.regs.use(staging_register(c, k), c.part);
    make_room(c, 4);
    const Label differ = h.new_label();
    const Label done = h.new_label();
    Scalar storing = storing_lanes(c);
    {
        const Scalar place = find_same(c, offset, differ);
        if (c.plan.rounds > 1)
            h.add64(place, Gp::Half);
        const auto part = static_cast<int32_t>(c.part * h.traits().lanes * 4);
        TempMask mask;
        if (!stores_for_all(c)) {
            mask = c.scratch_mask();
            h.mask_from_bits(mask, storing);
        }
        for (unsigned k = 0; k < words; ++k) {
            const Address to{place, word_place(c, k) + part};
            mask.valid() ? h.store_masked(to, mask, data[k]) : h.store(to, data[k]);
        }
    }
    h.jump(done);
    h.bind(differ);
    spread_offsets(c, offset);
    const TempMask mask = c.scratch_mask();
    h.mask_from_bits(mask, storing);
    storing.reset();
    if (h.traits().scatters) {
        const Scalar base = c.load64(c.thread_storage());
        for (unsigned k = 0; k < words; ++k)
            h.scatter32({base, word_place(c, k)}, offset, mask, data[k]);
    } else {
        store_all_lanes(c, mask, offset, data, words);
    }
    h.bind(done);
}

void store_fixed(EmitContext& c, unsigned words) {
    const Scalar base = c.load64(c.thread_storage());
    TempMask mask;
    if (!stores_for_all(c)) {
        mask = c.scratch_mask();
        const Scalar storing = storing_lanes(c);
        c.h.mask_from_bits(mask, storing);
    }
    for (unsigned k = 0; k < words; ++k) {
        Temp v = c.regs.use(staging_register(c, k), c.part);
        const Address to = c.lanes_at({base, word_place(c, k)});
        mask.valid() ? c.h.store_masked(to, mask, v) : c.h.store(to, v);
        c.done_with(v);
    }
}

}  // namespace

MessageChoice choose_local_access(const MessageSource& m) {
    const Instr& i = m.instr();
    const bool fits = m.inline_messages && m.bits() % 32 == 0 &&
                      i.staging[0].count == m.bits() / 32 && i.imm[0] % 4 == 0;
    return {fits ? expansion_of_address(m) : Expansion::Routine};
}

void expand_local_load(EmitContext& c) {
    const unsigned words = c.bits() / 32;
    expand_parts(c, [&] { is_fixed(c) ? load_fixed(c, words) : load_computed(c, words); });
}

void expand_local_store(EmitContext& c) {
    const unsigned words = c.bits() / 32;
    expand_parts(c, [&] { is_fixed(c) ? store_fixed(c, words) : store_computed(c, words); });
}

}  // namespace valkyr::jit

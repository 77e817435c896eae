// Inline record stores: write the vertex records of consecutive lanes.
// SPDX-License-Identifier: MIT
//
// The records of a warp are consecutive, so one scalar pointer walks over them. Lanes past the last
// vertex store, too: records are padded to whole warps (exec/abi.hpp, VertexCall). In programs
// whose lanes diverge, only rows of 16 bytes are stored so, if all lanes of the part run, which is
// tested at run time. Otherwise they are stored lane by lane.
#include "jit/expand/vertex/inline_record.hpp"

#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/inline_memory.hpp"
#include "jit/expand/memory/lane_addresses.hpp"
#include "jit/expand/memory/lane_rows.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <algorithm>
#include <cstddef>

namespace valkyr::jit {

using exec::VertexCall;
using valhall::Op;
using valhall::SourceKind;

namespace {

constexpr Reg kRecordNumber = exec::kRecordNumberRegister;

bool writes(const GuestProgram& program, Reg r) {
    return std::ranges::any_of(program.steps,
                               [&](const Step& step) { return step.access.writes.has(r); });
}

/// Whether the register pair holds the record addresses of the lanes' own vertices: this block
/// computed them from the initial r59.
bool holds_own_records(const MessageSource& m, Reg r) {
    for (uint32_t k = m.at; k-- > m.block.first;) {
        const Step& step = m.program.steps[k];
        if (!step.access.writes.has(r) && !step.access.writes.has(static_cast<Reg>(r + 1)))
            continue;
        const valhall::Instr& i = step.instr;
        return gives_record_address(i) && i.staging[0].base == r && i.staging[0].count == 2 &&
               i.src[0].kind == SourceKind::Register && i.src[0].index == kRecordNumber &&
               !writes(m.program, kRecordNumber);
    }
    return false;
}

constexpr unsigned kRowBits = 128;

}  // namespace

Records find_records(EmitContext& c, uint32_t each, uint32_t number) {
    HostAssembler& h = c.h;
    Scalar record = c.scalar();
    h.load32(record, {Gp::Call, offsetof(VertexCall, first_record)});
    h.add64(record, Gp::Item);
    if (c.plan.rounds > 1) {
        const Scalar earlier = c.scalar();
        h.move(earlier, Gp::Half);
        h.shift_right32(earlier, 2);
        h.add64(record, earlier);
    }
    h.add64(record, static_cast<int32_t>(c.part * h.traits().lanes));
    Scalar stride = c.scalar();
    if (each != 1) {
        h.move(stride, uint64_t{each});
        h.mul64(record, stride);
        h.add64(record, static_cast<int32_t>(number));
    }
    h.load32(stride, {Gp::Call, offsetof(VertexCall, record_stride)});
    h.mul64(record, stride);
    if (each != 1) {
        const Scalar records = c.scalar();
        h.move(records, uint64_t{each});
        h.mul64(stride, records);
    }
    const Scalar base = c.load64({Gp::Call, offsetof(VertexCall, records)});
    h.add64(record, base);
    return {std::move(record), std::move(stride)};
}

void store_elements(EmitContext& c, const Records& records, unsigned bits, int32_t offset) {
    HostAssembler& h = c.h;
    const unsigned count = (bits + 31) / 32;
    const auto area = [&](unsigned k) {
        return VALKYR_FRAME(in).plus(static_cast<int32_t>(k * sizeof(exec::Lanes)));
    };
    for (unsigned k = 0; k < count; ++k) {
        Temp v = c.regs.use(staging_register(c, k), c.part);
        h.store(area(k), v);
        c.done_with(v);
    }
    const Label next = h.new_label();
    const Scalar lane = c.scalar();
    const Scalar word = c.scalar();
    h.move(lane, uint64_t{0});
    h.bind(next);
    for (unsigned k = 0; k < count; ++k) {
        const Address to{records.first, offset + static_cast<int32_t>(4 * k)};
        h.load32(word, {Gp::Frame, area(k).offset, lane, 2});
        switch (bits) {
        case 8: h.store8(to, word); break;
        case 16: h.store16(to, word); break;
        default: h.store32(to, word); break;
        }
    }
    h.add64(records.first, records.stride);
    h.add64(lane, 1);
    h.compare32(lane, h.traits().lanes);
    h.jump(Jump::Below, next);
}

namespace {

/// Temporaries of store_rows().
constexpr unsigned kRowTemporaries = 5;

/// Stores the rows of the part's lanes.
void store_record_rows(EmitContext& c, int32_t offset, const FourVecs& words) {
    const Records records = find_records(c);
    store_rows(c, {records.first, offset, records.stride}, words);
}

/// Stores the rows of the running lanes, where some may not run.
void store_running_rows(EmitContext& c, int32_t offset, const FourVecs& words) {
    HostAssembler& h = c.h;
    const Label some = h.new_label();
    const Label done = h.new_label();
    stage_addresses(c);
    for (unsigned k = 0; k < words.size(); ++k)
        h.store(staged_array(VALKYR_FRAME(in), k), words[k]);
    make_room(c, kRowTemporaries);
    const Scalar lanes = storing_lanes(c);
    h.compare32(lanes, (1U << h.traits().lanes) - 1);
    h.jump(Jump::NotEqual, some);
    store_record_rows(c, offset, words);
    h.jump(done);
    h.bind(some);
    store_staged_words(c, lanes, static_cast<unsigned>(words.size()));
    h.bind(done);
}

}  // namespace

bool gives_record_address(const valhall::Instr& instr) {
    return instr.op == Op::LEA_BUF_IMM &&
           exec::ResourceTable(instr.imm[0]) == exec::ResourceTable::VertexRecords &&
           instr.imm[1] == 0;
}

MessageChoice choose_record_store(const MessageSource& m) {
    const valhall::Instr& i = m.instr();
    const valhall::Source& address = i.src[0];
    const unsigned bits = m.bits();
    const bool size = bits == 8 || bits == 16 || (bits % 32 == 0 && bits <= kRowBits);
    if (!m.inline_messages || m.stage() != exec::Stage::Vertex || !size ||
        (bits != kRowBits && m.program.needs_running_mask()) || i.staging[0].count * 32U < bits ||
        address.kind != SourceKind::Register || address.selector != 0 || address.index >= 63 ||
        !holds_own_records(m, address.index))
        return {Expansion::Routine};
    return {bits == kRowBits ? Expansion::RecordRow : Expansion::RecordElements};
}

void expand_record_row_store(EmitContext& c) {
    const auto offset = static_cast<int32_t>(c.instr().imm[0]);
    expand_parts(c, [&] {
        FourVecs words;
        for (unsigned k = 0; k < 4; ++k)
            words[k] = c.regs.use(staging_register(c, k), c.part);
        if (c.program.needs_running_mask())
            store_running_rows(c, offset, words);
        else
            store_record_rows(c, offset, words);
    });
}

void expand_record_element_store(EmitContext& c) {
    const auto offset = static_cast<int32_t>(c.instr().imm[0]);
    expand_parts(c, [&] { store_elements(c, find_records(c), c.bits(), offset); });
}

}  // namespace valkyr::jit

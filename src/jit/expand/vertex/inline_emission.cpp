// Inline emissions: load rows of a geometry program's input records, and store emitted ones.
// SPDX-License-Identifier: MIT
//
// Both are found from the call, without the addresses that the program computes: input records by
// the numbers in GeometryCall::vertices, emitted ones because those of consecutive pairs lie at
// equal distances. Pairs behind the last one have both, too (exec/calls.hpp, GeometryCall).
#include "jit/expand/vertex/inline_emission.hpp"

#include "exec/vertex_record.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/memory/lane_rows.hpp"
#include "jit/expand/vertex/inline_record.hpp"
#include "jit/expand/vertex/record_origin.hpp"

#include <cstddef>

namespace valkyr::jit {

using exec::GeometryCall;
using valhall::SourceKind;

namespace {

constexpr int32_t kSlotBytes = 16;
constexpr unsigned kWordBits = 32;
constexpr unsigned kSlotBits = 128;
/// Four results, and four to transpose them.
constexpr unsigned kLoadTemporaries = 8;

/// Whether the message is of a geometry program and has whole words at a pair of registers.
bool has_words(const MessageSource& m) {
    const valhall::Instr& i = m.instr();
    return m.inline_messages && m.stage() == exec::Stage::Geometry && m.bits() % kWordBits == 0 &&
           i.staging[0].count == m.bits() / kWordBits && i.src[0].kind == SourceKind::Register &&
           i.src[0].selector == 0 && i.src[0].index < kRegCount - 1;
}

/// The lanes' offsets of a vertex of their primitives, from the first input record; in the frame's
/// `in`.
void store_offsets(EmitContext& c, uint32_t vertex) {
    HostAssembler& h = c.h;
    const size_t array = offsetof(GeometryCall, vertices) + vertex * sizeof(uint32_t*);
    const Scalar at = c.load64({Gp::Call, static_cast<int32_t>(array)});
    h.load_address(at, {at, 0, Gp::Item, 2});
    const Temp offsets = c.scratch();
    h.load(offsets, c.lanes_at({at, 0}));
    h.op(Binary::MulI32, offsets, offsets,
         Operand::broadcast({Gp::Call, offsetof(GeometryCall, input_stride)}));
    h.store(VALKYR_FRAME(in), offsets);
}

/// Loads the row of each lane that begins at `offset` of its record.
void load_input_rows(EmitContext& c, int32_t offset, const FourVecs& rows) {
    HostAssembler& h = c.h;
    const Scalar base = c.load64({Gp::Call, offsetof(GeometryCall, inputs)});
    const Scalar at = c.scalar();
    for (unsigned lane = 0; lane < h.traits().lanes; ++lane) {
        h.load32(at, VALKYR_FRAME(in).plus(static_cast<int32_t>(4 * lane)));
        const Address row{base, offset, at, 0};
        if (lane < 4)
            h.load_quad(rows[lane], row);
        else
            h.insert_quad(rows[lane % 4], lane / 4, row);
    }
    transpose_rows(c, rows);
}

/// The lanes' records of the message's number.
Records emitted_records(EmitContext& c) {
    const uint32_t records = exec::emission_records(c.program.source->info.geometry.max_vertices);
    return find_records(c, records, *c.message().known);
}

}  // namespace

MessageChoice choose_input_load(const MessageSource& m) {
    if (!has_words(m))
        return {Expansion::Routine};
    const auto offset = static_cast<int32_t>(m.instr().imm[0]);
    const auto end = static_cast<int32_t>(m.bits() / 8) + offset % kSlotBytes;
    const auto vertex = input_vertex_of(m, m.instr().src[0].index);
    if (offset < 0 || offset % 4 != 0 || end > kSlotBytes || !vertex)
        return {Expansion::Routine};
    return {Expansion::InputRow, vertex};
}

MessageChoice choose_emission_store(const MessageSource& m) {
    if (!has_words(m) || m.program.needs_running_mask() ||
        (m.bits() != kWordBits && m.bits() != kSlotBits))
        return {Expansion::Routine};
    const auto record = emitted_record_of(m, m.instr().src[0].index);
    if (!record)
        return {Expansion::Routine};
    return {m.bits() == kSlotBits ? Expansion::EmittedRow : Expansion::EmittedElement, record};
}

void expand_input_row_load(EmitContext& c) {
    const auto offset = static_cast<int32_t>(c.instr().imm[0]);
    const auto first = static_cast<unsigned>(offset % kSlotBytes / 4);
    const unsigned words = c.bits() / kWordBits;
    expand_parts(c, [&] {
        make_room(c, kLoadTemporaries);
        store_offsets(c, *c.message().known);
        const FourVecs rows{c.scratch(), c.scratch(), c.scratch(), c.scratch()};
        load_input_rows(c, offset - offset % kSlotBytes, rows);
        for (unsigned k = 0; k < words; ++k)
            c.regs.define(staging_register(c, k), c.part, rows[first + k]);
    });
}

void expand_emitted_row_store(EmitContext& c) {
    const auto offset = static_cast<int32_t>(c.instr().imm[0]);
    expand_parts(c, [&] {
        FourVecs words;
        for (unsigned k = 0; k < words.size(); ++k)
            words[k] = c.regs.use(staging_register(c, k), c.part);
        const Records records = emitted_records(c);
        store_rows(c, {records.first, offset, records.stride}, words);
    });
}

void expand_emitted_element_store(EmitContext& c) {
    const auto offset = static_cast<int32_t>(c.instr().imm[0]);
    expand_parts(c, [&] { store_elements(c, emitted_records(c), kWordBits, offset); });
}

}  // namespace valkyr::jit

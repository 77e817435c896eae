// Record origins: find which vertex record of a geometry program's lane an address names.
// SPDX-License-Identifier: MIT
//
// A search goes back from the address, within the block: LEA_BUF_IMM has the number of the record,
// which is the pair's number times a constant, plus a constant.
#include "jit/expand/vertex/record_origin.hpp"

#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "exec/vertex_record.hpp"

#include <algorithm>

namespace valkyr::jit {

using exec::ResourceTable;
using valhall::Instr;
using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

namespace {

/// Steps that a search follows at most.
constexpr unsigned kMostSteps = 4;

/// scale * r59 + offset, modulo 2^32.
struct RecordNumber {
    uint32_t scale = 0;
    uint32_t offset = 0;
};

/// The last step before `end` in the message's block that wrote a register.
std::optional<uint32_t> maker_of(const MessageSource& m, uint32_t end, Reg reg) {
    for (uint32_t k = end; k-- > m.block.first;)
        if (m.program.steps[k].access.writes.has(reg))
            return k;
    return std::nullopt;
}

/// Whether a register has its initial value before step `at`.
bool is_initial(const MessageSource& m, uint32_t at, Reg reg) {
    return !maker_of(m, at, reg) && std::ranges::none_of(m.program.steps, [&](const Step& step) {
        return step.access.writes.has(reg);
    });
}

/// The LEA_BUF_IMM that made the address in a pair of registers, if it is of this table.
std::optional<uint32_t> lea_of(const MessageSource& m, Reg address, ResourceTable table) {
    const auto low = maker_of(m, m.at, address);
    if (!low || low != maker_of(m, m.at, static_cast<Reg>(address + 1)))
        return std::nullopt;
    const Instr& i = m.program.steps[*low].instr;
    const bool is_lea = i.op == Op::LEA_BUF_IMM && ResourceTable(i.imm[0]) == table &&
                        i.imm[1] == 0 && i.staging[0].base == address && i.staging[0].count == 2;
    return is_lea ? low : std::nullopt;
}

std::optional<uint32_t> constant_of(const MessageSource& m, uint32_t at, unsigned source) {
    const Step& step = m.program.steps[at];
    const Source& s = step.instr.src[source];
    const auto word = fixed_word(m.program, step, source);
    if (!word || !is_unmodified(s))
        return std::nullopt;
    return widened(*word, s.selector, false);
}

/// The count of a shift by a byte of a constant, which both halves of the lane take.
std::optional<uint32_t> shift_of(const MessageSource& m, uint32_t at) {
    constexpr unsigned first_byte = 4;  // selectors b00, b11, b22 and b33
    constexpr unsigned last_byte = 7;
    const Step& step = m.program.steps[at];
    const unsigned selector = step.instr.src[1].selector;
    const auto word = fixed_word(m.program, step, 1);
    if (!word || selector < first_byte || selector > last_byte)
        return std::nullopt;
    return *word >> 8 * (selector - first_byte) & 31;
}

std::optional<RecordNumber>
number_in(const MessageSource& m, uint32_t at, unsigned source, unsigned steps);

/// The number that an instruction gives, if it is known.
std::optional<RecordNumber> result_of(const MessageSource& m, uint32_t at, unsigned steps) {
    const Instr& i = m.program.steps[at].instr;
    if (steps == kMostSteps || i.dest.mask != 3 || !has_default_modifiers(i))
        return std::nullopt;
    auto number = number_in(m, at, 0, steps + 1);
    if (!number)
        return std::nullopt;
    switch (i.op) {
    case Op::MOV_I32: return number;
    case Op::IADD_IMM_I32: number->offset += static_cast<uint32_t>(i.imm[0]); return number;
    case Op::IADD_U32: {
        const auto addend = constant_of(m, at, 1);
        if (!addend)
            return std::nullopt;
        number->offset += *addend;
        return number;
    }
    case Op::IMUL_I32: {
        const auto factor = constant_of(m, at, 1);
        if (!factor)
            return std::nullopt;
        return RecordNumber{number->scale * *factor, number->offset * *factor};
    }
    case Op::LSHIFT_OR_I32: {
        const auto count = shift_of(m, at);
        if (!count || constant_of(m, at, 2) != 0U)
            return std::nullopt;
        return RecordNumber{number->scale << *count, number->offset << *count};
    }
    default: return std::nullopt;
    }
}

/// The number in a source register of a step.
std::optional<RecordNumber>
number_in(const MessageSource& m, uint32_t at, unsigned source, unsigned steps) {
    const Source& s = m.program.steps[at].instr.src[source];
    if (s.kind != SourceKind::Register || s.selector != 0 || !is_unmodified(s))
        return std::nullopt;
    if (const auto maker = maker_of(m, at, s.index))
        return result_of(m, *maker, steps);
    if (s.index == exec::kRecordNumberRegister && is_initial(m, at, s.index))
        return RecordNumber{1, 0};
    return std::nullopt;
}

}  // namespace

std::optional<uint32_t> input_vertex_of(const MessageSource& m, Reg address) {
    const auto lea = lea_of(m, address, ResourceTable::InputRecords);
    if (!lea)
        return std::nullopt;
    const Source& s = m.program.steps[*lea].instr.src[0];
    const unsigned vertices = exec::vertices_of(m.program.source->info.geometry.input);
    const unsigned vertex = unsigned{s.index} - exec::kInputRecordRegister;
    if (s.kind != SourceKind::Register || s.selector != 0 || vertex >= vertices ||
        !is_initial(m, *lea, s.index))
        return std::nullopt;
    return vertex;
}

std::optional<uint32_t> emitted_record_of(const MessageSource& m, Reg address) {
    const auto lea = lea_of(m, address, ResourceTable::VertexRecords);
    if (!lea)
        return std::nullopt;
    const auto number = number_in(m, *lea, 0, 0);
    const uint32_t records = exec::emission_records(m.program.source->info.geometry.max_vertices);
    if (!number || number->scale != records || number->offset >= records)
        return std::nullopt;
    return number->offset;
}

}  // namespace valkyr::jit

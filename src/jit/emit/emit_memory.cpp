// Memory emitters: load, store and update memory (LOAD, STORE, LD_BUFFER, atomics).
// SPDX-License-Identifier: MIT
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/integer_math.hpp"
#include "jit/emit/routines.hpp"
#include "jit/expand/memory/inline_atomic.hpp"
#include "jit/expand/memory/inline_buffer.hpp"
#include "jit/expand/memory/inline_local.hpp"
#include "jit/expand/memory/inline_memory.hpp"
#include "jit/expand/vertex/inline_emission.hpp"
#include "jit/expand/vertex/inline_record.hpp"

#include <algorithm>
#include <array>

namespace valkyr::jit {

using valhall::AtomicOperation;
using valhall::AtomicOperationWith1;
using valhall::Instr;
using valhall::Mod;

namespace {

/// Where a loaded value goes: number of registers, first bit, number of bits.
struct Placement {
    uint8_t registers, shift, bits;
};
constexpr std::array<Placement, 8> kByteLanes = {Placement{1, 0, 8}, {1, 8, 8},  {1, 16, 8},
                                                 {1, 24, 8},         {1, 0, 16}, {1, 16, 16},
                                                 {1, 0, 32},         {2, 0, 64}};
constexpr std::array<Placement, 8> kHalfLanes = {Placement{1, 0, 16}, {1, 16, 16}, {1, 0, 32},
                                                 {2, 0, 64},          {1, 0, 16},  {1, 0, 16},
                                                 {1, 0, 16},          {1, 0, 16}};

Placement placement_of(const Instr& instr, unsigned bits) {
    switch (bits) {
    case 8: return kByteLanes[instr.mod(Mod::load_lane_8_bit) & 7];
    case 16: return kHalfLanes[instr.mod(Mod::load_lane_16_bit) & 7];
    case 32:
        return instr.mod(Mod::load_lane_32_bit) == static_cast<uint8_t>(valhall::LoadLane32Bit::d0)
                   ? Placement{2, 0, 64}
                   : Placement{1, 0, 32};
    default: return {static_cast<uint8_t>((bits + 31) / 32), 0, 128};
    }
}

MemoryAccess load_access(const Instr& instr, unsigned bits) {
    const Placement placement = placement_of(instr, bits);
    MemoryAccess access;
    access.bytes = static_cast<uint8_t>(bits / 8);
    access.registers = std::min(placement.registers, instr.staging[0].count);
    access.shift = placement.shift;
    access.bits = placement.bits;
    access.zero = instr.mod(Mod::unsigned_) || bits == 24 || bits == 48 ? 1 : 0;
    return access;
}

/// Stores the old register contents for the routine, if the access writes only a part of them.
void stage_old(EmitContext& c, const MemoryAccess& access) {
    if (access.bits < 32)
        stage_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

void receive_loaded(EmitContext& c, const MemoryAccess& access) {
    valhall::Staging run = c.instr().staging[0];
    run.count = access.registers;
    receive_run(c, run, VALKYR_FRAME(out));
}

/// The base of thread-local storage.
Argument thread_storage(const EmitContext& c) {
    return Argument::load64(c.thread_storage());
}

/// The address of source 0 as two Lanes arrays; its selector widens a 32-bit word.
void stage_address(EmitContext& c) {
    each_part(c, [&] {
        const VecPair address = c.widen64(0, false);
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[0])), address.low);
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[1])), address.high);
    });
}

void load(EmitContext& c, unsigned bits) {
    if (expand(c, {{Expansion::LocalFixed, expand_local_load},
                   {Expansion::LocalComputed, expand_local_load},
                   {Expansion::InputRow, expand_input_row_load},
                   {Expansion::MemoryWords, expand_memory_load}}))
        return;
    MemoryAccess access = load_access(c.instr(), bits);
    access.offset = static_cast<int32_t>(c.instr().imm[0]);
    stage_address(c);
    stage_old(c, access);
    sending_lanes(c, Gp::Argument, false);
    call_routine(c, reinterpret_cast<const void*>(&load_lanes),
                 {Argument::effective(constant_message(c, access)), Argument::scalar(),
                  thread_storage(c), Argument::effective(VALKYR_FRAME(operand[0])),
                  Argument::effective(VALKYR_FRAME(out))});
    receive_loaded(c, access);
}

void load_from_buffer(EmitContext& c, unsigned bits) {
    if (expand(c, {{Expansion::BufferWords, expand_buffer_load}}))
        return;
    const MemoryAccess access = load_access(c.instr(), bits);
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_old(c, access);
    {
        const Scalar handle = c.uniform_word(1);
        c.h.store32(VALKYR_FRAME(message), handle);
    }
    sending_lanes(c, Gp::Argument, false);
    call_routine(c, reinterpret_cast<const void*>(&load_buffer),
                 {Argument::effective(constant_message(c, access)), Argument::scalar(),
                  Argument::load64({Gp::Call, 0}), Argument::load32(VALKYR_FRAME(message)),
                  Argument::effective(VALKYR_FRAME(operand[0])),
                  Argument::effective(VALKYR_FRAME(out))});
    receive_loaded(c, access);
}

bool is_forced(const Instr& instr) {
    return instr.get<valhall::MemoryAccess>(Mod::memory_access) == valhall::MemoryAccess::force;
}

void store(EmitContext& c, unsigned bits) {
    if (expand(c, {{Expansion::RecordRow, expand_record_row_store},
                   {Expansion::RecordElements, expand_record_element_store},
                   {Expansion::EmittedRow, expand_emitted_row_store},
                   {Expansion::EmittedElement, expand_emitted_element_store},
                   {Expansion::LocalFixed, expand_local_store},
                   {Expansion::LocalComputed, expand_local_store},
                   {Expansion::MemoryWords, expand_memory_store},
                   {Expansion::MemoryPart, expand_memory_part_store}}))
        return;
    MemoryAccess access;
    access.offset = static_cast<int32_t>(c.instr().imm[0]);
    access.bytes = static_cast<uint8_t>(bits / 8);
    access.registers = c.instr().staging[0].count;
    stage_address(c);
    stage_run(c, c.instr().staging[0], VALKYR_FRAME(in));
    sending_lanes(c, Gp::Argument, !is_forced(c.instr()));
    call_routine(c, reinterpret_cast<const void*>(&store_lanes),
                 {Argument::effective(constant_message(c, access)), Argument::scalar(),
                  thread_storage(c), Argument::effective(VALKYR_FRAME(operand[0])),
                  Argument::effective(VALKYR_FRAME(in))});
}

/// Sets the operation and constant operand of an atomic "with 1".
void set_with_one(MemoryAccess& access, AtomicOperationWith1 operation) {
    access.has_one = 1;
    access.one = operation == AtomicOperationWith1::adec ? -1 : 1;
    AtomicOperation base = AtomicOperation::aadd;
    switch (operation) {
    case AtomicOperationWith1::ainc:
    case AtomicOperationWith1::adec: break;
    case AtomicOperationWith1::aumax1: base = AtomicOperation::aumax; break;
    case AtomicOperationWith1::asmax1: base = AtomicOperation::asmax; break;
    case AtomicOperationWith1::aor1: base = AtomicOperation::aor; break;
    }
    access.operation = static_cast<uint8_t>(base);
}

/// operands  staging run with the operands, or null
/// results   staging run for the old values, or null
void atomic(EmitContext& c,
            MemoryAccess access,
            bool wide,
            const valhall::Staging* operands,
            const valhall::Staging* results) {
    if (expand(c, {{Expansion::MemoryAtomic, expand_atomic}}))
        return;
    access.wide = wide ? 1 : 0;
    access.offset = static_cast<int32_t>(c.instr().imm[0]);
    stage_address(c);
    if (operands)
        stage_run(c, *operands, VALKYR_FRAME(in));
    sending_lanes(c, Gp::Argument, true);
    call_routine(c, reinterpret_cast<const void*>(&atomic_lanes),
                 {Argument::effective(constant_message(c, access)), Argument::scalar(),
                  thread_storage(c), Argument::effective(VALKYR_FRAME(operand[0])),
                  Argument::effective(VALKYR_FRAME(in)), Argument::effective(VALKYR_FRAME(out))});
    if (results)
        receive_run(c, *results, VALKYR_FRAME(out));
}

MemoryAccess atomic_access(const EmitContext& c) {
    MemoryAccess access;
    access.operation = c.instr().mod(Mod::atom_opc);
    return access;
}

void atom(EmitContext& c, bool wide) {
    atomic(c, atomic_access(c), wide, &c.instr().staging[0], nullptr);
}

void atom_return(EmitContext& c, bool wide) {
    MemoryAccess access = atomic_access(c);
    access.compare = c.instr().mod(Mod::compare);
    atomic(c, access, wide, &c.instr().staging[1], &c.instr().staging[0]);
}

void atom1_return(EmitContext& c, bool wide) {
    MemoryAccess access;
    set_with_one(access, c.instr().get<AtomicOperationWith1>(Mod::atom_opc_1));
    atomic(c, access, wide, nullptr, &c.instr().staging[0]);
}

/// Members of the call that hold the first record and the bytes from one to the next.
struct RecordMembers {
    size_t first;
    size_t stride;
};

RecordMembers compute_members(unsigned table) {
    const size_t first = offsetof(exec::ComputeCall, records) + table * sizeof(exec::RecordTable);
    return {first + offsetof(exec::RecordTable, first),
            first + offsetof(exec::RecordTable, stride)};
}

/// The members for the instruction's table; nullopt if the stage has no such records.
std::optional<RecordMembers> record_members(const EmitContext& c) {
    const valhall::Instr& instr = c.instr();
    const auto table = static_cast<unsigned>(instr.imm[0]) - exec::kFirstRecordTable;
    if (instr.imm[1] != 0 || table >= exec::kRecordTables)
        return std::nullopt;
    if (c.stage() == exec::Stage::Compute)
        return compute_members(table);
    const bool geometry = c.stage() == exec::Stage::Geometry;
    switch (exec::ResourceTable(instr.imm[0])) {
    case exec::ResourceTable::VertexRecords:
        if (geometry || c.stage() == exec::Stage::Vertex)
            return RecordMembers{offsetof(exec::VertexCall, records),
                                 offsetof(exec::VertexCall, record_stride)};
        return std::nullopt;
    case exec::ResourceTable::InputRecords:
        if (geometry)
            return RecordMembers{offsetof(exec::GeometryCall, inputs),
                                 offsetof(exec::GeometryCall, input_stride)};
        return std::nullopt;
    default: return std::nullopt;
    }
}

/// first + id * stride, 64 bits.
VecPair record_address(EmitContext& c, const RecordMembers& members) {
    const Temp id = c.word(0);
    Temp stride = c.scratch();
    const VecPair product{c.scratch(), c.scratch()};
    const VecPair base{c.scratch(), c.scratch()};
    const auto member = [&](size_t offset) {
        return Operand::broadcast({Gp::Call, static_cast<int32_t>(offset)});
    };
    c.h.move(stride, member(members.stride));
    c.h.multiply_high(product.high, id, stride, false);
    c.h.op(Binary::MulI32, product.low, id, stride);
    stride.reset();
    c.h.move(base.low, member(members.first));
    c.h.move(base.high, member(members.first + 4));
    return add_u64(c, product, base);
}

}  // namespace

VALKYR_EMIT(LEA_BUF_IMM) {
    const valhall::Staging& run = c.instr().staging[0];
    const std::optional<RecordMembers> records = record_members(c);
    each_part(c, [&] {
        const VecPair address =
            records ? record_address(c, *records) : VecPair{c.constant(0), c.constant(0)};
        if (run.count > 0)
            c.regs.define(run.base, c.part, address.low);
        if (run.count > 1)
            c.regs.define(static_cast<Reg>(run.base + 1), c.part, address.high);
    });
}

#define VALKYR_MEMORY(bits)                                                                        \
    VALKYR_EMIT_AS(LOAD_I##bits, load(c, bits))                                                    \
    VALKYR_EMIT_AS(STORE_I##bits, store(c, bits))                                                  \
    VALKYR_EMIT_AS(LD_BUFFER_I##bits, load_from_buffer(c, bits))
VALKYR_MEMORY(8)
VALKYR_MEMORY(16)
VALKYR_MEMORY(24)
VALKYR_MEMORY(32)
VALKYR_MEMORY(48)
VALKYR_MEMORY(64)
VALKYR_MEMORY(96)
VALKYR_MEMORY(128)
#undef VALKYR_MEMORY

VALKYR_EMIT_AS(ATOM_I32, atom(c, false))
VALKYR_EMIT_AS(ATOM_I64, atom(c, true))
VALKYR_EMIT_AS(ATOM_RETURN_I32, atom_return(c, false))
VALKYR_EMIT_AS(ATOM_RETURN_I64, atom_return(c, true))
VALKYR_EMIT_AS(ATOM1_RETURN_I32, atom1_return(c, false))
VALKYR_EMIT_AS(ATOM1_RETURN_I64, atom1_return(c, true))

}  // namespace valkyr::jit

// Memory lowering: LOAD, STORE and RESQ of buffers, shared memory, constant buffers and counters.
// SPDX-License-Identifier: MIT
//
// The machine does not check addresses. Consecutive components are one access. The code compares
// the end of each access with the size of the memory, which the driver gives if it is that of a
// buffer; accesses outside go to 32 bytes of thread-local storage, of which the first half stays 0.
#include "valhall/compiler/lower/lower_tgsi_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace valkyr::valhall::lower {
namespace {

using exec::DriverValue;

constexpr uint32_t kMaxBuffers = 32;
constexpr uint32_t kRedirectBytes = 32;
constexpr uint32_t kPrivateBytes = 4096;
constexpr uint32_t kUnwrittenHalf = 0;
constexpr uint32_t kWrittenHalf = 16;

/// Driver values that describe the memory behind a register file.
struct Resource {
    DriverValue low, high, size;
};
constexpr Resource kBuffer{DriverValue::BufferAddressLow, DriverValue::BufferAddressHigh,
                           DriverValue::BufferSize};
constexpr Resource kCounters{DriverValue::CounterAddressLow, DriverValue::CounterAddressHigh,
                             DriverValue::CounterSize};

/// A buffer, set of counters or other memory, and the byte that an instruction names in it.
struct Place {
    Operand base;  ///< 64-bit source
    Operand size;
    Operand offset;
};

std::string_view memory_name(tgsi::MemoryKind kind) {
    constexpr std::string_view kNames[] = {"global memory", "shared memory", "private memory",
                                           "kernel input memory"};
    return kNames[static_cast<unsigned>(kind)];
}

/// Kind of a MEMORY register; memory that is not declared is shared.
tgsi::MemoryKind memory_kind(Lowering& l, const tgsi::RegisterRef& reg) {
    const auto* declaration =
        l.declaration_of(tgsi::File::Memory, static_cast<uint32_t>(reg.index.value));
    return declaration != nullptr && declaration->has_memory_kind ? declaration->memory_kind
                                                                  : tgsi::MemoryKind::Shared;
}

/// False, with an error, for memory that programs cannot reach: only compute programs have shared
/// memory, and the machine's callers give no global range.
bool names_memory(Lowering& l, const tgsi::RegisterRef& reg) {
    if (reg.file == tgsi::File::Buffer || reg.file == tgsi::File::HwAtomic)
        return true;
    if (reg.file != tgsi::File::Memory) {
        l.unsupported_here("this register file as memory");
        return false;
    }
    const tgsi::MemoryKind kind = memory_kind(l, reg);
    const bool exists =
        kind == tgsi::MemoryKind::Private ||
        (kind == tgsi::MemoryKind::Shared && l.info().stage == exec::Stage::Compute);
    if (exists && !reg.index.indirect)
        return true;
    l.unsupported_here(std::string(memory_name(kind)));
    return false;
}

Wide thread_local_address(Lowering& l, uint32_t offset) {
    return address_sum(l.b, pointer(exec::kThreadLocalPointer), literal(offset));
}

/// Shared memory is that of the work-group, whatever its number: texts declare MEMORY[1] and use
/// MEMORY[0].
Place memory_place(Lowering& l, tgsi::MemoryKind kind, const Operand& offset) {
    if (kind == tgsi::MemoryKind::Shared)
        return {pointer(exec::kWorkgroupLocalPointer), literal(l.info().compute.shared_bytes),
                offset};
    const Wide base = thread_local_address(l, l.private_offset());
    return {l.b.pair(base.low, base.high), literal(kPrivateBytes), offset};
}

/// `address`: the source operand with the byte offset. Counters are named by their index alone.
Place place_of(Lowering& l,
               const tgsi::RegisterRef& reg,
               const Instruction& inst,
               unsigned address) {
    if (reg.file == tgsi::File::Memory)
        return memory_place(l, memory_kind(l, reg),
                            l.b.bit_and(literal(~3U), l.src(inst, address, 0)));
    const bool counters = reg.file == tgsi::File::HwAtomic;
    const Resource& resource = counters ? kCounters : kBuffer;
    const tgsi::RegisterIndex unit = counters ? reg.outer : reg.index;
    const auto value = [&](DriverValue v) { return unit_value(l, v, reg.file, unit, kMaxBuffers); };
    const Wide base{value(resource.low), value(resource.high)};
    Place place{l.b.pair(base.low, base.high), value(resource.size), {}};
    if (counters)
        place.offset = l.b.shift_left(l.index_value(reg.index), literal(2));
    else
        place.offset = l.b.bit_and(literal(~3U), l.src(inst, address, 0));
    return place;
}

/// The word `last` words behind the place is inside if offset < max(size - 3 - 4 * last, 0).
Operand limit_of(Lowering& l, const Place& place, unsigned last) {
    return l.b.emit(Spec(Op::ISUB_U32).with(Mod::saturate, 1), {place.size, literal(3 + 4 * last)});
}

/// `address` if the words up to `last` are inside, else `outside`.
Wide checked(
    Lowering& l, const Place& place, unsigned last, const Wide& address, const Wide& outside) {
    const Operand limit = limit_of(l, place, last);
    const auto choose_word = [&](Operand inside, Operand other) {
        return l.b.csel_u32(Condition::lt, place.offset, limit, inside, other);
    };
    return {choose_word(address.low, outside.low), choose_word(address.high, outside.high)};
}

Wide redirect(Lowering& l, uint32_t half) {
    return thread_local_address(l, l.redirect_offset() + half);
}

/// Stores 16 bytes of zeros for all lanes, helpers too.
void store_zeros(Builder& b, Operand address, uint32_t offset) {
    const Vec4 zeros{literal(0), literal(0), literal(0), literal(0)};
    b.emit_message(Spec(Op::STORE_I128).with(Mod::memory_access, MemoryAccess::force), {address},
                   {.staging = zeros, .imm = {static_cast<int32_t>(offset), 0}});
}

void load_buffer(Lowering& l, const Instruction& inst) {
    const Place place = place_of(l, inst.src[0].reg, inst, 1);
    const Wide address = address_sum(l.b, place.base, place.offset);
    const Wide outside = redirect(l, kUnwrittenHalf);
    const unsigned components = inst.src[0].reg.file == tgsi::File::HwAtomic ? 1 : 0xF;
    Vec4 value{literal(0), literal(0), literal(0), literal(0)};
    each_run(needed_components(inst) & components, [&](unsigned first, unsigned count) {
        const Wide at = checked(l, place, first + count - 1, address, outside);
        const uint32_t words =
            load_words(l.b, l.b.pair(at.low, at.high), static_cast<int32_t>(4 * first), count);
        for (unsigned k = 0; k < count; ++k)
            value[first + k] = ir::value_operand(words + k);
    });
    store_loaded(l, inst, value);
}

/// CONSTBUF[b]: reads behind the end are 0 by themselves.
void load_constant_buffer(Lowering& l, const Instruction& inst) {
    const tgsi::RegisterIndex& unit = inst.src[0].reg.index;
    if (unit.indirect || unit.value < 0 ||
        static_cast<uint32_t>(unit.value) >= exec::kMaxConstantBuffers) {
        l.unsupported("LOAD of a computed constant buffer");
        return;
    }
    l.info().constant_buffers_read |= 1U << static_cast<uint32_t>(unit.value);
    const Operand offset = l.b.bit_and(literal(~3U), l.src(inst, 1, 0));
    const auto count = static_cast<uint8_t>(std::bit_width(unsigned{needed_components(inst)}));
    constexpr Op kBufferLoads[] = {Op::LD_BUFFER_I32, Op::LD_BUFFER_I64, Op::LD_BUFFER_I96,
                                   Op::LD_BUFFER_I128};
    const Op op = kBufferLoads[count - 1];
    Spec spec(op);
    if (op == Op::LD_BUFFER_I32)
        spec = spec.with(Mod::unsigned_, 1);
    const uint32_t first =
        l.b.emit_message(spec, {offset, literal(static_cast<uint32_t>(unit.value))},
                         {.def_count = count})
            .def;
    Vec4 value{literal(0), literal(0), literal(0), literal(0)};
    for (unsigned c = 0; c < count; ++c)
        value[c] = ir::value_operand(first + c);
    store_loaded(l, inst, value);
}

void lower_load(Lowering& l, const Instruction& inst, const Rule&) {
    const tgsi::RegisterRef& reg = inst.src[0].reg;
    if (needed_components(inst) == 0)
        return;
    if (reg.file == tgsi::File::Image)
        load_image(l, inst);
    else if (reg.file == tgsi::File::ConstBuf)
        load_constant_buffer(l, inst);
    else if (names_memory(l, reg))
        load_buffer(l, inst);
}

void lower_store(Lowering& l, const Instruction& inst, const Rule&) {
    const tgsi::RegisterRef& reg = inst.dst[0].reg;
    l.info().has_side_effects = true;
    if (reg.file == tgsi::File::Image) {
        store_image(l, inst);
        return;
    }
    if (!names_memory(l, reg))
        return;
    const Place place = place_of(l, reg, inst, 0);
    const Wide address = address_sum(l.b, place.base, place.offset);
    const Wide outside = redirect(l, kWrittenHalf);
    each_run(inst.dst[0].write_mask, [&](unsigned first, unsigned count) {
        std::array<Operand, 4> data;
        for (unsigned k = 0; k < count; ++k)
            data[k] = l.src(inst, 1, first + k);
        const Wide at = checked(l, place, first + count - 1, address, outside);
        store_words(l.b, l.b.pair(at.low, at.high), static_cast<int32_t>(4 * first),
                    std::span(data).first(count));
    });
}

void lower_resource_query(Lowering& l, const Instruction& inst, const Rule&) {
    const tgsi::RegisterRef& reg = inst.src[0].reg;
    if (reg.file == tgsi::File::Image)
        query_image(l, inst);
    else if (reg.file == tgsi::File::Memory && memory_kind(l, reg) == tgsi::MemoryKind::Shared &&
             names_memory(l, reg))
        l.store(inst, {literal(l.info().compute.shared_bytes), literal(0), literal(0), literal(0)});
    else if (reg.file == tgsi::File::Memory)
        l.unsupported_here("memory that is no buffer");
    else if (names_memory(l, reg))
        l.store(inst, {unit_value(l, DriverValue::BufferSize, reg.file, reg.index, kMaxBuffers),
                       literal(0), literal(0), literal(0)});
}

/// Messages are ordered by waits, and one thread runs all lanes of a work-group: a fence between
/// them needs no instruction.
void lower_fence(Lowering&, const Instruction&, const Rule&) {}

/// Adds the table to the number: both together are a handle.
void lower_handle(Lowering& l, const Instruction& inst, const Rule& rule) {
    const Operand number = l.index_value(inst.src[0].reg.index);
    l.store(inst, {l.b.iadd(number, literal(exec::make_handle(exec::ResourceTable(rule.a), 0))),
                   literal(0), literal(0), literal(0)});
}

constexpr auto kSamplerTable = static_cast<uint8_t>(exec::ResourceTable::Samplers);
constexpr Rule kMemoryRules[] = {
    {Opcode::LOAD, lower_load},
    {Opcode::STORE, lower_store},
    {Opcode::RESQ, lower_resource_query},
    {Opcode::MEMBAR, lower_fence},
    {Opcode::IMG2HND, lower_handle, Op{}, raw(exec::ResourceTable::Images)},
    {Opcode::SAMP2HND, lower_handle, Op{}, kSamplerTable},
};

}  // namespace

uint32_t load_words(Builder& b, Operand address, int32_t offset, unsigned count) {
    constexpr std::array kLoads{Op::LOAD_I32, Op::LOAD_I64, Op::LOAD_I96, Op::LOAD_I128};
    Spec load(kLoads[count - 1]);
    if (count == 1)
        load = load.with(Mod::unsigned_, 1);
    return b
        .emit_message(load, {address},
                      {.def_count = static_cast<uint8_t>(count), .imm = {offset, 0}})
        .def;
}

void store_words(Builder& b, Operand address, int32_t offset, std::span<const Operand> words) {
    constexpr std::array kStores{Op::STORE_I32, Op::STORE_I64, Op::STORE_I96, Op::STORE_I128};
    b.emit_message(Spec(kStores[words.size() - 1]), {address},
                   {.staging = words, .imm = {offset, 0}});
}

Wide address_sum(Builder& b, Operand base, Operand offset, int32_t shift) {
    const uint32_t low =
        b.emit_message(Spec(Op::SHADDX_U64), {base, select(offset, raw(Swizzles64Bit::w0))},
                       {.def_count = 2, .imm = {shift, 0}})
            .def;
    return {ir::value_operand(low), ir::value_operand(low + 1)};
}

uint8_t needed_components(const Instruction& inst) {
    unsigned mask = 0;
    for (unsigned c = 0; c < 4; ++c) {
        if ((inst.dst[0].write_mask >> c & 1) != 0)
            mask |= 1U << inst.src[0].swizzle[c];
    }
    return static_cast<uint8_t>(mask);
}

std::span<const Rule> memory_rules() {
    return kMemoryRules;
}

Operand unit_value(Lowering& l,
                   DriverValue value,
                   tgsi::File file,
                   const tgsi::RegisterIndex& index,
                   uint32_t limit) {
    if (!index.indirect) {
        if (index.value < 0 || static_cast<uint32_t>(index.value) >= limit) {
            l.fail(Errc::OutOfRange, "unit beyond the limit " + std::to_string(limit - 1));
            return literal(0);
        }
        return l.driver_value(value, static_cast<uint8_t>(index.value));
    }
    const Operand wanted = l.index_value(index);
    Operand found = literal(0);
    for (const tgsi::Declaration& declaration : l.shader().declarations) {
        if (declaration.file != file)
            continue;
        const uint32_t first = declaration.has_outer ? declaration.outer : declaration.first;
        const uint32_t last = declaration.has_outer ? declaration.outer : declaration.last;
        for (uint32_t unit = first; unit <= last && unit < limit; ++unit)
            found = l.b.csel_u32(Condition::eq, wanted, literal(unit),
                                 l.driver_value(value, static_cast<uint8_t>(unit)), found);
    }
    return found;
}

void store_loaded(Lowering& l, const Instruction& inst, const Vec4& value) {
    const std::array<uint8_t, 4>& swizzle = inst.src[0].swizzle;
    l.store(inst, {value[swizzle[0]], value[swizzle[1]], value[swizzle[2]], value[swizzle[3]]});
}

Wide atomic_address(Lowering& l, const Instruction& inst) {
    const tgsi::RegisterRef& reg = inst.src[0].reg;
    if (reg.file == tgsi::File::Image)
        return texel_address(l, inst, false).address;
    if (!names_memory(l, reg))
        return wide_literal(0);
    const Place place = place_of(l, reg, inst, 1);
    return checked(l, place, 0, address_sum(l.b, place.base, place.offset), wide_literal(0));
}

uint32_t Lowering::redirect_offset() const {
    return function_.tls_bytes - kRedirectBytes;
}

uint32_t Lowering::private_offset() const {
    return redirect_offset() - kPrivateBytes;
}

/// Room for private memory, which starts as zeros, and for accesses outside of buffers, behind the
/// arrays.
void Lowering::reserve_memory() {
    const auto is_private = [](const tgsi::Declaration& declaration) {
        return declaration.file == tgsi::File::Memory && declaration.has_memory_kind &&
               declaration.memory_kind == tgsi::MemoryKind::Private;
    };
    const bool has_private = std::ranges::any_of(shader_.declarations, is_private);
    const auto is_access = [](const Instruction& inst) {
        return (inst.opcode == Opcode::LOAD && inst.src[0].reg.file != tgsi::File::Image) ||
               (inst.opcode == Opcode::STORE && inst.dst[0].reg.file != tgsi::File::Image);
    };
    if (!has_private && std::ranges::none_of(shader_.instructions, is_access))
        return;
    function_.tls_bytes += kRedirectBytes + (has_private ? kPrivateBytes : 0);
    store_zeros(b, pointer(exec::kThreadLocalPointer), redirect_offset());
    if (has_private)
        clear_private_memory();
}

/// A loop of stores, 16 bytes each.
void Lowering::clear_private_memory() {
    const std::array vars{scratch(0)};
    flow.set(vars[0], literal(0));
    flow.begin_loop(vars);
    const Operand done = flow.get(vars[0]);
    const Wide place = address_sum(b, pointer(exec::kThreadLocalPointer), done);
    store_zeros(b, b.pair(place.low, place.high), private_offset());
    const Operand next = b.iadd(done, literal(16));
    flow.set(vars[0], next);
    flow.begin_if(b.icmp_u32(Condition::ge, ResultType::m1, next, literal(kPrivateBytes)));
    flow.break_out();
    flow.end_if();
    flow.end_loop();
}

}  // namespace valkyr::valhall::lower

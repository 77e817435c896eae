// Lowering: registers in thread-local storage, and constants with a computed index.
// SPDX-License-Identifier: MIT
#include "exec/specials.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::valhall::lower {
namespace {

/// Constants: indexes are limited to this, so that index * 16 cannot wrap into the buffer.
constexpr uint32_t kMaxConstantIndex = 0x0FFFFFFF;
constexpr uint32_t kMaxBufferIndex = 0x00FFFFFF;

/// Helper lanes have arrays too: without `force` their accesses would do nothing.
Spec thread_local_access(Op op) {
    return Spec(op).with(Mod::memory_access, MemoryAccess::force);
}

Operand umin(Builder& b, Operand x, uint32_t limit) {
    if (x.kind == OperandKind::Literal)
        return literal(std::min(x.value, limit));
    return b.csel_u32(Condition::lt, x, literal(limit), x, literal(limit));
}

/// Whether a temporary or a literal has a computed index.
bool is_array_element(const tgsi::RegisterRef& reg) {
    return reg.index.indirect && !reg.outer.indirect &&
           (reg.file == tgsi::File::Temporary || reg.file == tgsi::File::Immediate);
}

/// Whether a shader has elements of arrays and a loop, which may count their indexes.
bool indexes_in_loops(const tgsi::Shader& shader) {
    bool has_loop = false;
    bool has_element = false;
    for (const Instruction& inst : shader.instructions) {
        has_loop |= inst.opcode == Opcode::BGNLOOP;
        for (unsigned i = 0; i < inst.dst_count; ++i)
            has_element |= is_array_element(inst.dst[i].reg);
        for (unsigned i = 0; i < inst.src_count; ++i)
            has_element |= is_array_element(inst.src[i].reg);
    }
    return has_loop && has_element;
}

}  // namespace

const MemoryArray* Lowering::array_of(tgsi::File file, uint32_t index) const {
    for (const MemoryArray& array : arrays_) {
        if (array.file == file && array.first <= index && index - array.first < array.count)
            return &array;
    }
    return nullptr;
}

Operand Lowering::index_register(const tgsi::RegisterIndex& index) {
    if (!index.indirect)
        return literal(0);
    tgsi::RegisterRef reg;
    reg.file = index.by.file;
    reg.index.value = static_cast<int32_t>(index.by.index);
    return read(reg, index.by.component);
}

Operand Lowering::index_value(const tgsi::RegisterIndex& index) {
    const auto constant = static_cast<uint32_t>(index.value);
    const Operand value = index_register(index);
    if (value.kind == OperandKind::Literal)
        return literal(value.value + constant);
    return constant == 0 ? value : b.iadd(value, literal(constant));
}

bool Lowering::stays_in_registers(const tgsi::RegisterRef& reg) const {
    return arrays_in_registers_ && is_array_element(reg);
}

std::optional<tgsi::RegisterRef> Lowering::named_register(const tgsi::RegisterRef& reg) {
    const RegisterRange range = indexed_range(reg);
    const Operand index = index_value(reg.index);
    if (range.first == kNoRegister || index.kind != OperandKind::Literal) {
        fail(Errc::Unsupported, "an index that is no number");
        return std::nullopt;
    }
    if (index.value < range.first || index.value > range.last)
        return std::nullopt;
    tgsi::RegisterRef named = reg;
    named.index = {};
    named.index.value = static_cast<int32_t>(index.value);
    named.array_id = 0;
    return named;
}

bool Lowering::knows_indexes(const tgsi::Shader& shader,
                             const CompileOptions& options,
                             const Layouts& layouts,
                             const ir::Function& function) {
    if (!indexes_in_loops(shader))
        return false;
    ir::Function trial;
    trial.info = function.info;
    trial.cancellation = function.cancellation;
    trial.find_template = function.find_template;
    Lowering lowering(shader, options, layouts, trial);
    lowering.keep_arrays_in_registers();
    return lowering.run().has_value();
}

Lowering::TlsAddress Lowering::tls_address(const tgsi::RegisterRef& reg, bool writes) {
    const uint32_t inside =
        reg.index.indirect ? indexed_range(reg).first : static_cast<uint32_t>(reg.index.value);
    const MemoryArray* array = array_of(reg.file, inside);
    if (array == nullptr) {
        fail(Errc::Semantic, "an indirectly indexed array is not declared");
        return {pointer(exec::kThreadLocalPointer), 0};
    }
    tgsi::RegisterIndex relative = reg.index;
    relative.value -= static_cast<int32_t>(array->first);
    const Operand position = index_value(relative);
    // Out of range: reads see a register that stays 0, writes go to one that is never read.
    const uint32_t limit = array->count + (writes ? 1 : 0);
    if (position.kind == OperandKind::Literal) {
        const uint32_t slot = position.value < array->count ? position.value : limit;
        return {pointer(exec::kThreadLocalPointer),
                static_cast<int32_t>(array->tls_offset + slot * 16)};
    }
    const Operand in_range =
        b.csel_u32(Condition::lt, position, literal(array->count), position, literal(limit));
    const Operand bytes = b.shift_left(in_range, literal(4));
    const Wide address = address_sum(b, pointer(exec::kThreadLocalPointer), bytes);
    return {b.pair(address.low, address.high), static_cast<int32_t>(array->tls_offset)};
}

Operand Lowering::read_indirect(const tgsi::RegisterRef& reg, unsigned component) {
    if (reg.file == tgsi::File::Constant)
        return read_constant_indirect(reg, component);
    if (lies_in_records(reg.file))
        return is_patch_stage() ? read_patch_register(reg, component)
                                : read_vertex_input(reg, component);
    if (reg.outer.indirect ||
        !(reg.file == tgsi::File::Temporary || reg.file == tgsi::File::Input ||
          reg.file == tgsi::File::Output || reg.file == tgsi::File::Immediate)) {
        unsupported("indirect indexing of this register file");
        return literal(0);
    }
    const TlsAddress address = tls_address(reg, false);
    const auto offset = static_cast<int32_t>(address.offset + static_cast<int32_t>(component * 4));
    const Spec load = thread_local_access(Op::LOAD_I32).with(Mod::unsigned_, 1);
    return ir::value_operand(
        b.emit_message(load, {address.base}, {.def_count = 1, .imm = {offset, 0}}).def);
}

/// The components of a constant that the instruction at hand reads from it, `component` at least.
uint8_t Lowering::constant_components(const tgsi::RegisterRef& reg, unsigned component) const {
    unsigned mask = 1U << component;
    if (current_ == nullptr)
        return static_cast<uint8_t>(mask);
    for (unsigned i = 0; i < current_->src_count; ++i)
        if (current_->src[i].reg == reg)
            mask |= read_components(*current_, i);
    return static_cast<uint8_t>(mask);
}

/// Three and more components are read as four: constants lie 16 bytes apart.
Operand Lowering::read_constant_indirect(const tgsi::RegisterRef& reg, unsigned component) {
    const ConstantPlace place{b.current_block(), index_register(reg.index), reg.index.value,
                              index_register(reg.outer), reg.has_outer ? reg.outer.value : 0};
    if (last_place_ == place && last_constant_[component].kind != OperandKind::None)
        return last_constant_[component];
    const Operand index = index_value(reg.index);
    Operand buffer = literal(0);
    if (reg.has_outer) {
        buffer = index_value(reg.outer);
        if (buffer.kind != OperandKind::Literal)
            buffer = umin(b, buffer, kMaxBufferIndex);
    }
    if (buffer.kind == OperandKind::Literal && buffer.value < exec::kMaxConstantBuffers)
        info().constant_buffers_read |= 1U << buffer.value;
    else
        info().constant_buffers_read |= (1U << exec::kMaxConstantBuffers) - 1;
    if (index.kind == OperandKind::Literal && buffer.kind == OperandKind::Literal &&
        buffer.value < exec::kMaxConstantBuffers && index.value <= kMaxConstantIndex)
        return constant_word(buffer.value, index.value * 4 + component);
    const unsigned wanted = constant_components(reg, component);
    auto first = static_cast<unsigned>(std::countr_zero(wanted));
    auto count = static_cast<unsigned>(std::bit_width(wanted)) - first;
    if (count >= 3) {
        first = 0;
        count = 4;
    }
    Operand offset;
    if (index.kind == OperandKind::Literal) {
        offset = literal(std::min(index.value, kMaxConstantIndex) * 16 + first * 4);
    } else {
        const Operand bytes = b.shift_left(umin(b, index, kMaxConstantIndex), literal(4));
        offset = first == 0 ? bytes : b.iadd(bytes, literal(first * 4));
    }
    Spec load(count == 4 ? Op::LD_BUFFER_I128 : count == 2 ? Op::LD_BUFFER_I64 : Op::LD_BUFFER_I32);
    if (count == 1)
        load = load.with(Mod::unsigned_, 1);
    const uint32_t value =
        b.emit_message(load, {offset, buffer}, {.def_count = static_cast<uint8_t>(count)}).def;
    last_place_ = place;
    last_constant_ = {};
    for (unsigned c = 0; c < count; ++c)
        last_constant_[first + c] = ir::value_operand(value + c);
    return last_constant_[component];
}

uint32_t Lowering::units_of(const tgsi::RegisterRef& reg) const {
    if (!reg.index.indirect)
        return 1U << static_cast<uint32_t>(reg.index.value);
    uint32_t mask = 0;
    for (const tgsi::Declaration& declaration : shader_.declarations) {
        if (declaration.file != reg.file)
            continue;
        for (uint32_t i = declaration.first; i <= declaration.last && i < exec::kMaxTextureUnits;
             ++i)
            mask |= 1U << i;
    }
    return mask;
}

void Lowering::note_texture(const tgsi::RegisterRef& texture, const tgsi::RegisterRef& sampler) {
    info().textures_read |= units_of(texture);
    info().samplers_read |= units_of(sampler);
}

Operand Lowering::unit_value(exec::DriverValue value, const tgsi::RegisterRef& reg) {
    if (!reg.index.indirect)
        return driver_value(value, static_cast<uint8_t>(reg.index.value));
    const Operand unit = limited_unit(reg.index);
    Operand result = literal(0);
    for (uint32_t units = units_of(reg); units != 0; units &= units - 1) {
        const auto number = static_cast<uint8_t>(std::countr_zero(units));
        result =
            b.csel_u32(Condition::eq, unit, literal(number), driver_value(value, number), result);
    }
    return result;
}

Operand Lowering::limited_unit(const tgsi::RegisterIndex& index) {
    const Operand unit = index_value(index);
    return umin(b, unit, exec::kMaxTextureUnits - 1);
}

void Lowering::write_memory(const tgsi::Dst& dst, const Vec4& values) {
    if (dst.reg.file != tgsi::File::Temporary && dst.reg.file != tgsi::File::Output) {
        unsupported("indirect indexing of this register file");
        return;
    }
    const TlsAddress address = tls_address(dst.reg, true);
    for (unsigned c = 0; c < 4; ++c) {
        if ((dst.write_mask >> c & 1) == 0)
            continue;
        const auto offset = static_cast<int32_t>(address.offset + static_cast<int32_t>(c * 4));
        b.emit_message(thread_local_access(Op::STORE_I32), {address.base},
                       {.staging = {&values[c], 1}, .imm = {offset, 0}});
    }
}

/// Gives the memory of arrays its first contents: 0, or the inputs and immediates that it shadows.
/// Components that are never read get none.
void Lowering::clear_memory_arrays() {
    for (const MemoryArray& array : arrays_) {
        for (uint32_t i = 0; i <= array.count; ++i) {
            Vec4 values{literal(0), literal(0), literal(0), literal(0)};
            const uint32_t index = array.first + i;
            for (unsigned c = 0; c < 4 && i < array.count; ++c) {
                if (array.file == tgsi::File::Immediate)
                    values[c] = literal(shader_.immediates[index].words[c]);
                else if (array.file == tgsi::File::Input)
                    values[c] = load_input(index, c);
            }
            const auto place = static_cast<int32_t>(array.tls_offset + i * 16);
            if (std::has_single_bit(array.read)) {
                const auto c = static_cast<unsigned>(std::countr_zero(array.read));
                b.emit_message(
                    thread_local_access(Op::STORE_I32), {pointer(exec::kThreadLocalPointer)},
                    {.staging = {&values[c], 1}, .imm = {place + static_cast<int32_t>(4 * c), 0}});
            } else if (array.read != 0) {
                b.emit_message(thread_local_access(Op::STORE_I128),
                               {pointer(exec::kThreadLocalPointer)},
                               {.staging = values, .imm = {place, 0}});
            }
        }
    }
}

}  // namespace valkyr::valhall::lower

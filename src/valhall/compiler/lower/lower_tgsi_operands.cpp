// Lowering: reading and writing the operands of instructions.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {

Operand Lowering::read_other(const tgsi::RegisterRef& reg, unsigned component) {
    if (stays_in_registers(reg)) {
        const std::optional<tgsi::RegisterRef> named = named_register(reg);
        return named ? read(*named, component) : literal(0);
    }
    if (reg.index.indirect || reg.outer.indirect)
        return read_indirect(reg, component);
    const auto index = static_cast<uint32_t>(reg.index.value);
    if (!arrays_.empty() && array_of(reg.file, index) != nullptr)
        return read_indirect(reg, component);
    switch (reg.file) {
    case tgsi::File::Immediate:
        if (index < shader_.immediates.size())
            return literal(shader_.immediates[index].words[component]);
        break;
    case tgsi::File::Constant:
        return constant_word(reg.has_outer ? static_cast<uint32_t>(reg.outer.value) : 0,
                             index * 4 + component);
    case tgsi::File::Input:
        if (const std::optional<uint32_t> number = input_number(reg))
            return load_input(*number, component);
        break;
    case tgsi::File::SystemValue: return load_system_value(index, component);
    case tgsi::File::Null: return literal(0);
    default: {
        if (lies_in_records(reg.file))
            return read_patch_register(reg, component);
        const FileVars* vars = vars_of(reg.file);
        if (vars == nullptr || index >= vars->count)
            break;
        return read_variable(vars->base + index * 4 + component);
    }
    }
    fail(Errc::Semantic, "operand register is not declared");
    return literal(0);
}

Operand Lowering::src_float(const Instruction& inst, unsigned i, unsigned channel) {
    const tgsi::Src& source = inst.src[i];
    Operand value = read(source.reg, source.swizzle[channel]);
    if (!source.absolute && !source.negate)
        return value;
    if (source.absolute) {
        value = b.resolve(value);
        value.flags |= ir::kAbs;
    }
    if (source.negate)
        value.flags ^= ir::kNeg;
    return value;
}

Operand Lowering::src(const Instruction& inst, unsigned i, unsigned channel) {
    switch (tgsi::opcode_info(inst.opcode).src_types[i]) {
    case tgsi::OperandType::Signed:
    case tgsi::OperandType::Unsigned: {
        const tgsi::Src& source = inst.src[i];
        Operand value = read(source.reg, source.swizzle[channel]);
        if (source.absolute)
            value = b.unary(Op::IABS_S32, value);
        return source.negate ? b.isub(literal(0), value) : value;
    }
    default: return b.resolve(src_float(inst, i, channel));
    }
}

void Lowering::store(const Instruction& inst, const Vec4& values, unsigned d) {
    const tgsi::Dst& dst = inst.dst[d];
    const unsigned flags = values[0].flags | values[1].flags | values[2].flags | values[3].flags;
    if (!inst.saturate && flags == 0) {
        write_register(dst, values);
        return;
    }
    Vec4 ready{};
    for (unsigned c = 0; c < 4; ++c) {
        if ((dst.write_mask >> c & 1) == 0)
            continue;
        unsigned same = 0;  // replicated results are saturated once
        while (same < c && !(ready[same].kind != OperandKind::None && values[same] == values[c]))
            ++same;
        if (same < c)
            ready[c] = ready[same];
        else
            ready[c] = inst.saturate ? b.fclamp(values[c], Clamp::clamp_0_1) : b.resolve(values[c]);
    }
    write_register(dst, ready);
}

void Lowering::store_all(const Instruction& inst, Operand value) {
    store(inst, {value, value, value, value});
}

void Lowering::write_register(const tgsi::Dst& dst, const Vec4& values) {
    const auto index = static_cast<uint32_t>(dst.reg.index.value);
    if (dst.reg.file == tgsi::File::Null)
        return;
    if (lies_in_records(dst.reg.file)) {
        store_patch_register(dst, values);
        return;
    }
    if (stays_in_registers(dst.reg)) {
        tgsi::Dst direct = dst;
        if (const std::optional<tgsi::RegisterRef> named = named_register(dst.reg)) {
            direct.reg = *named;
            write_register(direct, values);
        }
        return;
    }
    if (dst.reg.index.indirect || (!arrays_.empty() && array_of(dst.reg.file, index) != nullptr)) {
        write_memory(dst, values);
        return;
    }
    const FileVars* vars = vars_of(dst.reg.file);
    if (vars == nullptr || index >= vars->count) {
        fail(Errc::Semantic, "destination register is not declared");
        return;
    }
    for (unsigned c = 0; c < 4; ++c) {
        if ((dst.write_mask >> c & 1) != 0)
            flow.set(vars->base + index * 4 + c, values[c]);
    }
}

Operand Lowering::output(uint32_t index, unsigned component) {
    tgsi::RegisterRef reg;
    reg.file = tgsi::File::Output;
    reg.index.value = static_cast<int32_t>(index);
    return read(reg, component);
}

Operand Lowering::constant_word(uint32_t buffer, uint32_t word) {
    if (buffer >= exec::kMaxConstantBuffers) {
        fail(Errc::OutOfRange, "constant buffer " + std::to_string(buffer) +
                                   " is beyond the limit " +
                                   std::to_string(exec::kMaxConstantBuffers - 1));
        return literal(0);
    }
    return uniform({FauKind::Constant, static_cast<uint8_t>(buffer), word});
}

Operand Lowering::driver_value(exec::DriverValue value, uint8_t unit) {
    return uniform({FauKind::Driver, unit, static_cast<uint32_t>(value)});
}

Operand Lowering::uniform(const FauWord& word) {
    const uint64_t key = uint64_t{raw(word.kind)} << 40 | uint64_t{word.buffer} << 32 | word.value;
    uint32_t& id = uniform_ids_.find_or_insert(key, ir::kNone);
    if (id == ir::kNone) {
        id = static_cast<uint32_t>(function_.uniforms.size());
        function_.uniforms.push_back(word);
    }
    return {id, OperandKind::Uniform, 0, ir::kDefaultSelector, 0};
}

}  // namespace valkyr::valhall::lower

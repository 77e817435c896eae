// Operands: read sources, write destinations, resolve indirect addresses for the interpreter.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/arith/arith_int.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

namespace {

uint32_t component_of(const std::vector<Word4>& registers, int64_t index, unsigned c) {
    const bool inside = index >= 0 && index < static_cast<int64_t>(registers.size());
    return inside ? registers[static_cast<size_t>(index)][c] : 0;
}

const std::vector<Word4>* vertex_of(const std::vector<std::vector<Word4>>& vertices, int64_t v) {
    const bool inside = v >= 0 && v < static_cast<int64_t>(vertices.size());
    return inside ? &vertices[static_cast<size_t>(v)] : nullptr;
}

/// Modifiers of a 32-bit operand: absolute value first, then negation.
uint32_t modified(uint32_t bits, const Src& src, OperandType type) {
    const bool integer = type == OperandType::Signed || type == OperandType::Unsigned;
    if (src.absolute)
        bits = integer ? arith::iabs(bits) : bits & 0x7FFFFFFF;
    if (src.negate)
        bits = integer ? 0 - bits : bits ^ 0x80000000;
    return bits;
}

uint64_t modified_wide(uint64_t bits, const Src& src, OperandType type) {
    constexpr uint64_t kSign = uint64_t{1} << 63;
    const bool integer = type != OperandType::Double;
    if (src.absolute)
        bits = !integer ? bits & ~kSign : (bits & kSign) != 0 ? 0 - bits : bits;
    if (src.negate)
        bits = integer ? 0 - bits : bits ^ kSign;
    return bits;
}

}  // namespace

int64_t Machine::index_of(uint32_t lane, const RegisterIndex& index) const {
    if (!index.indirect)
        return index.value;
    RegisterRef by;
    by.file = index.by.file;
    by.index.value = index.by.index;
    return int64_t{index.value} + static_cast<int32_t>(read(lane, by, index.by.component));
}

/// Registers that an indirect index into temporaries may reach: the array, or the whole file.
RegisterRange Machine::range_of(const RegisterRef& ref) const {
    const auto found = program_.temporary_arrays.find(ref.array_id);
    if (ref.array_id != 0 && found != program_.temporary_arrays.end())
        return found->second;
    return {0, int64_t{program_.temporaries} - 1};
}

uint32_t Machine::read_input(uint32_t lane, const RegisterRef& ref, unsigned c) const {
    const int64_t index = index_of(lane, ref.index);
    if (!ref.has_outer)
        return component_of(group_.invocations[lane].inputs, index, c);
    const auto* vertex = vertex_of(group_.vertex_inputs, index_of(lane, ref.outer));
    return vertex != nullptr ? component_of(*vertex, index, c) : 0;
}

/// The registers that an output reference means: the lane's, the patch's or those of a vertex.
std::vector<Word4>* Machine::output_registers(uint32_t lane, const RegisterRef& ref) const {
    if (program_.shader.stage != Stage::TessCtrl)
        return ref.has_outer ? nullptr : &group_.invocations[lane].outputs;
    const int64_t index = index_of(lane, ref.index);
    const auto& per_vertex = program_.per_vertex_outputs;
    const bool own = !ref.has_outer && index >= 0 &&
                     index < static_cast<int64_t>(per_vertex.size()) &&
                     per_vertex[static_cast<size_t>(index)];
    if (!ref.has_outer && !own)
        return &group_.patch_outputs;
    const int64_t vertex = own ? lane : index_of(lane, ref.outer);
    const bool inside = vertex >= 0 && vertex < static_cast<int64_t>(group_.vertex_outputs.size());
    return inside ? &group_.vertex_outputs[static_cast<size_t>(vertex)] : nullptr;
}

uint32_t Machine::read_output(uint32_t lane, const RegisterRef& ref, unsigned c) const {
    const std::vector<Word4>* registers = output_registers(lane, ref);
    return registers == nullptr ? 0 : component_of(*registers, index_of(lane, ref.index), c);
}

uint32_t Machine::read_constant(uint32_t lane, const RegisterRef& ref, unsigned c) const {
    const int64_t buffer = ref.has_outer ? index_of(lane, ref.outer) : 0;
    if (buffer < 0 || buffer >= static_cast<int64_t>(group_.constants.size()))
        return 0;
    const auto words = group_.constants[static_cast<size_t>(buffer)];
    const int64_t word = index_of(lane, ref.index) * 4 + c;
    const bool inside = word >= 0 && word < static_cast<int64_t>(words.size());
    return inside ? words[static_cast<size_t>(word)] : 0;
}

uint32_t Machine::read_system_value(uint32_t lane, int64_t index, unsigned c) const {
    const uint32_t in_subgroup = lane % kSubgroupSize;
    const uint32_t all = (1U << kSubgroupSize) - 1;
    const uint32_t eq = 1U << in_subgroup;
    const auto only_x = [c](uint32_t value) { return c == 0 ? value : 0; };
    const auto found = program_.system_semantics.find(static_cast<uint32_t>(index));
    if (index >= 0 && found != program_.system_semantics.end()) {
        switch (found->second) {
        case Semantic::SubgroupSize: return only_x(kSubgroupSize);
        case Semantic::SubgroupInvocation: return only_x(in_subgroup);
        case Semantic::SubgroupEqMask: return only_x(eq);
        case Semantic::SubgroupGeMask: return only_x(all & ~(eq - 1));
        case Semantic::SubgroupGtMask: return only_x(all & ~(eq | (eq - 1)));
        case Semantic::SubgroupLeMask: return only_x(eq | (eq - 1));
        case Semantic::SubgroupLtMask: return only_x(eq - 1);
        case Semantic::HelperInvocation:
            return only_x(group_.invocations[lane].helper ? arith::kAllOnes : 0);
        default: break;
        }
    }
    return component_of(group_.invocations[lane].system_values, index, c);
}

uint32_t Machine::read(uint32_t lane, const RegisterRef& ref, unsigned component) const {
    switch (ref.file) {
    case File::Temporary: {
        const int64_t index = index_of(lane, ref.index);
        return range_of(ref).contains(index)
                   ? component_of(lanes_[lane].temporaries, index, component)
                   : 0;
    }
    case File::Address:
        return component_of(lanes_[lane].addresses, index_of(lane, ref.index), component);
    case File::Input: return read_input(lane, ref, component);
    case File::Output: return read_output(lane, ref, component);
    case File::Constant: return read_constant(lane, ref, component);
    case File::SystemValue: return read_system_value(lane, index_of(lane, ref.index), component);
    case File::Immediate: {
        const int64_t index = index_of(lane, ref.index);
        const auto& immediates = program_.shader.immediates;
        const bool inside = index >= 0 && index < static_cast<int64_t>(immediates.size());
        return inside ? immediates[static_cast<size_t>(index)].words[component] : 0;
    }
    default: return 0;
    }
}

uint32_t
Machine::fetch(uint32_t lane, const Instruction& instr, unsigned source, unsigned component) const {
    const Src& src = instr.src[source];
    const OperandType type = opcode_info(instr.opcode).src_types[source];
    return modified(read(lane, src.reg, src.swizzle[component]), src, type);
}

Word4 Machine::fetch4(uint32_t lane, const Instruction& instr, unsigned source) const {
    Word4 out{};
    for (unsigned c = 0; c < 4; ++c)
        out[c] = fetch(lane, instr, source, c);
    return out;
}

uint64_t
Machine::fetch_wide(uint32_t lane, const Instruction& instr, unsigned source, unsigned pair) const {
    const Src& src = instr.src[source];
    const OperandType type = opcode_info(instr.opcode).src_types[source];
    const uint64_t low = read(lane, src.reg, src.swizzle[2 * pair]);
    const uint64_t high = read(lane, src.reg, src.swizzle[2 * pair + 1]);
    return modified_wide(high << 32 | low, src, type);
}

Word4* Machine::destination(uint32_t lane, const RegisterRef& ref) {
    const int64_t index = index_of(lane, ref.index);
    std::vector<Word4>* registers = nullptr;
    switch (ref.file) {
    case File::Temporary:
        registers = range_of(ref).contains(index) ? &lanes_[lane].temporaries : nullptr;
        break;
    case File::Address: registers = &lanes_[lane].addresses; break;
    case File::Output: registers = output_registers(lane, ref); break;
    default: break;
    }
    const bool inside =
        registers != nullptr && index >= 0 && index < static_cast<int64_t>(registers->size());
    return inside ? &(*registers)[static_cast<size_t>(index)] : nullptr;
}

void Machine::store(
    uint32_t lane, const Instruction& instr, const Word4& value, uint8_t mask, unsigned dst) {
    Word4* const out = destination(lane, instr.dst[dst].reg);
    if (out == nullptr)
        return;
    const OperandType type = opcode_info(instr.opcode).dst_types[dst];
    const bool clamp =
        instr.saturate && (type == OperandType::Float || type == OperandType::Untyped);
    for (unsigned c = 0; c < 4; ++c)
        if ((mask & instr.dst[dst].write_mask) >> c & 1)
            (*out)[c] = clamp ? arith::saturate(value[c]) : value[c];
}

}  // namespace valkyr::tgsi

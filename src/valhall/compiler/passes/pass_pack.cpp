// Pass pack: turns instructions with registers into machine words.
// SPDX-License-Identifier: MIT
//
// The modifiers are in Inst::word already; this pass adds operands, immediates and flow, at
// the positions that the instruction tables give. The tests check every word against encode().
#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/isa/source_byte.hpp"

namespace valkyr::valhall::ir {
namespace {

struct Packer {
    uint64_t word = 0;
    unsigned page = 0;

    /// Ors a value in that fits its field: operand fields are 0 in Inst::word.
    void write(BitField field, uint64_t value) {
        VALKYR_DCHECK(place_bits(value, field.start, field.size) == value << field.start);
        word |= value << field.start;
    }

    uint8_t source_byte(const Operand& source) {
        switch (source.kind) {
        case OperandKind::Register:
            return static_cast<uint8_t>(
                ((source.flags & kLastUse) != 0 ? kLastUseByte : kRegisterByte) | source.value);
        case OperandKind::Uniform:
            page = source.value / kUniformsPerPage;
            return static_cast<uint8_t>(kUniformByte | source.value % kUniformsPerPage);
        case OperandKind::Constant: return static_cast<uint8_t>(kConstantByte | source.value);
        case OperandKind::Special:
            page = source.value / 16;
            return static_cast<uint8_t>(kSpecialByte | source.value % 16 << 1 | source.word);
        case OperandKind::None:
        case OperandKind::Value:
        case OperandKind::Literal:
        case OperandKind::Pair: break;
        }
        VALKYR_UNREACHABLE();
    }

    void place_source(const Inst& inst, const OpTraits& op, unsigned i) {
        const Operand& source = inst.src[i];
        word |= uint64_t{source_byte(source)} << op.source_shift[i];
        if (source.selector == kDefaultSelector)
            word |= op.default_selector[i];
        else
            write(source_info(inst.op, i).selector_bits, source.selector);
        if ((source.flags & (kNeg | kAbs | kNot)) != 0)
            place_modifiers(source_info(inst.op, i), source.flags);
    }

    void place_modifiers(const SourceInfo& info, unsigned flags) {
        if ((flags & kNeg) != 0)
            write(info.neg, 1);
        if ((flags & kAbs) != 0)
            write(info.abs, 1);
        if ((flags & kNot) != 0)
            write(info.bit_not, 1);
    }

    void place_runs(const Inst& inst, const OpInfo& info) {
        for (const StagingInfo& run : info.staging) {
            const unsigned base = run.write ? inst.def : inst.staging_base;
            const unsigned count = run.write ? inst.def_count : inst.staging_count;
            write(run.base, base);
            write(run.count, run.count_minus_one ? count - 1 : count);
        }
    }

    void place_immediates(const Inst& inst, const OpInfo& info, uint32_t index) {
        for (unsigned i = 0; i < info.immediates.size(); ++i) {
            int64_t value = inst.imm[i];
            if (inst.op == Op::BRANCHZ)
                value -= int64_t{index} + 1;
            const BitField field = info.immediates[i].bits;
            word |= place_bits(static_cast<uint64_t>(value), field.start, field.size);
        }
    }
};

uint64_t pack_inst(const Inst& inst, uint32_t index) {
    const OpTraits& op = traits(inst.op);
    Packer packer{inst.word, 0};
    for (unsigned i = 0; i < inst.src_count; ++i)
        packer.place_source(inst, op, i);
    if (op.destination != 0)
        packer.word |= op.destination | uint64_t{inst.def} << op.destination_shift;
    if (!op.only_sources) {
        packer.place_runs(inst, op_info(inst.op));
        packer.place_immediates(inst, op_info(inst.op), index);
    }
    packer.word |= uint64_t{packer.page} << kPageStart;
    packer.word |= static_cast<uint64_t>(inst.flow) << kFlowStart;
    return packer.word;
}

}  // namespace

PackedCode pack(const Function& f) {
    PackedCode code;
    code.words.resize(f.insts.size());
    code.lines.resize(f.insts.size());
    for (uint32_t i = 0; i < f.insts.size(); ++i) {
        code.words[i] = pack_inst(f.insts[i], i);
        code.lines[i] = f.insts[i].line;
    }
    return code;
}

}  // namespace valkyr::valhall::ir

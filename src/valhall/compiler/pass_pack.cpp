// pack: instructions with registers -> machine words.
// SPDX-License-Identifier: MIT
//
// The modifiers are in Inst::word already; what is added here are operands, immediates and flow, at
// the positions that the instruction tables give. The tests check every word against encode().
#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/passes.hpp"
#include "valhall/compiler/spec.hpp"

namespace valkyr::valhall::ir {
namespace {

constexpr uint32_t kWordsPerPage = 64;

struct Packer {
    uint64_t word = 0;
    unsigned page = 0;

    /// Ors a value in: operand fields are 0 in Inst::word.
    void place(BitField field, uint64_t value) {
        word |= place_bits(value, field.start, field.size);
    }

    uint8_t source_byte(const Operand& source) {
        switch (source.kind) {
        case OperandKind::Register:
            return static_cast<uint8_t>(
                ((source.flags & kLastUse) != 0 ? kLastUseByte : kRegisterByte) | source.value);
        case OperandKind::Uniform:
            page = source.value / kWordsPerPage;
            return static_cast<uint8_t>(kUniformByte | source.value % kWordsPerPage);
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

    void place_source(const SourceInfo& info, const Operand& source) {
        word |= uint64_t{source_byte(source)} << (8 * info.slot);
        const uint8_t selector =
            source.selector == kDefaultSelector ? info.selector_default : source.selector;
        if (selector != 0)
            place(info.selector_bits, selector);
        if ((source.flags & (kNeg | kAbs | kNot)) == 0)
            return;
        place(info.neg, (source.flags & kNeg) != 0);
        place(info.abs, (source.flags & kAbs) != 0);
        place(info.bit_not, (source.flags & kNot) != 0);
    }
};

uint64_t pack_inst(const Inst& inst, uint32_t index) {
    const OpInfo& info = op_info(inst.op);
    Packer packer{inst.word, 0};
    for (unsigned i = 0; i < inst.src_count; ++i)
        packer.place_source(info.sources[i], inst.src[i]);
    for (const StagingInfo& run : info.staging) {
        const unsigned base = run.write ? inst.def : inst.staging_base;
        const unsigned count = run.write ? inst.def_count : inst.staging_count;
        packer.place(run.base, base);
        packer.place(run.count, run.count_minus_one ? count - 1 : count);
    }
    if (info.has_dest) {
        packer.place(info.dest_reg, inst.def);
        packer.place(info.dest_mask, 3);
    }
    for (unsigned i = 0; i < info.immediates.size(); ++i) {
        int64_t value = inst.imm[i];
        if (inst.op == Op::BRANCHZ)
            value -= int64_t{index} + 1;
        packer.place(info.immediates[i].bits, static_cast<uint64_t>(value));
    }
    packer.place({kPageStart, kPageSize}, packer.page);
    packer.place({kFlowStart, kFlowSize}, static_cast<uint64_t>(inst.flow));
    return packer.word;
}

}  // namespace

PackedCode pack(const Function& f) {
    PackedCode code;
    code.words.reserve(f.insts.size());
    code.lines.reserve(f.insts.size());
    for (uint32_t i = 0; i < f.insts.size(); ++i) {
        code.words.push_back(pack_inst(f.insts[i], i));
        code.lines.push_back(f.insts[i].line);
    }
    return code;
}

}  // namespace valkyr::valhall::ir

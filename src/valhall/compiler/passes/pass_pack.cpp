// Pass pack: turns instructions with registers into machine words.
// SPDX-License-Identifier: MIT
//
// The modifiers are in Inst::word already; this pass adds operands, immediates and flow, at
// the positions that the instruction tables give. The tests check every word against encode().
// Operations on doubles become the words of their templates.
#include "base/bits.hpp"
#include "base/check.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

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

/// Packs functions with operations on doubles, whose templates are many words.
class TemplatePacking {
public:
    explicit TemplatePacking(Function& f)
        : f_(f) {}

    PackedCode run() {
        find_words();
        code_.words.reserve(word_of_.back());
        for (const Inst& inst : f_.insts) {
            if (inst.op == kDouble)
                add_operation(inst);
            else
                add_plain(inst);
            code_.lines.resize(code_.words.size(), inst.line);
        }
        return std::move(code_);
    }

private:
    [[nodiscard]] const DoubleTemplate& template_of(const Inst& inst) const {
        return f_.find_template(double_op(inst));
    }

    void find_words() {
        uint32_t word = 0;
        for (const Inst& inst : f_.insts) {
            word_of_.push_back(word);
            word += inst.op == kDouble ? static_cast<uint32_t>(template_of(inst).words.size()) : 1;
        }
        word_of_.push_back(word);
    }

    void add_plain(Inst inst) {
        if (inst.op == Op::BRANCHZ)
            inst.imm[0] = static_cast<int32_t>(word_of_[static_cast<uint32_t>(inst.imm[0])]);
        code_.words.push_back(pack_inst(inst, static_cast<uint32_t>(code_.words.size())));
    }

    void add_operation(const Inst& inst) {
        const DoubleTemplate& source = template_of(inst);
        const DoubleRange range = range_of(inst, source);
        const std::array<uint8_t, kRegisterCount> registers = registers_of(inst, range);
        const std::vector<uint8_t>& slots = slots_of(range.op, source);
        code_.words.insert(code_.words.end(), source.words.begin(), source.words.end());
        for (const DoubleTemplate::Gap& gap : source.gaps) {
            uint64_t& word = code_.words[range.first + gap.word];
            if (!gap.uniform) {
                word |= uint64_t{registers[gap.number]} << gap.shift;
                continue;
            }
            const unsigned place = 2U * slots[gap.number / 2] + gap.number % 2;
            word |= uint64_t{place % kUniformsPerPage} << gap.shift;
            word |= uint64_t{place / kUniformsPerPage} << kPageStart;
        }
        code_.words.back() |= static_cast<uint64_t>(inst.flow) << kFlowStart;
        code_.double_ranges.push_back(range);
    }

    [[nodiscard]] DoubleRange range_of(const Inst& inst, const DoubleTemplate& source) const {
        DoubleRange range;
        range.first = static_cast<uint32_t>(code_.words.size());
        range.count = static_cast<uint32_t>(source.words.size());
        range.op = double_op(inst);
        for (unsigned i = 0; i < inst.staging_count; ++i)
            range.sources[i] = static_cast<uint8_t>(f_.staging(inst)[i].value);
        range.result = static_cast<uint8_t>(inst.def);
        return range;
    }

    /// The registers that the numbers of a template stand for.
    static std::array<uint8_t, kRegisterCount> registers_of(const Inst& inst,
                                                            const DoubleRange& range) {
        std::array<uint8_t, kRegisterCount> registers{};
        for (unsigned k = 0; k < inst.def_count; ++k)
            registers[kTemplateResults + k] = static_cast<uint8_t>(range.result + k);
        std::ranges::copy(range.sources, registers.begin() + kTemplateSources);
        unsigned next = kTemplateScratch;
        for (uint64_t left = inst.word; left != 0; left &= left - 1)
            registers[next++] = static_cast<uint8_t>(std::countr_zero(left));
        return registers;
    }

    /// The 64-bit slots of the program's uniforms that hold the literals of a template.
    const std::vector<uint8_t>& slots_of(DoubleOp op, const DoubleTemplate& source) {
        std::vector<uint8_t>& slots = slots_[static_cast<unsigned>(op)];
        for (size_t i = 2 * slots.size(); i < source.literals.size(); i += 2)
            slots.push_back(find_slot({FauKind::Immediate, 0, source.literals[i]},
                                      {FauKind::Immediate, 0, source.literals[i + 1]}));
        return slots;
    }

    uint8_t find_slot(const FauWord& low, const FauWord& high) {
        std::vector<FauWord>& words = f_.uniforms;
        size_t i = 0;
        while (i < words.size() && !(words[i] == low && words[i + 1] == high))
            i += 2;
        if (i == words.size())
            words.insert(words.end(), {low, high});
        VALKYR_CHECK(words.size() <= size_t{kUniformsPerPage} * kPageCount);
        return static_cast<uint8_t>(i / 2);
    }

    Function& f_;
    PackedCode code_;
    std::vector<uint32_t> word_of_;  ///< by instruction: its first word
    std::array<std::vector<uint8_t>, kDoubleOpCount> slots_;
};

}  // namespace

PackedCode pack(Function& f) {
    if (f.may_have(kDouble))
        return TemplatePacking(f).run();
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

// Verifier: checks operands: registers, files, masks, swizzles, modifiers.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/rules/verifier_p.hpp"
#include "tgsi/text/printer.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace valkyr::tgsi {

namespace {

bool is_one_of(File file, std::initializer_list<File> files) {
    return std::find(files.begin(), files.end(), file) != files.end();
}

/// Files whose registers have two dimensions if the declaration says so.
bool may_have_outer(File file) {
    return is_one_of(file, {File::Constant, File::Input, File::Output, File::HwAtomic});
}

class OperandRules {
public:
    OperandRules(const Shader& shader, const DeclaredRegisters& declared, ErrorList& errors)
        : shader_(shader)
        , declared_(declared)
        , errors_(errors) {}

    void check(const Instruction& instr) {
        instr_ = &instr;
        info_ = &opcode_info(instr.opcode);
        for (unsigned i = 0; i < instr.dst_count; ++i)
            destination(instr.dst[i], info_->dst_types[i]);
        for (unsigned i = 0; i < instr.src_count; ++i)
            source(instr.src[i], i);
        wide_masks();
        special_operands();
        const OperandType type = info_->dst_types[0];
        const bool clampable =
            instr.dst_count > 0 && (type == OperandType::Float || type == OperandType::Untyped);
        if (instr.saturate && !clampable)
            error(std::string(info_->name) + " cannot saturate");
    }

private:
    void error(std::string text) { errors_.add(instr_->pos, std::move(text)); }

    // O1, O4, O8
    void reference(const RegisterRef& ref) {
        if (ref.file == File::Null)
            return;
        if (ref.index.indirect)
            index_register(ref.index.by);
        if (ref.has_outer && ref.outer.indirect)
            index_register(ref.outer.by);
        if (ref.file == File::Immediate)
            return immediate(ref);
        if (ref.array_id != 0 && declared_.array(ref.file, ref.array_id) == nullptr)
            return error("array " + std::to_string(ref.array_id) + " of " + print(ref) +
                         " is not declared");
        const Declaration* decl = find(ref);
        // Mesa omits the declaration of shared memory now and then.
        if (decl == nullptr && ref.file == File::Memory)
            return;
        if (decl == nullptr)
            return error(print(ref) + " is not declared");
        const bool two = decl->per_vertex || decl->has_outer;
        // One index of a per-vertex output means the invocation's own vertex.
        if (two && !ref.has_outer && ref.file == File::Output)
            return;
        // PRIMID is declared per vertex, but read with one index.
        if (two && !ref.has_outer && ref.file == File::Input && decl->has_semantic &&
            decl->semantic == Semantic::PrimId)
            return;
        if (two != ref.has_outer && may_have_outer(ref.file) && !is_default_buffer(ref, *decl))
            error(print(ref) + (two ? " needs two indexes" : " has one index too many"));
    }

    /// Constant buffer 0 may be written with and without its number.
    static bool is_default_buffer(const RegisterRef& ref, const Declaration& decl) {
        return ref.file == File::Constant && decl.outer == 0 &&
               (!ref.has_outer || (!ref.outer.indirect && ref.outer.value == 0));
    }

    void immediate(const RegisterRef& ref) {
        const auto count = static_cast<int64_t>(shader_.immediates.size());
        const bool inside =
            ref.index.indirect ? count > 0 : ref.index.value >= 0 && ref.index.value < count;
        if (!inside || ref.has_outer)
            error(print(ref) + " is not there");
    }

    const Declaration* find(const RegisterRef& ref) const {
        if (ref.array_id != 0)
            return declared_.array(ref.file, ref.array_id);
        const bool buffers = ref.file == File::Constant || ref.file == File::HwAtomic;
        if (ref.index.indirect || (buffers && ref.has_outer && ref.outer.indirect))
            return any_of_outer(ref, buffers);
        const uint32_t outer =
            buffers && ref.has_outer ? static_cast<uint32_t>(ref.outer.value) : 0;
        return declared_.find(ref.file, outer, ref.index.value);
    }

    /// For an indirect index: a declaration of the file with the same number of indexes, or with
    /// the same outer index if that is known.
    const Declaration* any_of_outer(const RegisterRef& ref, bool buffers) const {
        if (!buffers || (ref.has_outer && ref.outer.indirect))
            return declared_.any(ref.file, ref.has_outer);
        return declared_.any_in(ref.file,
                                ref.has_outer ? static_cast<uint32_t>(ref.outer.value) : 0);
    }

    void index_register(const IndirectIndex& by) {
        if (!is_one_of(by.file, {File::Address, File::Temporary}))
            error("index register of file " + std::string(name_of(by.file)));
        else if (declared_.find(by.file, 0, by.index) == nullptr)
            error("index register " + std::string(name_of(by.file)) + '[' +
                  std::to_string(by.index) + "] is not declared");
    }

    // O2
    void destination(const Dst& dst, OperandType type) {
        reference(dst.reg);
        const File file = dst.reg.file;
        const bool loads_address = instr_->opcode == Opcode::ARL || instr_->opcode == Opcode::ARR ||
                                   instr_->opcode == Opcode::UARL;
        const bool good = type == OperandType::Resource
                              ? is_one_of(file, {File::Buffer, File::Image, File::Memory})
                              : is_one_of(file, {File::Temporary, File::Output, File::Null}) ||
                                    (file == File::Address && loads_address);
        if (!good)
            error(std::string(info_->name) + " cannot write " + print(dst.reg));
    }

    // O3, O6
    void source(const Src& src, unsigned index) {
        reference(src.reg);
        const OperandType type = info_->src_types[index];
        const File file = src.reg.file;
        const bool resource = type == OperandType::Resource;
        const bool good =
            resource ? takes_resource(file, index)
                     : is_one_of(file, {File::Constant, File::Input, File::Output, File::Temporary,
                                        File::Address, File::Immediate, File::SystemValue});
        if (!good)
            error(std::string(info_->name) + " cannot read " + print(src.reg) + " as operand " +
                  std::to_string(index));
        if (resource && (src.negate || src.absolute))
            error("modifier on the resource " + print(src.reg));
        const bool integer = type == OperandType::Signed || type == OperandType::Unsigned ||
                             type == OperandType::Signed64 || type == OperandType::Unsigned64;
        if (integer && src.absolute)
            error("absolute value of the integer operand " + print(src.reg));
    }

    [[nodiscard]] bool takes_resource(File file, unsigned index) const {
        switch (instr_->opcode) {
        case Opcode::LOAD:
            return is_one_of(
                file, {File::Buffer, File::Image, File::Memory, File::HwAtomic, File::ConstBuf});
        case Opcode::RESQ: return is_one_of(file, {File::Buffer, File::Image});
        case Opcode::IMG2HND: return file == File::Image;
        case Opcode::FBFETCH: return file == File::Output;
        case Opcode::SAMPLE_POS:
        case Opcode::SAMPLE_INFO: return is_one_of(file, {File::SamplerView, File::Temporary});
        case Opcode::SVIEWINFO: return file == File::SamplerView;
        default: break;
        }
        if (is_atomic(instr_->opcode))
            return is_one_of(file, {File::Buffer, File::Image, File::Memory, File::HwAtomic});
        if (is_sample_style(instr_->opcode))
            return file == (index == 1 ? File::SamplerView : File::Sampler);
        return file == File::Sampler;
    }

    // O5
    void wide_masks() {
        if (instr_->dst_count == 0 || info_->kind == OperandKind::Memory)
            return;
        const unsigned mask = instr_->dst[0].write_mask;
        unsigned pairs = 0;
        bool good = true;
        switch (info_->channels) {
        case ChannelRule::Wide:
            good = (mask & 5) == (mask >> 1 & 5);
            pairs = (mask & 1) | (mask >> 1 & 2);
            break;
        case ChannelRule::Narrow:
            good = (mask & ~3U) == 0;
            pairs = (1U << std::popcount(mask)) - 1;
            break;
        case ChannelRule::WideCompare:
            good = (mask & ~5U) == 0;
            pairs = (mask & 1) | (mask >> 1 & 2);
            break;
        default: return;
        }
        if (!good)
            error("write mask of " + print(instr_->dst[0].reg) +
                  " does not fit a 64-bit operation");
        for (unsigned i = 0; i < instr_->src_count; ++i)
            if (is_wide(info_->src_types[i]))
                wide_swizzle(instr_->src[i], pairs);
    }

    void wide_swizzle(const Src& src, unsigned pairs) {
        for (unsigned pair = 0; pair < 2; ++pair) {
            const unsigned low = src.swizzle[2 * pair];
            const unsigned high = src.swizzle[2 * pair + 1];
            if ((pairs >> pair & 1) != 0 && (low % 2 != 0 || high != low + 1))
                error("swizzle of " + print(src.reg) + " splits a 64-bit value");
        }
    }

    // O7
    void special_operands() {
        switch (instr_->opcode) {
        case Opcode::CASE:
        case Opcode::EMIT:
        case Opcode::ENDPRIM:
        case Opcode::MEMBAR:
            if (instr_->src[0].reg.file != File::Immediate)
                error("the operand of " + std::string(info_->name) + " is not an immediate");
            break;
        case Opcode::INTERP_CENTROID:
        case Opcode::INTERP_SAMPLE:
        case Opcode::INTERP_OFFSET:
            if (instr_->src[0].reg.file != File::Input)
                error("the first operand of " + std::string(info_->name) + " is not an input");
            break;
        case Opcode::FBFETCH: {
            const Declaration* decl = find(instr_->src[0].reg);
            if (decl != nullptr && (!decl->has_semantic || decl->semantic != Semantic::Color))
                error("FBFETCH of an output that is not COLOR");
            break;
        }
        default: break;
        }
    }

    const Shader& shader_;
    const DeclaredRegisters& declared_;
    ErrorList& errors_;
    const Instruction* instr_ = nullptr;
    const OpcodeInfo* info_ = nullptr;
};

}  // namespace

void verify_operands(const Shader& shader, const DeclaredRegisters& declared, ErrorList& errors) {
    OperandRules rules(shader, declared, errors);
    for (const Instruction& instr : shader.instructions) {
        if (errors.is_full())
            return;
        rules.check(instr);
    }
}

}  // namespace valkyr::tgsi

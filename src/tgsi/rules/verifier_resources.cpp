// Verifier: checks texture, image and buffer operations.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/rules/verifier_p.hpp"
#include "tgsi/text/printer.hpp"

#include <initializer_list>

namespace valkyr::tgsi {

bool is_tex_style(Opcode opcode) {
    return opcode_info(opcode).kind == OperandKind::Texture;
}

bool is_sample_style(Opcode opcode) {
    return opcode_info(opcode).kind == OperandKind::Sample || opcode == Opcode::SVIEWINFO ||
           opcode == Opcode::LOD;
}

bool is_atomic(Opcode opcode) {
    return opcode_info(opcode).name.substr(0, 4) == "ATOM";
}

namespace {

constexpr uint32_t bit(Target target) {
    return 1U << static_cast<unsigned>(target);
}

constexpr uint32_t bits(std::initializer_list<Target> targets) {
    uint32_t out = 0;
    for (const Target target : targets)
        out |= bit(target);
    return out;
}

constexpr uint32_t kMultisample = bits({Target::Tex2DMsaa, Target::Tex2DArrayMsaa});
constexpr uint32_t kShadow =
    bits({Target::Shadow1D, Target::Shadow2D, Target::ShadowRect, Target::Shadow1DArray,
          Target::Shadow2DArray, Target::ShadowCube, Target::ShadowCubeArray});
constexpr uint32_t kAll = bit(Target::Unknown) - 1;
/// Targets that a filter can sample.
constexpr uint32_t kSampled = kAll & ~kMultisample & ~bit(Target::Buffer);
/// Targets whose layer or reference is in w, where others have a bias or level.
constexpr uint32_t kFullCoordinate =
    bits({Target::Shadow2DArray, Target::ShadowCube, Target::CubeArray, Target::ShadowCubeArray});
constexpr uint32_t kProjective =
    bits({Target::Tex1D, Target::Tex2D, Target::Tex3D, Target::Cube, Target::Rect, Target::Shadow1D,
          Target::Shadow2D, Target::ShadowRect});
constexpr uint32_t kFetched = kAll & ~kShadow & ~bits({Target::Cube, Target::CubeArray});
constexpr uint32_t kGathered =
    bits({Target::Tex2D, Target::Tex2DArray, Target::Cube, Target::CubeArray, Target::Rect,
          Target::Shadow2D, Target::Shadow2DArray, Target::ShadowCube, Target::ShadowCubeArray,
          Target::ShadowRect});

/// R2: the targets of a TEX-style opcode.
uint32_t targets_of(Opcode opcode) {
    switch (opcode) {
    case Opcode::TXP: return kProjective;
    case Opcode::TEX: return kSampled & ~bit(Target::ShadowCubeArray);
    case Opcode::TEX2: return bit(Target::ShadowCubeArray);
    case Opcode::TXB:
    case Opcode::TXL: return kSampled & ~kFullCoordinate;
    case Opcode::TXB2:
    case Opcode::TXL2: return kFullCoordinate;
    case Opcode::TXF:
    case Opcode::TXF_LZ: return kFetched;
    case Opcode::TG4: return kGathered;
    case Opcode::TXQ:
    case Opcode::TXQS:
    case Opcode::SAMP2HND: return kAll | bit(Target::Unknown);
    default: return kSampled;
    }
}

class ResourceRules {
public:
    ResourceRules(const DeclaredRegisters& declared, size_t immediates, ErrorList& errors)
        : declared_(declared)
        , immediates_(immediates)
        , errors_(errors) {}

    void check(const Instruction& instr) {
        style(instr);
        offsets(instr);
        if (is_tex_style(instr.opcode))
            target(instr);
        if (instr.opcode == Opcode::STORE)
            written_image(instr, instr.dst[0].reg);
        if (is_atomic(instr.opcode)) {
            written_image(instr, instr.src[0].reg);
            atomic_format(instr);
        }
    }

private:
    // R1
    void style(const Instruction& instr) {
        const bool tex = is_tex_style(instr.opcode);
        const bool sample = is_sample_style(instr.opcode);
        if ((tex && sample_seen_) || (sample && tex_seen_))
            errors_.add(instr.pos, "TEX-style and SAMPLE-style opcodes in one shader");
        tex_seen_ |= tex;
        sample_seen_ |= sample;
    }

    // R2, R5
    void target(const Instruction& instr) {
        const std::string name(opcode_info(instr.opcode).name);
        if ((targets_of(instr.opcode) & bit(instr.target)) == 0)
            errors_.add(instr.pos,
                        name + " cannot have the target " + std::string(name_of(instr.target)));
        const RegisterRef& sampler = instr.src[instr.src_count - 1].reg;
        if (sampler.index.indirect)
            return;
        const Declaration* view = declared_.find(File::SamplerView, 0, sampler.index.value);
        if (view != nullptr && view->target != instr.target)
            errors_.add(instr.pos, name + " with target " + std::string(name_of(instr.target)) +
                                       " of a view declared " + std::string(name_of(view->target)));
    }

    // R3
    void offsets(const Instruction& instr) {
        const bool many = instr.opcode == Opcode::TG4 || instr.opcode == Opcode::GATHER4;
        if (instr.offset_count > 1 && !(many && instr.offset_count == 4))
            errors_.add(instr.pos, std::to_string(instr.offset_count) + " texel offsets of " +
                                       std::string(opcode_info(instr.opcode).name));
        for (unsigned i = 0; i < instr.offset_count; ++i) {
            const TexelOffset& offset = instr.offsets[i];
            const bool value = offset.file == File::Immediate || offset.file == File::Temporary ||
                               offset.file == File::Constant || offset.file == File::Input;
            const bool there =
                offset.file == File::Immediate
                    ? offset.index >= 0 && static_cast<size_t>(offset.index) < immediates_
                    : declared_.find(offset.file, 0, offset.index) != nullptr;
            if (!value || !there)
                errors_.add(instr.pos, "texel offset " + std::string(name_of(offset.file)) + '[' +
                                           std::to_string(offset.index) + "] is not declared");
        }
    }

    [[nodiscard]] const Declaration* image_of(const RegisterRef& ref) const {
        if (ref.file != File::Image)
            return nullptr;
        return ref.index.indirect ? declared_.any(File::Image, false)
                                  : declared_.find(File::Image, 0, ref.index.value);
    }

    // R4
    void written_image(const Instruction& instr, const RegisterRef& ref) {
        const Declaration* image = image_of(ref);
        if (image != nullptr && !image->writable)
            errors_.add(instr.pos, print(ref) + " is not declared WR");
    }

    void atomic_format(const Instruction& instr) {
        const Declaration* image = image_of(instr.src[0].reg);
        if (image == nullptr)
            return;
        const std::string& format = instr.format.empty() ? image->format : instr.format;
        const bool exchanges_float = format == "R32_FLOAT" && (instr.opcode == Opcode::ATOMXCHG ||
                                                               instr.opcode == Opcode::ATOMFADD);
        if (format != "R32_UINT" && format != "R32_SINT" && !exchanges_float)
            errors_.add(instr.pos, "atomic operation on the format " + format);
    }

    const DeclaredRegisters& declared_;
    size_t immediates_;
    ErrorList& errors_;
    bool tex_seen_ = false;
    bool sample_seen_ = false;
};

}  // namespace

void verify_resources(const Shader& shader, const DeclaredRegisters& declared, ErrorList& errors) {
    ResourceRules rules(declared, shader.immediates.size(), errors);
    for (const Instruction& instr : shader.instructions) {
        if (errors.is_full())
            return;
        rules.check(instr);
    }
}

}  // namespace valkyr::tgsi

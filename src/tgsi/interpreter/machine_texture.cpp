// Texture handlers: take operands apart by target and make one request a quad.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

/// Sources that hold the operands of a texture instruction; kNone = there is none.
struct Machine::TextureOperands {
    static constexpr unsigned kNone = Instruction::kMaxSrc;
    TextureAction action = TextureAction::Sample;
    LodMode lod_mode = LodMode::Implicit;
    Target target = Target::Tex2D;
    TargetShape shape;
    bool projective = false;
    unsigned texture = 1;  ///< source with the sampler view (TEX style: the sampler)
    unsigned sampler = 1;  ///< source with the sampler
    unsigned lod = kNone;  ///< source with bias or level
    unsigned lod_component = 0;
    unsigned reference = kNone;  ///< source with the shadow reference
    unsigned reference_component = 0;
    unsigned ddx = kNone;        ///< source with d/dx; d/dy is the next one
    unsigned component = kNone;  ///< source with the gather component
};

namespace {

/// How an opcode differs from plain TEX or SAMPLE.
struct TextureRow {
    Opcode opcode;
    TextureAction action;
    LodMode lod_mode;
    unsigned lod;  ///< source, or 5
    unsigned lod_component;
    unsigned texture;  ///< source
    unsigned sampler;  ///< source
};

constexpr TextureRow kRows[] = {
    {Opcode::TEX, TextureAction::Sample, LodMode::Implicit, 5, 0, 1, 1},
    {Opcode::TXP, TextureAction::Sample, LodMode::Implicit, 5, 0, 1, 1},
    {Opcode::TXB, TextureAction::Sample, LodMode::Bias, 0, 3, 1, 1},
    {Opcode::TXL, TextureAction::Sample, LodMode::Explicit, 0, 3, 1, 1},
    {Opcode::TEX_LZ, TextureAction::Sample, LodMode::Zero, 5, 0, 1, 1},
    {Opcode::TEX2, TextureAction::Sample, LodMode::Implicit, 5, 0, 2, 2},
    {Opcode::TXB2, TextureAction::Sample, LodMode::Bias, 1, 0, 2, 2},
    {Opcode::TXL2, TextureAction::Sample, LodMode::Explicit, 1, 0, 2, 2},
    {Opcode::TXD, TextureAction::Sample, LodMode::Gradient, 5, 0, 3, 3},
    {Opcode::TXF, TextureAction::Fetch, LodMode::Explicit, 0, 3, 1, 1},
    {Opcode::TXF_LZ, TextureAction::Fetch, LodMode::Zero, 5, 0, 1, 1},
    {Opcode::TG4, TextureAction::Gather, LodMode::Zero, 5, 0, 2, 2},
    {Opcode::LODQ, TextureAction::QueryLod, LodMode::Implicit, 5, 0, 1, 1},
    {Opcode::SAMPLE, TextureAction::Sample, LodMode::Implicit, 5, 0, 1, 2},
    {Opcode::SAMPLE_B, TextureAction::Sample, LodMode::Bias, 3, 0, 1, 2},
    {Opcode::SAMPLE_C, TextureAction::Sample, LodMode::Implicit, 5, 0, 1, 2},
    {Opcode::SAMPLE_C_LZ, TextureAction::Sample, LodMode::Zero, 5, 0, 1, 2},
    {Opcode::SAMPLE_D, TextureAction::Sample, LodMode::Gradient, 5, 0, 1, 2},
    {Opcode::SAMPLE_L, TextureAction::Sample, LodMode::Explicit, 3, 0, 1, 2},
    {Opcode::SAMPLE_I, TextureAction::Fetch, LodMode::Explicit, 0, 3, 1, 1},
    {Opcode::SAMPLE_I_MS, TextureAction::Fetch, LodMode::Zero, 5, 0, 1, 1},
    {Opcode::GATHER4, TextureAction::Gather, LodMode::Zero, 5, 0, 1, 2},
    {Opcode::LOD, TextureAction::QueryLod, LodMode::Implicit, 5, 0, 1, 2},
};

const TextureRow& row_of(Opcode opcode) {
    for (const TextureRow& row : kRows)
        if (row.opcode == opcode)
            return row;
    return kRows[0];
}

}  // namespace

uint32_t Machine::unit(uint32_t lane, const RegisterRef& ref) const {
    return static_cast<uint32_t>(index_of(lane, ref.index));
}

/// The target of a SAMPLE-style instruction: that of the view's declaration.
Target Machine::view_target(const Instruction& instr, unsigned source) const {
    const auto found = program_.views.find(unit(0, instr.src[source].reg));
    const Target target = found == program_.views.end() ? Target::Tex2D : found->second.target;
    const bool compares = instr.opcode == Opcode::SAMPLE_C || instr.opcode == Opcode::SAMPLE_C_LZ;
    return compares ? shadow_target(target) : target;
}

Machine::TextureOperands Machine::texture_operands(const Instruction& instr) const {
    const TextureRow& row = row_of(instr.opcode);
    TextureOperands out;
    out.action = row.action;
    out.lod_mode = row.lod_mode;
    out.texture = row.texture;
    out.sampler = row.sampler;
    out.lod = row.lod;
    out.lod_component = row.lod_component;
    out.target = instr.has_target ? instr.target : view_target(instr, row.texture);
    out.shape = target_shape(out.target);
    out.projective = instr.opcode == Opcode::TXP;
    if (out.shape.shadow) {
        out.reference = out.shape.reference == kNoComponent ? 1 : 0;
        out.reference_component = out.shape.reference == kNoComponent ? 0 : out.shape.reference;
        // TXB2 and TXL2 of a shadow cube array: the level comes first in operand 1.
        if (out.reference == 1 && out.lod == 1)
            out.reference_component = 1;
    }
    switch (instr.opcode) {
    case Opcode::SAMPLE_C:
    case Opcode::SAMPLE_C_LZ:
        out.reference = 3;
        out.reference_component = 0;
        break;
    case Opcode::TXD: out.ddx = 1; break;
    case Opcode::SAMPLE_D: out.ddx = 3; break;
    case Opcode::TG4: out.component = out.reference == 1 ? TextureOperands::kNone : 1; break;
    default: break;
    }
    // Only fragment shaders have differences between lanes.
    if (program_.shader.stage != Stage::Fragment) {
        if (out.lod_mode == LodMode::Implicit)
            out.lod_mode = LodMode::Zero;
        if (out.lod_mode == LodMode::Bias)
            out.lod_mode = LodMode::Explicit;
    }
    return out;
}

void Machine::fill_lod(const Instruction& instr,
                       const TextureOperands& operands,
                       uint32_t lane,
                       TextureLane& out) const {
    if (operands.lod != TextureOperands::kNone)
        out.lod = fetch(lane, instr, operands.lod, operands.lod_component);
    if (operands.ddx != TextureOperands::kNone)
        for (unsigned c = 0; c < 3; ++c) {
            out.ddx[c] = fetch(lane, instr, operands.ddx, c);
            out.ddy[c] = fetch(lane, instr, operands.ddx + 1, c);
        }
    // The last coordinate of a multisample fetch is the sample; there is only level 0.
    if (operands.shape.multisample && operands.action == TextureAction::Fetch) {
        out.sample = instr.opcode == Opcode::SAMPLE_I_MS ? fetch(lane, instr, 2, 0)
                                                         : fetch(lane, instr, 0, 3);
        out.lod = 0;
    }
    if (operands.target == Target::Buffer)
        out.lod = 0;
}

void Machine::fill_lane(const Instruction& instr,
                        const TextureOperands& operands,
                        uint32_t lane,
                        TextureLane& out) const {
    const TargetShape& shape = operands.shape;
    Word4 address = fetch4(lane, instr, 0);
    if (operands.projective) {
        const uint32_t scale = arith::rcp(address[3]);
        for (unsigned c = 0; c < 3; ++c)
            address[c] = arith::mul(address[c], scale);
    }
    out.active = true;
    for (unsigned c = 0; c < shape.coordinates; ++c)
        out.coord[c] = address[c];
    if (shape.layer != kNoComponent)
        out.layer = address[shape.layer];
    if (operands.reference == 0)
        out.reference = address[operands.reference_component];
    else if (operands.reference != TextureOperands::kNone)
        out.reference = fetch(lane, instr, operands.reference, operands.reference_component);
    fill_lod(instr, operands, lane, out);
    for (unsigned i = 0; i < instr.offset_count; ++i) {
        RegisterRef ref;
        ref.file = instr.offsets[i].file;
        ref.index.value = instr.offsets[i].index;
        for (unsigned c = 0; c < 3; ++c)
            out.offsets[i][c] = static_cast<int32_t>(read(lane, ref, instr.offsets[i].swizzle[c]));
    }
}

/// GATHER4 names the component in the sampler's swizzle, TG4 in an operand. TG4 has it in the
/// swizzle, too, in texts for drivers with PIPE_CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE; there the
/// operand is 0, and a swizzle other than x is otherwise meaningless.
uint32_t Machine::gathered_component(const Instruction& instr,
                                     const TextureOperands& operands,
                                     uint32_t lane) const {
    const uint32_t named = instr.src[operands.sampler].swizzle[0];
    if (operands.component == TextureOperands::kNone)
        return instr.opcode == Opcode::GATHER4 ? named : 0;
    return named != 0 ? named : fetch(lane, instr, operands.component, 0) & 3;
}

void Machine::run_quad(const Instruction& instr, const TextureOperands& operands, uint32_t quad) {
    TextureRequest request;
    std::array<Word4, 4> results{};
    request.action = operands.action;
    request.lod_mode = operands.lod_mode;
    request.target = operands.target;
    request.offset_count = instr.offset_count;
    for (uint32_t i = 0; i < 4; ++i)
        if (is_running(4 * quad + i))
            fill_lane(instr, operands, 4 * quad + i, request.lanes[i]);
    // Lanes should agree on the units; if they do not, each lane samples its own.
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t lane = 4 * quad + i;
        if (!request.lanes[i].active)
            continue;
        request.texture = unit(lane, instr.src[operands.texture].reg);
        request.sampler = unit(lane, instr.src[operands.sampler].reg);
        request.component = gathered_component(instr, operands, lane);
        const Word4 value =
            group_.textures == nullptr ? Word4{} : group_.textures->sample(request)[i];
        Word4 out{};
        // The view's swizzle; samplers have none.
        for (unsigned c = 0; c < 4; ++c)
            out[c] = instr.src[operands.texture].reg.file == File::SamplerView
                         ? value[instr.src[operands.texture].swizzle[c]]
                         : value[c];
        results[i] = out;
    }
    for (uint32_t i = 0; i < 4; ++i)
        if (request.lanes[i].active)
            store(4 * quad + i, instr, results[i]);
}

void Machine::texture(const Instruction& instr) {
    const TextureOperands operands = texture_operands(instr);
    uint32_t done = kNowhere;
    for (size_t i = 0; i < running_.size(); ++i) {
        const uint32_t quad = running_[i] / 4;
        if (quad != done)
            run_quad(instr, operands, quad);
        done = quad;
    }
}

/// TXQ, SVIEWINFO: sizes of a level in x, y, z by the target's dimensions, levels in w.
void Machine::texture_size(const Instruction& instr) {
    const Target target = instr.has_target ? instr.target : view_target(instr, 1);
    const TargetShape shape = target_shape(target);
    for (const uint32_t lane : running_) {
        TextureSize size;
        if (group_.textures != nullptr)
            size = group_.textures->size(unit(lane, instr.src[1].reg), fetch(lane, instr, 0, 0));
        Word4 out{size.width, 0, 0, size.levels};
        if (shape.dimensions >= 2)
            out[1] = size.height;
        if (shape.dimensions == 3)
            out[2] = size.depth;
        if (shape.array)
            out[shape.dimensions] = shape.cube ? size.depth / 6 : size.depth;
        store(lane, instr, out);
    }
}

void Machine::texture_samples(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        uint32_t samples = 0;
        if (group_.textures != nullptr)
            samples = group_.textures->size(unit(lane, instr.src[0].reg), 0).samples;
        store(lane, instr, {samples, 0, 0, 0});
    }
}

}  // namespace valkyr::tgsi

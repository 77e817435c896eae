// Constant colours: encodes colours that all pixels share, once a call.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_blend_constant.hpp"

#include "base/check.hpp"
#include "base/float_bits.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

namespace {

using float_bits::kOne;
/// The frame's place of register `index` of a target: texels, or bytes, or terms and then factors.
Address place_of(unsigned target, unsigned index) {
    return VALKYR_FRAME(constant_color)
        .plus(static_cast<int32_t>((4 * target + index) * sizeof(exec::Lanes)));
}

bool is_constant_move(const valhall::Instr& instr) {
    return instr.op == Op::MOV_I32 && instr.dest.mask == 3 &&
           (instr.src[0].kind == SourceKind::Uniform || instr.src[0].kind == SourceKind::Constant);
}

/// The instruction that defines the value of a register at step `at`, if it is in the same block.
const valhall::Instr* definition(const GuestProgram& program, uint32_t at, Reg r) {
    const auto block =
        std::find_if(program.blocks.begin(), program.blocks.end(),
                     [&](const Block& b) { return at >= b.first && at < b.first + b.count; });
    for (uint32_t k = at; k-- > block->first;)
        if (program.steps[k].access.writes.has(r))
            return &program.steps[k].instr;
    return nullptr;
}

/// The step of the BLEND to a target whose colour is encoded once a call.
std::optional<uint32_t> prepared_blend(const GuestProgram& program, unsigned target) {
    for (uint32_t k = 0; k < program.steps.size(); ++k) {
        const Step& step = program.steps[k];
        if (step.message.expansion == Expansion::BlendConstant &&
            blend_target(step.instr) == target)
            return k;
    }
    return std::nullopt;
}

Temp load_constant(EmitContext& c, const Source& source) {
    Temp v = c.scratch();
    const auto value = known_value(*c.program.source, source, 0);
    c.h.move(v, value ? c.pool(*value)
                      : Operand::broadcast({Gp::Fau, static_cast<int32_t>(4 * source.index)}));
    return v;
}

void keep(EmitContext& c, unsigned target, unsigned index, const WideBytes& bytes) {
    c.h.store(place_of(target, index), bytes.rg);
    c.h.store(place_of(target, index + 1), bytes.ba);
}

}  // namespace

std::optional<ConstantColor> constant_color(const GuestProgram& program, uint32_t at) {
    ConstantColor color{};
    for (unsigned k = 0; k < color.size(); ++k) {
        const unsigned base = program.steps[at].instr.staging[0].base;
        const valhall::Instr* from = definition(program, at, register_behind(base, k));
        if (!from || !is_constant_move(*from))
            return std::nullopt;
        color[k] = from->src[0];
    }
    return color;
}

void prepare_constant_colors(EmitContext& c) {
    for (unsigned target = 0; target < exec::kMaxRenderTargets; ++target) {
        const auto blend = prepared_blend(c.program, target);
        if (!blend)
            continue;
        const auto color = constant_color(c.program, *blend);
        VALKYR_CHECK(color);
        Color components;
        for (unsigned k = 0; k < components.size(); ++k)
            components[k] = k == 3 && c.key.fragment->alpha_to_one ? c.constant(kOne)
                                                                   : load_constant(c, (*color)[k]);
        const exec::BlendKey& key = c.key.fragment->blend[target];
        WideBytes bytes = encode_bytes(c, std::move(components));
        if (blends(key) && blends_by_terms(key)) {
            const ByteBlendTerms terms = blend_terms(c, key, bytes);
            keep(c, target, 0, terms.source);
            keep(c, target, 2, terms.factor);
        } else if (blends(key)) {
            keep(c, target, 0, bytes);
        } else {
            const Temp texels = pack_texels(c, exec::format_info(key.format), std::move(bytes));
            c.h.store(place_of(target, 0), texels);
        }
    }
}

Operand constant_texels(EmitContext& c, unsigned target) {
    return c.invariant(Operand::memory(place_of(target, 0)));
}

ByteBlendTermOperands constant_terms(EmitContext& c, unsigned target) {
    const auto held = [&](unsigned index) {
        return c.invariant(Operand::memory(place_of(target, index)));
    };
    return {{held(0), held(1)}, {held(2), held(3)}};
}

WideBytes constant_bytes(EmitContext& c, unsigned target) {
    return {U16(c, u16(place_of(target, 0))), U16(c, u16(place_of(target, 1)))};
}

}  // namespace valkyr::jit

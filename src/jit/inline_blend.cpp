// BLEND as host code: which lanes and samples, loads and stores of texels.
// SPDX-License-Identifier: MIT
#include "jit/inline_blend.hpp"

#include "jit/inline_blend_bytes.hpp"
#include "jit/inline_depth.hpp"
#include "jit/inline_position.hpp"
#include "jit/message.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <optional>

namespace valkyr::jit {

using exec::BlendFactor;
using exec::LogicOp;
using valhall::SourceKind;

namespace {

constexpr unsigned kBlendDescriptor = 8;  // blend_descriptor_0, special of page 0
constexpr Reg kSecondColor = 4;
constexpr uint32_t kOne = 0x3F800000;

bool is_second_source(BlendFactor factor) {
    return factor >= BlendFactor::Src1Color;
}

/// The target that the descriptor operand names, if it is the draw's own descriptor.
std::optional<unsigned> target_of(const EmitContext& c) {
    const valhall::Source& s = c.instr().src[0];
    if (s.kind != SourceKind::Special || s.index < kBlendDescriptor ||
        s.index >= kBlendDescriptor + exec::kMaxRenderTargets)
        return std::nullopt;
    return s.index - kBlendDescriptor;
}

bool has_whole_registers(exec::RegisterFormat format) {
    using exec::RegisterFormat;
    return format != RegisterFormat::F16 && format != RegisterFormat::S16 &&
           format != RegisterFormat::U16;
}

/// Stores one colour into every covered sample of one part.
class ByteStore {
public:
    ByteStore(EmitContext& context, const LaneGroup& group, unsigned target)
        : c(context)
        , h(context.h)
        , group_(group)
        , target_(target)
        , key_(context.key.fragment->blend[target])
        , info_(exec::format_info(key_.format))
        , samples_(context.key.fragment->samples)
        , source_{context.instr().staging[0].base, context.key.fragment->alpha_to_one}
        , source1_{kSecondColor, false} {}

    void run() {
        const bool combines = key_.logic_op_enable;
        const bool blends = key_.enable && !key_.logic_op_enable;
        const uint32_t kept = kept_bits();
        if (kept == 0xFFFFFFFF)
            return;
        Vec texels;
        ByteBlendSources sources;
        if (blends)
            sources = blend_sources(c, key_, source_, source1_);
        else
            texels = pack_texels(c, info_, encode_bytes(c, source_));
        locate_target();
        for (unsigned s = 0; s < samples_; ++s) {
            const Address place =
                group_.of({Gp::T2, static_cast<int32_t>(s * sizeof(exec::Lanes))});
            Vec fresh = texels;
            if (blends || combines || kept != 0)
                fresh = changed_texels(sources, texels, place, kept);
            const Mask lanes = covered_lanes(s);
            h.store_masked(place, lanes, fresh);
            c.release(lanes);
            if (fresh != texels)
                c.release(fresh);
        }
    }

private:
    /// Bits of a texel that the write mask leaves alone.
    [[nodiscard]] uint32_t kept_bits() const {
        uint32_t kept = 0;
        for (unsigned channel = 0; channel < 4; ++channel) {
            unsigned component = 3;
            for (unsigned k = 4; k-- > 0;)
                if (static_cast<unsigned>(info_.swizzle[k]) == channel)
                    component = k;
            if (!(key_.write_mask >> component & 1))
                kept |= 0xFFU << (8 * channel);
        }
        return kept;
    }

    /// A temporary: what the sample at `place` becomes.
    Vec changed_texels(const ByteBlendSources& sources, Vec texels, Address place, uint32_t kept) {
        const Vec stored = c.scratch();
        h.load(stored, place);
        Vec fresh = stored;
        if (sources.source.rg.valid())
            fresh = blend_bytes(c, key_, sources, stored);
        else if (key_.logic_op_enable)
            combine_bits(c, key_.logic_op, fresh, texels, stored);
        else
            h.move(fresh, texels);
        if (kept != 0) {
            h.op(Binary::Xor, fresh, fresh, Operand::memory(place));
            h.op(Binary::And, fresh, fresh, c.pool(~kept));
            h.op(Binary::Xor, fresh, fresh, Operand::memory(place));
        }
        return fresh;
    }

    /// T2 = the block's texels of sample 0.
    void locate_target() {
        const size_t member = offsetof(exec::FragmentCall, color) + sizeof(uint8_t*) * target_;
        h.load64(Gp::T2, {Gp::Call, static_cast<int32_t>(member)});
        h.move(Gp::T1, Gp::Block);
        h.shift_left64(Gp::T1, static_cast<unsigned>(std::countr_zero(samples_)));
        h.add64(Gp::T2, Gp::T1);
    }

    Mask covered_lanes(unsigned sample) {
        const Vec coverage = c.word(1);
        const Mask lanes = effective_lanes(c, group_);
        const Mask covered = c.scratch_mask();
        h.test_bit(covered, coverage, sample);
        c.done_with(coverage);
        h.mask_and(lanes, lanes, covered);
        c.release(covered);
        return lanes;
    }

    EmitContext& c;
    HostAssembler& h;
    const LaneGroup& group_;
    unsigned target_;
    const exec::BlendKey& key_;
    const exec::FormatInfo& info_;
    unsigned samples_;
    ColorSource source_;
    ColorSource source1_;
};

}  // namespace

bool dual_source(const exec::BlendKey& key) {
    return key.enable && (is_second_source(key.rgb_src) || is_second_source(key.rgb_dst) ||
                          is_second_source(key.alpha_src) || is_second_source(key.alpha_dst));
}

Vec color_component(EmitContext& c, const ColorSource& source, unsigned component) {
    if (component == 3 && source.alpha_is_one)
        return c.constant(kOne);
    return c.regs.use(static_cast<Reg>((source.base + component) % exec::kRegisters), c.part);
}

void combine_bits(EmitContext& c, LogicOp op, Vec d, Vec source, Operand stored) {
    HostAssembler& h = c.h;
    const Vec t = c.scratch();
    h.move(t, stored);  // d may be the same register
    const auto complement = [&](Vec v) { h.op(Binary::Xor, v, v, c.pool(0xFFFFFFFF)); };
    switch (op) {
    case LogicOp::Clear: h.zero(d); break;
    case LogicOp::Nor:
    case LogicOp::Or: h.op(Binary::Or, d, source, t); break;
    case LogicOp::AndInverted: h.op(Binary::AndNot, d, source, t); break;
    case LogicOp::CopyInverted:
    case LogicOp::Copy: h.move(d, source); break;
    case LogicOp::AndReverse:
    case LogicOp::OrInverted: h.op(Binary::AndNot, d, t, source); break;
    case LogicOp::Invert:
    case LogicOp::Noop: h.move(d, t); break;
    case LogicOp::Xor:
    case LogicOp::Equiv: h.op(Binary::Xor, d, source, t); break;
    case LogicOp::Nand:
    case LogicOp::And: h.op(Binary::And, d, source, t); break;
    case LogicOp::OrReverse: h.op(Binary::AndNot, d, source, t); break;
    case LogicOp::Set: h.ones(d); break;
    }
    // The complement of the operation before: ~s | d = ~(s & ~d), s | ~d = ~(~s & d).
    switch (op) {
    case LogicOp::Nor:
    case LogicOp::CopyInverted:
    case LogicOp::Invert:
    case LogicOp::Nand:
    case LogicOp::Equiv:
    case LogicOp::OrInverted:
    case LogicOp::OrReverse: complement(d); break;
    default: break;
    }
    c.release(t);
}

bool expand_blend(EmitContext& c) {
    const std::optional<unsigned> target = target_of(c);
    if (!expands_fragment(c) || !target || !has_whole_registers(register_format(c)) ||
        c.instr().staging[0].count != 4)
        return false;
    const exec::BlendKey& key = c.key.fragment->blend[*target];
    if (key.format == exec::Format::None)
        return true;  // descriptor mode "off"
    if (!is_byte_color(exec::format_info(key.format)))
        return false;
    for (c.part = 0; c.part < c.parts; ++c.part) {
        ByteStore(c, group_of_part(c, c.part), *target).run();
        c.regs.end_part();
    }
    c.part = 0;
    return true;
}

}  // namespace valkyr::jit

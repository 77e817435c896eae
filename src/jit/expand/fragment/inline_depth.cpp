// Inline depth and stencil: tests and updates samples, early, in ATEST and in ZS_EMIT.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_depth.hpp"

#include "base/bits.hpp"
#include "exec/entry_registers.hpp"
#include "jit/context/formula.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/fragment/inline_position.hpp"

#include <bit>
#include <cstddef>
#include <optional>

namespace valkyr::jit {

using exec::CompareFunc;
using exec::Format;
using exec::StencilFace;
using exec::StencilOp;

namespace {

constexpr uint32_t kByte = 0xFF;
constexpr Reg kCoverage = exec::kCoverageRegister;  // holds the coverage when the kernel starts
constexpr unsigned kTestTemporaries = 7;

/// The parts of a depth and stencil format that the tile keeps.
struct DepthFormat {
    bool has_depth = false;
    unsigned unorm_bits = 0;  ///< 0: bits of a float
    bool has_stencil = false;
};

DepthFormat depth_format(Format format) {
    switch (format) {
    case Format::D16_UNORM: return {true, 16, false};
    case Format::D24_UNORM_X8_UINT:
    case Format::X8_UINT_D24_UNORM: return {true, 24, false};
    case Format::D24_UNORM_S8_UINT:
    case Format::S8_UINT_D24_UNORM: return {true, 24, true};
    case Format::D32_FLOAT: return {true, 0, false};
    case Format::D32_FLOAT_S8X24_UINT: return {true, 0, true};
    case Format::S8_UINT: return {false, 0, true};
    default: return {};
    }
}

/// The integer comparison of a function that depends on its operands.
std::optional<IntCond> int_condition(CompareFunc func) {
    switch (func) {
    case CompareFunc::Less: return IntCond::Less;
    case CompareFunc::Equal: return IntCond::Equal;
    case CompareFunc::LessEqual: return IntCond::LessEqual;
    case CompareFunc::Greater: return IntCond::Greater;
    case CompareFunc::NotEqual: return IntCond::NotEqual;
    case CompareFunc::GreaterEqual: return IntCond::GreaterEqual;
    case CompareFunc::Never:
    case CompareFunc::Always: return std::nullopt;
    }
    return std::nullopt;
}

/// The tests of one sample of one group of lanes.
class SampleTest {
public:
    SampleTest(EmitContext& context, const LaneGroup& group, unsigned sample, unsigned face)
        : c(context)
        , h(context.h)
        , group_(group)
        , sample_(sample)
        , zs_(context.key.fragment->zs)
        , format_(depth_format(zs_.format))
        , samples_(context.key.fragment->samples)
        , face_(zs_.stencil[face]) {}

    void run(Mask covered, const DepthStencilValues& values) {
        const bool stencil = zs_.stencil_test() && format_.has_stencil;
        const bool depth = zs_.depth_test && format_.has_depth;
        LeasedAddress place;
        Temp stored;
        Temp updated;
        if (stencil) {
            place = stencil_place();
            stored = c.scratch();
            h.load_bytes(stored, place);
            updated = c.scratch();
            h.move(updated, stored);
            stencil_test(covered, stored, updated, values);
        }
        if (depth)
            depth_test(covered, stored, updated, values);
        if (stencil) {
            apply(face_.pass, covered, stored, updated, values);
            store_stencil(place, stored, updated);
        }
        if (zs_.count_samples)
            count(covered);
    }

private:
    // --- depth

    Temp depth_code(const DepthStencilValues& values) {
        F32 z(c);
        if (values.depth.valid()) {
            z = values.depth;
        } else {
            const Point at = sample_point(c, group_, sample_);
            const PrimitivePlane plane(c, group_, offsetof(exec::PrimitiveSetup, z));
            linear_value(c, z, plane.words(), at);
        }
        z = max(z, c.invariant(Operand::broadcast(VALKYR_FRAME(depth_low))));
        z = min(z, c.invariant(Operand::broadcast(VALKYR_FRAME(depth_high))));
        if (format_.unorm_bits != 0) {
            const uint32_t largest = (1U << format_.unorm_bits) - 1;
            z *= c.invariant(c.pool(as_bits(static_cast<float>(largest))));
            z = f32(to_s32(z));
        }
        return z;
    }

    void depth_test(Mask covered, Vec stored, Vec updated, const DepthStencilValues& values) {
        if (zs_.depth_func == CompareFunc::Always && !zs_.depth_write)
            return;
        const Temp code = depth_code(values);
        const LeasedAddress plane =
            plane_place(c, group_, offsetof(exec::FragmentCall, depth), samples_);
        const Address place =
            plane.address.plus(static_cast<int32_t>(sample_ * sizeof(exec::Lanes)));
        if (zs_.depth_func != CompareFunc::Always) {
            const TempMask pass = c.scratch_mask();
            compare(zs_.depth_func, pass, code, Operand::memory(place));
            split(covered, pass, face_.depth_fail, stored, updated, values);
        }
        if (zs_.depth_write)
            h.store_masked(place, covered, code);
    }

    /// pass = a func b, for any function but Always.
    void compare(CompareFunc func, Mask pass, Vec a, Operand b) {
        if (const auto condition = int_condition(func)) {
            h.compare(*condition, Element::B32, false, pass, a, b);
            return;
        }
        const Scalar none = c.scalar();
        h.move(none, uint64_t{0});
        h.mask_from_bits(pass, none);
    }

    /// covered &= pass; applies the stencil operation in the lanes that fail.
    void split(Mask covered,
               Mask pass,
               StencilOp op,
               Vec stored,
               Vec updated,
               const DepthStencilValues& values) {
        if (updated.valid() && op != StencilOp::Keep) {
            const TempMask failed = c.scratch_mask();
            h.mask_and_not(failed, pass, covered);
            apply(op, failed, stored, updated, values);
        }
        h.mask_and(covered, covered, pass);
    }

    // --- stencil

    /// The address of the group's stencil bytes of this sample.
    LeasedAddress stencil_place() {
        Scalar bytes = c.load64({Gp::Call, offsetof(exec::FragmentCall, stencil)});
        const Scalar offset = c.scalar();
        h.move(offset, Gp::PixelBlock);
        h.shift_right32(offset, 2);
        h.shift_left64(offset, static_cast<unsigned>(std::countr_zero(samples_)));
        h.add64(bytes, offset);
        if (group_.index != Gp::None) {
            h.move(offset, group_.index);
            h.shift_right32(offset, 2);
            h.add64(bytes, offset);
        }
        const Address place{bytes, static_cast<int32_t>(sample_ * exec::kLanes + group_.first)};
        return {std::move(bytes), place};
    }

    void store_stencil(Address place, Vec stored, Vec updated) {
        if (face_.write_mask != kByte) {
            U32 bits(c, updated);
            bits = ((bits ^ stored) & face_.write_mask) ^ stored;
        }
        h.store_bytes(place, updated);
    }

    S32 reference(const DepthStencilValues& values, uint32_t mask) {
        S32 v(c);
        v = values.stencil.valid() ? Operand(values.stencil)
                                   : Operand::broadcast(VALKYR_FRAME(stencil_reference));
        if (values.stencil.valid() || mask != kByte)
            v &= mask;
        return v;
    }

    void stencil_test(Mask covered, Vec stored, Vec updated, const DepthStencilValues& values) {
        if (face_.func == CompareFunc::Always)
            return;
        S32 wanted = reference(values, face_.read_mask);
        S32 masked(c);
        const TempMask pass = c.scratch_mask();
        masked = s32(stored) & face_.read_mask;
        compare(face_.func, pass, wanted, masked);
        wanted.reset();
        masked.reset();
        split(covered, pass, face_.fail, stored, updated, values);
    }

    /// updated = op(stored) in the lanes of the mask.
    void
    apply(StencilOp op, Mask lanes, Vec stored, Vec updated, const DepthStencilValues& values) {
        if (op == StencilOp::Keep)
            return;
        S32 v = op == StencilOp::Replace ? reference(values, kByte) : S32(c, s32(stored));
        switch (op) {
        case StencilOp::Zero: v = 0; break;
        case StencilOp::IncrementClamp: v = min(v + 1, kByte); break;
        case StencilOp::DecrementClamp: v = max(v, 1) - 1; break;
        case StencilOp::IncrementWrap: v = (v + 1) & kByte; break;
        case StencilOp::DecrementWrap: v = (v + kByte) & kByte; break;
        case StencilOp::Invert: v ^= kByte; break;
        case StencilOp::Keep:
        case StencilOp::Replace: break;
        }
        h.select(Element::B32, updated, lanes, v, updated);
    }

    // --- queries

    void count(Mask passed) {
        const Address total = {Gp::Call, offsetof(exec::FragmentCall, samples_passed)};
        const Scalar lanes = c.scalar();
        h.mask_bits(lanes, passed);
        h.count_bits(lanes, lanes);
        const Scalar sum = c.scalar();
        h.load64(sum, total);
        h.add64(sum, lanes);
        h.store64(total, sum);
    }

    EmitContext& c;
    HostAssembler& h;
    const LaneGroup& group_;
    unsigned sample_;
    const exec::DepthStencilKey& zs_;
    DepthFormat format_;
    unsigned samples_;
    const StencilFace& face_;
};

bool has_two_faces(const EmitContext& c) {
    const exec::DepthStencilKey& zs = c.key.fragment->zs;
    return zs.stencil_test() && depth_format(zs.format).has_stencil &&
           !(zs.stencil[0] == zs.stencil[1]);
}

/// 1 for back faces, else 0.
Scalar load_face(EmitContext& c) {
    Scalar face = c.scalar();
    c.h.load32(face, {Gp::Primitive, offsetof(exec::PrimitiveSetup, flags)});
    c.h.and32(face, 1);
    return face;
}

bool makes_coverage(valhall::Op op) {
    return valhall::has_effect(op, valhall::Effect::coverage);
}

void limit_depth(EmitContext& c, size_t member, bool unorm, Address place) {
    F32 v(c);
    const F32 zero(c, 0.0F);
    v = Operand::broadcast({Gp::Primitive, static_cast<int32_t>(member)});
    v = max(v, zero);
    if (unorm)
        v = min(v, 1.0F);
    const Scalar bound = c.scalar();
    c.h.extract_first(bound, v);
    c.h.store32(place, bound);
}

}  // namespace

bool has_depth_buffer(const exec::DepthStencilKey& zs) {
    return zs.depth_test && depth_format(zs.format).has_depth;
}

// z may be clamped by the bounds in either order, because neither is NaN or negative.
void prepare_depth_test(EmitContext& c) {
    HostAssembler& h = c.h;
    const exec::DepthStencilKey& zs = c.key.fragment->zs;
    const DepthFormat format = depth_format(zs.format);
    if (zs.depth_test && format.has_depth) {
        limit_depth(c, offsetof(exec::PrimitiveSetup, depth_min), false, VALKYR_FRAME(depth_low));
        limit_depth(c, offsetof(exec::PrimitiveSetup, depth_max), format.unorm_bits != 0,
                    VALKYR_FRAME(depth_high));
    }
    if (zs.stencil_test() && format.has_stencil) {
        const Scalar shift = load_face(c);
        const Scalar references = c.load64({Gp::Call, 0});
        h.shift_left64(shift, 3);
        h.load16(references, {references, offsetof(exec::DrawContext, stencil_reference)});
        h.shift_right32_variable(references, shift);
        h.and32(references, kByte);
        h.store32(VALKYR_FRAME(stencil_reference), references);
    }
}

void test_sample(EmitContext& c,
                 const LaneGroup& group,
                 unsigned sample,
                 Mask covered,
                 const DepthStencilValues& values) {
    constexpr unsigned front = 0;
    constexpr unsigned back = 1;
    if (!has_two_faces(c)) {
        SampleTest(c, group, sample, front).run(covered, values);
        return;
    }
    // Values must be in equal places on both paths: evict now, not on one path.
    make_room(c, kTestTemporaries);
    const Label is_front = c.h.new_label();
    const Label done = c.h.new_label();
    {
        const Scalar face = load_face(c);
        c.h.test32(face);
        c.h.jump(Jump::Equal, is_front);
    }
    SampleTest(c, group, sample, back).run(covered, values);
    c.h.jump(done);
    c.h.bind(is_front);
    SampleTest(c, group, sample, front).run(covered, values);
    c.h.bind(done);
}

void test_coverage(EmitContext& c,
                   const LaneGroup& group,
                   Vec coverage,
                   const DepthStencilValues& values) {
    const Temp passed = c.scratch();
    c.h.zero(passed);
    for (unsigned s = 0; s < c.key.fragment->samples; ++s) {
        const TempMask covered = c.scratch_mask();
        c.h.test_bit(covered, coverage, s);
        test_sample(c, group, s, covered, values);
        const Temp bit = c.scratch();
        c.h.mask_value(Element::B32, bit, covered, 1U << s);
        c.h.op(Binary::Or, passed, passed, bit);
    }
    c.h.move(coverage, passed);
}

bool coverage_is_effective(const EmitContext& c, unsigned source) {
    const valhall::Source& s = c.instr().src[source];
    if (s.kind != valhall::SourceKind::Register || c.program.needs_running_mask())
        return false;
    for (auto k = static_cast<uint32_t>(c.step - c.program.steps.data()); k-- > c.block->first;) {
        const Step& step = c.program.steps[k];
        if (step.instr.op == valhall::Op::DISCARD_F32)
            return false;
        if (step.access.writes.has(s.index))
            return makes_coverage(step.instr.op);
    }
    const bool entry = c.block->first == 0 && !c.program.entry_repeats;
    return entry && s.index == kCoverage;
}

TempMask effective_lanes(EmitContext& c, const LaneGroup& group) {
    TempMask m = c.scratch_mask();
    const Scalar lanes = c.scalar();
    c.h.load32(lanes, VALKYR_FRAME(live));
    if (c.program.needs_running_mask())
        c.h.and32(lanes, Gp::Running);
    c.h.shift_right32(lanes, group.first);
    c.h.mask_from_bits(m, lanes);
    return m;
}

}  // namespace valkyr::jit

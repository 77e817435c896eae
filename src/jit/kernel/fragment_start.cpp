// Fragment start: preloads the registers that a fragment warp starts with.
// SPDX-License-Identifier: MIT
#include "jit/kernel/fragment_start.hpp"

#include "exec/entry_registers.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/expand/fragment/packed_quads.hpp"
#include "jit/kernel/kernel.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr Reg kPrimitiveId = exec::kPrimitiveIdRegister;
constexpr Reg kPrimitiveFlags = exec::kPrimitiveFlagsRegister;
constexpr Reg kCoverage = exec::kCoverageRegister;
constexpr Reg kSampleMask = exec::kSampleRegister;

class Preload {
public:
    Preload(EmitContext& context, const FragmentStart& start)
        : c(context)
        , h(context.h)
        , start_(start) {}

    void run(Address coverage) {
        RegSet rest = start_.live;
        const auto wanted = [&](Reg r) {
            c.regs.end_part();  // preloaded values may be evicted from now on
            const bool live = rest.has(r);
            rest = rest - RegSet::one(r);
            return live;
        };
        const auto primitive = [](size_t offset) {
            return Address{Gp::Primitive, static_cast<int32_t>(offset)};
        };
        if (wanted(kPrimitiveId))
            preload_uniform(c, kPrimitiveId,
                            primitive(offsetof(exec::PrimitiveSetup, primitive_id)));
        if (wanted(kPrimitiveFlags))
            preload_uniform(c, kPrimitiveFlags, primitive(offsetof(exec::PrimitiveSetup, flags)));
        if (wanted(exec::kPixelRegister))
            preload_pixel();
        if (wanted(kCoverage))
            preload_lanes(kCoverage, coverage);
        if (wanted(kSampleMask))
            preload_sample_mask(coverage);
        c.regs.end_part();
        preload_zero(c, rest);
    }

private:
    void preload_lanes(Reg r, Address lanes) {
        for (unsigned p = 0; p < c.parts; ++p) {
            const Temp v = c.scratch();
            h.load(v, c.lanes_at(lanes, p));
            c.regs.define(r, p, v);
        }
    }

    /// x | y << 16 of every lane. The sum never carries from the low half to the high half. The
    /// second block of a pair lies right of the first; packed quads lie anywhere.
    void preload_pixel() {
        std::array<std::array<uint32_t, exec::kLanes>, kMaxBlocks> offsets{};
        for (unsigned block = 0; block < kMaxBlocks; ++block)
            for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
                const unsigned inside = c.packs_quads() ? lane & 3 : lane;
                offsets[block][lane] =
                    (exec::lane_x(inside) + kBlockSide * block) | exec::lane_y(inside) << 16;
            }
        const Scalar corner = c.scalar();
        {
            const Scalar x = c.scalar();
            const Scalar y = c.scalar();
            find_corner(c, x, y);
            h.move(corner, y);
            h.shift_left64(corner, 16);
            h.and32(x, 0xFFFF);
            h.or32(corner, x);
        }
        each_part(c, [&] {
            const Temp v = c.lane_table(offsets[c.plan.pixel_blocks > 1 ? c.part : 0]);
            const Temp all = c.scratch();
            h.broadcast_word(all, corner);
            h.op(Binary::AddI32, v, v, all);
            if (c.packs_quads()) {
                QuadCorner corner_of_quad = quad_corner(c, group_of_part(c, c.part));
                U32 pixel(c, v);
                pixel += corner_of_quad.x;
                corner_of_quad.y <<= 16;
                pixel += corner_of_quad.y;
            }
            c.regs.define(exec::kPixelRegister, c.part, v);
        });
    }

    /// Covered lanes get the rasterised samples, other lanes (helpers) 0; the sample ID is in the
    /// bits above. Samples that all lie in the pixel centre are one.
    void preload_sample_mask(Address coverage) {
        if (start_.plain_coverage)
            return preload_lanes(kSampleMask, coverage);
        const exec::FragmentKey* const key = c.key.fragment;
        const bool per_sample = key && key->per_sample;
        for (unsigned p = 0; p < c.parts; ++p) {
            const Temp v = c.scratch();
            const TempMask m = c.scratch_mask();
            h.load(v, c.lanes_at(coverage, p));
            h.test_nonzero(m, v);
            if (key && key->centered_samples)
                h.mask_value(Element::B32, v, m, 1);
            else
                take_rasterised(v, m, p, per_sample);
            if (per_sample)
                add_sample_id(v);
            c.regs.define(kSampleMask, p, v);
        }
    }

    /// v = the rasterised samples of the lanes in `covered`, of which per-sample shading sees one.
    void take_rasterised(Vec v, Mask covered, unsigned part, bool per_sample) {
        const Temp t = c.scratch();
        h.load(v, c.lanes_at(VALKYR_FRAME(rasterised), part));
        h.zero(t);
        h.select(Element::B32, v, covered, v, t);
        if (!per_sample)
            return;
        h.move(t, Operand::broadcast(VALKYR_FRAME(sample_bit)));
        h.op(Binary::And, v, v, t);
    }

    void add_sample_id(Vec v) {
        const Temp t = c.scratch();
        h.move(t, Operand::broadcast(VALKYR_FRAME(sample)));
        h.op(ImmOp::Shl32, t, t, exec::kSampleIdShift);
        h.op(Binary::Or, v, v, t);
    }

    EmitContext& c;
    HostAssembler& h;
    const FragmentStart& start_;
};

}  // namespace

void preload_fragment(EmitContext& c, const FragmentStart& start, Address coverage) {
    Preload(c, start).run(coverage);
}

}  // namespace valkyr::jit

// Fragment kernel: emits the loop over the pixel blocks of a call.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/fragment/inline_blend_constant.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/kernel/body.hpp"
#include "jit/kernel/fragment_start.hpp"
#include "jit/kernel/kernel.hpp"
#include "jit/kernel/packed_tile.hpp"

#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace {

class FragmentKernel {
public:
    explicit FragmentKernel(EmitContext& context)
        : c(context)
        , h(context.h)
        , plan_(context.plan.fragment)
        , key_(context.key.fragment) {}

    void emit() {
        const Label next_block = h.new_label();
        const Label next_batch = h.new_label();
        const Label invariants = h.new_label();
        const Label done = h.new_label();
        begin(done);
        c.invariants.reserve(c.regs, c.plan.invariants);
        const bool batches = plan_.batching != exec::Batching::None;
        const bool starts_behind = c.invariants.active() || batches;
        if (starts_behind)
            h.jump(invariants);
        emit_loop(next_block);
        if (starts_behind)
            h.jump(done);
        if (batches) {
            c.batching = plan_.batching;
            emit_loop(next_batch);
            h.jump(done);
            c.batching = exec::Batching::None;
        }
        if (starts_behind) {
            h.bind(invariants);
            c.invariants.load(h);
            choose_loop(next_block, next_batch);
        }
        h.bind(done);
    }

private:
    static Address call_member(size_t offset) { return {Gp::Call, static_cast<int32_t>(offset)}; }
    static Address warp_member(size_t offset) {
        return VALKYR_FRAME(warp).plus(static_cast<int32_t>(offset));
    }

    /// Emits the loop over the blocks, or the warps of quads, of the call.
    void emit_loop(Label next_block) {
        const Label skip_block = h.new_label();
        h.bind(next_block);
        if (!c.packs_quads())
            locate_block();
        c.regs.begin_entry();
        c.regs.begin_step(0);
        if (c.packs_quads())
            gather_pixels(c);
        emit_positions(c, plan_.needs);
        Scalar passed;
        if (plan_.plain_coverage)
            passed = plain_coverage();
        else
            rasterised_coverage();
        if (plan_.early && !plan_.inline_early)
            early_depth_stencil(skip_block);
        if (key_ && key_->per_sample)
            each_sample();
        else
            shade(VALKYR_FRAME(coverage), std::move(passed));
        h.bind(skip_block);
        if (c.packs_quads()) {
            c.regs.begin_entry();
            c.regs.begin_step(0);
            scatter_pixels(c);
        }
        h.add64(Gp::Item, c.packs_quads() ? sizeof(exec::QuadWarp) : sizeof(exec::BlockRef));
        const Scalar end = c.load64(VALKYR_FRAME(items_end));
        h.compare64(Gp::Item, end);
        h.jump(Jump::Below, next_block);
    }

    /// Gp::PixelBlock is 64 times an entry of the list. Sets Gp::Primitive from its upper bits and
    /// leaves only the block in it.
    void locate_primitive() {
        constexpr unsigned block_shift = 6;
        constexpr uint32_t block = ((1U << exec::kPrimitiveShift) - 1) << block_shift;
        constexpr unsigned too_high =
            exec::kPrimitiveShift + block_shift - std::countr_zero(sizeof(exec::BatchPrimitive));
        const Scalar offset = c.scalar();
        h.move(offset, Gp::PixelBlock);
        h.and32(offset, ~block);
        h.shift_right32(offset, too_high);
        h.load64(Gp::Primitive, call_member(offsetof(exec::FragmentCall, primitive)));
        h.add64(Gp::Primitive, offset);
        h.and32(Gp::PixelBlock, block);
    }

    void choose_loop(Label single, Label batch) {
        if (plan_.batching == exec::Batching::None)
            return h.jump(single);
        {
            const Scalar count = c.scalar();
            h.load32(count, call_member(offsetof(exec::FragmentCall, primitive_count)));
            h.compare32(count, 2);
            h.jump(Jump::Below, single);
        }
        share_origins(c, plan_.needs, plan_.batching);
        if (plan_.batching == exec::Batching::Quads)
            start_quads();
        h.jump(batch);
    }

    /// Packed quads: the pixels in the frame are block 0, and the items are the warps of quads.
    void start_quads() {
        h.move(Gp::PixelBlock, uint64_t{0});
        h.load64(Gp::Item, call_member(offsetof(exec::FragmentCall, quad_warps)));
        const Scalar end = c.load64(call_member(offsetof(exec::FragmentCall, quad_warp_count)));
        const Scalar bytes = c.scalar();
        h.move(bytes, uint64_t{sizeof(exec::QuadWarp)});
        h.mul64(end, bytes);
        h.add64(end, Gp::Item);
        h.store64(VALKYR_FRAME(items_end), end);
    }

    void begin(Label done) {
        const Scalar word = c.load64(call_member(0));
        h.store64(warp_member(offsetof(exec::Warp, draw)), word);
        h.store64(warp_member(offsetof(exec::Warp, fragment)), Gp::Call);
        h.move(word, uint64_t{0});
        h.store64(warp_member(offsetof(exec::Warp, vertex)), word);
        h.store32(warp_member(offsetof(exec::Warp, sample_id)), 0);
        h.store32(warp_member(offsetof(exec::Warp, reserved)), 0);
        h.load64(Gp::Primitive, call_member(offsetof(exec::FragmentCall, primitive)));
        h.load64(Gp::Item, call_member(offsetof(exec::FragmentCall, blocks)));
        h.load32(word, call_member(offsetof(exec::FragmentCall, block_count)));
        h.test32(word);
        h.jump(Jump::Equal, done);
        h.load_address(word, {Gp::Item, 0, word, 2});
        static_assert(sizeof(exec::BlockRef) == 4);
        h.store64(VALKYR_FRAME(items_end), word);
        c.regs.begin_entry();
        c.regs.begin_step(0);
        if (plan_.inline_tests)
            prepare_depth_test(c);
        if (key_)
            prepare_constant_colors(c);
        prepare_positions(c, plan_.needs);
        if (!c.plan.lanes_can_be_inactive())
            h.move(Gp::Running, uint64_t{c.all_lanes()});
    }

    /// Sets Gp::PixelBlock, and stores the warp's window position if the plan asks for it;
    /// otherwise calls of routines compute it.
    void locate_block() {
        h.load16(Gp::PixelBlock, {Gp::Item, offsetof(exec::BlockRef, block)});
        if (c.plan.pixel_blocks > 1)
            take_pair();
        h.shift_left64(Gp::PixelBlock, 6);
        if (c.batching == exec::Batching::Blocks)
            locate_primitive();
        if (plan_.locates_warp)
            locate_warp(c);
    }

    /// Moves Gp::PixelBlock to the even block of a pair, stores the masks of both in the frame, and
    /// leaves Gp::Item at the last list entry that it took.
    void take_pair() {
        const Label alone = h.new_label();
        const Scalar mask = c.scalar();
        h.load16(mask, {Gp::Item, offsetof(exec::BlockRef, mask)});
        {
            const Scalar odd = c.scalar();
            h.move(odd, Gp::PixelBlock);
            h.and32(odd, 1);
            h.sub32(Gp::PixelBlock, odd);
            h.shift_left64(odd, 4);
            h.shift_left32_variable(mask, odd);
            h.test32(odd);
            h.jump(Jump::NotEqual, alone);
        }
        const Scalar next = c.scalar();
        h.load_address(next, {Gp::Item, sizeof(exec::BlockRef)});
        const Scalar end = c.load64(VALKYR_FRAME(items_end));
        h.compare64(next, end);
        h.jump(Jump::AboveEqual, alone);
        const Scalar word = c.scalar();
        h.load16(word, {next, offsetof(exec::BlockRef, block)});
        h.sub32(word, Gp::PixelBlock);
        h.compare32(word, 1);
        h.jump(Jump::NotEqual, alone);
        h.load16(word, {next, offsetof(exec::BlockRef, mask)});
        h.shift_left64(word, exec::kLanes);
        h.or32(mask, word);
        h.move(Gp::Item, next);
        h.bind(alone);
        h.store32(VALKYR_FRAME(pair_mask), mask);
    }

    /// The covered lanes of the block or pair.
    Scalar load_block_mask() {
        Scalar mask = c.scalar();
        if (c.plan.pixel_blocks > 1)
            h.load32(mask, VALKYR_FRAME(pair_mask));
        else
            h.load16(mask, {Gp::Item, static_cast<int32_t>(c.packs_quads()
                                                               ? offsetof(exec::QuadWarp, mask)
                                                               : offsetof(exec::BlockRef, mask))});
        return mask;
    }

    /// m = the lanes of the group among the bits of the warp.
    void mask_of_group(Mask m, Scalar bits, const LaneGroup& group) {
        h.shift_right32(bits, group.first);
        h.mask_from_bits(m, bits);
    }

    /// With one sample: stores the coverage if the kernel reads it. Returns the lanes that pass
    /// inline early tests; invalid without such tests.
    Scalar plain_coverage() {
        Scalar passed;
        // The preload of r61 reads the stored coverage, too.
        const bool unread =
            c.program.entry_coverage && !c.plan.entry_live.has(exec::kSampleRegister);
        if (unread && !plan_.inline_early)
            return passed;
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp lanes = c.scratch();
            const TempMask m = c.scratch_mask();
            mask_of_group(m, load_block_mask(), group);
            if (plan_.inline_early)
                test_sample(c, group, 0, m, {});
            if (!unread) {
                h.mask_value(Element::B32, lanes, m, 1);
                h.store(group.of(VALKYR_FRAME(coverage)), lanes);
            }
            if (plan_.inline_early)
                collect_chunk(passed, group, m);
        });
        return passed;
    }

    /// bits |= the lanes of the mask, as bits of the warp; the first chunk takes the lease.
    void collect_chunk(Scalar& bits, const LaneGroup& group, Mask mask) {
        Scalar lanes = c.scalar();
        h.mask_bits(lanes, mask);
        if (group.first == 0) {
            bits = std::move(lanes);
            return;
        }
        h.shift_left64(lanes, group.first);
        h.or32(bits, lanes);
    }

    /// Stores `rasterised` and `coverage` in the frame: bit s of a lane = sample s. Coverage lacks
    /// samples that fail inline early tests.
    void rasterised_coverage() {
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp lanes = c.scratch();
            h.zero(lanes);
            Temp passed;
            if (plan_.inline_early) {
                passed = c.scratch();
                h.zero(passed);
            }
            for (unsigned s = 0; s < plan_.samples; ++s)
                add_sample(lanes, passed, s, group);
            h.store(group.of(VALKYR_FRAME(rasterised)), lanes);
            h.store(group.of(VALKYR_FRAME(coverage)), plan_.inline_early ? passed : lanes);
        });
    }

    void add_sample(Vec lanes, Vec passed, unsigned sample, const LaneGroup& group) {
        const TempMask m = c.scratch_mask();
        mask_of_group(m, load_sample_mask(sample), group);
        add_bit(lanes, m, sample);
        if (plan_.inline_early) {
            test_sample(c, group, sample, m, {});
            add_bit(passed, m, sample);
        }
    }

    void add_bit(Vec lanes, Mask m, unsigned sample) {
        const Temp bit = c.scratch();
        h.mask_value(Element::B32, bit, m, 1U << sample);
        h.op(Binary::Or, lanes, lanes, bit);
    }

    /// The lanes that cover the sample: from sample_masks if the call has them.
    Scalar load_sample_mask(unsigned sample) {
        Scalar mask = c.scalar();
        if (plan_.samples == 1) {
            h.load16(mask, {Gp::Item, offsetof(exec::BlockRef, mask)});
            return mask;
        }
        const Label listed = h.new_label();
        const Label loaded = h.new_label();
        const Scalar masks = c.load64(call_member(offsetof(exec::FragmentCall, sample_masks)));
        h.move(mask, uint64_t{0});
        h.compare64(masks, mask);
        h.jump(Jump::NotEqual, listed);
        h.load16(mask, {Gp::Item, offsetof(exec::BlockRef, mask)});
        h.jump(loaded);
        h.bind(listed);
        // masks[(Item - blocks) / 4 * samples + sample], two bytes each
        const Gp offset = mask;
        h.move(offset, Gp::Item);
        const Scalar word = c.load64(call_member(offsetof(exec::FragmentCall, blocks)));
        h.sub64(offset, word);
        h.move(word, uint64_t{plan_.samples});
        h.mul64(offset, word);
        h.shift_right32(offset, 1);
        h.add64(masks, offset);
        h.load16(mask, {masks, static_cast<int32_t>(2 * sample)});
        h.bind(loaded);
        return mask;
    }

    /// The lanes of the warp, as bits, whose word at `lanes` is not 0.
    Scalar covered_lanes(Address lanes) {
        Scalar bits;
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp v = c.scratch();
            const TempMask m = c.scratch_mask();
            h.load(v, group.of(lanes));
            h.test_nonzero(m, v);
            collect_chunk(bits, group, m);
        });
        return bits;
    }

    void early_depth_stencil(Label skip) {
        {
            const Scalar covered = covered_lanes(VALKYR_FRAME(coverage));
            h.test32(covered);
            h.jump(Jump::Equal, skip);
            h.store16(VALKYR_FRAME(warp.running), covered);
            h.store16(VALKYR_FRAME(warp.live), covered);
        }
        emit_call(
            c, offsetof(exec::Environment, early_zs),
            {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(VALKYR_FRAME(coverage))});
    }

    /// Per-sample shading: one invocation a sample, whose coverage has only that bit.
    void each_sample() {
        const Label next = h.new_label();
        h.store32(VALKYR_FRAME(sample), 0);
        h.bind(next);
        start_sample();
        c.regs.begin_entry();
        c.regs.begin_step(0);
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp v = c.scratch();
            const Temp bit = c.scratch();
            h.move(bit, Operand::broadcast(VALKYR_FRAME(sample_bit)));
            h.load(v, group.of(VALKYR_FRAME(coverage)));
            h.op(Binary::And, v, v, bit);
            h.store(group.of(VALKYR_FRAME(sample_coverage)), v);
        });
        shade(VALKYR_FRAME(sample_coverage), {});
        const Scalar sample = c.scalar();
        h.load32(sample, VALKYR_FRAME(sample));
        h.add32(sample, 1);
        h.store32(VALKYR_FRAME(sample), sample);
        h.compare32(sample, plan_.samples);
        h.jump(Jump::Below, next);
    }

    void start_sample() {
        const Scalar sample = c.scalar();
        const Scalar bit = c.scalar();
        h.load32(sample, VALKYR_FRAME(sample));
        h.store32(warp_member(offsetof(exec::Warp, sample_id)), sample);
        h.move(bit, uint64_t{1});
        h.shift_left32_variable(bit, sample);
        h.store32(VALKYR_FRAME(sample_bit), bit);
    }

    /// Emits one invocation of every covered pixel.
    /// covered  the lanes with any coverage, if known
    void shade(Address coverage, Scalar covered) {
        const Label skip = h.new_label();
        c.regs.begin_entry();
        c.regs.begin_step(0);
        if (!covered.valid())
            covered =
                plan_.plain_coverage && !plan_.early ? load_block_mask() : covered_lanes(coverage);
        // With several primitives a jump would be mispredicted and save little: the program is
        // short, or warps are full.
        if (c.batching == exec::Batching::None) {
            h.test32(covered);
            h.jump(Jump::Equal, skip);
        }
        if (c.plan.rounds > 1) {
            h.store32(VALKYR_FRAME(covered), covered);
            covered.reset();
        }
        for_each_round(c, [&] {
            start_lanes(std::move(covered));
            c.regs.begin_entry();
            c.regs.begin_step(0);
            if (plan_.needs.reciprocal_q)
                emit_reciprocal_q(c);
            preload_fragment(c, {c.plan.entry_live, plan_.plain_coverage}, coverage);
            emit_body(c, c.warp_end);
        });
        h.bind(skip);
    }

    /// The covered lanes of one of several rounds; ends the round if no lane is covered.
    Scalar covered_in_round() {
        Scalar covered = c.scalar();
        const Scalar first = c.scalar();
        h.load32(covered, VALKYR_FRAME(covered));
        h.move(first, Gp::Half);
        h.shift_right32(first, 2);
        h.shift_right32_variable(covered, first);
        h.and32(covered, c.all_lanes());
        h.test32(covered);
        h.jump(Jump::Equal, c.warp_end);
        return covered;
    }

    /// live = the covered lanes of this round (`lanes`, if there is one round). Running = their
    /// quads, or all lanes if the program cannot observe the difference.
    void start_lanes(Scalar lanes) {
        if (c.plan.rounds > 1)
            lanes = covered_in_round();
        h.store32(VALKYR_FRAME(live), lanes);
        if (!c.plan.lanes_can_be_inactive())
            return;
        if (!c.program.starts_partial) {
            h.move(Gp::Running, uint64_t{c.all_lanes()});
            return;
        }
        // Expand to whole quads: fold the four bits of each into the lowest, then spread it.
        for (unsigned shift : {1U, 2U}) {
            const Scalar other = c.scalar();
            h.move(other, lanes);
            h.shift_right32(other, shift);
            h.or32(lanes, other);
        }
        h.and32(lanes, 0x11111111 & c.all_lanes());
        h.move(Gp::Running, uint64_t{15});
        h.mul64(Gp::Running, lanes);
    }

    EmitContext& c;
    HostAssembler& h;
    const FragmentPlan& plan_;
    const exec::FragmentKey* key_;
};

}  // namespace

void emit_fragment_kernel(EmitContext& c) {
    FragmentKernel(c).emit();
}

}  // namespace valkyr::jit

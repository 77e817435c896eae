// End-of-fragment emitters: ATEST, ZS_EMIT, BLEND and access to the tile buffer.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "exec/blend_descriptor.hpp"
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/expand/fragment/inline_atest.hpp"
#include "jit/expand/fragment/inline_blend.hpp"
#include "jit/expand/fragment/inline_tile.hpp"

#include <cstddef>

namespace valkyr::jit {

using valhall::Mod;
using valhall::SourceKind;

namespace {

constexpr valhall::Staging kSecondColor{exec::kSecondColorRegister, 4};

/// Stores a 64-bit operand, a special word of the draw or registers, in the frame's `spare`.
void stage_datum(EmitContext& c, unsigned source, unsigned special, bool pair) {
    const valhall::Source& s = c.instr().src[source];
    const Address place = VALKYR_FRAME(spare);
    if (s.kind == SourceKind::Special && s.index == special) {
        const Scalar datum = c.load64({Gp::Call, 0});
        c.h.load64(datum, {datum, static_cast<int32_t>(offsetof(exec::DrawContext, special) +
                                                       8 * special)});
        c.h.store64(place, datum);
        return;
    }
    Scalar word = c.uniform_word(source, 0);
    c.h.store64(place, word);
    word.reset();
    if (pair) {
        word = c.uniform_word(source, 1);
        c.h.store32(place.plus(4), word);
    }
}

/// Stores a float source, with its modifiers, of all lanes at `area`.
void stage_f32(EmitContext& c, unsigned source, Address area) {
    each_part(c, [&] {
        Temp v = c.f32(source);
        c.h.store(c.lanes_at(area), v);
        c.done_with(v);
    });
}

}  // namespace

VALKYR_EMIT(ATEST) {
    if (expand(c, {{Expansion::Atest, expand_atest},
                   {Expansion::AtestPass, pass_atest},
                   {Expansion::AtestTests, expand_atest}}))
        return;
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_f32(c, 1, VALKYR_FRAME(operand[1]));
    stage_datum(c, 2, exec::kAtestDatum, false);
    prepare_warp(c);
    call_environment(
        c, offsetof(exec::Environment, atest),
        {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(VALKYR_FRAME(operand[0])),
         Argument::effective(VALKYR_FRAME(operand[1])), Argument::load64(VALKYR_FRAME(spare)),
         Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

VALKYR_EMIT(ZS_EMIT) {
    if (expand(c, {{Expansion::ZsEmit, expand_zs_emit}}))
        return;
    const auto supplied = [&](unsigned source, Mod flag, Address area) {
        if (!c.instr().mod(flag))
            return Argument::constant(0);
        stage_source(c, source, area);
        return Argument::effective(area);
    };
    const Argument depth = supplied(0, Mod::z, VALKYR_FRAME(operand[0]));
    const Argument stencil = supplied(1, Mod::stencil, VALKYR_FRAME(operand[1]));
    stage_source(c, 2, VALKYR_FRAME(operand[2]));
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, zs_emit),
                     {Argument::effective(VALKYR_FRAME(warp)), depth, stencil,
                      Argument::effective(VALKYR_FRAME(operand[2])),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

namespace {

/// Blends by the mode and target in the descriptor (the frame's `spare`). in1 is the second colour,
/// read if the target's state blends with it.
void blend_by_descriptor(const exec::Warp& warp,
                         const exec::BlendMessage& message,
                         uint64_t descriptor,
                         const exec::Lanes* operands,
                         const exec::Lanes* in,
                         const exec::Lanes* in1) noexcept {
    if (exec::blend_mode(descriptor) == exec::BlendMode::Off)
        return;
    exec::BlendMessage to = message;
    to.target = exec::blend_target(descriptor);
    const auto* key = static_cast<const exec::FragmentKey*>(warp.draw->key);
    const bool dual =
        key && to.target < exec::kMaxRenderTargets && key->blend[to.target].reads_second_color();
    warp.draw->environment->blend(warp, to, descriptor, operands[0], in, dual ? in1 : nullptr);
}

}  // namespace

VALKYR_EMIT(BLEND) {
    if (expand(c, {{Expansion::BlendOff, [](EmitContext&) {}},
                   {Expansion::BlendBytes, expand_blend_bytes},
                   {Expansion::BlendConstant, expand_blend_bytes},
                   {Expansion::BlendSmallBytes, expand_blend_small_bytes},
                   {Expansion::BlendNumbers, expand_blend_numbers}}))
        return;
    const valhall::Instr& i = c.instr();
    const exec::BlendMessage message{0, register_format(c), components(c)};
    const valhall::Source& s = i.src[0];
    const unsigned special =
        s.kind == SourceKind::Special ? s.index : unsigned{exec::kBlendDescriptor0};
    stage_datum(c, 0, special, true);
    stage_source(c, 1, VALKYR_FRAME(operand[0]));
    stage_run(c, i.staging[0], VALKYR_FRAME(in));
    if (c.step->access.reads.has(kSecondColor.base))
        stage_run(c, {kSecondColor.base, i.staging[0].count}, VALKYR_FRAME(in[4]));
    prepare_warp(c, true);
    call_routine(
        c, reinterpret_cast<const void*>(&blend_by_descriptor),
        {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(constant_message(c, message)),
         Argument::load64(VALKYR_FRAME(spare)), Argument::effective(VALKYR_FRAME(operand[0])),
         Argument::effective(VALKYR_FRAME(in)), Argument::effective(VALKYR_FRAME(in[4]))});
}

namespace {

/// Stores indices in operand[0], coverage in operand[1] and the message in the frame.
Address stage_tile(EmitContext& c) {
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[1]));
    const Scalar conversion = c.uniform_word(2);
    const exec::TileMessage message{
        .format = register_format(c), .components = components(c), .conversion = 0};
    const Address place = variable_message(c, message);
    c.h.store32(place.plus(offsetof(exec::TileMessage, conversion)), conversion);
    return place;
}

void emit_tile_call(EmitContext& c, size_t routine, Address message, Address data) {
    prepare_warp(c, routine == offsetof(exec::Environment, tile_store));
    emit_call(c, routine,
              {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
               Argument::effective(VALKYR_FRAME(operand[0])),
               Argument::effective(VALKYR_FRAME(operand[1])), Argument::effective(data)});
}

/// Emits the chosen expansion, which calls the routine for the remaining cases, or only the call.
template <typename Expand>
void expand_or_call(EmitContext& c, const CallTileRoutine& routine, Expand expand_pixel) {
    if (c.message().expansion == Expansion::TilePixel)
        return expand_pixel(c, routine);
    VALKYR_CHECK(c.message().expansion == Expansion::Routine);
    c.regs.before_call();
    routine();
    c.after_call();
}

}  // namespace

VALKYR_EMIT(LD_TILE) {
    const Address message = stage_tile(c);
    const auto routine = [&] {
        emit_tile_call(c, offsetof(exec::Environment, tile_load), message, VALKYR_FRAME(out));
    };
    expand_or_call(c, routine, expand_tile_load);
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

VALKYR_EMIT(ST_TILE) {
    const Address message = stage_tile(c);
    stage_run(c, c.instr().staging[0], VALKYR_FRAME(in));
    const auto routine = [&] {
        emit_tile_call(c, offsetof(exec::Environment, tile_store), message, VALKYR_FRAME(in));
    };
    expand_or_call(c, routine, expand_tile_store);
}

}  // namespace valkyr::jit

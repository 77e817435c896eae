// Texture emitters: send texture and image messages.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/expand/image/inline_image.hpp"
#include "jit/expand/texture/inline_texture.hpp"
#include "valhall/isa/messages.hpp"

#include <cstddef>

namespace valkyr::jit {

using exec::TextureMessage;
using exec::TextureOp;
using valhall::Mod;

namespace {

constexpr Reg kSampleRegister = exec::kSampleRegister;

/// d = exec::widen_narrow_handle(d), 16 bits.
void widen_handle(EmitContext& c, Gp d) {
    const Scalar table = c.scalar();
    c.h.move(table, d);
    c.h.shift_right32(table, exec::kNarrowTableShift);
    c.h.shift_left64(table, exec::kHandleTableShift);
    c.h.and32(d, exec::kNarrowIndexMask);
    c.h.or32(d, table);
}

/// Stores the handles of the resource operand in the message of the frame.
void store_handles(EmitContext& c, Address message, bool wide) {
    const Address texture = message.plus(offsetof(TextureMessage, texture));
    const Address sampler = message.plus(offsetof(TextureMessage, sampler));
    const Scalar handles = c.uniform_word(0, 0);
    if (wide) {
        c.h.store32(sampler, handles);
        const Scalar high = c.uniform_word(0, 1);
        c.h.store32(texture, high);
        return;
    }
    const Scalar low = c.scalar();
    c.h.move(low, handles);
    c.h.and32(low, 0xFFFF);
    widen_handle(c, low);
    c.h.store32(sampler, low);
    c.h.shift_right32(handles, exec::kNarrowTextureShift);
    widen_handle(c, handles);
    c.h.store32(texture, handles);
}

/// Fills in the handles, if they are known.
bool set_handles(const EmitContext& c, TextureMessage& message) {
    const bool wide = c.instr().mod(Mod::wide_indices) != 0;
    const auto low = c.known_word(0, 0);
    const auto high = c.known_word(0, 1);
    if (!low || (wide && !high))
        return false;
    message.sampler = wide ? *low : exec::widen_narrow_handle(*low & 0xFFFF);
    message.texture = wide ? *high : exec::widen_narrow_handle(*low >> exec::kNarrowTextureShift);
    return true;
}

/// The message with its handles, constant if they are known.
Address complete(EmitContext& c, TextureMessage message) {
    const bool wide = c.instr().mod(Mod::wide_indices) != 0;
    if (set_handles(c, message))
        return constant_message(c, message);
    const Address place = variable_message(c, message);
    store_handles(c, place, wide);
    return place;
}

/// Coordinates are staged in the frame's `in`.
void call_texture(EmitContext& c, Address message, const valhall::Staging& results) {
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, texture),
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(in)),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, results, VALKYR_FRAME(out));
}

void texture(EmitContext& c, TextureOp op) {
    const valhall::Instr& i = c.instr();
    TextureMessage message = valhall::texture_message(i, op);
    const bool known = set_handles(c, message);
    if (known && expand_texture(c, message))
        return;
    const Address place = complete(c, message);
    stage_run(c, i.staging[1], VALKYR_FRAME(in));
    const auto routine = [&] {
        prepare_warp(c);
        emit_call(c, offsetof(exec::Environment, texture),
                  {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(place),
                   Argument::effective(VALKYR_FRAME(in)), Argument::effective(VALKYR_FRAME(out))});
    };
    if (!known && expand_indexed_texture(c, message, place, routine))
        return;
    call_texture(c, place, i.staging[0]);
}

/// The varying at a byte offset (source 1, times `scale`) gives the coordinates.
void stage_varying(EmitContext& c, const TextureMessage& texture, bool slots) {
    const exec::VaryingMessage varying = valhall::texture_varying(c.instr(), texture, 0);
    Scalar offset = c.uniform_word(1);
    if (slots) {
        c.h.and32(offset, exec::kHandleIndexMask);
        c.h.shift_left64(offset, 4);
        static_assert(valhall::kBytesPerSlot == 1U << 4);
    }
    const Address message = variable_message(c, varying);
    c.h.store32(message.plus(offsetof(exec::VaryingMessage, offset)), offset);
    offset.reset();
    stage_register(c, kSampleRegister, VALKYR_FRAME(operand[1]));
    call_varying(c, message, VALKYR_FRAME(in));
}

/// VAR_TEX*: coordinates (then array index, then reference) are components of a varying.
void varying_texture(EmitContext& c, TextureOp op, bool slots) {
    const valhall::Instr& i = c.instr();
    const TextureMessage message = valhall::texture_message(i, op);
    stage_varying(c, message, slots);
    call_texture(c, complete(c, message), i.staging[0]);
}

uint32_t image_handle(const EmitContext& c, unsigned table, unsigned index) {
    return exec::make_handle(exec::ResourceTable(c.instr().imm[table]),
                             static_cast<uint32_t>(c.instr().imm[index]));
}

void image(EmitContext& c, size_t routine, Address message) {
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[1]));
    prepare_warp(c);
    call_environment(c, routine,
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(operand[0])),
                      Argument::effective(VALKYR_FRAME(operand[1])),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

/// The modifiers that LEA_TEX_IMM lacks are 0.
exec::ImageMessage image_message(const EmitContext& c, uint32_t handle) {
    return {handle, register_format(c), components(c)};
}

using ExpandImage = bool (*)(EmitContext&, const exec::ImageMessage&);

/// An image message: its routine and its expansion.
struct ImageEmitter {
    size_t routine;
    ExpandImage expand;
    ExpandImage expand_indexed;  ///< with a handle of run time
};
constexpr ImageEmitter kImageLoad{offsetof(exec::Environment, image_load), expand_image_load,
                                  expand_indexed_load};
constexpr ImageEmitter kImageAddress{offsetof(exec::Environment, image_address),
                                     expand_image_address, expand_indexed_address};

void immediate_image(EmitContext& c, const ImageEmitter& emitter, uint32_t handle) {
    const exec::ImageMessage message = image_message(c, handle);
    if (!emitter.expand(c, message))
        image(c, emitter.routine, constant_message(c, message));
}

void indexed_image(EmitContext& c, const ImageEmitter& emitter) {
    if (const auto known = c.known_word(2)) {
        immediate_image(c, emitter, *known);
        return;
    }
    if (emitter.expand_indexed(c, image_message(c, 0)))
        return;
    Scalar handle = c.uniform_word(2);
    const Address message = variable_message(c, image_message(c, 0));
    c.h.store32(message.plus(offsetof(exec::ImageMessage, handle)), handle);
    handle.reset();
    image(c, emitter.routine, message);
}

}  // namespace

VALKYR_EMIT_AS(TEX_SINGLE, texture(c, TextureOp::Sample))
VALKYR_EMIT_AS(TEX_FETCH, texture(c, TextureOp::Fetch))
VALKYR_EMIT_AS(TEX_GATHER, texture(c, TextureOp::Gather))
VALKYR_EMIT_AS(VAR_TEX_BUF_SINGLE, varying_texture(c, TextureOp::Sample, false))
VALKYR_EMIT_AS(VAR_TEX_BUF_GATHER, varying_texture(c, TextureOp::Gather, false))
VALKYR_EMIT_AS(VAR_TEX_SINGLE, varying_texture(c, TextureOp::Sample, true))
VALKYR_EMIT_AS(VAR_TEX_GATHER, varying_texture(c, TextureOp::Gather, true))

// No known meaning: read_program() refuses programs that contain them.
VALKYR_EMIT_AS(TEX_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_BUF_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_BUF_GRADIENT, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_GRADIENT, EmitContext::reject())

VALKYR_EMIT_AS(LD_TEX_IMM, immediate_image(c, kImageLoad, image_handle(c, 1, 0)))
VALKYR_EMIT_AS(LD_TEX, indexed_image(c, kImageLoad))
VALKYR_EMIT_AS(LEA_TEX_IMM, immediate_image(c, kImageAddress, image_handle(c, 0, 1)))
VALKYR_EMIT_AS(LEA_TEX, indexed_image(c, kImageAddress))

namespace {

/// The routine takes eight arguments, two more than registers have: it is called through this.
struct ConvertStore {
    const exec::Warp* warp;
    const exec::Lanes* address;  ///< low, high
    const exec::Lanes* conversion;
    const exec::Lanes* in;
};

void convert_store(const ConvertStore& store,
                   uint32_t format,
                   uint32_t component_count,
                   uint32_t offset) noexcept {
    const exec::Warp& warp = *store.warp;
    warp.draw->environment->convert_store(warp, static_cast<exec::RegisterFormat>(format),
                                          static_cast<uint8_t>(component_count), store.address[0],
                                          store.address[1], offset, *store.conversion, store.in);
}

}  // namespace

VALKYR_EMIT(ST_CVT) {
    if (expand_convert_store(c))
        return;
    const valhall::Instr& i = c.instr();
    const bool forced =
        i.get<valhall::MemoryAccess>(Mod::memory_access) == valhall::MemoryAccess::force;
    stage_pair(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[2]));
    stage_run(c, i.staging[0], VALKYR_FRAME(in));
    prepare_warp(c, !forced);
    if (forced) {  // a helper's store counts
        const Scalar lanes = c.scalar();
        const Scalar live = c.scalar();
        c.h.load16(lanes, VALKYR_FRAME(warp.running));
        c.h.load16(live, VALKYR_FRAME(warp.live));
        c.h.or32(lanes, live);
        c.h.store16(VALKYR_FRAME(warp.live), lanes);
    }
    const Address block = VALKYR_FRAME(message);
    const auto set_pointer = [&](size_t member, Address value) {
        const Scalar pointer = c.scalar();
        c.h.load_address(pointer, value);
        c.h.store64(block.plus(static_cast<int32_t>(member)), pointer);
    };
    set_pointer(offsetof(ConvertStore, warp), VALKYR_FRAME(warp));
    set_pointer(offsetof(ConvertStore, address), VALKYR_FRAME(operand[0]));
    set_pointer(offsetof(ConvertStore, conversion), VALKYR_FRAME(operand[2]));
    set_pointer(offsetof(ConvertStore, in), VALKYR_FRAME(in));
    call_routine(c, reinterpret_cast<const void*>(&convert_store),
                 {Argument::effective(block), Argument::constant(i.mod(Mod::regfmt)),
                  Argument::constant(components(c)),
                  Argument::constant(static_cast<uint64_t>(i.imm[0]))});
}

}  // namespace valkyr::jit

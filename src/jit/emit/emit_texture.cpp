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

/// The message with its handles, in the constant pool if they are known, else in the frame.
Address complete(EmitContext& c) {
    const TextureMessage message = texture_message(c.instr(), c.message());
    if (c.message().known)
        return constant_message(c, message);
    const Address place = variable_message(c, message);
    store_handles(c, place, c.instr().mod(Mod::wide_indices) != 0);
    return place;
}

/// Calls the texture routine; coordinates are staged in the frame's `in`.
void call_texture(EmitContext& c, Address message, const valhall::Staging& results) {
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, texture),
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(in)),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, results, VALKYR_FRAME(out));
}

void indexed_texture(EmitContext& c) {
    const Address place = complete(c);
    stage_run(c, c.instr().staging[1], VALKYR_FRAME(in));
    expand_indexed_texture(c, place, [&] {
        prepare_warp(c);
        emit_call(c, offsetof(exec::Environment, texture),
                  {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(place),
                   Argument::effective(VALKYR_FRAME(in)), Argument::effective(VALKYR_FRAME(out))});
    });
}

void texture(EmitContext& c) {
    if (expand(c, {{Expansion::Texture, expand_texture},
                   {Expansion::IndexedTexture, indexed_texture}}))
        return;
    const Address place = complete(c);
    stage_run(c, c.instr().staging[1], VALKYR_FRAME(in));
    call_texture(c, place, c.instr().staging[0]);
}

/// Stages the varying that source 1 names (a slot or a byte offset) as coordinates.
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

/// Emits VAR_TEX*: coordinates, array index and reference are components of one varying.
void varying_texture(EmitContext& c, bool slots) {
    stage_varying(c, texture_message(c.instr(), c.message()), slots);
    call_texture(c, complete(c), c.instr().staging[0]);
}

void call_image(EmitContext& c, size_t routine, Address message) {
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

using ExpandImage = void (*)(EmitContext&);

/// Emits an image message.
/// routine       the environment's, for the other cases
/// expand_image  emits both of its expansions
void image(EmitContext& c, size_t routine, ExpandImage expand_image) {
    if (expand(c, {{Expansion::KnownImage, expand_image}, {Expansion::CommonImage, expand_image}}))
        return;
    if (const auto known = c.message().known)
        return call_image(c, routine, constant_message(c, image_message(c.instr(), *known)));
    Scalar handle = c.uniform_word(2);
    const Address message = variable_message(c, image_message(c.instr(), 0));
    c.h.store32(message.plus(offsetof(exec::ImageMessage, handle)), handle);
    handle.reset();
    call_image(c, routine, message);
}

void load_image(EmitContext& c) {
    image(c, offsetof(exec::Environment, image_load), expand_image_load);
}

void image_address(EmitContext& c) {
    image(c, offsetof(exec::Environment, image_address), expand_image_address);
}

}  // namespace

VALKYR_EMIT_AS(TEX_SINGLE, texture(c))
VALKYR_EMIT_AS(TEX_FETCH, texture(c))
VALKYR_EMIT_AS(TEX_GATHER, texture(c))
VALKYR_EMIT_AS(VAR_TEX_BUF_SINGLE, varying_texture(c, false))
VALKYR_EMIT_AS(VAR_TEX_BUF_GATHER, varying_texture(c, false))
VALKYR_EMIT_AS(VAR_TEX_SINGLE, varying_texture(c, true))
VALKYR_EMIT_AS(VAR_TEX_GATHER, varying_texture(c, true))

// The meaning of these is unknown: read_program() refuses programs that contain them.
VALKYR_EMIT_AS(TEX_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_BUF_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_DUAL, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_BUF_GRADIENT, EmitContext::reject())
VALKYR_EMIT_AS(VAR_TEX_GRADIENT, EmitContext::reject())

VALKYR_EMIT_AS(LD_TEX_IMM, load_image(c))
VALKYR_EMIT_AS(LD_TEX, load_image(c))
VALKYR_EMIT_AS(LEA_TEX_IMM, image_address(c))
VALKYR_EMIT_AS(LEA_TEX, image_address(c))

namespace {

/// The eight arguments of the routine in one struct, because the host passes only six in registers.
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
    if (expand(c, {{Expansion::ImageTexels, expand_convert_store}}))
        return;
    const valhall::Instr& i = c.instr();
    const bool forced =
        i.get<valhall::MemoryAccess>(Mod::memory_access) == valhall::MemoryAccess::force;
    stage_pair(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[2]));
    stage_run(c, i.staging[0], VALKYR_FRAME(in));
    prepare_warp(c, !forced);
    if (forced) {  // stores of helpers take effect
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

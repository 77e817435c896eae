// Message calls: stage operands in the frame, call a routine and receive its results.
// SPDX-License-Identifier: MIT
//
// A call is correct for every message and state; tests compare inline expansions (inline_*.cpp)
// with it.
#pragma once

#include "jit/context/emit_context.hpp"
#include "valhall/isa/messages.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace valkyr::jit {

/// An expansion and the function that emits it for the current message.
struct ExpansionEmitter {
    Expansion expansion;
    void (*emit)(EmitContext& c);
};
/// Emits the expansion chosen for the current message. False: the choice is the routine.
/// expansions  all that the message can have; it aborts at any other choice
bool expand(EmitContext& c, std::initializer_list<ExpansionEmitter> expansions);

/// Evicts values until `count` temporaries can be had. Code that can be skipped must not evict, so
/// expansions call this before their first jump.
void make_room(EmitContext& c, unsigned count);

/// Stores a staging run to consecutive Lanes arrays at `area`.
void stage_run(EmitContext& c, const valhall::Staging& run, Address area);
/// Stores a source word (half 1: the upper one of a pair) of all lanes at `area`.
void stage_source(EmitContext& c, unsigned source, Address area, unsigned half = 0);
/// Stores the two words of a 64-bit source at `area` and behind it.
void stage_pair(EmitContext& c, unsigned source, Address area);
/// Stores one register of guest state.
void stage_register(EmitContext& c, Reg r, Address area);

/// d = the lanes that send, as bits of the whole warp; with `effects` those that are not helpers.
void sending_lanes(EmitContext& c, Gp d, bool effects);
/// x, y = the window position of the block's first pixel.
void find_corner(EmitContext& c, Gp x, Gp y);
/// Stores block and window position in the frame's warp.
void locate_warp(EmitContext& c);
/// Stores the sending and live lanes, block and window position in the frame's warp.
void prepare_warp(EmitContext& c, bool effects = false);

/// The words of a message struct. Padding would bring bytes of the stack into the code of a kernel,
/// and each recompilation of a program could differ, so messages have none.
template <typename Message>
auto message_words(const Message& message) {
    static_assert(std::has_unique_object_representations_v<Message>);
    static_assert(sizeof(Message) % sizeof(uint32_t) == 0);
    return std::bit_cast<std::array<uint32_t, sizeof(Message) / sizeof(uint32_t)>>(message);
}
/// A message struct in the constant pool.
template <typename Message>
Address constant_message(EmitContext& c, const Message& message) {
    return c.h.pool_words(message_words(message));
}
/// Copies a message struct to the frame; the caller then stores its run-time members.
template <typename Message>
Address variable_message(EmitContext& c, const Message& message) {
    static_assert(sizeof(Message) <= sizeof(FixedFrame::message));
    const Address place = VALKYR_FRAME(message);
    Address next = place;
    for (const uint32_t word : message_words(message)) {
        c.h.store32(next, word);
        next = next.plus(static_cast<int32_t>(sizeof word));
    }
    return place;
}

/// One of consecutive Lanes arrays.
inline Address staged_array(Address area, unsigned index) {
    return area.plus(static_cast<int32_t>(index * sizeof(exec::Lanes)));
}

/// Emits only the call of a routine, between before_call() and after_call().
void emit_call(EmitContext& c, size_t routine, std::initializer_list<Argument> arguments);
/// Calls the routine of the environment at this offset; operands must be staged.
void call_environment(EmitContext& c, size_t routine, std::initializer_list<Argument> arguments);
/// Calls a function of the recompiler.
void call_routine(EmitContext& c, const void* function, std::initializer_list<Argument> arguments);

/// Calls the environment's varying routine; components arrive at `area`. The sample position word
/// (r61) must be staged in operand[1]; the sample mask, its low half, goes to operand[0].
void call_varying(EmitContext& c, Address message, Address area);

/// Loads the new values of the staging run from Lanes arrays at `area`.
void receive_run(EmitContext& c, const valhall::Staging& run, Address area);

/// The number of components in the vecsize modifier, 1 to 4.
inline uint8_t components(const EmitContext& c) {
    return valhall::components(c.instr());
}
inline exec::RegisterFormat register_format(const EmitContext& c) {
    return valhall::register_format(c.instr());
}

}  // namespace valkyr::jit

// Lane addresses: loops over the addresses of an access, in thread-local storage or not.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/thread_storage.hpp"
#include "jit/context/emit_context.hpp"
#include "jit/expand/memory/running_lanes.hpp"

#include <cstdint>

namespace valkyr::jit {

/// The upper word of addresses in thread-local storage.
inline constexpr auto kLocalHigh = static_cast<uint32_t>(exec::kThreadLocalBase >> 32);
/// Converts an offset in one lane's storage to one in the interleaved storage of all lanes.
inline constexpr unsigned kLocalShift = 4;
static_assert(sizeof(exec::Lanes) == 4U << kLocalShift);

/// The bytes from the address to word k of the access.
inline int32_t word_offset(const EmitContext& c, unsigned k) {
    return static_cast<int32_t>(c.instr().imm[0]) + static_cast<int32_t>(4 * k);
}

/// The addresses of the part's lanes, in the frame.
inline Address low_words() {
    return VALKYR_FRAME(operand[0]);
}
inline Address high_words() {
    return VALKYR_FRAME(operand[1]);
}
/// A lane's word in an array of the frame.
inline Address of_lane(Address words, Gp lane) {
    return {Gp::Frame, words.offset, lane, 2};
}

/// Stores the addresses in source 0 of the part's lanes in the frame.
void stage_addresses(EmitContext& c);

/// Emits a loop over `lanes`; f(lane, address of word 0, stride of words) emits one lane's copies,
/// once for memory and once for thread-local storage.
template <typename F>
void each_address(EmitContext& c, Gp lanes, F f) {
    HostAssembler& h = c.h;
    each_lane(c, lanes, [&](Gp lane) {
        const Scalar at = c.scalar();
        const Scalar high = c.scalar();
        const Label global = h.new_label();
        const Label next = h.new_label();
        h.load32(at, of_lane(low_words(), lane));
        h.load32(high, of_lane(high_words(), lane));
        h.compare32(high, kLocalHigh);
        h.jump(Jump::NotEqual, global);
        h.add32(at, word_offset(c, 0));
        h.shift_left64(at, kLocalShift);
        h.load64(high, c.thread_storage());
        h.add64(at, high);
        if (c.plan.rounds > 1)
            h.add64(at, Gp::Half);
        const auto part = static_cast<int32_t>(c.part * h.traits().lanes * 4);
        f(lane, Address{at, part, lane, 2}, static_cast<int32_t>(sizeof(exec::Lanes)));
        h.jump(next);
        h.bind(global);
        h.shift_left64(high, 32);
        h.add64(at, high);
        f(lane, Address{at, word_offset(c, 0)}, 4);
        h.bind(next);
    });
}

}  // namespace valkyr::jit

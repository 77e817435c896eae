// Instruction functions: define instructions, read their operands and write their lanes.
// SPDX-License-Identifier: MIT
//
// execute<Op::X> is specialised once, in the interpret_*.cpp of its topic; a missing one is a link
// error. It computes all 16 lanes and writes the running ones. Rules: docs/rules/isa-notes.md.
#pragma once

#include "base/bits.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace valkyr::valhall::interpret {

using exec::kLanes;
using exec::Lanes;

/// A 64-bit value for each lane.
struct Pair {
    Lanes low;
    Lanes high;

    [[nodiscard]] uint64_t lane(unsigned l) const { return uint64_t{high.v[l]} << 32 | low.v[l]; }
    void set_lane(unsigned l, uint64_t value) {
        low.v[l] = static_cast<uint32_t>(value);
        high.v[l] = static_cast<uint32_t>(value >> 32);
    }
};

/// The direction in which an instruction rounds.
inline RoundMode rounding_of(const Instr& i) {
    return i.get<RoundMode>(Mod::roundmode);
}

/// Values that stay the same while the warps of one call run.
struct CallContext {
    std::span<const uint32_t> fau;  ///< FAU words that the program may read
    uint64_t tls = 0;               ///< base of thread-local storage (exec/thread_storage.hpp)
    uint32_t tls_bytes = 0;         ///< of one lane
    uint32_t worker = 0;
    uint64_t shared = 0;  ///< address of the memory of a work-group; 0: the draw says it
    const exec::RecordTable* records = nullptr;  ///< of a compute call; null: other calls
};

/// The warp while one instruction executes for the lanes state.running.
struct Machine {
    WarpState& state;
    exec::Warp& warp;
    const CallContext& call;
    uint32_t word_index = 0;    ///< of the instruction; state.pc already holds that of the next one
    bool checked = false;       ///< hazard mode: indices must be uniform and in range
    bool regroup = false;       ///< set: the running lanes must be chosen anew
    bool flow_ignored = false;  ///< set by BLEND when its flow does not act
    std::optional<std::string> fault{};  ///< set: the warp ends here with this text
    /// Observes accesses to memory; null: nothing does.
    const std::function<void(const LaneAccess&)>* on_access = nullptr;

    [[nodiscard]] bool runs(unsigned lane) const { return state.running >> lane & 1; }
    /// The lowest running lane, whose value is taken where an operand has to be uniform.
    [[nodiscard]] unsigned first_lane() const {
        return static_cast<unsigned>(std::countr_zero(state.running)) % kLanes;
    }
};

/// Executes one instruction for the running lanes of the machine.
template <Op op>
void execute(Machine& m, const Instr& i);

// ---- reading operands: source k of the instruction, selectors and modifiers applied ----

/// The 32-bit word that the operand names; no selector.
Lanes word(const Machine& m, const Source& source);
/// The 64-bit slot or register pair that the operand names; a small constant is zero-extended.
Pair wide_word(const Machine& m, const Source& source);
/// The word of the lowest running lane; hazard mode requires that all running lanes agree.
uint32_t uniform_word(Machine& m, const Source& source);
/// Hazard mode: sets m.fault if a resource index is not below the number of bound resources.
void check_index(Machine& m, const Instr& i, uint32_t index, uint32_t count);

/// f32 operand: swizzle none/h0/h1 (a half is widened), then abs, then neg. Bits.
Lanes f32(const Machine& m, const Source& source);
/// f32 operand of an instruction without swizzle: abs and neg only.
Lanes f32_plain(const Machine& m, const Source& source);
/// v2f16 operand: 16-bit swizzle, abs and neg on both halves.
Lanes v2f16(const Machine& m, const Source& source);
/// Low lane of a v2f16 operand in bits 15..0, the rest 0.
Lanes f16(const Machine& m, const Source& source);
/// 16-bit swizzle without abs and neg.
Lanes swizzle16(const Machine& m, const Source& source);

/// `widen` selectors; extension is signed or not. The result is packed like the operation's type.
Lanes widen32(const Machine& m, const Source& source, bool is_signed);
Lanes widen16(const Machine& m, const Source& source, bool is_signed);
Lanes widen8(const Machine& m, const Source& source);
Pair widen64(const Machine& m, const Source& source, bool is_signed);

/// Integer operand of lane type T (8 to 32 bits), packed.
template <typename T>
Lanes integer(const Machine& m, const Source& source) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 4)
        return widen32(m, source, is_signed);
    else if constexpr (sizeof(T) == 2)
        return widen16(m, source, is_signed);
    else
        return widen8(m, source);
}

/// Byte `lanes` selector of a shift: counts for the first and the second part of the word.
struct ShiftCounts {
    Lanes first;
    Lanes second;
};
ShiftCounts shift_counts(const Machine& m, const Source& source);

// ---- writing results to the running lanes ----

/// Writes the halves in the destination's mask.
void write(Machine& m, const Destination& dest, const Lanes& value);
void write_pair(Machine& m, const Destination& dest, const Pair& value);
/// Writes a scalar half to whichever half is named; a full destination gets 0 in its upper half.
void write_half(Machine& m, const Destination& dest, const Lanes& value);
/// Writes the bits `mask` of register `reg`.
void write_register(Machine& m, unsigned reg, const Lanes& value, uint32_t mask = 0xFFFFFFFF);

// ---- lane-wise evaluation ----

template <typename F>
Lanes each(F f) {
    Lanes result;
    for (unsigned l = 0; l < kLanes; ++l)
        result.v[l] = f(l);
    return result;
}

/// f(x) of 32-bit words.
template <typename F>
Lanes map(const Lanes& a, F f) {
    return each([&](unsigned l) { return f(a.v[l]); });
}

/// f(a, b) for every element of type T packed into the words; the results are packed likewise.
template <typename T, typename F>
uint32_t packed(uint32_t a, uint32_t b, F f) {
    using U = std::make_unsigned_t<T>;
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += sizeof(T) * 8) {
        const auto element = f(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
        result |= uint32_t{static_cast<U>(element)} << shift;
    }
    return result;
}

template <typename T, typename F>
Lanes packed_map(const Lanes& a, const Lanes& b, F f) {
    return each([&](unsigned l) { return packed<T>(a.v[l], b.v[l], f); });
}

}  // namespace valkyr::valhall::interpret

/// Opens the specialisation for one instruction: VALKYR_INTERPRET(MOV_I32) { ... } with m and i.
#define VALKYR_INTERPRET(op)                                                                       \
    template <>                                                                                    \
    void execute<Op::op>([[maybe_unused]] Machine & m, [[maybe_unused]] const Instr& i)
/// The specialisation calls a function that several instructions share.
#define VALKYR_INTERPRET_AS(op, ...)                                                               \
    VALKYR_INTERPRET(op) {                                                                         \
        __VA_ARGS__;                                                                               \
    }

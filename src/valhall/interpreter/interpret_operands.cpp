// Operands: reads sources and writes destinations, 16 lanes at a time.
// SPDX-License-Identifier: MIT
#include "exec/specials.hpp"
#include "exec/thread_storage.hpp"
#include "valhall/arith/arith_half.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// One 16-bit part of a widened word: a whole half (0, 1) or a byte (2..5 for b0..b3).
struct Part16 {
    uint8_t from;
};
constexpr Part16 kH0{0}, kH1{1}, kB0{2}, kB1{3}, kB2{4}, kB3{5};

/// Low and high lane by Swizzles16Bit; reserved values never decode.
constexpr Part16 kParts16[16][2] = {
    {kH0, kH0}, {kH1, kH0}, {kH0, kH1}, {kH1, kH1}, {kB0, kB0}, {kB2, kB0}, {kB0, kB2}, {kB2, kB2},
    {kB1, kB1}, {kB3, kB1}, {kB1, kB3}, {kB3, kB3}, {kB0, kB1}, {kB2, kB3}, {kH0, kH1}, {kH0, kH1}};

/// Source byte of each lane by Swizzles8Bit.
constexpr uint8_t kBytes8[16][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 1, 0, 1}, {2, 3, 2, 3},
                                    {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3},
                                    {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 0, 1, 1}, {2, 2, 3, 3},
                                    {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};

/// Bytes for the first and the second part by Lanes8Bit.
constexpr uint8_t kShiftBytes[16][2] = {{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 0}, {1, 1},
                                        {2, 2}, {3, 3}, {0, 2}, {0, 2}, {0, 1}, {2, 3},
                                        {0, 2}, {0, 2}, {0, 2}, {0, 2}};

constexpr uint32_t extend(uint32_t value, unsigned size, bool is_signed) {
    return is_signed ? static_cast<uint32_t>(sign_extend(value, size))
                     : static_cast<uint32_t>(extract_bits(value, 0, size));
}

uint32_t part16(uint32_t word_value, Part16 part, bool is_signed) {
    if (part.from < 2)
        return word_value >> (16 * part.from) & 0xFFFF;
    return extend(word_value >> (8 * (part.from - 2)), 8, is_signed) & 0xFFFF;
}

/// Swizzles32Bit and Swizzles64Bit agree up to b3: h0 h1 at 2 and 3, b0..b3 at 4..7.
uint32_t narrow_part(uint32_t word_value, unsigned selector, bool is_signed) {
    if (selector >= 4)
        return extend(word_value >> (8 * (selector & 3)), 8, is_signed);
    return extend(word_value >> (16 * (selector & 1)), 16, is_signed);
}

Lanes broadcast(uint32_t value) {
    return each([=](unsigned) { return value; });
}

/// The engine makes some specials itself; the others come from the draw.
Lanes special(const Machine& m, unsigned index, unsigned half) {
    const unsigned shift = 32 * half;
    switch (index) {
    case exec::kThreadLocalPointer:
        return broadcast(static_cast<uint32_t>(exec::kThreadLocalBase >> shift));
    case exec::kLaneId: return each([=](unsigned l) { return half ? 0 : l; });
    case exec::kCoreId: return broadcast(half ? 0 : m.call.worker);
    case exec::kProgramCounter: return broadcast(half ? 0 : 8 * (m.word_index + 1));
    case exec::kWorkgroupLocalPointer:
        if (m.call.shared != 0)
            return broadcast(static_cast<uint32_t>(m.call.shared >> shift));
        break;
    default: break;
    }
    if (!m.warp.draw || index >= exec::kDrawSpecials)
        return broadcast(0);
    return broadcast(static_cast<uint32_t>(m.warp.draw->special[index] >> shift));
}

Lanes fetch(const Machine& m, const Source& source, unsigned half) {
    switch (source.kind) {
    case SourceKind::Register: return m.state.r[(source.index + half) % exec::kRegisters];
    case SourceKind::Uniform: {
        const size_t index = size_t{source.index} + half;
        return broadcast(index < m.call.fau.size() ? m.call.fau[index] : 0);
    }
    case SourceKind::Constant: return broadcast(half ? 0 : immediate_table()[source.index % 32]);
    case SourceKind::Special: return special(m, source.index, source.word + half);
    }
    return broadcast(0);
}

}  // namespace

Lanes word(const Machine& m, const Source& source) {
    return fetch(m, source, 0);
}

Pair wide_word(const Machine& m, const Source& source) {
    return {fetch(m, source, 0), fetch(m, source, 1)};
}

uint32_t uniform_word(Machine& m, const Source& source) {
    const Lanes value = fetch(m, source, 0);
    const uint32_t first = value.v[m.first_lane()];
    for (unsigned l = 0; m.checked && l < kLanes; ++l)
        if (m.runs(l) && value.v[l] != first)
            m.fault = "an operand that must be uniform differs between lanes";
    return first;
}

void check_index(Machine& m, const Instr& i, uint32_t index, uint32_t count) {
    if (m.checked && index >= count)
        m.fault = std::string(op_info(i.op).name) + ": resource index " + std::to_string(index) +
                  " is out of range, " + std::to_string(count) + " are bound";
}

Lanes f32_plain(const Machine& m, const Source& source) {
    const uint32_t keep = source.abs ? 0x7FFFFFFF : 0xFFFFFFFF;
    const uint32_t flip = source.neg ? 0x80000000 : 0;
    return map(word(m, source), [=](uint32_t x) { return (x & keep) ^ flip; });
}

Lanes f32(const Machine& m, const Source& source) {
    if (source.selector == 0)
        return f32_plain(m, source);
    const unsigned shift = source.selector == static_cast<uint8_t>(Widen::h1) ? 16 : 0;
    const uint32_t keep = source.abs ? 0x7FFFFFFF : 0xFFFFFFFF;
    const uint32_t flip = source.neg ? 0x80000000 : 0;
    return map(word(m, source), [=](uint32_t x) {
        const auto half = static_cast<uint16_t>(x >> shift);
        return (as_bits(arith::half_to_float(half)) & keep) ^ flip;
    });
}

Lanes swizzle16(const Machine& m, const Source& source) {
    return widen16(m, source, false);
}

Lanes v2f16(const Machine& m, const Source& source) {
    const uint32_t keep = source.abs ? 0x7FFF7FFF : 0xFFFFFFFF;
    const uint32_t flip = source.neg ? 0x80008000 : 0;
    return map(swizzle16(m, source), [=](uint32_t x) { return (x & keep) ^ flip; });
}

Lanes f16(const Machine& m, const Source& source) {
    return map(v2f16(m, source), [](uint32_t x) { return x & 0xFFFF; });
}

Lanes widen32(const Machine& m, const Source& source, bool is_signed) {
    const unsigned selector = source.selector;
    if (selector == 0)
        return word(m, source);
    return map(word(m, source), [=](uint32_t x) { return narrow_part(x, selector, is_signed); });
}

Lanes widen16(const Machine& m, const Source& source, bool is_signed) {
    const Part16 low = kParts16[source.selector & 15][0];
    const Part16 high = kParts16[source.selector & 15][1];
    return map(word(m, source), [=](uint32_t x) {
        return part16(x, low, is_signed) | part16(x, high, is_signed) << 16;
    });
}

Lanes widen8(const Machine& m, const Source& source) {
    const uint8_t* bytes = kBytes8[source.selector & 15];
    return map(word(m, source), [=](uint32_t x) {
        uint32_t result = 0;
        for (unsigned lane = 0; lane < 4; ++lane)
            result |= (x >> (8 * bytes[lane]) & 0xFF) << (8 * lane);
        return result;
    });
}

Pair widen64(const Machine& m, const Source& source, bool is_signed) {
    const unsigned selector = source.selector;
    if (selector == 0)
        return wide_word(m, source);
    const bool whole = selector == static_cast<uint8_t>(Swizzles64Bit::w0);
    Pair result;
    result.low = map(word(m, source),
                     [=](uint32_t x) { return whole ? x : narrow_part(x, selector, is_signed); });
    result.high =
        map(result.low, [=](uint32_t x) { return is_signed && x >> 31 ? 0xFFFFFFFF : 0U; });
    return result;
}

ShiftCounts shift_counts(const Machine& m, const Source& source) {
    const Lanes value = word(m, source);
    const unsigned first = 8 * kShiftBytes[source.selector & 15][0];
    const unsigned second = 8 * kShiftBytes[source.selector & 15][1];
    return {map(value, [=](uint32_t x) { return x >> first & 0xFF; }),
            map(value, [=](uint32_t x) { return x >> second & 0xFF; })};
}

void write_register(Machine& m, unsigned reg, const Lanes& value, uint32_t mask) {
    Lanes& r = m.state.r[reg % exec::kRegisters];
    for (unsigned l = 0; l < kLanes; ++l) {
        const uint32_t lane_mask = m.runs(l) ? mask : 0;
        r.v[l] = (r.v[l] & ~lane_mask) | (value.v[l] & lane_mask);
    }
}

void write(Machine& m, const Destination& dest, const Lanes& value) {
    const uint32_t mask = (dest.mask & 1 ? 0x0000FFFFU : 0) | (dest.mask & 2 ? 0xFFFF0000U : 0);
    write_register(m, dest.reg, value, mask);
}

void write_pair(Machine& m, const Destination& dest, const Pair& value) {
    write_register(m, dest.reg, value.low);
    write_register(m, dest.reg + 1U, value.high);
}

void write_half(Machine& m, const Destination& dest, const Lanes& value) {
    if (dest.mask == 3)
        return write(m, dest, map(value, [](uint32_t x) { return x & 0xFFFF; }));
    write(m, dest, map(value, [](uint32_t x) { return (x & 0xFFFF) | x << 16; }));
}

}  // namespace valkyr::valhall::interpret

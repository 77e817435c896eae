// Immediate table: finds words, halves and bytes in it.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/registers/constant_table.hpp"

#include "base/float_bits.hpp"
#include "valhall/compiler/ir/spec.hpp"

#include <algorithm>
#include <array>

namespace valkyr::valhall::ir {
namespace {

/// The f32 value of a normal or zero f16; 0xFFFFFFFF for others, which the search ignores.
constexpr uint32_t half_to_float_bits(uint32_t half) {
    const uint32_t exponent = half >> 10 & 31;
    if ((half & 0x7FFF) == 0)
        return half << 16;
    if (exponent == 0 || exponent == 31)
        return 0xFFFFFFFF;
    return (half & 0x8000) << 16 | (exponent + 112) << 23 | (half & 0x3FF) << 13;
}

/// Index of a word in the immediate table, found by its hash.
class WordIndex {
public:
    WordIndex() {
        entry_.fill(kEmpty);
        const std::span<const uint32_t, 32> table = immediate_table();
        for (uint8_t i = 0; i < table.size(); ++i) {
            unsigned at = hash(table[i]);
            while (entry_[at] != kEmpty && table[entry_[at]] != table[i])
                at = (at + 1) % kSize;
            if (entry_[at] == kEmpty)
                entry_[at] = i;
        }
    }

    bool find(uint32_t bits, Operand& operand) const {
        const std::span<const uint32_t, 32> table = immediate_table();
        for (unsigned at = hash(bits); entry_[at] != kEmpty; at = (at + 1) % kSize) {
            if (table[entry_[at]] != bits)
                continue;
            operand.kind = OperandKind::Constant;
            operand.value = entry_[at];
            return true;
        }
        return false;
    }

private:
    static constexpr unsigned kSize = 128;
    static constexpr uint8_t kEmpty = 0xFF;
    static unsigned hash(uint32_t bits) { return (bits * 0x9E3779B1U) >> 25; }

    std::array<uint8_t, kSize> entry_{};
};

bool find_word(uint32_t bits, Operand& operand) {
    static const WordIndex index;
    return index.find(bits, operand);
}

using HalfFloats = std::array<uint32_t, 64>;

/// The floats that the halves of the table convert to: entry i / 2, half i % 2.
const HalfFloats& half_floats() {
    static const HalfFloats floats = [] {
        HalfFloats made{};
        for (unsigned i = 0; i < made.size(); ++i)
            made[i] = half_to_float_bits(immediate_table()[i / 2] >> (16 * (i % 2)) & 0xFFFF);
        return made;
    }();
    return floats;
}

/// A half of an entry that converts to this float.
bool find_half_float(uint32_t bits, Operand& operand) {
    if ((bits & 0x1FFF) != 0)
        return false;
    const HalfFloats& floats = half_floats();
    const auto found = std::ranges::find(floats, bits);
    if (found == floats.end())
        return false;
    const auto i = static_cast<uint32_t>(found - floats.begin());
    operand.kind = OperandKind::Constant;
    operand.value = i / 2;
    operand.selector = static_cast<uint8_t>(i % 2 == 0 ? Widen::h0 : Widen::h1);
    return true;
}

/// A byte or half of an entry that extends to this integer, whatever its sign.
bool find_small_integer(uint32_t bits, Operand& operand) {
    const std::span<const uint32_t, 32> table = immediate_table();
    for (uint32_t i = 0; i < table.size() && bits < 0x80; ++i) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            if ((table[i] >> (8 * byte) & 0xFF) != bits)
                continue;
            operand.kind = OperandKind::Constant;
            operand.value = i;
            operand.selector =
                static_cast<uint8_t>(static_cast<unsigned>(Swizzles32Bit::b0) + byte);
            return true;
        }
    }
    return false;
}

}  // namespace

bool use_table(Op op, unsigned i, Operand& operand) {
    if (operand.selector != kDefaultSelector)
        return find_word(operand.value, operand);
    const SourceInfo& info = source_info(op, i);
    if (find_word(operand.value, operand))
        return true;
    const bool negatable = info.neg.size != 0;
    if (negatable && find_word(operand.value ^ float_bits::kSign, operand)) {
        operand.flags ^= kNeg;
        return true;
    }
    if (info.selector == SelectorKind::Swizzle32) {
        if (find_half_float(operand.value, operand))
            return true;
        if (negatable && find_half_float(operand.value ^ float_bits::kSign, operand)) {
            operand.flags ^= kNeg;
            return true;
        }
    }
    return info.selector == SelectorKind::Widen32 && find_small_integer(operand.value, operand);
}

}  // namespace valkyr::valhall::ir

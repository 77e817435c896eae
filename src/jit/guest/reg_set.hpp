// Register sets: hold guest registers as bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace valkyr::jit {

/// A guest register, 0..63.
using Reg = uint8_t;
inline constexpr unsigned kRegCount = 64;

/// The register k behind `base`; numbers wrap.
inline Reg register_behind(unsigned base, unsigned k) {
    return static_cast<Reg>((base + k) % kRegCount);
}

/// A set of registers.
struct RegSet {
    uint64_t bits = 0;

    static RegSet one(Reg r) { return {uint64_t{1} << r}; }
    /// The registers first to first + count - 1 that exist.
    static RegSet run(unsigned first, unsigned count) {
        RegSet set;
        for (unsigned r = first; r < first + count && r < kRegCount; ++r)
            set.bits |= uint64_t{1} << r;
        return set;
    }
    [[nodiscard]] bool has(Reg r) const { return (bits >> r & 1) != 0; }
    [[nodiscard]] bool empty() const { return bits == 0; }
    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(std::popcount(bits)); }
    friend RegSet operator|(RegSet a, RegSet b) { return {a.bits | b.bits}; }
    friend RegSet operator&(RegSet a, RegSet b) { return {a.bits & b.bits}; }
    /// a without b.
    friend RegSet operator-(RegSet a, RegSet b) { return {a.bits & ~b.bits}; }
    RegSet& operator|=(RegSet b) { return *this = *this | b; }
    RegSet& operator&=(RegSet b) { return *this = *this & b; }
    friend bool operator==(RegSet, RegSet) = default;

    /// Calls f(Reg) for every member in ascending order.
    template <typename F>
    void each(F f) const {
        for (uint64_t left = bits; left; left &= left - 1)
            f(static_cast<Reg>(std::countr_zero(left)));
    }
};

}  // namespace valkyr::jit

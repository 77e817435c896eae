// Names and sets of the values that live in registers while a kernel runs: the 64 guest registers,
// and a few that the kernel computes for every block.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace valkyr::jit {

/// 0..63: guest register. From 64 on: what LD_VAR of one block share (fragment kernels).
using Reg = uint8_t;
inline constexpr Reg kDeltaX = 64;    ///< pixel centre x - anchor x
inline constexpr Reg kDeltaY = 65;    ///< pixel centre y - anchor y
inline constexpr Reg kInverseQ = 66;  ///< 1 / q at the pixel centre
inline constexpr unsigned kRegCount = 67;

/// A set of Regs.
struct RegSet {
    uint64_t guest = 0;
    uint64_t extra = 0;

    static RegSet one(Reg r) {
        return r < 64 ? RegSet{uint64_t{1} << r, 0} : RegSet{0, uint64_t{1} << (r - 64)};
    }
    /// Guest registers first .. first + count - 1.
    static RegSet run(unsigned first, unsigned count) {
        RegSet set;
        for (unsigned r = first; r < first + count && r < 64; ++r)
            set.guest |= uint64_t{1} << r;
        return set;
    }
    [[nodiscard]] bool has(Reg r) const {
        return r < 64 ? (guest >> r & 1) != 0 : (extra >> (r - 64) & 1) != 0;
    }
    [[nodiscard]] bool empty() const { return (guest | extra) == 0; }
    [[nodiscard]] unsigned size() const {
        return static_cast<unsigned>(std::popcount(guest) + std::popcount(extra));
    }
    friend RegSet operator|(RegSet a, RegSet b) { return {a.guest | b.guest, a.extra | b.extra}; }
    friend RegSet operator&(RegSet a, RegSet b) { return {a.guest & b.guest, a.extra & b.extra}; }
    /// a without b.
    friend RegSet operator-(RegSet a, RegSet b) { return {a.guest & ~b.guest, a.extra & ~b.extra}; }
    RegSet& operator|=(RegSet b) { return *this = *this | b; }
    RegSet& operator&=(RegSet b) { return *this = *this & b; }
    friend bool operator==(RegSet, RegSet) = default;

    /// Calls f(Reg) for every member in ascending order.
    template <typename F>
    void each(F f) const {
        for (uint64_t bits = guest; bits; bits &= bits - 1)
            f(static_cast<Reg>(std::countr_zero(bits)));
        for (uint64_t bits = extra; bits; bits &= bits - 1)
            f(static_cast<Reg>(64 + std::countr_zero(bits)));
    }
};

}  // namespace valkyr::jit

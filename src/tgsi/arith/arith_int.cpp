// Integer arithmetic: computes 32-bit operations, one obvious function each.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_int.hpp"

#include <bit>

namespace valkyr::tgsi::arith {

namespace {

int32_t s(uint32_t a) {
    return static_cast<int32_t>(a);
}

}  // namespace

uint32_t shl(uint32_t a, uint32_t n) {
    return a << (n & 31);
}
uint32_t ushr(uint32_t a, uint32_t n) {
    return a >> (n & 31);
}
uint32_t ishr(uint32_t a, uint32_t n) {
    return static_cast<uint32_t>(s(a) >> (n & 31));
}
uint32_t umul_hi(uint32_t a, uint32_t b) {
    return static_cast<uint32_t>(uint64_t{a} * b >> 32);
}
uint32_t imul_hi(uint32_t a, uint32_t b) {
    return static_cast<uint32_t>(static_cast<uint64_t>(int64_t{s(a)} * s(b)) >> 32);
}

uint32_t udiv(uint32_t a, uint32_t b) {
    return b == 0 ? 0xFFFFFFFF : a / b;
}
uint32_t umod(uint32_t a, uint32_t b) {
    return b == 0 ? 0xFFFFFFFF : a % b;
}
uint32_t idiv(uint32_t a, uint32_t b) {
    if (b == 0)
        return s(a) < 0 ? 1 : 0xFFFFFFFF;
    return static_cast<uint32_t>(int64_t{s(a)} / s(b));
}
uint32_t imod(uint32_t a, uint32_t b) {
    if (b == 0)
        return s(a) < 0 ? 1 : 0xFFFFFFFF;
    return static_cast<uint32_t>(int64_t{s(a)} % s(b));
}
uint32_t iabs(uint32_t a) {
    return s(a) < 0 ? 0 - a : a;
}
uint32_t isign(uint32_t a) {
    return s(a) < 0 ? 0xFFFFFFFF : s(a) > 0 ? 1 : 0;
}

// The two shifts of tgsi.rst's pseudocode, each modulo 32, which settles the cases that it leaves
// open.
uint32_t ubfe(uint32_t value, uint32_t offset, uint32_t bits) {
    return bits == 0 ? 0 : ushr(shl(value, 32 - bits - offset), 32 - bits);
}
uint32_t ibfe(uint32_t value, uint32_t offset, uint32_t bits) {
    return bits == 0 ? 0 : ishr(shl(value, 32 - bits - offset), 32 - bits);
}
uint32_t bfi(uint32_t base, uint32_t insert, uint32_t offset, uint32_t bits) {
    const uint32_t ones = bits == 0 ? 0 : ushr(0xFFFFFFFF, 32 - bits);
    const uint32_t mask = shl(ones, offset);
    return (shl(insert, offset) & mask) | (base & ~mask);
}

uint32_t reverse_bits(uint32_t a) {
    uint32_t out = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
        out |= (a >> bit & 1) << (31 - bit);
    return out;
}
uint32_t lowest_bit(uint32_t a) {
    return a == 0 ? 0xFFFFFFFF : static_cast<uint32_t>(std::countr_zero(a));
}
uint32_t highest_bit(uint32_t a) {
    return 31U - static_cast<uint32_t>(std::countl_zero(a));
}
uint32_t highest_non_sign_bit(uint32_t a) {
    return highest_bit(s(a) < 0 ? ~a : a);
}

}  // namespace valkyr::tgsi::arith

// Tables: hold the look-up tables and polynomial constants of the special functions.
// SPDX-License-Identifier: MIT
//
// The interpreter and the recompiler both read them here; docs/rules/isa-notes.md "Special
// functions" says how they are used. For these instructions the algorithm is the definition.
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::valhall::arith {

/// f32 bits of sin(2*pi*j/64), each rounded once to nearest even; exact 0 and +-1 on the axes.
/// FSIN_TABLE.u6 reads entry (operand & 63).
// clang-format off
inline constexpr std::array<uint32_t, 64> kSinTable = {
    0x00000000, 0x3DC8BD36, 0x3E47C5C2, 0x3E94A031, 0x3EC3EF15, 0x3EF15AEA, 0x3F0E39DA, 0x3F226799,
    0x3F3504F3, 0x3F45E403, 0x3F54DB31, 0x3F61C598, 0x3F6C835E, 0x3F74FA0B, 0x3F7B14BE, 0x3F7EC46D,
    0x3F800000, 0x3F7EC46D, 0x3F7B14BE, 0x3F74FA0B, 0x3F6C835E, 0x3F61C598, 0x3F54DB31, 0x3F45E403,
    0x3F3504F3, 0x3F226799, 0x3F0E39DA, 0x3EF15AEA, 0x3EC3EF15, 0x3E94A031, 0x3E47C5C2, 0x3DC8BD36,
    0x00000000, 0xBDC8BD36, 0xBE47C5C2, 0xBE94A031, 0xBEC3EF15, 0xBEF15AEA, 0xBF0E39DA, 0xBF226799,
    0xBF3504F3, 0xBF45E403, 0xBF54DB31, 0xBF61C598, 0xBF6C835E, 0xBF74FA0B, 0xBF7B14BE, 0xBF7EC46D,
    0xBF800000, 0xBF7EC46D, 0xBF7B14BE, 0xBF74FA0B, 0xBF6C835E, 0xBF61C598, 0xBF54DB31, 0xBF45E403,
    0xBF3504F3, 0xBF226799, 0xBF0E39DA, 0xBEF15AEA, 0xBEC3EF15, 0xBE94A031, 0xBE47C5C2, 0xBDC8BD36,
};
// clang-format on

/// f32 bits of cos(2*pi*j/64) = sin(2*pi*(j+16)/64). FCOS_TABLE.u6 reads entry (operand & 63).
inline constexpr std::array<uint32_t, 64> kCosTable = [] {
    std::array<uint32_t, 64> table{};
    for (unsigned j = 0; j < 64; ++j)
        table[j] = kSinTable[(j + 16) & 63];
    return table;
}();

/// T[k]: f32 bits of 2^(k/16), rounded once to nearest even. FEXP and FEXP_TABLE.u4.
// clang-format off
inline constexpr std::array<uint32_t, 16> kExp2Table = {
    0x3F800000, 0x3F85AAC3, 0x3F8B95C2, 0x3F91C3D3, 0x3F9837F0, 0x3F9EF532, 0x3FA5FED7, 0x3FAD583F,
    0x3FB504F3, 0x3FBD08A4, 0x3FC5672A, 0x3FCE248C, 0x3FD744FD, 0x3FE0CCDF, 0x3FEAC0C7, 0x3FF5257D,
};
// clang-format on

/// FEXP: (2^t - 1) / t on |t| <= 1/32 by Horner with FMA, highest power first (f32 bits).
inline constexpr std::array<uint32_t, 3> kExp2Polynomial = {0x3D635635, 0x3E75FFFA, 0x3F317218};

/// FLOGD: log2(1 + u) / u on -1/4 <= u < 1/2 by Horner with FMA, highest power first (f32 bits).
inline constexpr std::array<uint32_t, 11> kLogdPolynomial = {
    0x3D566F65, 0xBE0506D3, 0x3E2D4593, 0xBE3C97CA, 0x3E52ED48, 0xBE75FF3D,
    0x3E93BA0F, 0xBEB8AACF, 0x3EF63856, 0xBF38AA3B, 0x3FB8AA3B};

}  // namespace valkyr::valhall::arith

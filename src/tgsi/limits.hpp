// Parser limits: bound the size and depth of TGSI texts, so that no text exhausts memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace valkyr::tgsi {

/// Limits of one text. Real shaders stay far below: 48 kB, 702 instructions, 543 temporaries,
/// 4,096 constants, nesting 20.
struct Limits {
    uint32_t text_bytes = 4U << 20;
    uint32_t instructions = 65536;
    uint32_t declarations = 16384;
    uint32_t registers = 262144;  ///< sum of all declared ranges
    uint32_t immediates = 16384;
    uint32_t properties = 256;
    uint32_t nesting = 256;  ///< open IF, UIF, ELSE and BGNLOOP
    uint32_t errors = 20;    ///< parsing stops after so many
};

/// Largest register index that can be written (TGSI tokens have 15 bits for it).
inline constexpr uint32_t kMaxRegisterIndex = 32767;
/// Largest array id (10 bits in TGSI tokens), semantic index (16 bits) and stream number.
inline constexpr uint32_t kMaxArrayId = 1023;
inline constexpr uint32_t kMaxSemanticIndex = 65535;
inline constexpr uint32_t kMaxStream = 3;
/// Longest word (keyword, property or format name).
inline constexpr uint32_t kMaxWordLength = 64;
/// Longest decimal fraction; more digits cannot change a binary64 that Mesa prints.
inline constexpr uint32_t kMaxNumberLength = 1100;

}  // namespace valkyr::tgsi

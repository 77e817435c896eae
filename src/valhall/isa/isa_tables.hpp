// Generated tables: declares what tools/isagen/isagen.py writes. Users go through isa.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/isa.hpp"

namespace valkyr::valhall::tables {

/// Marks a combination of opcodes that is unassigned.
inline constexpr uint16_t kNoOp = 0xFFFF;

/// The second step of decoding a primary opcode: its instructions are kDecodeOps[first +
/// secondary], where the secondary opcode is the bits `low` with the bits `high` above them.
struct DecodeRow {
    BitField low;
    BitField high;
    uint16_t first = 0;
    bool assigned = false;
};

extern const Op kOpsByName[kOpCount];  // sorted by name
extern const EffectInfo kEffectRows[kEffectCount];
extern const EnumInfo kEnumRows[kEnumCount];
extern const uint32_t kConstants[32];
extern const std::string_view kConstantNotes[32];
extern const std::string_view kSpecialNames[64];  // 16 * page + k
extern const std::string_view kSpecialNotes[64];
extern const DecodeRow kDecodeRows[1u << kOpcodeSize];
extern const uint16_t kDecodeOps[];

}  // namespace valkyr::valhall::tables

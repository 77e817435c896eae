// Entry registers: names the registers that hold something when a program starts, by stage.
// SPDX-License-Identifier: MIT
//
// The table in docs/rules/isa-notes.md, section "Preloaded registers". Other registers start as 0.
#pragma once

#include "exec/program.hpp"

#include <cstdint>

namespace valkyr::exec {

// Vertex and geometry programs.
/// Number of the lane's vertex record: VertexCall::first_record plus the place of the vertex.
/// Geometry programs: number of the lane's pair of primitive and invocation.
inline constexpr uint8_t kRecordNumberRegister = 59;
/// Vertex ID of the lane, base vertex included.
inline constexpr uint8_t kVertexIdRegister = 60;
/// Instance ID, the same in all lanes.
inline constexpr uint8_t kInstanceIdRegister = 61;

// Geometry programs.
/// Numbers of the input records, one register a vertex of the input primitive.
inline constexpr uint8_t kInputRecordRegister = 48;
/// Invocation of the lane.
inline constexpr uint8_t kInvocationRegister = 55;

// Fragment programs, and geometry programs with a primitive in each lane.
/// Primitive ID; fragment programs: the same in all lanes.
inline constexpr uint8_t kPrimitiveIdRegister = 57;
/// PrimitiveSetup::flags, the same in all lanes: 0 front facing, bit 0 set back facing.
inline constexpr uint8_t kPrimitiveFlagsRegister = 58;
/// Pixel of the lane: x in bits 15..0, y in bits 31..16.
inline constexpr uint8_t kPixelRegister = 59;
/// Coverage of the lane after the early test: bit s is sample s. Tests read and write it here.
inline constexpr uint8_t kCoverageRegister = 60;
/// Bits 15..0: rasterised samples of the lane, 0 for a helper; bits 20..16: sample ID.
inline constexpr uint8_t kSampleRegister = 61;
inline constexpr unsigned kSampleIdShift = 16;

// Compute programs.
/// Local ID of the lane: x in bits 15..0, y in bits 31..16; the next register has z.
inline constexpr uint8_t kLocalIdRegister = 55;
inline constexpr uint8_t kLocalIdZRegister = 56;
/// Workgroup ID: x, y, z in three registers, the same in all lanes.
inline constexpr uint8_t kWorkgroupIdRegister = 57;
/// Global ID of the lane: x, y, z in three registers.
inline constexpr uint8_t kGlobalIdRegister = 60;

// Blend programs; they also see the fragment registers from kPixelRegister on.
/// Source colour: red, green, blue, alpha in four registers.
inline constexpr uint8_t kSourceColorRegister = 0;
/// Second source colour of dual-source blending, in four registers.
inline constexpr uint8_t kSecondColorRegister = 4;
/// Return address; 0 ends the warp.
inline constexpr uint8_t kLinkRegister = 48;

/// Blend programs have 32 registers: those below kLowRegisterEnd and from kHighRegister on.
inline constexpr uint8_t kLowRegisterEnd = 16;
inline constexpr uint8_t kHighRegister = 48;

/// `count` registers from `first` on, bit r for register r; first + count <= 64, count < 64.
constexpr uint64_t register_bits(unsigned first, unsigned count = 1) {
    return ((uint64_t{1} << count) - 1) << first;
}

/// Registers that the machine fills before a program of the stage starts, bit r for register r.
constexpr uint64_t entry_registers(Stage stage) {
    switch (stage) {
    case Stage::Vertex: return register_bits(kRecordNumberRegister, 3);
    case Stage::Geometry:
        return register_bits(kInputRecordRegister, kMaxInputVertices) |
               register_bits(kInvocationRegister) | register_bits(kPrimitiveIdRegister) |
               register_bits(kRecordNumberRegister);
    case Stage::Fragment: return register_bits(kPrimitiveIdRegister, 5);
    case Stage::Compute: return register_bits(kLocalIdRegister, 8);
    case Stage::Blend:
        return register_bits(kSourceColorRegister, 8) | register_bits(kLinkRegister) |
               register_bits(kPixelRegister, 3);
    }
    return 0;
}

/// The entry_registers() whose values may differ between the lanes of a warp.
constexpr uint64_t lane_entry_registers(Stage stage) {
    switch (stage) {
    case Stage::Vertex:
        return register_bits(kRecordNumberRegister) | register_bits(kVertexIdRegister);
    case Stage::Geometry: return entry_registers(stage);
    case Stage::Fragment: return register_bits(kPixelRegister, 3);
    case Stage::Compute:
        return register_bits(kLocalIdRegister, 2) | register_bits(kGlobalIdRegister, 3);
    case Stage::Blend: return entry_registers(stage) & ~register_bits(kLinkRegister);
    }
    return 0;
}

}  // namespace valkyr::exec

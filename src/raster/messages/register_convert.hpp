// Register conversion: converts components to and from message registers of 32 or 16 bits.
// SPDX-License-Identifier: MIT
//
// The memory format decides whether a component is binary32 or an integer. The register format
// decides its width and, where integers change width, its sign: there is no conversion between
// float and integer. So a shader that does not know the format still gets integer bits from an
// integer attribute.
#pragma once

#include "exec/abi.hpp"
#include "raster/formats/format_convert.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// A texel of any format whose channels are 0.
inline constexpr std::array<uint8_t, 32> kZeroTexel{};

/// Returns whether two components share a register.
constexpr bool is_half(exec::RegisterFormat format) {
    return format == exec::RegisterFormat::F16 || format == exec::RegisterFormat::S16 ||
           format == exec::RegisterFormat::U16;
}

/// Returns the components of a message, at most four whatever the message says.
constexpr unsigned component_count(unsigned count) {
    return count < 4 ? count : 4;
}

/// Returns the signedness of a message's integers: that of the register format, else of the memory
/// format.
constexpr IntegerKind register_kind(exec::RegisterFormat format, const FormatInfo& info) {
    switch (format) {
    case exec::RegisterFormat::S32:
    case exec::RegisterFormat::S16: return IntegerKind::Signed;
    case exec::RegisterFormat::U32:
    case exec::RegisterFormat::U16: return IntegerKind::Unsigned;
    default: return integer_kind(info);
    }
}

/// Returns a component as 16 bits: binary16 to nearest even (NaN 0x7E00), or a clamped integer.
/// from  signedness of the 32-bit integer; to: signedness of the register
uint16_t narrow_component(uint32_t value, bool integer, IntegerKind from, IntegerKind to) noexcept;

/// Writes components 0..count-1 of a lane to its registers, one in each, or two if `half`.
/// kind  signedness of 16-bit integer registers
void write_registers(exec::Lanes* out,
                     unsigned lane,
                     const Values& components,
                     unsigned count,
                     bool half,
                     IntegerKind kind,
                     const FormatInfo& info) noexcept;

/// Reads components of a lane for a format; components past `count` are 0, 0, 0, 1.
Values read_registers(const exec::Lanes* in,
                      unsigned lane,
                      unsigned count,
                      exec::RegisterFormat format,
                      const FormatInfo& info) noexcept;

}  // namespace valkyr::raster

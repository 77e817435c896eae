// Components <-> message registers: widths, missing components, 16-bit results.
// SPDX-License-Identifier: MIT
//
// The memory format decides the kind of a component (binary32 or integer), the register format its
// width and, where integers change width, their sign: nothing is converted between float and
// integer kinds. So a shader that was not told the format still gets integer bits from an integer
// attribute.
#pragma once

#include "exec/abi.hpp"
#include "raster/formats/format_convert.hpp"

namespace valkyr::raster {

/// Whether two components share a register.
constexpr bool is_half(exec::RegisterFormat format) {
    return format == exec::RegisterFormat::F16 || format == exec::RegisterFormat::S16 ||
           format == exec::RegisterFormat::U16;
}

/// Components of a message, at most four whatever it says.
constexpr unsigned component_count(unsigned count) {
    return count < 4 ? count : 4;
}

/// Signedness of a message's integers: by the register format, else by the memory format.
constexpr IntegerKind register_kind(exec::RegisterFormat format, const FormatInfo& info) {
    switch (format) {
    case exec::RegisterFormat::S32:
    case exec::RegisterFormat::S16: return IntegerKind::Signed;
    case exec::RegisterFormat::U32:
    case exec::RegisterFormat::U16: return IntegerKind::Unsigned;
    default: return integer_kind(info);
    }
}

/// A component as 16 bits: binary16 to nearest even (NaN 0x7E00), or an integer clamped.
/// from  how the 32-bit integer is to be read; to: the register's kind
uint16_t narrow_component(uint32_t value, bool integer, IntegerKind from, IntegerKind to) noexcept;

/// Writes components 0..count-1 of a lane to its registers, one each or, if `half`, two each.
/// kind  of 16-bit integer registers
void write_registers(exec::Lanes* out,
                     unsigned lane,
                     const Values& components,
                     unsigned count,
                     bool half,
                     IntegerKind kind,
                     const FormatInfo& info) noexcept;

/// Components of a lane for a format; those past `count` are 0, 0, 0, 1.
Values read_registers(const exec::Lanes* in,
                      unsigned lane,
                      unsigned count,
                      exec::RegisterFormat format,
                      const FormatInfo& info) noexcept;

}  // namespace valkyr::raster

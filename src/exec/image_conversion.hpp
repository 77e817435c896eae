// Image conversion: packs the word that LEA_TEX gives and ST_CVT takes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/environment.hpp"
#include "exec/format.hpp"

#include <cstdint>

namespace valkyr::exec {

/// The register format as bits 26..24 of a conversion word have it. Auto is the type of the
/// memory's components, 32 bits wide.
constexpr uint32_t conversion_register_code(RegisterFormat format, const FormatInfo& info) {
    switch (format) {
    case RegisterFormat::F16: return 0;
    case RegisterFormat::F32: return 1;
    case RegisterFormat::S32: return 2;
    case RegisterFormat::U32: return 3;
    case RegisterFormat::S16: return 4;
    case RegisterFormat::U16: return 5;
    case RegisterFormat::Auto:
    case RegisterFormat::Reserved: break;
    }
    if (info.type == ChannelType::Sint)
        return 2;
    return info.type == ChannelType::Uint ? 3 : 1;
}

inline constexpr uint32_t kConversionFormatMask = 0x3FFFFF;
inline constexpr unsigned kConversionRegisterShift = 24;

/// The conversion word of an image: the format in bits 21..0, registers in bits 26..24.
inline uint32_t conversion_word(Format image, RegisterFormat registers) {
    return static_cast<uint32_t>(image) | conversion_register_code(registers, format_info(image))
                                              << kConversionRegisterShift;
}

}  // namespace valkyr::exec

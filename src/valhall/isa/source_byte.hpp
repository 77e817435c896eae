// Source byte: turns a source operand into the byte that names it, and back.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

namespace valkyr::valhall {

static_assert(kRegisterByte < kLastUseByte && kLastUseByte < kUniformByte &&
              kUniformByte < kConstantByte && kConstantByte < kSpecialByte);

inline constexpr unsigned kRegisterCount = 64;
inline constexpr unsigned kUniformsPerPage = kConstantByte - kUniformByte;
inline constexpr unsigned kConstantCount = kSpecialByte - kConstantByte;
inline constexpr unsigned kSpecialsPerPage = 16;
inline constexpr unsigned kPageCount = 1u << kPageSize;

/// Whether the operand is FAU: a uniform word, a small constant or a special.
constexpr bool is_fau(const Source& source) {
    return source.kind != SourceKind::Register;
}

/// The byte for a source whose numbers are in range; the page is not part of it.
constexpr uint8_t source_byte(const Source& source) {
    switch (source.kind) {
    case SourceKind::Register:
        return static_cast<uint8_t>((source.last_use ? kLastUseByte : kRegisterByte) +
                                    source.index);
    case SourceKind::Uniform:
        return static_cast<uint8_t>(kUniformByte + source.index % kUniformsPerPage);
    case SourceKind::Constant: return static_cast<uint8_t>(kConstantByte + source.index);
    case SourceKind::Special:
        return static_cast<uint8_t>(kSpecialByte + 2 * (source.index % kSpecialsPerPage) +
                                    source.word);
    }
    return 0;
}

/// The source that a byte names on a page, without selectors. Reserved specials are not refused.
constexpr Source source_of_byte(uint8_t byte, unsigned page) {
    Source source;
    if (byte >= kSpecialByte) {
        source.kind = SourceKind::Special;
        source.index = static_cast<uint8_t>(page * kSpecialsPerPage + (byte - kSpecialByte) / 2u);
        source.word = byte & 1;
    } else if (byte >= kConstantByte) {
        source.kind = SourceKind::Constant;
        source.index = static_cast<uint8_t>(byte - kConstantByte);
    } else if (byte >= kUniformByte) {
        source.kind = SourceKind::Uniform;
        source.index = static_cast<uint8_t>(page * kUniformsPerPage + (byte - kUniformByte));
    } else {
        source.last_use = byte >= kLastUseByte;
        source.index =
            static_cast<uint8_t>(byte - (source.last_use ? kLastUseByte : kRegisterByte));
    }
    return source;
}

/// The FAU page of a uniform or special.
constexpr unsigned source_page(const Source& source) {
    return source.index /
           (source.kind == SourceKind::Uniform ? kUniformsPerPage : kSpecialsPerPage);
}

/// Whether the source is read as a 64-bit pair: register and uniform must then be even, a special
/// .w0.
constexpr bool reads_pair(const SourceInfo& info, const Source& source) {
    return info.size == 64 &&
           (info.selector_bits.size == 0 || source.selector == info.selector_default);
}

}  // namespace valkyr::valhall

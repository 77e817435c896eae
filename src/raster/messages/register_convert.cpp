// Register conversion: reads and writes components of 32 bits, or two by two of 16 bits.
// SPDX-License-Identifier: MIT
#include "raster/messages/register_convert.hpp"

#include "base/bits.hpp"
#include "raster/formats/small_float.hpp"

#include <algorithm>

namespace valkyr::raster {

uint16_t narrow_component(uint32_t value, bool integer, IntegerKind from, IntegerKind to) noexcept {
    if (!integer)
        return static_cast<uint16_t>(encode_small_float(kFloat16, value));
    const int64_t wide =
        from == IntegerKind::Signed ? int64_t{static_cast<int32_t>(value)} : int64_t{value};
    const int64_t low = to == IntegerKind::Signed ? -32768 : 0;
    const int64_t high = to == IntegerKind::Signed ? 32767 : 65535;
    return static_cast<uint16_t>(std::clamp(wide, low, high));
}

void write_registers(exec::Lanes* out,
                     unsigned lane,
                     const Values& components,
                     unsigned count,
                     bool half,
                     IntegerKind kind,
                     const FormatInfo& info) noexcept {
    if (!half) {
        for (unsigned i = 0; i < count; ++i)
            out[i].v[lane] = components[i];
        return;
    }
    for (unsigned i = 0; i < count; i += 2) {
        uint32_t word = 0;
        for (unsigned h = 0; h < 2 && i + h < count; ++h)
            word |= uint32_t{narrow_component(components[i + h], is_integer(info),
                                              integer_kind(info), kind)}
                    << (16 * h);
        out[i / 2].v[lane] = word;
    }
}

Values read_registers(const exec::Lanes* in,
                      unsigned lane,
                      unsigned count,
                      exec::RegisterFormat format,
                      const FormatInfo& info) noexcept {
    Values components{0, 0, 0, one_of(info)};
    for (unsigned i = 0; i < component_count(count); ++i) {
        if (!is_half(format)) {
            components[i] = in[i].v[lane];
            continue;
        }
        const uint32_t code = in[i / 2].v[lane] >> (16 * (i & 1)) & 0xFFFF;
        if (!is_integer(info))
            components[i] = decode_small_float(kFloat16, code);
        else if (register_kind(format, info) == IntegerKind::Signed)
            components[i] = static_cast<uint32_t>(sign_extend(code, 16));
        else
            components[i] = code;
    }
    return components;
}

}  // namespace valkyr::raster

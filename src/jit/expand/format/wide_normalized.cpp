// Wide normalised channels: decodes unorm and snorm codes of 32 bits.
// SPDX-License-Identifier: MIT
#include "jit/expand/format/wide_normalized.hpp"

#include <array>

namespace valkyr::jit {

using exec::ChannelType;

namespace {

/// Converts 64-bit integers of at most 33 bits to binary64: adds them to the bits of a double so
/// large that its unit in the last place is 1.
void to_doubles(EmitContext& c, Vec v) {
    constexpr double large = 0x1.8p52;
    c.h.op(Binary::AddI64, v, v, c.pool_double(large));
    c.h.op(Binary::SubF64, v, v, c.pool_double(large));
}

/// v = v / divisor, correctly rounded: the product with the reciprocal, corrected by its remainder.
void divide(EmitContext& c, Vec v, double divisor) {
    HostAssembler& h = c.h;
    const Temp constant = c.scratch();
    const Temp quotient = c.scratch();
    h.op(Binary::MulF64, quotient, v, c.pool_double(1 / divisor));
    h.move(constant, c.pool_double(-divisor));
    h.fma_f64(v, quotient, constant, v);
    h.move(constant, c.pool_double(1 / divisor));
    h.fma_f64(v, v, constant, quotient);
}

}  // namespace

bool has_wide_normalized(const exec::FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.bits[0] == 32 &&
           (info.type == ChannelType::Unorm || info.type == ChannelType::Snorm);
}

Temp wide_normalized(EmitContext& c, const exec::FormatInfo& info, Vec codes) {
    HostAssembler& h = c.h;
    const bool is_signed = info.type == ChannelType::Snorm;
    Temp v = c.scratch();
    const std::array<Temp, 2> half{c.scratch(), c.scratch()};
    if (is_signed)  // the lowest code is read as the next higher one
        h.op(Binary::MaxS32, v, codes, c.pool(0x80000001));
    else
        h.move(v, codes);
    h.widen_s64(half[0], half[1], v);
    for (const Temp& part : half) {
        if (!is_signed)
            h.op(Binary::And, part, part, c.pool_wide(0xFFFFFFFF));
        to_doubles(c, part);
        divide(c, part, is_signed ? 0x7FFFFFFF : 0xFFFFFFFF);
    }
    h.narrow_f64(v, half[0], half[1]);
    return v;
}

}  // namespace valkyr::jit

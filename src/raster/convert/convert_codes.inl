// Codes: convert channels of sixteen texels between codes and numbers.
// SPDX-License-Identifier: MIT
//
// Included by convert_impl.hpp inside the namespace of a level. The operations and their order are
// those of format_channel.cpp, depth_codes.cpp and shared_exponent.cpp, so results agree to the
// bit.

/// A float with five exponent bits, of 16, 11 or 10 bits.
struct LaneFloat {
    explicit LaneFloat(uint32_t bits)
        : fraction(bits == 16 ? 10 : bits - 5)
        , has_sign(bits == 16) {}
    int32_t fraction;
    bool has_sign;
    [[nodiscard]] int32_t infinity() const { return 31 << fraction; }
    [[nodiscard]] int32_t magnitude() const { return (32 << fraction) - 1; }
};

inline constexpr int32_t kFloatInfinity = 0x7F800000;
inline constexpr int32_t kFloatNan = 0x7FC00000;
inline constexpr int32_t kFloatMagnitude = 0x7FFFFFFF;
inline constexpr int32_t kHalfNan = 0x7E00;

// 2^112 moves the exponent from bias 15 to bias 127, and makes subnormals normal: exactly.
inline F32 decode_small(const I32& code, uint32_t bits) {
#ifdef VALKYR_HAS_HALVES
    // 11- and 10-bit floats are halves without a sign whose last fraction bits are 0. NaN payloads
    // may differ: encoding makes every NaN the quiet one.
    return widen_half(bits == 16 ? code : shift_up(code, 15 - bits));
#else
    const LaneFloat format(bits);
    const I32 magnitude = code & I32::set1(format.magnitude());
    const I32 moved = shift_up(magnitude, static_cast<uint32_t>(23 - format.fraction));
    const F32 number = as_float(moved) * as_float(I32::set1((127 + 112) << 23));
    I32 value = as_int(number);
    const I32 infinity = I32::set1(format.infinity());
    value = select(equal(magnitude, infinity), value, I32::set1(kFloatInfinity));
    if (format.has_sign)
        value = value | shift_up(code & I32::set1(0x8000), 16);
    return as_float(select(less(infinity, magnitude), value, I32::set1(kFloatNan)));
#endif
}

inline I32 encode_small(const F32& number, uint32_t bits) {
#ifdef VALKYR_HAS_HALVES
    if (bits == 16)
        return select(equal(number, number), I32::set1(kHalfNan), narrow_half(number));
#endif
    const LaneFloat format(bits);
    const I32 value = as_int(number);
    const I32 magnitude = value & I32::set1(kFloatMagnitude);
    // Normal numbers are rounded as integers: a carry moves on to the next exponent.
    const auto shift = static_cast<uint32_t>(23 - format.fraction);
    const I32 odd = shift_down(magnitude, shift) & I32::set1(1);
    const I32 rounded = magnitude + odd + I32::set1((1 << (shift - 1)) - 1);
    I32 code = shift_down(rounded, shift) - I32::set1(112 << format.fraction);
    code = min(code, I32::set1(format.infinity()));
    // Subnormal numbers: the sum's last place is the format's last place.
    const int32_t magic = (127 - 14 - format.fraction + 23) << 23;
    const I32 small = as_int(as_float(magnitude) + as_float(I32::set1(magic))) - I32::set1(magic);
    code = select(less(magnitude, I32::set1(113 << 23)), code, small);
    if (format.has_sign)
        code = code | shift_down(value & I32::set1(INT32_MIN), 16);
    else
        code = select(negative(value), code, I32::set1(0));
    const int32_t nan = format.infinity() | 1 << (format.fraction - 1);
    return select(less(I32::set1(kFloatInfinity), magnitude), code, I32::set1(nan));
}

#ifndef VALKYR_HAS_LOOK_UP
/// Looks up words of a table by number.
inline I32 look_up(const uint32_t* table, const I32& number) {
    return gather(reinterpret_cast<const uint8_t*>(table), shift_left<2>(number));
}
#endif

/// Looks up entries of exec::kSrgbSteps. The limits are the second operands: a NaN becomes a limit.
inline I32 encode_srgb(const F32& number) {
    const F32 first = as_float(I32::set1(static_cast<int32_t>(exec::kSrgbFirstStep << 16)));
    const F32 last = as_float(I32::set1(static_cast<int32_t>(exec::kSrgbLastStep << 16)));
    const I32 value = as_int(min(max(number, first), last));
    const I32 step =
        look_up(exec::kSrgbSteps.data(), shift_down(value, 16) - I32::set1(exec::kSrgbFirstStep));
    const I32 place = step & I32::set1(exec::kSrgbPlaceMask);
    const I32 below = shift_down_signed((value & I32::set1(0xFFFF)) - place, 31);
    return shift_down(step, exec::kSrgbPlaceBits) + below + I32::set1(1);
}

inline I32 extract(const I32& word, const LaneChannel& channel) {
    const I32 low = shift_down(word, channel.shift);
    return channel.bits == 32 ? low
                              : low & I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
}
inline I32 sign_extended(const I32& code, uint32_t bits) {
    return shift_down_signed(shift_up(code, 32 - bits), 32 - bits);
}

using ChannelKind = LaneChannel::Kind;
inline constexpr uint32_t kSharedExponentShift = 27;

/// Decodes a channel: to a number, or to the bits of an integer.
template <ChannelKind Kind>
inline F32 decode_as(const I32& word, const LaneChannel& channel) {
    const I32 code = extract(word, channel);
    if constexpr (Kind == ChannelKind::Unorm)
        return to_float(code) * F32::set1(channel.inverse);
    if constexpr (Kind == ChannelKind::Snorm) {
        const I32 lowest = I32::set1(-static_cast<int32_t>(channel.scale));
        return to_float(max(sign_extended(code, channel.bits), lowest)) *
               F32::set1(channel.inverse);
    }
    if constexpr (Kind == ChannelKind::WideUnorm)
        return to_float(code) / F32::set1(channel.scale);
    if constexpr (Kind == ChannelKind::SharedExponent) {
        const I32 exponent = shift_down(word, kSharedExponentShift) + I32::set1(127 - 15 - 9);
        return to_float(code) * as_float(shift_left<23>(exponent));
    }
    if constexpr (Kind == ChannelKind::Srgb)
        return as_float(look_up(exec::kSrgbLinear.data(), code));
    if constexpr (Kind == ChannelKind::Half)
        return decode_small(code, 16);
    if constexpr (Kind == ChannelKind::SmallFloat)
        return decode_small(code, channel.bits);
    if constexpr (Kind == ChannelKind::Sint)
        return as_float(sign_extended(code, channel.bits));
    return as_float(code);
}

/// Limits integers to the range of a channel; is_signed says how to read the source integers.
inline I32 encode_integers(const I32& value, const LaneChannel& channel, bool is_signed) {
    const bool to_signed = channel.kind == LaneChannel::Kind::Sint;
    const uint32_t bits = to_signed ? channel.bits - 1U : channel.bits;
    const auto high = static_cast<int32_t>(0xFFFFFFFFU >> (32 - bits));
    const I32 low = I32::set1(to_signed ? -high - 1 : 0);
    if (is_signed)
        return high < 0 ? max(value, low) : min(max(value, low), I32::set1(high));
    if (high < 0)
        return value;
    // Source values of 2^31 and more are negative here, and must become the upper limit.
    return select(negative(value), min(value, I32::set1(high)), I32::set1(high));
}

/// Computes RNE(RN(value * M)) of a value limited to low..1; NaN counts as 0. The limits are the
/// second operands of min and max: a NaN that reaches them becomes the limit.
inline I32 encode_normalized(const F32& value, float low, float scale) {
    const F32 number = low < 0 ? select(equal(value, value), F32::set1(0), value) : value;
    return to_int(min(max(number, F32::set1(low)), F32::set1(1)) * F32::set1(scale));
}

/// Encodes a channel and shifts its code to its place in the word.
template <ChannelKind Kind>
inline I32
encode_as(const F32& value, const LaneChannel& channel, const LaneConversion& conversion) {
    I32 code = as_int(value);
    if constexpr (Kind == ChannelKind::Unorm || Kind == ChannelKind::WideUnorm)
        code = encode_normalized(value, 0, channel.scale);
    if constexpr (Kind == ChannelKind::Snorm)
        code = encode_normalized(value, -1, channel.scale) &
               I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
    if constexpr (Kind == ChannelKind::Srgb)
        code = encode_srgb(value);
    if constexpr (Kind == ChannelKind::Float)
        code = select(equal(value, value), I32::set1(kFloatNan), code);
    if constexpr (Kind == ChannelKind::DepthFloat)
        code = select(less(F32::set1(0), value), I32::set1(0), code);
    if constexpr (Kind == ChannelKind::Half)
        code = encode_small(value, 16);
    if constexpr (Kind == ChannelKind::SmallFloat)
        code = encode_small(value, channel.bits);
    if constexpr (Kind == ChannelKind::Uint || Kind == ChannelKind::Sint) {
        code = encode_integers(code, channel, conversion.signed_integers);
        if (channel.bits < 32)
            code = code & I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
    }
    return shift_up(code, channel.shift);
}

/// Encodes R9G9B9E5 texels with the smallest exponent that the largest number allows.
inline I32 encode_shared_exponent(const F32& red, const F32& green, const F32& blue) {
    constexpr int32_t kBias = 127 - 15;  // between the exponents of numbers and those of texels
    // The limits are the second operands: a NaN becomes 0.
    const auto limited = [](const F32& n) {
        return min(max(n, F32::set1(0)), F32::set1(511.0F * 128));
    };
    const F32 numbers[3] = {limited(red), limited(green), limited(blue)};
    const F32 most = max(max(numbers[0], numbers[1]), numbers[2]);
    // The exponent field counts fractions below 1; numbers below 2^-15 have exponent 0.
    I32 exponent = max(shift_down(as_int(most), 23) - I32::set1(kBias - 1), I32::set1(0));
    // 2^(9 - (exponent - 15)), which a half more or less of the last place rounds up with.
    const auto code = [](const F32& n, const I32& e) {
        const F32 scaled = n * as_float(shift_left<23>(I32::set1(127 + 15 + 9) - e));
        const I32 nearest = to_int(scaled);
        const uint32_t halves = equal(scaled - to_float(nearest), F32::set1(0.5F));
        return select(halves, nearest, nearest + I32::set1(1));
    };
    exponent =
        select(equal(code(most, exponent), I32::set1(512)), exponent, exponent + I32::set1(1));
    I32 word = shift_left<27>(exponent);
    word = word | code(numbers[0], exponent);
    word = word | shift_left<9>(code(numbers[1], exponent));
    return word | shift_left<18>(code(numbers[2], exponent));
}

/// Calls f<kind>() for a kind that is known at run time.
template <typename F>
inline void with_kind(ChannelKind kind, const F& f) {
    switch (kind) {
    case ChannelKind::Absent: break;
    case ChannelKind::Unorm: f.template operator()<ChannelKind::Unorm>(); break;
    case ChannelKind::WideUnorm: f.template operator()<ChannelKind::WideUnorm>(); break;
    case ChannelKind::Snorm: f.template operator()<ChannelKind::Snorm>(); break;
    case ChannelKind::Srgb: f.template operator()<ChannelKind::Srgb>(); break;
    case ChannelKind::Float: f.template operator()<ChannelKind::Float>(); break;
    case ChannelKind::DepthFloat: f.template operator()<ChannelKind::DepthFloat>(); break;
    case ChannelKind::Half: f.template operator()<ChannelKind::Half>(); break;
    case ChannelKind::SmallFloat: f.template operator()<ChannelKind::SmallFloat>(); break;
    case ChannelKind::SharedExponent: f.template operator()<ChannelKind::SharedExponent>(); break;
    case ChannelKind::Uint: f.template operator()<ChannelKind::Uint>(); break;
    case ChannelKind::Sint: f.template operator()<ChannelKind::Sint>(); break;
    }
}

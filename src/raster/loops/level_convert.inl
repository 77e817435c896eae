// Conversions: convert texels of any plain format to another, a tile of sixteen at a time.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. The operations and their order are
// those of format_channel.cpp and blit.cpp: the same bits.

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

// 2^112 moves the exponent from bias 15 to bias 127, and makes subnormals normal: exactly.
inline F32 decode_small(const I32& code, uint32_t bits) {
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
}

inline I32 encode_small(const F32& number, uint32_t bits) {
    const LaneFloat format(bits);
    const I32 value = as_int(number);
    const I32 magnitude = value & I32::set1(kFloatMagnitude);
    // Normal numbers: rounded in the integer, whose carry moves on to the next exponent.
    const auto shift = static_cast<uint32_t>(23 - format.fraction);
    const I32 odd = shift_down(magnitude, shift) & I32::set1(1);
    const I32 rounded = magnitude + odd + I32::set1((1 << (shift - 1)) - 1);
    I32 code = shift_down(rounded, shift) - I32::set1(112 << format.fraction);
    code = min(code, I32::set1(format.infinity()));
    // Subnormal ones: the sum's last place is theirs.
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

/// The linear values of sRGB codes.
inline F32 decode_srgb(const I32& code, const uint32_t* values) {
    alignas(64) int32_t lanes[16];
    code.store(lanes);
    for (int32_t& lane : lanes)
        lane = static_cast<int32_t>(values[lane]);
    return as_float(I32::load(lanes));
}

/// How many thresholds are not above the value, by halving.
inline I32 encode_srgb(const F32& number, const uint32_t* thresholds) {
    const F32 positive = max(number, F32::set1(0));
    alignas(64) int32_t values[16];
    as_int(positive).store(values);
    alignas(64) int32_t codes[16] = {};
    for (int32_t step = 128; step != 0; step /= 2)
        for (int i = 0; i < 16; ++i)
            codes[i] +=
                static_cast<uint32_t>(values[i]) >= thresholds[codes[i] + step - 1] ? step : 0;
    return I32::load(codes);
}

inline I32 extract(const I32& word, const LaneChannel& channel) {
    const I32 low = shift_down(word, channel.shift);
    return channel.bits == 32 ? low
                              : low & I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
}
inline I32 sign_extended(const I32& code, uint32_t bits) {
    return shift_down_signed(shift_up(code, 32 - bits), 32 - bits);
}

/// A channel's value: a number, or the bits of an integer.
inline F32 decode_lanes(const I32& word, const LaneChannel& channel, const uint32_t* linear) {
    using Kind = LaneChannel::Kind;
    const I32 code = extract(word, channel);
    switch (channel.kind) {
    case Kind::Unorm: return to_float(code) * F32::set1(channel.inverse);
    case Kind::Snorm: {
        const I32 lowest = I32::set1(-static_cast<int32_t>(channel.scale));
        return to_float(max(sign_extended(code, channel.bits), lowest)) *
               F32::set1(channel.inverse);
    }
    case Kind::Srgb: return decode_srgb(code, linear);
    case Kind::SmallFloat: return decode_small(code, channel.bits);
    case Kind::Sint: return as_float(sign_extended(code, channel.bits));
    default: return as_float(code);
    }
}

/// Integers in the range of a channel; the source's are signed or not.
inline I32 encode_integers(const I32& value, const LaneChannel& channel, bool is_signed) {
    const bool to_signed = channel.kind == LaneChannel::Kind::Sint;
    const uint32_t bits = to_signed ? channel.bits - 1U : channel.bits;
    const auto high = static_cast<int32_t>(0xFFFFFFFFU >> (32 - bits));
    const I32 low = I32::set1(to_signed ? -high - 1 : 0);
    if (is_signed)
        return high < 0 ? max(value, low) : min(max(value, low), I32::set1(high));
    if (high < 0)
        return value;
    // Numbers of 2^31 and more are negative here, and above all others.
    return select(negative(value), min(value, I32::set1(high)), I32::set1(high));
}

/// The channel's code in its place.
inline I32
encode_lanes(const F32& value, const LaneChannel& channel, const LaneConversion& conversion) {
    using Kind = LaneChannel::Kind;
    // The second operand where the first is NaN.
    const auto limited = [&](float low) {
        const F32 number = select(equal(value, value), F32::set1(0), value);
        return min(max(number, F32::set1(low)), F32::set1(1)) * F32::set1(channel.scale);
    };
    I32 code = as_int(value);
    switch (channel.kind) {
    case Kind::Absent: return I32::set1(0);
    case Kind::Unorm: code = to_int(limited(0)); break;
    case Kind::Snorm: code = to_int(limited(-1)); break;
    case Kind::Srgb: code = encode_srgb(value, conversion.srgb_thresholds); break;
    case Kind::Float: code = select(equal(value, value), I32::set1(kFloatNan), code); break;
    case Kind::SmallFloat: code = encode_small(value, channel.bits); break;
    case Kind::Uint:
    case Kind::Sint: code = encode_integers(code, channel, conversion.signed_integers); break;
    }
    if (channel.bits == 32)
        return code;
    code = code & I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
    return shift_up(code, channel.shift);
}

/// 0, 1, ... 15.
inline I32 lane_numbers() {
    alignas(64) static constexpr int32_t kLanes[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                       8, 9, 10, 11, 12, 13, 14, 15};
    return I32::load(kLanes);
}

inline I32 load_vector(const uint8_t* from) {
    alignas(64) int32_t words[16];
    __builtin_memcpy(words, from, sizeof(words));
    return I32::load(words);
}

/// Word `word` of sixteen texels that lie side by side, of 2 or 4 words each.
inline I32 side_by_side(const uint8_t* texels, uint32_t words, uint32_t word) {
    const I32 at = words == 2 ? shift_up(lane_numbers(), 1) : shift_up(lane_numbers(), 2);
    const I32 index = at + I32::set1(static_cast<int32_t>(word));
    const uint32_t lanes = 16 / words;  // that each vector has
    I32 result = permute(load_vector(texels), index);
    for (uint32_t v = 1; v < words; ++v)
        result = select(((1U << lanes) - 1) << (v * lanes), result,
                        permute(load_vector(texels + 64 * v), index));
    return result;
}

/// Words of sixteen texels; up to three bytes behind the last one are read (kReadSlack).
struct TexelWords {
    I32 words[4];

    TexelWords(const uint8_t* from, const I32& offsets, const LaneFormat& format) {
        alignas(64) int32_t at[16];
        offsets.store(at);
        const I32 expected = I32::set1(at[0]) + lane_numbers() * I32::set1(format.bytes);
        if (equal(offsets, expected) == 0xFFFF)
            load_tile(from + at[0], format);
        else
            gather(from, at, format);
    }

private:
    void load_tile(const uint8_t* from, const LaneFormat& format) {
        alignas(64) int32_t lanes[16];
        switch (format.bytes) {
        case 4: words[0] = load_vector(from); return;
        case 8:
        case 16:
            for (uint32_t w = 0; w < format.words; ++w)
                words[w] = side_by_side(from, format.words, w);
            return;
        case 1:
            for (int i = 0; i < 16; ++i)
                lanes[i] = from[i];
            words[0] = I32::load(lanes);
            return;
        case 2: {
            uint16_t halves[16];
            __builtin_memcpy(halves, from, sizeof(halves));
            for (int i = 0; i < 16; ++i)
                lanes[i] = halves[i];
            words[0] = I32::load(lanes);
            return;
        }
        default:
            for (int i = 0; i < 16; ++i)
                lanes[i] = i * format.bytes;
            gather(from, lanes, format);
        }
    }
    void gather(const uint8_t* from, const int32_t* at, const LaneFormat& format) {
        alignas(64) int32_t lanes[16];
        for (uint32_t w = 0; w < format.words; ++w) {
            for (int i = 0; i < 16; ++i)
                __builtin_memcpy(lanes + i, from + at[i] + 4 * w, sizeof(int32_t));
            words[w] = I32::load(lanes);
        }
    }
};

/// Components of sixteen texels, or mixtures of them.
struct Components {
    F32 v[4];
};

inline Components decode_components(const I32 (&words)[4], const LaneConversion& conversion) {
    const LaneFormat& format = conversion.from;
    F32 channels[4];
    for (int c = 0; c < 4; ++c)
        if (format.channels[c].kind != LaneChannel::Kind::Absent)
            channels[c] = decode_lanes(words[format.channels[c].word], format.channels[c],
                                       conversion.srgb_linear);
    Components result;
    for (int c = 0; c < 4; ++c) {
        const int source = format.source[c];
        const int32_t constant = source == -2 ? conversion.one : 0;
        result.v[c] = source >= 0 ? channels[source] : as_float(I32::set1(constant));
    }
    return result;
}

/// The words of texels with these components.
struct TileWords {
    I32 words[4];
};
inline TileWords encode_components(const Components& value,
                                   const LaneFormat& format,
                                   const LaneConversion& conversion) {
    TileWords out;
    for (I32& word : out.words)
        word = I32::set1(0);
    for (const LaneChannel& channel : format.channels)
        if (channel.kind != LaneChannel::Kind::Absent)
            out.words[channel.word] = out.words[channel.word] |
                                      encode_lanes(value.v[channel.component], channel, conversion);
    return out;
}

/// Sixteen texels; their samples are averaged as one texel of the source's format.
inline Components
load_components(const uint8_t* from, const I32& offsets, const LaneConversion& conversion) {
    Components sum =
        decode_components(TexelWords(from, offsets, conversion.from).words, conversion);
    if (conversion.samples == 1)
        return sum;
    for (uint32_t s = 1; s < conversion.samples; ++s) {
        const TexelWords texels(from + size_t{conversion.sample_bytes} * s, offsets,
                                conversion.from);
        const Components value = decode_components(texels.words, conversion);
        for (int c = 0; c < 4; ++c)
            sum.v[c] = sum.v[c] + value.v[c];
    }
    for (F32& component : sum.v)
        component = component * F32::set1(conversion.sample_weight);
    return decode_components(encode_components(sum, conversion.from, conversion).words, conversion);
}

inline Components mix(const Components& a, const Components& b, const F32& weight) {
    Components result;
    for (int c = 0; c < 4; ++c)
        result.v[c] = fma(weight, b.v[c] - a.v[c], a.v[c]);
    return result;
}

/// What tile `t` of a row gets.
inline Components sample_tile(const LaneConversion& conversion, const TileRow& row, uint32_t t) {
    const auto texels = [&](int x, int y) {
        const I32 offsets = I32::load(row.across[x] + 16 * t) + I32::load(row.down[y]);
        return load_components(row.source, offsets, conversion);
    };
    if (row.across_weights == nullptr)
        return texels(0, 0);
    const F32 across = F32::load(row.across_weights + 16 * t);
    return mix(mix(texels(0, 0), texels(1, 0), across), mix(texels(0, 1), texels(1, 1), across),
               F32::load(row.down_weights));
}

inline TileWords convert_tile(const LaneConversion& conversion, const TileRow& row, uint32_t t) {
    TileWords out{};
    if (conversion.copies) {
        const I32 offsets = I32::load(row.across[0] + 16 * t) + I32::load(row.down[0]);
        const TexelWords texels(row.source, offsets, conversion.from);
        for (uint32_t w = 0; w < conversion.to.words; ++w)
            out.words[w] = texels.words[w];
        return out;
    }
    return encode_components(sample_tile(conversion, row, t), conversion.to, conversion);
}

/// Writes some lanes of a tile, and of each word the bits of `masks`.
inline void store_lanes(const TileWords& tile,
                        const LaneConversion& conversion,
                        uint32_t lanes,
                        uint8_t* target) {
    alignas(64) int32_t words[4][16];
    const uint32_t bytes = conversion.to.bytes;
    for (uint32_t w = 0; w < conversion.to.words; ++w)
        tile.words[w].store(words[w]);
    for (uint32_t i = 0; i < 16; ++i) {
        if ((lanes >> i & 1) == 0)
            continue;
        for (uint32_t w = 0; w < conversion.to.words; ++w) {
            uint8_t* const texel = target + bytes * i + 4 * w;
            const uint32_t size = bytes - 4 * w < 4 ? bytes - 4 * w : 4;
            uint32_t old = 0;
            __builtin_memcpy(&old, texel, size);
            const uint32_t mask = conversion.masks[w];
            const uint32_t word = (old & ~mask) | (static_cast<uint32_t>(words[w][i]) & mask);
            __builtin_memcpy(texel, &word, size);
        }
    }
}

/// Writes all lanes of a tile, whole texels.
inline void store_tile(const TileWords& tile, uint32_t bytes, uint8_t* target) {
    alignas(64) int32_t words[16];
    tile.words[0].store(words);
    if (bytes == 4) {
        __builtin_memcpy(target, words, sizeof(words));
    } else if (bytes == 2) {
        uint16_t halves[16];
        for (int i = 0; i < 16; ++i)
            halves[i] = static_cast<uint16_t>(words[i]);
        __builtin_memcpy(target, halves, sizeof(halves));
    } else if (bytes == 1) {
        for (int i = 0; i < 16; ++i)
            target[i] = static_cast<uint8_t>(words[i]);
    } else {  // 8 or 16: vector v has the texels from 16 / count * v on
        const uint32_t count = bytes / 4;
        const I32 lane = lane_numbers();
        const I32 texel = count == 2 ? shift_down(lane, 1) : shift_down(lane, 2);
        for (uint32_t v = 0; v < count; ++v) {
            const I32 index = texel + I32::set1(static_cast<int32_t>(16 / count * v));
            I32 mixed = permute(tile.words[0], index);
            for (uint32_t w = 1; w < count; ++w)
                mixed = select((count == 2 ? 0x5555U : 0x1111U) << w, mixed,
                               permute(tile.words[w], index));
            mixed.store(words);
            __builtin_memcpy(target + 64 * v, words, sizeof(words));
        }
    }
}

inline void convert_tiles(const LaneConversion& conversion, const TileRow& row) noexcept {
    const uint32_t bytes = conversion.to.bytes;
    bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    for (uint32_t w = 0; w < conversion.to.words; ++w) {
        const uint32_t size = bytes - 4 * w < 4 ? bytes - 4 * w : 4;
        whole &= (~conversion.masks[w] & (0xFFFFFFFFU >> (32 - 8 * size))) == 0;
    }
    for (uint32_t t = 0; t < row.count; ++t) {
        const uint32_t lanes = row.columns[t] & row.rows;
        uint8_t* const target = row.target + size_t{row.target_stride} * t;
        const TileWords tile = convert_tile(conversion, row, t);
        if (whole && lanes == 0xFFFF)
            store_tile(tile, bytes, target);
        else
            store_lanes(tile, conversion, lanes, target);
    }
}

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
inline constexpr int32_t kHalfNan = 0x7E00;

// 2^112 moves the exponent from bias 15 to bias 127, and makes subnormals normal: exactly.
inline F32 decode_small(const I32& code, uint32_t bits) {
#ifdef VALKYR_HAS_HALVES
    if (bits == 16) {
        const F32 value = widen_half(code);
        return as_float(select(equal(value, value), I32::set1(kFloatNan), as_int(value)));
    }
#endif
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
#ifdef VALKYR_HAS_HALVES
    if (bits == 16)
        return select(equal(number, number), I32::set1(kHalfNan), narrow_half(number));
#endif
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

/// Words of a table by number.
inline I32 look_up(const uint32_t* table, const I32& number) {
    return gather(reinterpret_cast<const uint8_t*>(table), shift_up(number, 2));
}

/// The values' entries of exec::kSrgbSteps. The limits are the second operands: a NaN becomes one.
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

/// A channel's value: a number, or the bits of an integer.
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
    if constexpr (Kind == ChannelKind::Srgb)
        return as_float(look_up(exec::kSrgbLinear.data(), code));
    if constexpr (Kind == ChannelKind::SmallFloat)
        return decode_small(code, channel.bits);
    if constexpr (Kind == ChannelKind::Sint)
        return as_float(sign_extended(code, channel.bits));
    return as_float(code);
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

/// RNE(RN(value * M)) of a value limited to low..1; NaN counts as 0. The limits are the second
/// operands: a NaN that reaches one of them becomes it.
inline I32 encode_normalized(const F32& value, float low, float scale) {
    const F32 number = low < 0 ? select(equal(value, value), F32::set1(0), value) : value;
    return to_int(min(max(number, F32::set1(low)), F32::set1(1)) * F32::set1(scale));
}

/// The channel's code in its place.
template <ChannelKind Kind>
inline I32
encode_as(const F32& value, const LaneChannel& channel, const LaneConversion& conversion) {
    I32 code = as_int(value);
    if constexpr (Kind == ChannelKind::Unorm)
        code = encode_normalized(value, 0, channel.scale);
    if constexpr (Kind == ChannelKind::Snorm)
        code = encode_normalized(value, -1, channel.scale) &
               I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
    if constexpr (Kind == ChannelKind::Srgb)
        code = encode_srgb(value);
    if constexpr (Kind == ChannelKind::Float)
        code = select(equal(value, value), I32::set1(kFloatNan), code);
    if constexpr (Kind == ChannelKind::SmallFloat)
        code = encode_small(value, channel.bits);
    if constexpr (Kind == ChannelKind::Uint || Kind == ChannelKind::Sint) {
        code = encode_integers(code, channel, conversion.signed_integers);
        if (channel.bits < 32)
            code = code & I32::set1(static_cast<int32_t>((1U << channel.bits) - 1));
    }
    return shift_up(code, channel.shift);
}

/// Calls f<kind>() for a kind that is known at run time.
template <typename F>
inline void with_kind(ChannelKind kind, const F& f) {
    switch (kind) {
    case ChannelKind::Absent: break;
    case ChannelKind::Unorm: f.template operator()<ChannelKind::Unorm>(); break;
    case ChannelKind::Snorm: f.template operator()<ChannelKind::Snorm>(); break;
    case ChannelKind::Srgb: f.template operator()<ChannelKind::Srgb>(); break;
    case ChannelKind::Float: f.template operator()<ChannelKind::Float>(); break;
    case ChannelKind::SmallFloat: f.template operator()<ChannelKind::SmallFloat>(); break;
    case ChannelKind::Uint: f.template operator()<ChannelKind::Uint>(); break;
    case ChannelKind::Sint: f.template operator()<ChannelKind::Sint>(); break;
    }
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

    TexelWords()
        : words{I32::set1(0), I32::set1(0), I32::set1(0), I32::set1(0)} {}
    TexelWords(const uint8_t* from, const I32& offsets, const LaneFormat& format) {
        alignas(64) int32_t at[16];
        offsets.store(at);
        const I32 expected = I32::set1(at[0]) + lane_numbers() * I32::set1(format.bytes);
        if (equal(offsets, expected) == 0xFFFF)
            load_tile(from + at[0], format);
        else
            read(from, offsets, format);
    }

    void read(const uint8_t* from, const I32& offsets, const LaneFormat& format) {
        for (uint32_t w = 0; w < format.words; ++w)
            words[w] = gather(from + 4 * w, offsets);
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
        default: read(from, lane_numbers() * I32::set1(format.bytes), format);
        }
    }
};

/// The words of texels, where value(c) is the value of channel c.
template <typename Value>
inline TexelWords
encode_channels(const LaneFormat& format, const LaneConversion& conversion, const Value& value) {
    TexelWords out;
    for (int c = 0; c < format.channel_count; ++c) {
        const LaneChannel& channel = format.channels[c];
        const F32 number = value(c);
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            out.words[channel.word] =
                out.words[channel.word] | encode_as<Kind>(number, channel, conversion);
        });
    }
    return out;
}

/// The averages of samples, as texels of the source's format.
inline TexelWords
average_samples(const uint8_t* from, const I32& offsets, const LaneConversion& conversion) {
    TexelWords samples[exec::kMaxSamples];
    for (uint32_t s = 0; s < conversion.samples; ++s)
        samples[s] =
            TexelWords(from + size_t{conversion.sample_bytes} * s, offsets, conversion.from);
    return encode_channels(conversion.from, conversion, [&](int c) {
        const LaneChannel& channel = conversion.from.channels[c];
        F32 sum = F32::set1(0);
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            const auto value = [&](uint32_t s) {
                return decode_as<Kind>(samples[s].words[channel.word], channel);
            };
            sum = value(0);
            for (uint32_t s = 1; s < conversion.samples; ++s)
                sum = sum + value(s);
        });
        return sum * F32::set1(conversion.sample_weight);
    });
}

/// The texels that sixteen destination texels take from.
struct Taps {
    /// Upper row left and right, lower row, then the same of the slice behind. Without a filter the
    /// first one alone.
    TexelWords texels[8];
    bool filtered, mixes_slices;
    F32 across, down, behind;

    Taps(const LaneConversion& conversion, const TileRow& row, uint32_t t)
        : filtered(row.across_weights != nullptr)
        , mixes_slices(row.behind != nullptr)
        , across(filtered ? F32::load(row.across_weights + 16 * t) : F32::set1(0))
        , down(filtered ? F32::load(row.down_weights) : F32::set1(0))
        , behind(F32::set1(row.behind_weight)) {
        for (int tap = 0; tap < (mixes_slices ? 8 : filtered ? 4 : 1); ++tap) {
            const uint8_t* source = tap < 4 ? row.source : row.behind;
            const I32 offsets =
                I32::load(row.across[tap & 1] + 16 * t) + I32::load(row.down[tap >> 1 & 1]);
            if (conversion.samples > 1)
                texels[tap] = average_samples(source, offsets, conversion);
            else if (filtered)  // seldom side by side
                texels[tap].read(source, offsets, conversion.from);
            else
                texels[tap] = TexelWords(source, offsets, conversion.from);
        }
    }

    /// A channel of the source.
    [[nodiscard]] F32 value(const LaneChannel& channel) const {
        F32 result = F32::set1(0);
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            const auto decode = [&](int tap) {
                return decode_as<Kind>(texels[tap].words[channel.word], channel);
            };
            if (!filtered) {
                result = decode(0);
                return;
            }
            const auto plane = [&](int tap) {
                const F32 upper = mix(decode(tap), decode(tap + 1), across);
                return mix(upper, mix(decode(tap + 2), decode(tap + 3), across), down);
            };
            result = plane(0);
            if (mixes_slices)
                result = mix(result, plane(4), behind);
        });
        return result;
    }

private:
    static F32 mix(const F32& a, const F32& b, const F32& weight) { return fma(weight, b - a, a); }
};

/// Codes of the source in the places of the destination.
inline TexelWords move_codes(const TexelWords& texels, const LaneConversion& conversion) {
    TexelWords out;
    for (int c = 0; c < conversion.to.channel_count; ++c) {
        const LaneChannel& channel = conversion.to.channels[c];
        const LaneMove& move = conversion.moves[c];
        const I32 code = move.channel >= 0
                             ? extract(texels.words[conversion.from.channels[move.channel].word],
                                       conversion.from.channels[move.channel])
                             : I32::set1(move.constant);
        out.words[channel.word] = out.words[channel.word] | shift_up(code, channel.shift);
    }
    return out;
}

inline TexelWords convert_tile(const LaneConversion& conversion, const TileRow& row, uint32_t t) {
    const bool averages = conversion.samples > 1;
    const bool moves = averages ? conversion.moves_averages : conversion.moves_codes;
    if (conversion.copies || (moves && row.across_weights == nullptr)) {
        const I32 offsets = I32::load(row.across[0] + 16 * t) + I32::load(row.down[0]);
        const TexelWords texels = averages ? average_samples(row.source, offsets, conversion)
                                           : TexelWords(row.source, offsets, conversion.from);
        return conversion.copies ? texels : move_codes(texels, conversion);
    }
    const Taps taps(conversion, row, t);
    return encode_channels(conversion.to, conversion, [&](int c) {
        const int source = conversion.from.source[conversion.to.channels[c].component];
        if (source < 0)
            return as_float(I32::set1(source == -2 ? conversion.one : 0));
        return taps.value(conversion.from.channels[source]);
    });
}

/// Writes some lanes of a tile, and of each word the bits of `masks`.
inline void store_lanes(const TexelWords& tile,
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
inline void store_tile(const TexelWords& tile, uint32_t bytes, uint8_t* target) {
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

/// Bits of word `word` of a texel that there are.
inline uint32_t bits_of_word(uint32_t texel_bytes, uint32_t word) {
    const uint32_t bytes = texel_bytes - 4 * word;
    return bytes >= 4 ? 0xFFFFFFFFU : (1U << (8 * bytes)) - 1;
}

/// Puts the bits that are not written into the words of a tile.
inline void keep_bits(TexelWords& tile, const LaneConversion& conversion, const uint8_t* target) {
    const TexelWords old(target, lane_numbers() * I32::set1(conversion.to.bytes), conversion.to);
    for (uint32_t w = 0; w < conversion.to.words; ++w) {
        const I32 written = I32::set1(static_cast<int32_t>(conversion.masks[w]));
        const I32 kept = I32::set1(static_cast<int32_t>(~conversion.masks[w]));
        tile.words[w] = (tile.words[w] & written) | (old.words[w] & kept);
    }
}

inline void convert_tiles(const LaneConversion& conversion, const TileRow& row) noexcept {
    const uint32_t bytes = conversion.to.bytes;
    const bool regular = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    bool whole = true;
    for (uint32_t w = 0; w < conversion.to.words; ++w)
        whole &= (~conversion.masks[w] & bits_of_word(bytes, w)) == 0;
    for (uint32_t t = 0; t < row.count; ++t) {
        const uint32_t lanes = row.columns[t] & row.rows;
        uint8_t* const target = row.target + size_t{row.target_stride} * t;
        TexelWords tile = convert_tile(conversion, row, t);
        if (!regular || lanes != 0xFFFF) {
            store_lanes(tile, conversion, lanes, target);
            continue;
        }
        if (!whole)
            keep_bits(tile, conversion, target);
        store_tile(tile, bytes, target);
    }
}

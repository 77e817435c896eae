// Blit rows: converts between formats of 8-bit channels, sixteen texels at a time.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. The operations and their order are
// those of format_channel.cpp and blit.cpp: the same bits.

/// Sixteen texels as words; up to three bytes behind the last one are read (kReadSlack).
inline I32 load_texels(const uint8_t* row, const int32_t* offsets) {
    alignas(64) int32_t words[16];
    for (int i = 0; i < 16; ++i)
        __builtin_memcpy(words + i, row + offsets[i], sizeof(int32_t));
    return I32::load(words);
}

inline I32 byte_of(const I32& words, int byte) {
    const I32 low = I32::set1(255);
    switch (byte) {
    case 0: return words & low;
    case 1: return shift_right<8>(words) & low;
    case 2: return shift_right<16>(words) & low;
    default: return shift_right<24>(words) & low;
    }
}
inline I32 byte_to(const I32& code, uint32_t byte) {
    switch (byte) {
    case 0: return code;
    case 1: return shift_left<8>(code);
    case 2: return shift_left<16>(code);
    default: return shift_left<24>(code);
    }
}

/// The four texels of sixteen destination texels.
struct TexelTaps {
    I32 words[4];  ///< first row left and right, second row
    F32 across, down;

    [[nodiscard]] F32 value(int tap, int byte) const {
        return to_float(byte_of(words[tap], byte)) * F32::set1(1.0F / 255);
    }
    static F32 mix(const F32& a, const F32& b, const F32& weight) { return fma(weight, b - a, a); }

    [[nodiscard]] I32 code(int byte) const {
        const F32 top = mix(value(0, byte), value(1, byte), across);
        const F32 bottom = mix(value(2, byte), value(3, byte), across);
        const F32 filtered = min(max(mix(top, bottom, down), F32::set1(0)), F32::set1(1));
        return to_int(filtered * F32::set1(255));
    }
};

/// Destination words of texels first..first+15 of a row.
inline I32 blit_words(const ByteMap& map, const ByteRow& row, uint32_t first) {
    TexelTaps taps{};
    taps.words[0] = load_texels(row.rows[0], row.offsets[0] + first);
    if (row.weights != nullptr) {
        taps.words[1] = load_texels(row.rows[0], row.offsets[1] + first);
        taps.words[2] = load_texels(row.rows[1], row.offsets[0] + first);
        taps.words[3] = load_texels(row.rows[1], row.offsets[1] + first);
        taps.across = F32::load(row.weights + first);
        taps.down = F32::set1(row.row_weight);
    }
    I32 result = I32::set1(0);
    for (uint32_t channel = 0; channel < map.target_bytes; ++channel) {
        const int source = map.source[channel];
        const I32 code = source == ByteMap::kConstant ? I32::set1(map.constant[channel])
                         : row.weights != nullptr     ? taps.code(source)
                                                      : byte_of(taps.words[0], source);
        result = result | byte_to(code, channel);
    }
    return result;
}

template <int Bytes>
inline void store_texels(
    const int32_t* words, uint32_t mask, uint8_t* row, const int32_t* offsets, uint32_t count) {
    constexpr uint32_t kAll = Bytes == 4 ? 0xFFFFFFFF : (1U << (8 * (Bytes & 3))) - 1;
    for (uint32_t i = 0; i < count; ++i) {
        auto word = static_cast<uint32_t>(words[i]);
        uint8_t* texel = row + offsets[i];
        if (mask != kAll) {
            uint32_t old = 0;
            __builtin_memcpy(&old, texel, Bytes);
            word = (old & ~mask) | (word & mask);
        }
        __builtin_memcpy(texel, &word, Bytes);
    }
}

inline void blit_row(const ByteMap& map, const ByteRow& row) noexcept {
    for (uint32_t first = 0; first < row.count; first += 16) {
        alignas(64) int32_t words[16];
        blit_words(map, row, first).store(words);
        const uint32_t left = row.count - first;
        const uint32_t count = left < 16 ? left : 16;
        const int32_t* offsets = row.target_offsets + first;
        switch (map.target_bytes) {
        case 1: store_texels<1>(words, map.mask, row.target, offsets, count); break;
        case 2: store_texels<2>(words, map.mask, row.target, offsets, count); break;
        case 3: store_texels<3>(words, map.mask, row.target, offsets, count); break;
        default: store_texels<4>(words, map.mask, row.target, offsets, count); break;
        }
    }
}

// Texels: move texels between memory and planes, one 32-bit word of each texel in one plane.
// SPDX-License-Identifier: MIT
//
// Included by convert_impl.hpp inside the namespace of a level.

/// Tiles that are converted together: their planes stay in the L1 cache.
inline constexpr uint32_t kChunkTiles = 8;

/// One number for each texel of a chunk, tile by tile in lane order.
struct Plane {
    alignas(64) int32_t lanes[kChunkTiles][16];

    [[nodiscard]] I32 get(uint32_t tile) const { return I32::load(lanes[tile]); }
    [[nodiscard]] F32 number(uint32_t tile) const { return as_float(get(tile)); }
    void set(uint32_t tile, const I32& value) { value.store(lanes[tile]); }
    void set(uint32_t tile, const F32& value) { as_int(value).store(lanes[tile]); }
};

#ifndef VALKYR_HAS_INTERLEAVE
/// Puts element N * i + k of the first 16 * N words into lane i of out[k].
template <uint32_t N>
inline void deinterleave(const void* from, I32 (&out)[N]) {
    alignas(64) int32_t words[16 * N];
    __builtin_memcpy(words, from, sizeof(words));
    alignas(64) int32_t lanes[N][16];
    for (uint32_t i = 0; i < 16; ++i)
        for (uint32_t k = 0; k < N; ++k)
            lanes[k][i] = words[N * i + k];
    for (uint32_t k = 0; k < N; ++k)
        out[k] = I32::load(lanes[k]);
}
/// Loads the two words at base + offsets, in bytes.
inline void gather_pairs(const uint8_t* base, const I32& offsets, I32& first, I32& second) {
    first = gather(base, offsets);
    second = gather(base + 4, offsets);
}
/// Inverts deinterleave().
template <uint32_t N>
inline void interleave(const I32 (&from)[N], void* to) {
    alignas(64) int32_t words[16 * N];
    alignas(64) int32_t lanes[N][16];
    for (uint32_t k = 0; k < N; ++k)
        from[k].store(lanes[k]);
    for (uint32_t i = 0; i < 16; ++i)
        for (uint32_t k = 0; k < N; ++k)
            words[N * i + k] = lanes[k][i];
    __builtin_memcpy(to, words, sizeof(words));
}
#endif

/// Loads sixteen texels that lie side by side, of 1, 2, 4, 8 or 16 bytes each.
template <uint32_t Bytes>
inline void load_tile(const uint8_t* texels, uint32_t tile, Plane* words) {
    if constexpr (Bytes == 1) {
        for (uint32_t i = 0; i < 16; ++i)
            words[0].lanes[tile][i] = texels[i];
    } else if constexpr (Bytes == 2) {
        uint16_t halves[16];
        __builtin_memcpy(halves, texels, sizeof(halves));
        for (uint32_t i = 0; i < 16; ++i)
            words[0].lanes[tile][i] = halves[i];
    } else if constexpr (Bytes == 4) {
        __builtin_memcpy(words[0].lanes[tile], texels, 64);
    } else {
        constexpr uint32_t kWords = Bytes / 4;
        I32 out[kWords];
        deinterleave<kWords>(texels, out);
        for (uint32_t w = 0; w < kWords; ++w)
            words[w].set(tile, out[w]);
    }
}

template <uint32_t Bytes>
inline void store_tile(const Plane* words, uint32_t tile, uint8_t* texels) {
    if constexpr (Bytes == 1) {
        for (uint32_t i = 0; i < 16; ++i)
            texels[i] = static_cast<uint8_t>(words[0].lanes[tile][i]);
    } else if constexpr (Bytes == 2) {
        uint16_t halves[16];
        for (uint32_t i = 0; i < 16; ++i)
            halves[i] = static_cast<uint16_t>(words[0].lanes[tile][i]);
        __builtin_memcpy(texels, halves, sizeof(halves));
    } else if constexpr (Bytes == 4) {
        __builtin_memcpy(texels, words[0].lanes[tile], 64);
    } else {
        constexpr uint32_t kWords = Bytes / 4;
        I32 from[kWords];
        for (uint32_t w = 0; w < kWords; ++w)
            from[w] = words[w].get(tile);
        interleave<kWords>(from, texels);
    }
}

/// Prefetches the cache lines that the next chunk reads.
inline void prefetch(const uint8_t* from, uint32_t bytes) {
    for (uint32_t line = 0; line < bytes; line += 64)
        __builtin_prefetch(from + line);
}

/// Calls f<bytes>() if load_tile() supports the texel size, otherwise f<0>().
template <typename F>
inline void with_bytes(uint32_t bytes, const F& f) {
    switch (bytes) {
    case 1: f.template operator()<1>(); break;
    case 2: f.template operator()<2>(); break;
    case 4: f.template operator()<4>(); break;
    case 8: f.template operator()<8>(); break;
    case 16: f.template operator()<16>(); break;
    default: f.template operator()<0>(); break;
    }
}

/// Addresses of the texels of a chunk. Up to three bytes behind each texel are read (kReadSlack).
struct TexelPlaces {
    const uint8_t* base = nullptr;
    Plane offsets;              ///< bytes from `base`
    uint32_t side_by_side = 0;  ///< mask of the tiles whose texels lie side by side in lane order
};

/// Gathers the words of texels at any addresses.
template <uint32_t Bytes>
inline void gather_texels(
    const uint8_t* base, const Plane& offsets, uint32_t count, uint32_t tile, Plane* words) {
    if constexpr (Bytes == 16) {
        I32 x, y;
        F32 z, q;
        gather_rows([&](int i) { return base + offsets.lanes[tile][i]; }, x, y, z, q);
        words[0].set(tile, x);
        words[1].set(tile, y);
        words[2].set(tile, z);
        words[3].set(tile, q);
    } else if constexpr (Bytes == 8) {
        I32 first, second;
        gather_pairs(base, offsets.get(tile), first, second);
        words[0].set(tile, first);
        words[1].set(tile, second);
    } else {
        for (uint32_t w = 0; w < count; ++w)
            words[w].set(tile, gather(base + 4 * w, offsets.get(tile)));
    }
}

/// Loads the words of texels; each sample has planes of its own.
inline void load_texels(const TexelPlaces& places,
                        const LaneConversion& conversion,
                        uint32_t count,
                        Plane (*words)[4]) {
    const LaneFormat& format = conversion.from;
    with_bytes(format.bytes, [&]<uint32_t Bytes>() {
        for (uint32_t t = 0; t < count; ++t) {
            const uint8_t* base = places.base;
            if constexpr (Bytes != 0)
                if ((places.side_by_side >> t & 1) != 0) {
                    base += places.offsets.lanes[t][0];
                    const uint32_t tile_bytes = 16 * Bytes * conversion.samples;
                    prefetch(base + kChunkTiles * tile_bytes, tile_bytes);
                    for (uint32_t s = 0; s < conversion.samples; ++s)
                        load_tile<Bytes>(base + size_t{conversion.sample_bytes} * s, t, words[s]);
                    continue;
                }
            for (uint32_t s = 0; s < conversion.samples; ++s, base += conversion.sample_bytes)
                gather_texels<Bytes>(base, places.offsets, format.words, t, words[s]);
        }
    });
}

/// Loads the four texels that each texel of a tile averages, from the source tiles above each other
/// that hold them: plane words[tap][w].
template <uint32_t Bytes>
inline void
load_halved(const uint8_t* upper, const uint8_t* lower, uint32_t tile, Plane (*words)[4]) {
    constexpr uint32_t kHalf = 32 * Bytes;  // two tiles
    // Texels of a tile are in Z order: texel i averages texels 4i .. 4i + 3.
    alignas(64) int32_t at[2 * kHalf / sizeof(int32_t)];
    prefetch(upper + kChunkTiles * kHalf, kHalf);
    prefetch(lower + kChunkTiles * kHalf, kHalf);
    __builtin_memcpy(at, upper, kHalf);
    __builtin_memcpy(at + kHalf / sizeof(int32_t), lower, kHalf);
    if constexpr (Bytes == 1) {
        const I32 quads = I32::load(at);
        for (uint32_t tap = 0; tap < 4; ++tap)
            words[tap][0].set(tile, shift_down(quads, 8 * tap));
    } else if constexpr (Bytes == 2) {
        I32 pairs[2];
        deinterleave<2>(at, pairs);
        for (uint32_t tap = 0; tap < 4; ++tap)
            words[tap][0].set(tile, shift_down(pairs[tap / 2], 16 * (tap % 2)));
    } else {
        constexpr uint32_t kWords = Bytes / 4;
        alignas(64) int32_t streams[kWords][64];
        if constexpr (kWords == 1)
            __builtin_memcpy(streams, at, sizeof(streams));
        else
            for (uint32_t v = 0; v < 4; ++v) {
                I32 parts[kWords];
                deinterleave<kWords>(at + 16 * kWords * v, parts);
                for (uint32_t w = 0; w < kWords; ++w)
                    parts[w].store(streams[w] + 16 * v);
            }
        for (uint32_t w = 0; w < kWords; ++w) {
            I32 taps[4];
            deinterleave<4>(streams[w], taps);
            for (uint32_t tap = 0; tap < 4; ++tap)
                words[tap][w].set(tile, taps[tap]);
        }
    }
}

/// Returns the mask of the bits that word `word` of a texel has.
inline uint32_t bits_of_word(uint32_t texel_bytes, uint32_t word) {
    const uint32_t bytes = texel_bytes - 4 * word;
    return bytes >= 4 ? 0xFFFFFFFFU : (1U << (8 * bytes)) - 1;
}

/// Writes some lanes of a tile; `masks` selects the bits of each word.
inline void store_lanes(const Plane* words,
                        uint32_t tile,
                        const LaneConversion& conversion,
                        uint32_t lanes,
                        uint8_t* target) {
    const uint32_t bytes = conversion.to.bytes;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        for (uint32_t w = 0; w < conversion.to.words; ++w) {
            uint8_t* const texel = target + bytes * i + 4 * w;
            const uint32_t size = bytes - 4 * w < 4 ? bytes - 4 * w : 4;
            uint32_t old = 0;
            __builtin_memcpy(&old, texel, size);
            const uint32_t mask = conversion.masks[w];
            const uint32_t word =
                (old & ~mask) | (static_cast<uint32_t>(words[w].lanes[tile][i]) & mask);
            __builtin_memcpy(texel, &word, size);
        }
    }
}

/// Merges the memory's unwritten bits into the words of a whole tile.
template <uint32_t Bytes>
inline void
keep_bits(Plane* words, uint32_t tile, const LaneConversion& conversion, const uint8_t* target) {
    constexpr uint32_t kWords = Bytes < 4 ? 1 : Bytes / 4;
    Plane old[kWords];
    load_tile<Bytes>(target, 0, old);
    for (uint32_t w = 0; w < kWords; ++w) {
        const I32 written = I32::set1(static_cast<int32_t>(conversion.masks[w]));
        const I32 kept = I32::set1(static_cast<int32_t>(~conversion.masks[w]));
        words[w].set(tile, (words[w].get(tile) & written) | (old[w].get(0) & kept));
    }
}

/// Writes the tiles of a chunk that starts at tile `first` of the row.
inline void store_texels(Plane* words,
                         const LaneConversion& conversion,
                         const TileRow& row,
                         uint32_t first,
                         uint32_t count) {
    bool whole = true;
    for (uint32_t w = 0; w < conversion.to.words; ++w)
        whole &= (~conversion.masks[w] & bits_of_word(conversion.to.bytes, w)) == 0;
    with_bytes(conversion.to.bytes, [&]<uint32_t Bytes>() {
        for (uint32_t t = 0; t < count; ++t) {
            uint8_t* const target = row.target + size_t{row.target_stride} * (first + t);
            const uint32_t lanes = row.columns[first + t] & row.rows;
            if constexpr (Bytes != 0)
                if (lanes == 0xFFFF) {
                    if (!whole)
                        keep_bits<Bytes>(words, t, conversion, target);
                    store_tile<Bytes>(words, t, target);
                    continue;
                }
            store_lanes(words, t, conversion, lanes, target);
        }
    });
}

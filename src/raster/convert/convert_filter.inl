// Linear filters by rows: mix each row of the source along x once, then rows with each other.
// SPDX-License-Identifier: MIT
//
// Included by convert_impl.hpp inside the namespace of a level. Each texel gets the operations of
// blit.cpp, so the bits agree; neighbours share intermediate results.

#ifndef VALKYR_HAS_TILE_ROWS
/// Calls move(tile, word of the tile, row, word of the row) for the pairs of words that four tiles
/// in lane order and their four rows share.
template <typename Move>
inline void for_tile_pairs(const Move& move) {
    for (uint32_t tile = 0; tile < 4; ++tile)
        for (uint32_t row = 0; row < 4; ++row)
            for (uint32_t half = 0; half < 2; ++half)
                move(tile, 8 * (row / 2) + 4 * half + 2 * (row % 2), row, 4 * tile + 2 * half);
}
/// Turns four tiles that lie side by side into the rows of sixteen columns.
inline void tiles_to_rows(I32 (&v)[4]) {
    alignas(64) int32_t tiles[4][16];
    alignas(64) int32_t rows[4][16];
    for (uint32_t k = 0; k < 4; ++k)
        v[k].store(tiles[k]);
    for_tile_pairs([&](uint32_t tile, uint32_t from, uint32_t row, uint32_t to) {
        __builtin_memcpy(&rows[row][to], &tiles[tile][from], 8);
    });
    for (uint32_t k = 0; k < 4; ++k)
        v[k] = I32::load(rows[k]);
}
/// Inverts tiles_to_rows().
inline void rows_to_tiles(I32 (&v)[4]) {
    alignas(64) int32_t tiles[4][16];
    alignas(64) int32_t rows[4][16];
    for (uint32_t k = 0; k < 4; ++k)
        v[k].store(rows[k]);
    for_tile_pairs([&](uint32_t tile, uint32_t to, uint32_t row, uint32_t from) {
        __builtin_memcpy(&tiles[tile][to], &rows[row][from], 8);
    });
    for (uint32_t k = 0; k < 4; ++k)
        v[k] = I32::load(tiles[k]);
}
/// Reads the numbers of a window at given places, 0..31.
inline F32 pick(const float* window, const I32& places) {
    return as_float(gather(reinterpret_cast<const uint8_t*>(window), shift_left<2>(places)));
}
#endif

inline F32 mix(const F32& a, const F32& b, const F32& weight) {
    return fma(weight, b - a, a);
}

/// Puts four tiles of a row of tiles into the rows of a panel.
template <uint32_t Bytes>
inline void take_tiles(const LaneFormat& format,
                       const FilterPanel& panel,
                       uint32_t tile_row,
                       uint32_t first,
                       Plane* words) {
    const uint8_t* const row = panel.source + panel.source_stride * tile_row;
    for (uint32_t t = 0; t < 4; ++t) {
        const uint32_t there = first + t < panel.source_tiles ? first + t : panel.source_tiles - 1;
        const uint8_t* const tile = row + size_t{16} * Bytes * there;
        prefetch(tile + panel.source_stride, 16 * Bytes);
        load_tile<Bytes>(tile, t, words);
    }
    float* const rows = panel.row(4 * tile_row, 0) + size_t{4} * first;
    const auto store = [&](uint32_t y, uint32_t plane, const F32& numbers) {
        numbers.store(rows + size_t{panel.width} * (FilterPanel::kPlanes * y + plane));
    };
    for (uint32_t w = 0; w < format.words; ++w) {
        I32 v[4] = {words[w].get(0), words[w].get(1), words[w].get(2), words[w].get(3)};
        tiles_to_rows(v);
        for (uint32_t y = 0; y < 4; ++y)
            if (panel.decoded)
                words[w].set(y, v[y]);
            else
                store(y, w, as_float(v[y]));
    }
    for (uint32_t c = 0; panel.decoded && c < format.channel_count; ++c) {
        const LaneChannel channel = format.channels[c];
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            for (uint32_t y = 0; y < 4; ++y)
                store(y, c, decode_as<Kind>(words[channel.word].get(y), channel));
        });
    }
}

/// Loads row `number` of the source into the panel, unless it is there.
inline void take_row(const LaneFormat& format, FilterPanel& panel, uint32_t number) {
    const uint32_t tile_row = number / 4;
    uint32_t& held = panel.held_tiles[tile_row % FilterPanel::kSlots];
    if (held == tile_row)
        return;
    held = tile_row;
    Plane words[4];
    with_bytes(format.bytes, [&]<uint32_t Bytes>() {
        if constexpr (Bytes != 0)
            for (uint32_t first = 0; first < panel.source_tiles; first += 4)
                take_tiles<Bytes>(format, panel, tile_row, first, words);
    });
}

/// Mixes a channel of row `number` along x; `texels` has its words or numbers.
template <typename Decode>
inline void mix_row(const FilterPanel& panel,
                    uint32_t number,
                    uint32_t channel,
                    const float* texels,
                    const Decode& decode) {
    // The pointers are copied, because `out` could alias the panel.
    float* const out = panel.mixed_row(number, channel);
    const int32_t* const windows = panel.windows;
    const int32_t* const lefts = panel.columns[0];
    const int32_t* const rights = panel.columns[1];
    const float* const weights = panel.weights;
    const uint32_t strips = panel.strips;
    for (uint32_t strip = 0; strip < strips; ++strip) {
        const size_t column = size_t{FilterPanel::kStrip} * strip;
        const float* const window = texels + windows[strip];
        const F32 left = decode(pick(window, I32::load(lefts + column)));
        const F32 right = decode(pick(window, I32::load(rights + column)));
        mix(left, right, F32::load(weights + column)).store(out + column);
    }
}

/// Mixes all source rows that a row of tiles reads along x, unless the panel has them.
inline void mix_rows(const LaneFormat& format, FilterPanel& panel) {
    for (const auto& rows : panel.rows)
        for (const uint32_t number : rows) {
            uint32_t& held = panel.held_rows[number % FilterPanel::kMixed];
            if (held == number)
                continue;
            held = number;
            take_row(format, panel, number);
            for (uint32_t c = 0; c < format.channel_count; ++c) {
                const LaneChannel channel = format.channels[c];
                if (panel.decoded)
                    mix_row(panel, number, c, panel.row(number, c), [](const F32& v) { return v; });
                else
                    with_kind(channel.kind, [&]<ChannelKind Kind>() {
                        mix_row(panel, number, c, panel.row(number, channel.word),
                                [&](const F32& v) { return decode_as<Kind>(as_int(v), channel); });
                    });
            }
        }
}

/// Computes the filtered numbers of a chunk's tiles from tile `first`, one plane per channel.
inline void filter_tiles(const LaneFormat& format,
                         const FilterPanel& panel,
                         uint32_t first,
                         uint32_t count,
                         Plane* values) {
    for (uint32_t c = 0; c < format.channel_count; ++c) {
        const float* rows[2][4];
        for (uint32_t k = 0; k < 2; ++k)
            for (uint32_t y = 0; y < 4; ++y)
                rows[k][y] = panel.mixed_row(panel.rows[k][y], c) + size_t{4} * first;
        for (uint32_t t = 0; t < count; t += 4) {
            I32 tiles[4];
            for (uint32_t y = 0; y < 4; ++y)
                tiles[y] = as_int(mix(F32::load(rows[0][y] + 4 * t), F32::load(rows[1][y] + 4 * t),
                                      F32::set1(panel.row_weights[y])));
            rows_to_tiles(tiles);
            for (uint32_t k = 0; k < 4; ++k)
                values[c].set(t + k, tiles[k]);
        }
    }
}

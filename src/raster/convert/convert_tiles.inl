// Conversions: convert texels of any plain format to another, some tiles of sixteen at a time.
// SPDX-License-Identifier: MIT
//
// Included by convert_impl.hpp inside the namespace of a level. The operations and their order are
// those of blit.cpp and resolve.cpp, so results agree to the bit. Branches on a format are taken
// once for the tiles of a chunk: texels become planes of words, words become planes of numbers
// channel by channel, and numbers become words.

/// The planes of a chunk.
struct ConvertChunk {
    Plane words[8][4];  ///< source words, by tap
    Plane numbers[3];   ///< values of channels
    Plane filtered[4];  ///< source channel values, if they are filtered by rows
    Plane out[4];       ///< destination words
};

/// Words of the samples that become one tap.
struct SamplePlanes {
    Plane words[exec::kMaxSamples][4];
};

/// Adds bits to the words of texels; the first call for a word sets them.
class WordWriter {
public:
    explicit WordWriter(Plane* words)
        : words_(words) {}

    /// value(tile) gives the bits of a tile's texels.
    template <typename Value>
    void add(uint32_t word, uint32_t count, const Value& value) {
        Plane& plane = words_[word];
        if ((written_ >> word & 1) == 0)
            for (uint32_t t = 0; t < count; ++t)
                plane.set(t, value(t));
        else
            for (uint32_t t = 0; t < count; ++t)
                plane.set(t, plane.get(t) | value(t));
        written_ |= 1U << word;
    }
    /// Clears words that hold no channel.
    void clear_rest(uint32_t words, uint32_t count) {
        for (uint32_t w = 0; w < words; ++w)
            if ((written_ >> w & 1) == 0)
                add(w, count, [](uint32_t) { return I32::set1(0); });
    }

private:
    Plane* words_;
    uint32_t written_ = 0;
};

/// Averages bytes, rounding half up.
inline void average_bytes(const SamplePlanes& samples,
                          const LaneConversion& conversion,
                          uint32_t count,
                          Plane* words) {
    const I32 even = I32::set1(0x00FF00FF);
    const auto half = static_cast<int32_t>(conversion.samples / 2);
    const auto shift = static_cast<uint32_t>(__builtin_ctz(conversion.samples));
    for (uint32_t w = 0; w < conversion.from.words; ++w)
        for (uint32_t t = 0; t < count; ++t) {
            I32 low = I32::set1(half << 16 | half);
            I32 high = low;
            for (uint32_t s = 0; s < conversion.samples; ++s) {
                const I32 word = samples.words[s][w].get(t);
                low = low + (word & even);
                high = high + (shift_right<8>(word) & even);
            }
            words[w].set(t, (shift_down(low, shift) & even) |
                                shift_left<8>(shift_down(high, shift) & even));
        }
}

/// Averages numbers and encodes them in the source's format.
inline void average_numbers(const SamplePlanes& samples,
                            const LaneConversion& conversion,
                            uint32_t count,
                            Plane* words) {
    WordWriter out(words);
    const F32 weight = F32::set1(conversion.sample_weight);
    for (uint32_t c = 0; c < conversion.from.channel_count; ++c) {
        const LaneChannel channel = conversion.from.channels[c];
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            out.add(channel.word, count, [&](uint32_t t) {
                const auto value = [&](uint32_t s) {
                    return decode_as<Kind>(samples.words[s][channel.word].get(t), channel);
                };
                F32 sum = value(0);
                for (uint32_t s = 1; s < conversion.samples; ++s)
                    sum = sum + value(s);
                return encode_as<Kind>(sum * weight, channel, conversion);
            });
        });
    }
    out.clear_rest(conversion.from.words, count);
}

/// Finds the texels that tap `tap` reads.
inline void find_places(const LaneConversion& conversion,
                        const TileRow& row,
                        uint32_t first,
                        uint32_t count,
                        uint32_t tap,
                        TexelPlaces& places) {
    places.base = tap < 4 ? row.source : row.behind;
    places.side_by_side = 0;
    const I32 down = I32::load(row.down[tap >> 1 & 1]);
    const I32 step = lane_numbers() * I32::set1(conversion.from.bytes);
    for (uint32_t t = 0; t < count; ++t) {
        const I32 offsets = I32::load(row.across[tap & 1] + 16 * (first + t)) + down;
        places.offsets.set(t, offsets);
        const I32 expected = I32::set1(places.offsets.lanes[t][0]) + step;
        places.side_by_side |= static_cast<uint32_t>(equal(offsets, expected) == 0xFFFF) << t;
    }
}

/// Loads one tap of each texel; several samples become one.
inline void load_tap(const LaneConversion& conversion,
                     const TileRow& row,
                     uint32_t first,
                     uint32_t count,
                     uint32_t tap,
                     ConvertChunk& chunk) {
    TexelPlaces places;
    find_places(conversion, row, first, count, tap, places);
    if (conversion.samples == 1) {
        load_texels(places, conversion, count, &chunk.words[tap]);
        return;
    }
    SamplePlanes samples;
    load_texels(places, conversion, count, samples.words);
    if (conversion.averages_bytes)
        average_bytes(samples, conversion, count, chunk.words[tap]);
    else
        average_numbers(samples, conversion, count, chunk.words[tap]);
}

/// Loads all taps of a row whose texels are means of four.
inline void load_halved_taps(const LaneConversion& conversion,
                             const TileRow& row,
                             uint32_t first,
                             uint32_t count,
                             Plane (*words)[4]) {
    const size_t bytes = size_t{conversion.from.bytes} * 32;  // two tiles
    const auto behind = row.behind != nullptr ? row.behind - row.source : 0;
    with_bytes(conversion.from.bytes, [&]<uint32_t Bytes>() {
        if constexpr (Bytes != 0)
            for (uint32_t t = 0; t < count; ++t) {
                const uint8_t* upper = row.halved[0] + bytes * (first + t);
                const uint8_t* lower = row.halved[1] + bytes * (first + t);
                load_halved<Bytes>(upper, lower, t, words);
                if (row.behind != nullptr)
                    load_halved<Bytes>(upper + behind, lower + behind, t, words + 4);
            }
    });
}

/// Computes the values of a channel: one tap, the mix of four, or the mix of eight.
template <ChannelKind Kind>
inline void decode_plane(const ConvertChunk& chunk,
                         const LaneChannel& channel,
                         const TileRow& row,
                         uint32_t first,
                         uint32_t count,
                         Plane& out) {
    const uint32_t word = channel.word;
    const auto decode = [&](uint32_t tap, uint32_t t) {
        return decode_as<Kind>(chunk.words[tap][word].get(t), channel);
    };
    if (row.across_weights == nullptr) {
        for (uint32_t t = 0; t < count; ++t)
            out.set(t, decode(0, t));
        return;
    }
    const F32 down = F32::load(row.down_weights);
    const F32 behind = F32::set1(row.behind_weight);
    for (uint32_t t = 0; t < count; ++t) {
        const F32 across = F32::load(row.across_weights + 16 * (first + t));
        const auto plane = [&](uint32_t tap) {
            const F32 upper = mix(decode(tap, t), decode(tap + 1, t), across);
            return mix(upper, mix(decode(tap + 2, t), decode(tap + 3, t), across), down);
        };
        F32 value = plane(0);
        if (row.behind != nullptr)
            value = mix(value, plane(4), behind);
        out.set(t, value);
    }
}

/// Returns the values of destination channel c: in `out`, or in the plane that holds them already.
inline const Plane& decode_channel(const ConvertChunk& chunk,
                                   const LaneConversion& conversion,
                                   const TileRow& row,
                                   uint32_t first,
                                   uint32_t count,
                                   uint32_t c,
                                   Plane& out) {
    const int source = conversion.from.source[conversion.to.channels[c].component];
    if (source < 0) {
        const I32 constant = I32::set1(source == -2 ? conversion.one : 0);
        for (uint32_t t = 0; t < count; ++t)
            out.set(t, constant);
        return out;
    }
    if (row.panel != nullptr)
        return chunk.filtered[source];
    const LaneChannel channel = conversion.from.channels[source];
    with_kind(channel.kind, [&]<ChannelKind Kind>() {
        decode_plane<Kind>(chunk, channel, row, first, count, out);
    });
    return out;
}

/// Moves codes of the source to their places in the destination.
inline void move_codes(ConvertChunk& chunk, const LaneConversion& conversion, uint32_t count) {
    WordWriter out(chunk.out);
    for (uint32_t c = 0; c < conversion.to.channel_count; ++c) {
        const uint32_t up = conversion.to.channels[c].shift;
        const LaneMove& move = conversion.moves[c];
        const I32 constant = shift_up(I32::set1(move.constant), up);
        if (move.channel < 0) {
            out.add(conversion.to.channels[c].word, count, [&](uint32_t) { return constant; });
            continue;
        }
        const LaneChannel channel = conversion.from.channels[move.channel];
        const Plane& words = chunk.words[0][channel.word];
        out.add(conversion.to.channels[c].word, count,
                [&](uint32_t t) { return shift_up(extract(words.get(t), channel), up); });
    }
    out.clear_rest(conversion.to.words, count);
}

inline void convert_numbers(ConvertChunk& chunk,
                            const LaneConversion& conversion,
                            const TileRow& row,
                            uint32_t first,
                            uint32_t count) {
    Plane* const numbers = chunk.numbers;
    if (conversion.to.channels[0].kind == ChannelKind::SharedExponent) {
        const Plane* values[3];
        for (uint32_t c = 0; c < 3; ++c)
            values[c] = &decode_channel(chunk, conversion, row, first, count, c, numbers[c]);
        for (uint32_t t = 0; t < count; ++t)
            chunk.out[0].set(t, encode_shared_exponent(values[0]->number(t), values[1]->number(t),
                                                       values[2]->number(t)));
        return;
    }
    WordWriter out(chunk.out);
    for (uint32_t c = 0; c < conversion.to.channel_count; ++c) {
        const Plane& values = decode_channel(chunk, conversion, row, first, count, c, numbers[0]);
        const LaneChannel channel = conversion.to.channels[c];
        with_kind(channel.kind, [&]<ChannelKind Kind>() {
            out.add(channel.word, count, [&](uint32_t t) {
                return encode_as<Kind>(values.number(t), channel, conversion);
            });
        });
    }
    out.clear_rest(conversion.to.words, count);
}

/// Does convert_tiles() for a filter by rows.
inline void convert_filtered(const LaneConversion& conversion, const TileRow& row) noexcept {
    mix_rows(conversion.from, *row.panel);
    ConvertChunk chunk;
    for (uint32_t first = 0; first < row.count; first += kChunkTiles) {
        const uint32_t left = row.count - first;
        const uint32_t count = left < kChunkTiles ? left : kChunkTiles;
        filter_tiles(conversion.from, *row.panel, first, count, chunk.filtered);
        convert_numbers(chunk, conversion, row, first, count);
        store_texels(chunk.out, conversion, row, first, count);
    }
}

inline void convert_tiles(const LaneConversion& conversion, const TileRow& row) noexcept {
    if (row.panel != nullptr) {
        convert_filtered(conversion, row);
        return;
    }
    const bool filters = row.across_weights != nullptr;
    const bool moves =
        !filters && (conversion.samples > 1 ? conversion.moves_averages : conversion.moves_codes);
    const uint32_t taps = row.behind != nullptr ? 8 : filters ? 4 : 1;
    ConvertChunk chunk;
    for (uint32_t first = 0; first < row.count;) {
        const bool halves = first < row.halved_count;
        const uint32_t left = (halves ? row.halved_count : row.count) - first;
        const uint32_t count = left < kChunkTiles ? left : kChunkTiles;
        if (halves)
            load_halved_taps(conversion, row, first, count, chunk.words);
        else
            for (uint32_t tap = 0; tap < taps; ++tap)
                load_tap(conversion, row, first, count, tap, chunk);
        if (conversion.copies) {
            store_texels(chunk.words[0], conversion, row, first, count);
        } else {
            if (moves)
                move_codes(chunk, conversion, count);
            else
                convert_numbers(chunk, conversion, row, first, count);
            store_texels(chunk.out, conversion, row, first, count);
        }
        first += count;
    }
}

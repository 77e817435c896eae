// Block decoding: decodes ETC2 colours and EAC (GL 4.6 appendix C.1).
// SPDX-License-Identifier: MIT
//
// The bytes of these blocks form one big-endian word; texels are numbered down the columns.
#include "raster/formats/block_formats.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

uint64_t load_big_endian(const uint8_t* bytes) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i)
        word = word << 8 | bytes[i];
    return word;
}

/// Returns bits high..low of the word.
unsigned field(uint64_t word, unsigned high, unsigned low) {
    return static_cast<unsigned>(word >> low & ((uint64_t{1} << (high - low + 1)) - 1));
}

using Color = std::array<int, 3>;

uint8_t to_byte(int value) {
    return static_cast<uint8_t>(std::clamp(value, 0, 255));
}

using Lanes = int16_t __attribute__((vector_size(16)));

/// Clamps the values to bytes.
std::array<uint8_t, 8> to_bytes(const Lanes& values) {
    using Bytes = uint8_t __attribute__((vector_size(8)));
    const Lanes above = values > 255;
    const Lanes limited = ((values & ~above) | (above & 255)) & (values >= 0);
    const Bytes bytes = __builtin_convertvector(limited, Bytes);
    std::array<uint8_t, 8> result;
    std::memcpy(result.data(), &bytes, sizeof(bytes));
    return result;
}

/// Returns an opaque colour plus each of two offsets.
std::array<Rgba8, 2> offset_colors(const Color& color, int first, int second) {
    const auto half = [](int value) { return static_cast<int16_t>(value); };
    const int16_t r = half(color[0]);
    const int16_t g = half(color[1]);
    const int16_t b = half(color[2]);
    const Lanes base{r, g, b, 255, r, g, b, 255};
    const Lanes offsets{half(first),  half(first),  half(first),  0,
                        half(second), half(second), half(second), 0};
    std::array<Rgba8, 2> colors;
    const std::array<uint8_t, 8> bytes = to_bytes(base + offsets);
    std::memcpy(colors.data(), bytes.data(), sizeof(colors));
    return colors;
}

int widen4(unsigned v) {
    return static_cast<int>(v * 17);
}
int widen5(unsigned v) {
    return static_cast<int>(v << 3 | v >> 2);
}
int widen6(unsigned v) {
    return static_cast<int>(v << 2 | v >> 4);
}
int widen7(unsigned v) {
    return static_cast<int>(v << 1 | v >> 6);
}

/// Moves the bits of a half-word to the even bits of a word.
uint32_t spread(uint32_t bits) {
    bits = (bits | bits << 8) & 0x00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
}

/// Pixel indices 0..3 of the texels: low bits in 15:0 of the block, high bits in 31:16.
class PixelIndices {
public:
    explicit PixelIndices(uint64_t word)
        : pairs_(spread(field(word, 15, 0)) | spread(field(word, 31, 16)) << 1) {}
    [[nodiscard]] unsigned at(unsigned x, unsigned y) const {
        return pairs_ >> (2 * (4 * x + y)) & 3;
    }

private:
    uint32_t pairs_;
};

constexpr Rgba8 kTransparent{0, 0, 0, 0};

/// Small and large step of each intensity table.
constexpr std::array<std::array<int, 2>, 8> kSteps{
    {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}};

/// Distances of the T and H modes.
constexpr std::array<int, 8> kDistances{3, 6, 11, 16, 23, 32, 41, 64};

/// Decodes two halves with one base colour each; indices choose a step up or down. Punch-through
/// blocks that are not opaque have no small steps, and index 2 is transparent.
void decode_halves(uint64_t word,
                   const std::array<Color, 2>& base,
                   bool has_holes,
                   RgbaBlock& out) {
    const bool flipped = field(word, 32, 32) != 0;
    const std::array<unsigned, 2> table{field(word, 39, 37), field(word, 36, 34)};
    std::array<std::array<Rgba8, 4>, 2> palettes;
    for (unsigned half = 0; half < 2; ++half) {
        const auto& steps = kSteps[table[half]];
        const int small = has_holes ? 0 : steps[0];
        const auto up = offset_colors(base[half], small, steps[1]);
        const auto down = offset_colors(base[half], -small, -steps[1]);
        palettes[half] = {up[0], up[1], has_holes ? kTransparent : down[0], down[1]};
    }
    const PixelIndices indices(word);
    const std::array<std::array<Rgba8, 4>, 2> corners{palettes[flipped ? 0 : 1],
                                                      palettes[flipped ? 1 : 0]};
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            const auto& palette = x / 2 == y / 2 ? palettes[x / 2] : corners[y / 2];
            out[4 * y + x] = palette[indices.at(x, y)];
        }
}

/// Decodes texels that choose one of four colours by index.
void decode_palette(uint64_t word,
                    const std::array<Rgba8, 4>& palette,
                    bool has_holes,
                    RgbaBlock& out) {
    const PixelIndices indices(word);
    std::array<Rgba8, 4> colors = palette;
    if (has_holes)
        colors[2] = kTransparent;
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x)
            out[4 * y + x] = colors[indices.at(x, y)];
}

void decode_t(uint64_t word, bool has_holes, RgbaBlock& out) {
    const Color first{widen4(field(word, 60, 59) << 2 | field(word, 57, 56)),
                      widen4(field(word, 55, 52)), widen4(field(word, 51, 48))};
    const Color second{widen4(field(word, 47, 44)), widen4(field(word, 43, 40)),
                       widen4(field(word, 39, 36))};
    const int d = kDistances[field(word, 35, 34) << 1 | field(word, 32, 32)];
    const auto same = offset_colors(first, 0, 0);
    const auto raised = offset_colors(second, d, 0);
    const auto lowered = offset_colors(second, -d, 0);
    decode_palette(word, {same[0], raised[0], raised[1], lowered[0]}, has_holes, out);
}

void decode_h(uint64_t word, bool has_holes, RgbaBlock& out) {
    const Color first{widen4(field(word, 62, 59)),
                      widen4(field(word, 58, 56) << 1 | field(word, 52, 52)),
                      widen4(field(word, 51, 51) << 3 | field(word, 49, 47))};
    const Color second{widen4(field(word, 46, 43)), widen4(field(word, 42, 39)),
                       widen4(field(word, 38, 35))};
    // The order of the two colours gives the lowest bit of the distance.
    const bool ordered = first >= second;
    const int d =
        kDistances[field(word, 34, 34) << 2 | field(word, 32, 32) << 1 | (ordered ? 1U : 0U)];
    const auto a = offset_colors(first, d, -d);
    const auto b = offset_colors(second, d, -d);
    decode_palette(word, {a[0], a[1], b[0], b[1]}, has_holes, out);
}

/// Decodes a plane through three colours: at the origin, 4 texels right of it and 4 below.
void decode_planar(uint64_t word, RgbaBlock& out) {
    const Color o{
        widen6(field(word, 62, 57)), widen7(field(word, 56, 56) << 6 | field(word, 54, 49)),
        widen6(field(word, 48, 48) << 5 | field(word, 44, 43) << 3 | field(word, 41, 39))};
    const Color h{widen6(field(word, 38, 34) << 1 | field(word, 32, 32)),
                  widen7(field(word, 31, 25)), widen6(field(word, 24, 19))};
    const Color v{widen6(field(word, 18, 13)), widen7(field(word, 12, 6)),
                  widen6(field(word, 5, 0))};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
            Rgba8& texel = out[static_cast<unsigned>(4 * y + x)];
            for (unsigned c = 0; c < 3; ++c)
                texel[c] = to_byte((x * (h[c] - o[c]) + y * (v[c] - o[c]) + 4 * o[c] + 2) >> 2);
            texel[3] = 255;
        }
}

/// Decodes individual mode: 4 bits a channel for each half.
void decode_individual(uint64_t word, RgbaBlock& out) {
    std::array<Color, 2> base;
    for (unsigned c = 0; c < 3; ++c) {
        base[0][c] = widen4(field(word, 63 - 8 * c, 60 - 8 * c));
        base[1][c] = widen4(field(word, 59 - 8 * c, 56 - 8 * c));
    }
    decode_halves(word, base, false, out);
}

/// Decodes differential mode: 5 bits and a signed 3-bit difference a channel; a sum out of range
/// selects another mode, depending on the channel.
void decode_differential(uint64_t word, bool has_holes, RgbaBlock& out) {
    std::array<Color, 2> base;
    for (unsigned c = 0; c < 3; ++c) {
        const unsigned first = field(word, 63 - 8 * c, 59 - 8 * c);
        const auto difference = static_cast<int>(field(word, 58 - 8 * c, 56 - 8 * c) ^ 4) - 4;
        const int second = static_cast<int>(first) + difference;
        if (second < 0 || second > 31) {
            if (c == 0)
                return decode_t(word, has_holes, out);
            if (c == 1)
                return decode_h(word, has_holes, out);
            return decode_planar(word, out);
        }
        base[0][c] = widen5(first);
        base[1][c] = widen5(static_cast<unsigned>(second));
    }
    decode_halves(word, base, has_holes, out);
}

/// EAC modifiers.
constexpr std::array<std::array<int16_t, 8>, 16> kModifiers{{{-3, -6, -9, -15, 2, 5, 8, 14},
                                                             {-3, -7, -10, -13, 2, 6, 9, 12},
                                                             {-2, -5, -8, -13, 1, 4, 7, 12},
                                                             {-2, -4, -6, -13, 1, 3, 5, 12},
                                                             {-3, -6, -8, -12, 2, 5, 7, 11},
                                                             {-3, -7, -9, -11, 2, 6, 8, 10},
                                                             {-4, -7, -8, -11, 3, 6, 7, 10},
                                                             {-3, -5, -8, -11, 2, 4, 7, 10},
                                                             {-2, -6, -8, -10, 1, 5, 7, 9},
                                                             {-2, -5, -8, -10, 1, 4, 7, 9},
                                                             {-2, -4, -8, -10, 1, 3, 7, 9},
                                                             {-2, -5, -7, -10, 1, 4, 6, 9},
                                                             {-3, -4, -7, -10, 2, 3, 6, 9},
                                                             {-1, -2, -3, -10, 0, 1, 2, 9},
                                                             {-4, -6, -8, -9, 3, 5, 7, 8},
                                                             {-3, -5, -7, -9, 2, 4, 6, 8}}};

/// Returns the texels of an EAC block: each is one of eight values.
template <typename T>
std::array<T, 16> eac_texels(uint64_t word, const std::array<T, 8>& values) {
    std::array<T, 16> out;
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x)
            out[4 * y + x] = values[word >> (45 - 3 * (4 * x + y)) & 7];
    return out;
}

/// Decodes an 11-bit channel: base, steps of 8 (1 with multiplier 0), limits.
template <typename Convert>
auto decode_eac(const uint8_t* block, int base, int low, int high, Convert convert) {
    const uint64_t word = load_big_endian(block);
    const auto multiplier = static_cast<int>(field(word, 55, 52));
    const int step = multiplier == 0 ? 1 : 8 * multiplier;
    const std::array<int16_t, 8>& modifiers = kModifiers[field(word, 51, 48)];
    std::array<decltype(convert(0)), 8> values;
    for (unsigned i = 0; i < values.size(); ++i)
        values[i] = convert(std::clamp(base + modifiers[i] * step, low, high));
    return eac_texels(word, values);
}

}  // namespace

void decode_etc2_colors(const uint8_t* block, bool punch_through, RgbaBlock& out) noexcept {
    const uint64_t word = load_big_endian(block);
    const bool differential = field(word, 33, 33) != 0;
    if (punch_through)
        decode_differential(word, !differential, out);
    else if (differential)
        decode_differential(word, false, out);
    else
        decode_individual(word, out);
}

std::array<uint8_t, 16> decode_eac_alpha(const uint8_t* block) noexcept {
    const uint64_t word = load_big_endian(block);
    const auto base = static_cast<int>(field(word, 63, 56));
    const auto multiplier = static_cast<int>(field(word, 55, 52));
    Lanes modifiers;
    std::memcpy(&modifiers, kModifiers[field(word, 51, 48)].data(), sizeof(modifiers));
    return eac_texels(
        word, to_bytes(modifiers * static_cast<int16_t>(multiplier) + static_cast<int16_t>(base)));
}

std::array<uint16_t, 16> decode_eac_unsigned(const uint8_t* block) noexcept {
    return decode_eac(block, block[0] * 8 + 4, 0, 2047,
                      [](int value) { return static_cast<uint16_t>(value << 5 | value >> 6); });
}

std::array<int16_t, 16> decode_eac_signed(const uint8_t* block) noexcept {
    const int base = std::max<int>(static_cast<int8_t>(block[0]), -127) * 8;
    return decode_eac(block, base, -1023, 1023, [](int value) {
        const int magnitude = value < 0 ? -value : value;
        const int wide = magnitude << 5 | magnitude >> 5;
        return static_cast<int16_t>(value < 0 ? -wide : wide);
    });
}

}  // namespace valkyr::raster

// ETC2 and EAC: decodes blocks mode by mode (OpenGL 4.6 appendix C.1).
// SPDX-License-Identifier: MIT
#include "tests/oracle/block_etc.hpp"

#include <algorithm>

namespace valkyr::reference {
namespace {

using Color = std::array<int, 3>;
using Texels = std::array<std::array<uint8_t, 4>, 16>;

/// The 64 bits of a block, the first byte highest.
class Word {
public:
    explicit Word(const uint8_t* block) {
        for (unsigned i = 0; i < 8; i++)
            bits_ = bits_ << 8 | block[i];
    }
    [[nodiscard]] int field(unsigned high, unsigned low) const {
        return static_cast<int>(bits_ >> low & ((uint64_t{1} << (high - low + 1)) - 1));
    }
    [[nodiscard]] int signed3(unsigned high) const {
        const int value = field(high, high - 2);
        return value < 4 ? value : value - 8;
    }
    /// The two-bit index of a texel; texels are in column order.
    [[nodiscard]] int index(unsigned x, unsigned y) const {
        const unsigned i = 4 * x + y;
        return field(16 + i, 16 + i) * 2 + field(i, i);
    }

private:
    uint64_t bits_ = 0;
};

uint8_t byte(int value) {
    return static_cast<uint8_t>(std::clamp(value, 0, 255));
}
int from4(int v) {
    return v * 17;
}
int from5(int v) {
    return v << 3 | v >> 2;
}
int from6(int v) {
    return v << 2 | v >> 4;
}
int from7(int v) {
    return v << 1 | v >> 6;
}

constexpr int kModifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                  {18, 60}, {24, 80}, {33, 106}, {47, 183}};
constexpr int kDistances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

void put(Texels& out, unsigned x, unsigned y, const Color& color, int offset) {
    for (size_t c = 0; c < 3; c++)
        out[4 * y + x][c] = byte(color[c] + offset);
    out[4 * y + x][3] = 255;
}

/// Decodes two halves, each with a base colour.
void halves(const Word& w, const std::array<Color, 2>& bases, bool opaque, Texels& out) {
    const bool flip = w.field(32, 32) != 0;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) {
            const size_t half = flip ? y / 2 : x / 2;
            const auto& row = kModifiers[half == 0 ? w.field(39, 37) : w.field(36, 34)];
            const int index = w.index(x, y);
            const int small = opaque ? row[0] : 0;
            const int offsets[] = {small, row[1], -small, -row[1]};
            if (!opaque && index == 2)
                out[4 * y + x] = {};
            else
                put(out, x, y, bases[half], offsets[index]);
        }
}

/// Decodes T and H blocks, which have four colours.
void paints(const Word& w,
            const std::array<Color, 4>& colors,
            const std::array<int, 4>& offsets,
            bool opaque,
            Texels& out) {
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) {
            const auto index = static_cast<size_t>(w.index(x, y));
            if (!opaque && index == 2)
                out[4 * y + x] = {};
            else
                put(out, x, y, colors[index], offsets[index]);
        }
}

void t_block(const Word& w, bool opaque, Texels& out) {
    const Color a{from4(w.field(60, 59) << 2 | w.field(57, 56)), from4(w.field(55, 52)),
                  from4(w.field(51, 48))};
    const Color b{from4(w.field(47, 44)), from4(w.field(43, 40)), from4(w.field(39, 36))};
    const int d = kDistances[w.field(35, 34) << 1 | w.field(32, 32)];
    paints(w, {a, b, b, b}, {0, d, 0, -d}, opaque, out);
}

void h_block(const Word& w, bool opaque, Texels& out) {
    const Color a{from4(w.field(62, 59)), from4(w.field(58, 56) << 1 | w.field(52, 52)),
                  from4(w.field(51, 51) << 3 | w.field(49, 47))};
    const Color b{from4(w.field(46, 43)), from4(w.field(42, 39)), from4(w.field(38, 35))};
    const int order = a >= b ? 1 : 0;
    const int d = kDistances[w.field(34, 34) << 2 | w.field(32, 32) << 1 | order];
    paints(w, {a, a, b, b}, {d, -d, d, -d}, opaque, out);
}

void planar(const Word& w, Texels& out) {
    const Color o{from6(w.field(62, 57)), from7(w.field(56, 56) << 6 | w.field(54, 49)),
                  from6(w.field(48, 48) << 5 | w.field(44, 43) << 3 | w.field(41, 39))};
    const Color h{from6(w.field(38, 34) << 1 | w.field(32, 32)), from7(w.field(31, 25)),
                  from6(w.field(24, 19))};
    const Color v{from6(w.field(18, 13)), from7(w.field(12, 6)), from6(w.field(5, 0))};
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            auto& texel = out[static_cast<size_t>(4 * y + x)];
            for (size_t c = 0; c < 3; c++)
                texel[c] = byte((x * (h[c] - o[c]) + y * (v[c] - o[c]) + 4 * o[c] + 2) >> 2);
            texel[3] = 255;
        }
}

constexpr int kEac[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

/// The modifier of a texel, without the multiplier.
int eac_modifier(const Word& w, unsigned texel) {
    const unsigned i = texel % 4 * 4 + texel / 4;
    return kEac[w.field(51, 48)][w.field(47 - 3 * i, 45 - 3 * i)];
}

}  // namespace

Texels decode_etc2(const uint8_t* block, bool punch_through) {
    Texels out{};
    const Word w(block);
    const bool bit33 = w.field(33, 33) != 0;
    const bool opaque = !punch_through || bit33;
    if (!punch_through && !bit33) {
        halves(w,
               {{{from4(w.field(63, 60)), from4(w.field(55, 52)), from4(w.field(47, 44))},
                 {from4(w.field(59, 56)), from4(w.field(51, 48)), from4(w.field(43, 40))}}},
               true, out);
        return out;
    }
    const Color a{w.field(63, 59), w.field(55, 51), w.field(47, 43)};
    const Color b{a[0] + w.signed3(58), a[1] + w.signed3(50), a[2] + w.signed3(42)};
    const auto outside = [](int v) { return v < 0 || v > 31; };
    if (outside(b[0]))
        t_block(w, opaque, out);
    else if (outside(b[1]))
        h_block(w, opaque, out);
    else if (outside(b[2]))
        planar(w, out);
    else
        halves(w,
               {{{from5(a[0]), from5(a[1]), from5(a[2])}, {from5(b[0]), from5(b[1]), from5(b[2])}}},
               opaque, out);
    return out;
}

std::array<uint8_t, 16> decode_eac_alpha8(const uint8_t* block) {
    const Word w(block);
    std::array<uint8_t, 16> out{};
    for (unsigned i = 0; i < 16; i++)
        out[i] = byte(w.field(63, 56) + eac_modifier(w, i) * w.field(55, 52));
    return out;
}

std::array<uint16_t, 16> decode_eac11(const uint8_t* block, bool is_signed) {
    const Word w(block);
    const int multiplier = w.field(55, 52) == 0 ? 1 : 8 * w.field(55, 52);
    int base = w.field(63, 56);
    if (is_signed)
        base = std::max(base < 128 ? base : base - 256, -127);
    std::array<uint16_t, 16> out{};
    for (unsigned i = 0; i < 16; i++) {
        const int value = base * 8 + (is_signed ? 0 : 4) + eac_modifier(w, i) * multiplier;
        if (!is_signed) {
            const int v = std::clamp(value, 0, 2047);
            out[i] = static_cast<uint16_t>(v << 5 | v >> 6);
            continue;
        }
        const int v = std::clamp(value, -1023, 1023);
        const int size = v < 0 ? -v : v;
        const int wide = size << 5 | size >> 5;
        out[i] = static_cast<uint16_t>(v < 0 ? -wide : wide);
    }
    return out;
}

}  // namespace valkyr::reference

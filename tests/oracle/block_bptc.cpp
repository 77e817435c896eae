// BPTC: decodes blocks by the text of GL_ARB_texture_compression_bptc.
// SPDX-License-Identifier: MIT
#include "tests/oracle/block_bptc.hpp"

#include "tests/oracle/block_bptc_tables.hpp"

#include <algorithm>
#include <cstdlib>

namespace valkyr::reference {
namespace {

/// The block's bits, lowest first.
class Bits {
public:
    explicit Bits(const uint8_t* block)
        : block_(block) {}
    unsigned take(unsigned count) {
        unsigned value = 0;
        for (unsigned i = 0; i < count; i++, at_++)
            value |= (block_[at_ / 8] >> at_ % 8 & 1U) << i;
        return value;
    }

private:
    const uint8_t* block_;
    unsigned at_ = 0;
};

unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel) {
    if (subsets == 1)
        return 0;
    const auto& table = subsets == 2 ? bptc::kTwoSubsets : bptc::kThreeSubsets;
    return static_cast<unsigned>(table[partition][texel] - '0');
}

bool is_anchor(unsigned subsets, unsigned partition, unsigned texel) {
    if (texel == 0)
        return true;
    if (subsets == 2)
        return texel == bptc::kAnchor2[partition];
    return subsets == 3 &&
           (texel == bptc::kAnchor3a[partition] || texel == bptc::kAnchor3b[partition]);
}

int weight(unsigned bits, unsigned index) {
    static constexpr int k2[] = {0, 21, 43, 64};
    static constexpr int k3[] = {0, 9, 18, 27, 37, 46, 55, 64};
    static constexpr int k4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    return bits == 2 ? k2[index] : bits == 3 ? k3[index] : k4[index];
}

int mix(int a, int b, int w) {
    return (a * (64 - w) + b * w + 32) >> 6;
}

using Indices = std::array<unsigned, 16>;

Indices read_indices(Bits& bits, unsigned count, unsigned subsets, unsigned partition) {
    Indices indices{};
    for (unsigned i = 0; i < 16 && count != 0; i++)
        indices[i] = bits.take(count - (is_anchor(subsets, partition, i) ? 1 : 0));
    return indices;
}

/// The two end points of each subset.
using Ends = std::array<std::array<int, 4>, 6>;

Ends read_ends(Bits& bits, const bptc::UnormMode& mode) {
    const unsigned count = 2 * mode.subsets;
    std::array<std::array<unsigned, 4>, 6> raw{};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < count; e++)
            raw[e][c] = bits.take(c < 3 ? mode.color_bits : mode.alpha_bits);
    std::array<unsigned, 6> p{};
    for (unsigned e = 0; e < count && mode.endpoint_p != 0; e++)
        p[e] = bits.take(1);
    for (unsigned s = 0; s < mode.subsets && mode.shared_p != 0; s++)
        p[2 * s] = p[2 * s + 1] = bits.take(1);
    const unsigned extra = mode.endpoint_p + mode.shared_p;
    Ends ends{};
    for (unsigned e = 0; e < count; e++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned width = (c < 3 ? mode.color_bits : mode.alpha_bits);
            if (width == 0) {
                ends[e][c] = 255;
                continue;
            }
            const unsigned value = extra != 0 ? raw[e][c] << 1 | p[e] : raw[e][c];
            const unsigned high = value << (8 - width - extra);
            ends[e][c] = static_cast<int>(high | high >> (width + extra));
        }
    return ends;
}

}  // namespace

std::array<std::array<uint8_t, 4>, 16> decode_bptc_unorm(const uint8_t* block) {
    std::array<std::array<uint8_t, 4>, 16> texels{};
    Bits bits(block);
    unsigned number = 0;
    while (number < 8 && bits.take(1) == 0)
        number++;
    if (number == 8)
        return texels;
    const bptc::UnormMode& mode = bptc::kUnormModes[number];
    const unsigned partition = bits.take(mode.partition_bits);
    const unsigned rotation = bits.take(mode.rotation_bits);
    const bool swapped = bits.take(mode.selection_bits) != 0;
    const Ends ends = read_ends(bits, mode);
    const Indices first = read_indices(bits, mode.index_bits, mode.subsets, partition);
    const Indices second = read_indices(bits, mode.second_bits, 1, 0);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned e = 2 * subset_of(mode.subsets, partition, i);
        const bool two = mode.second_bits != 0;
        const int w1 = weight(mode.index_bits, first[i]);
        const int w2 = two ? weight(mode.second_bits, second[i]) : w1;
        const int color = swapped ? w2 : w1;
        const int alpha = two && !swapped ? w2 : w1;
        for (unsigned c = 0; c < 4; c++)
            texels[i][c] =
                static_cast<uint8_t>(mix(ends[e][c], ends[e + 1][c], c < 3 ? color : alpha));
        if (rotation != 0)
            std::swap(texels[i][3], texels[i][rotation - 1]);
    }
    return texels;
}

namespace {

/// Values of the layout's variables: "rgb" by end point.
using Variables = std::array<std::array<int, 3>, 4>;

/// Reads one element of a layout, such as "r0[9:0]" or "b3[4]", from the next bits.
void read_element(Bits& bits, std::string_view element, Variables& values) {
    const size_t open = element.find('[');
    const size_t colon = element.find(':');
    const int first = std::atoi(element.data() + open + 1);
    const int last =
        colon == std::string_view::npos ? first : std::atoi(element.data() + colon + 1);
    // In "9:0", the lowest bit of the number comes first.
    const int step = first > last ? 1 : -1;
    for (int bit = last;; bit += step) {
        const int value = static_cast<int>(bits.take(1)) << bit;
        if (element[0] != 'm')
            values[static_cast<size_t>(element[1] - '0')]
                  [std::string_view("rgb").find(element[0])] |= value;
        if (bit == first)
            break;
    }
}

int sign_extended(int value, unsigned bits) {
    const int sign = 1 << (bits - 1);
    return (value & ((1 << bits) - 1)) >= sign ? value - (1 << bits) : value;
}

int unquantized(int x, unsigned bits, bool is_signed) {
    if (!is_signed) {
        if (bits >= 15 || x == 0)
            return x;
        return x == (1 << bits) - 1 ? 0xFFFF : ((x << 15) + 0x4000) >> (bits - 1);
    }
    if (bits >= 16)
        return x;
    const int size = std::abs(x);
    int result = 0;
    if (size >= (1 << (bits - 1)) - 1)
        result = 0x7FFF;
    else if (size != 0)
        result = ((size << 15) + 0x4000) >> (bits - 1);
    return x < 0 ? -result : result;
}

uint16_t to_half(int value, bool is_signed) {
    if (!is_signed)
        return static_cast<uint16_t>(value * 31 / 64);
    const int size = std::abs(value) * 31 / 32;
    // A result of 0 has no sign (docs/rules/formats.md).
    return static_cast<uint16_t>(value < 0 && size != 0 ? size | 0x8000 : size);
}

void set_ends(const bptc::FloatMode& mode, bool is_signed, Variables& values) {
    const unsigned bits = mode.endpoint_bits;
    for (size_t c = 0; c < 3; c++) {
        const int base = values[0][c];
        if (is_signed)
            values[0][c] = sign_extended(base, bits);
        for (size_t e = 1; e < 4; e++) {
            int& x = values[e][c];
            if (mode.transformed) {
                x = (base + sign_extended(x, mode.delta_bits[c])) & ((1 << bits) - 1);
            }
            if (is_signed)
                x = sign_extended(x, bits);
        }
        for (std::array<int, 3>& end : values)
            end[c] = unquantized(end[c], bits, is_signed);
    }
}

}  // namespace

std::array<std::array<uint16_t, 3>, 16> decode_bptc_float(const uint8_t* block, bool is_signed) {
    std::array<std::array<uint16_t, 3>, 16> texels{};
    const unsigned low = block[0] & 3U;
    const unsigned number = low < 2 ? low : block[0] & 31U;
    const auto* mode = std::find_if(bptc::kFloatModes.begin(), bptc::kFloatModes.end(),
                                    [&](const auto& m) { return m.number == number; });
    if (mode == bptc::kFloatModes.end())
        return texels;
    Bits bits(block);
    Variables values{};
    std::string_view layout = mode->layout;
    while (!layout.empty()) {
        const size_t comma = std::min(layout.find(','), layout.size());
        read_element(bits, layout.substr(0, comma), values);
        layout.remove_prefix(std::min(comma + 1, layout.size()));
    }
    const unsigned partition = bits.take(mode->partition_bits);
    const unsigned subsets = mode->partition_bits != 0 ? 2 : 1;
    set_ends(*mode, is_signed, values);
    const unsigned index_bits = subsets == 2 ? 3 : 4;
    const Indices indices = read_indices(bits, index_bits, subsets, partition);
    for (unsigned i = 0; i < 16; i++) {
        const size_t e = 2 * subset_of(subsets, partition, i);
        for (size_t c = 0; c < 3; c++)
            texels[i][c] = to_half(
                mix(values[e][c], values[e + 1][c], weight(index_bits, indices[i])), is_signed);
    }
    return texels;
}

}  // namespace valkyr::reference

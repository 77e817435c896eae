// Block decoding: decodes BC6H, fourteen modes of 16-bit float colours.
// SPDX-License-Identifier: MIT
#include "raster/formats/block_formats.hpp"
#include "raster/formats/bptc_tables.hpp"

#include <string_view>

namespace valkyr::raster {
namespace {

/// One row of the mode table. `fields` lists what the bits after the mode number mean, lowest
/// first: channel, end point (w x y z: two of each subset), then bits low:high or high:low as they
/// come.
struct Mode {
    uint8_t number;  ///< the low bits of the block
    uint8_t number_bits;
    uint8_t subsets;
    bool transformed;   ///< end points after the first are differences
    uint8_t precision;  ///< bits of the end points
    std::array<uint8_t, 3> delta_bits;
    std::string_view fields;
};

// clang-format off
constexpr std::array<Mode, 14> kModes{{
    {0x00, 2, 2, true, 10, {5, 5, 5},
     "gy4 by4 bz4 rw0:9 gw0:9 bw0:9 rx0:4 gz4 gy0:3 gx0:4 bz0 gz0:3 bx0:4 bz1 by0:3 ry0:4 bz2 rz0:4 bz3"},
    {0x01, 2, 2, true, 7, {6, 6, 6},
     "gy5 gz4 gz5 rw0:6 bz0 bz1 by4 gw0:6 by5 bz2 gy4 bw0:6 bz3 bz5 bz4 rx0:5 gy0:3 gx0:5 gz0:3 bx0:5 by0:3 ry0:5 rz0:5"},
    {0x02, 5, 2, true, 11, {5, 4, 4},
     "rw0:9 gw0:9 bw0:9 rx0:4 rwA gy0:3 gx0:3 gwA bz0 gz0:3 bx0:3 bwA bz1 by0:3 ry0:4 bz2 rz0:4 bz3"},
    {0x06, 5, 2, true, 11, {4, 5, 4},
     "rw0:9 gw0:9 bw0:9 rx0:3 rwA gz4 gy0:3 gx0:4 gwA gz0:3 bx0:3 bwA bz1 by0:3 ry0:3 bz0 bz2 rz0:3 gy4 bz3"},
    {0x0A, 5, 2, true, 11, {4, 4, 5},
     "rw0:9 gw0:9 bw0:9 rx0:3 rwA by4 gy0:3 gx0:3 gwA bz0 gz0:3 bx0:4 bwA by0:3 ry0:3 bz1 bz2 rz0:3 bz4 bz3"},
    {0x0E, 5, 2, true, 9, {5, 5, 5},
     "rw0:8 by4 gw0:8 gy4 bw0:8 bz4 rx0:4 gz4 gy0:3 gx0:4 bz0 gz0:3 bx0:4 bz1 by0:3 ry0:4 bz2 rz0:4 bz3"},
    {0x12, 5, 2, true, 8, {6, 5, 5},
     "rw0:7 gz4 by4 gw0:7 bz2 gy4 bw0:7 bz3 bz4 rx0:5 gy0:3 gx0:4 bz0 gz0:3 bx0:4 bz1 by0:3 ry0:5 rz0:5"},
    {0x16, 5, 2, true, 8, {5, 6, 5},
     "rw0:7 bz0 by4 gw0:7 gy5 gy4 bw0:7 gz5 bz4 rx0:4 gz4 gy0:3 gx0:5 gz0:3 bx0:4 bz1 by0:3 ry0:4 bz2 rz0:4 bz3"},
    {0x1A, 5, 2, true, 8, {5, 5, 6},
     "rw0:7 bz1 by4 gw0:7 by5 gy4 bw0:7 bz5 bz4 rx0:4 gz4 gy0:3 gx0:4 bz0 gz0:3 bx0:5 by0:3 ry0:4 bz2 rz0:4 bz3"},
    {0x1E, 5, 2, false, 6, {6, 6, 6},
     "rw0:5 gz4 bz0 bz1 by4 gw0:5 gy5 by5 bz2 gy4 bw0:5 gz5 bz3 bz5 bz4 rx0:5 gy0:3 gx0:5 gz0:3 bx0:5 by0:3 ry0:5 rz0:5"},
    {0x03, 5, 1, false, 10, {10, 10, 10}, "rw0:9 gw0:9 bw0:9 rx0:9 gx0:9 bx0:9"},
    {0x07, 5, 1, true, 11, {9, 9, 9}, "rw0:9 gw0:9 bw0:9 rx0:8 rwA gx0:8 gwA bx0:8 bwA"},
    {0x0B, 5, 1, true, 12, {8, 8, 8}, "rw0:9 gw0:9 bw0:9 rx0:7 rwB:A gx0:7 gwB:A bx0:7 bwB:A"},
    {0x0F, 5, 1, true, 16, {4, 4, 4}, "rw0:9 gw0:9 bw0:9 rx0:3 rwF:A gx0:3 gwF:A bx0:3 bwF:A"},
}};
// clang-format on

/// End points w, x, y, z of red, green and blue.
using EndPoints = std::array<std::array<int32_t, 4>, 3>;

constexpr unsigned hex_digit(char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'A' + 10);
}

EndPoints read_end_points(BlockBits& bits, std::string_view fields) {
    EndPoints points{};
    while (!fields.empty()) {
        const unsigned channel = fields[0] == 'r' ? 0 : fields[0] == 'g' ? 1 : 2;
        int32_t& point =
            points[channel][fields[1] == 'w' ? 0 : static_cast<unsigned>(fields[1] - 'w')];
        const unsigned first = hex_digit(fields[2]);
        const bool is_range = fields.size() > 3 && fields[3] == ':';
        const unsigned last = is_range ? hex_digit(fields[4]) : first;
        for (unsigned bit = first;; bit += first <= last ? 1U : ~0U) {
            point |= static_cast<int32_t>(bits.take(1) << bit);
            if (bit == last)
                break;
        }
        fields.remove_prefix(is_range ? 5 : 3);
        if (!fields.empty())
            fields.remove_prefix(1);  // the blank
    }
    return points;
}

int32_t sign_extended(int32_t value, unsigned bits) {
    const int32_t sign = 1 << (bits - 1);
    return (value ^ sign) - sign;
}

/// Adds the first end point to the differences and gives signed formats their sign.
void resolve_end_points(EndPoints& points, const Mode& mode, bool is_signed) {
    const unsigned count = 2U * mode.subsets;
    const int32_t mask = (1 << mode.precision) - 1;
    for (unsigned c = 0; c < 3; ++c) {
        std::array<int32_t, 4>& p = points[c];
        for (unsigned i = 1; mode.transformed && i < count; ++i)
            p[i] = (p[0] + sign_extended(p[i], mode.delta_bits[c])) & mask;
        for (unsigned i = 0; is_signed && i < count; ++i)
            p[i] = sign_extended(p[i], mode.precision);
    }
}

int32_t unquantize(int32_t value, unsigned bits, bool is_signed) {
    if (!is_signed) {
        if (bits >= 15 || value == 0)
            return value;
        if (value == (1 << bits) - 1)
            return 0xFFFF;
        return ((value << 16) + 0x8000) >> bits;
    }
    if (bits >= 16 || value == 0)
        return value;
    const int32_t magnitude = value < 0 ? -value : value;
    const int32_t scaled =
        magnitude >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -scaled : scaled;
}

/// The last scaling, to binary16 codes below infinity. A result of 0 has no sign.
uint16_t finish(int32_t value, bool is_signed) {
    if (!is_signed)
        return static_cast<uint16_t>((value * 31) >> 6);
    const int32_t magnitude = ((value < 0 ? -value : value) * 31) >> 5;
    return static_cast<uint16_t>(value < 0 && magnitude != 0 ? magnitude | 0x8000 : magnitude);
}

/// The mode of a block, or null for the four reserved numbers. Also consumes the number.
const Mode* take_mode(BlockBits& bits) {
    unsigned number = bits.take(2);
    if (number >= 2)
        number |= bits.take(3) << 2;
    for (const Mode& mode : kModes)
        if (mode.number == number)
            return &mode;
    return nullptr;
}

}  // namespace

std::array<std::array<uint16_t, 3>, 16> decode_bc6h(const uint8_t* block, bool is_signed) noexcept {
    std::array<std::array<uint16_t, 3>, 16> out{};
    BlockBits bits(block);
    const Mode* mode = take_mode(bits);
    if (mode == nullptr)
        return out;
    EndPoints points = read_end_points(bits, mode->fields);
    const unsigned partition = mode->subsets == 2 ? bits.take(5) : 0;
    resolve_end_points(points, *mode, is_signed);
    for (std::array<int32_t, 4>& channel : points)
        for (int32_t& point : channel)
            point = unquantize(point, mode->precision, is_signed);
    const unsigned index_bits = mode->subsets == 2 ? 3 : 4;
    for (unsigned i = 0; i < 16; ++i) {
        const bool anchor = bptc_is_anchor(mode->subsets, partition, i);
        const int weight = bptc_weight(index_bits, bits.take(index_bits - (anchor ? 1 : 0)));
        const unsigned first = 2 * bptc_subset(mode->subsets, partition, i);
        for (unsigned c = 0; c < 3; ++c)
            out[i][c] =
                finish((points[c][first] * (64 - weight) + points[c][first + 1] * weight + 32) >> 6,
                       is_signed);
    }
    return out;
}

}  // namespace valkyr::raster

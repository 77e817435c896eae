// Block decoding: decodes BC6H, fourteen modes of 16-bit float colours.
// SPDX-License-Identifier: MIT
#include "raster/formats/block_formats.hpp"
#include "raster/formats/bptc_texels.hpp"

#include <string_view>
#include <utility>

namespace valkyr::raster {
namespace {

constexpr int32_t kHalfOne = 0x3C00;

/// One row of the mode table. `fields` lists the fields behind the mode number, lowest bit first:
/// channel, end point (w x y z: two of each subset), then the bits as low:high, or as high:low if
/// they are stored in reverse order.
struct Bc6hMode {
    uint8_t number;  ///< the low bits of the block
    uint8_t number_bits;
    uint8_t subsets;
    bool transformed;   ///< end points after the first are differences
    uint8_t precision;  ///< bits of the end points
    std::array<uint8_t, 3> delta_bits;
    std::string_view fields;
};

// clang-format off
constexpr std::array<Bc6hMode, 14> kBc6hModes{{
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

/// Bits of an end point that are adjacent in the block, lowest first.
struct PointBits {
    unsigned channel;
    unsigned point;
    unsigned shift;  ///< place of the lowest bit in the end point
    unsigned count;
};

struct PointList {
    size_t size;
    std::array<PointBits, 32> bits;
};

/// Parses a mode's field list; a field with reversed bits becomes several.
constexpr PointList list_points(std::string_view fields) {
    PointList list{};
    while (!fields.empty()) {
        const unsigned channel = fields[0] == 'r' ? 0 : fields[0] == 'g' ? 1 : 2;
        const auto point = static_cast<unsigned>(fields[1] - 'w');
        const unsigned first = hex_digit(fields[2]);
        const bool is_range = fields.size() > 3 && fields[3] == ':';
        const unsigned last = is_range ? hex_digit(fields[4]) : first;
        if (first <= last)
            list.bits[list.size++] = {channel, point, first, last - first + 1};
        else
            for (unsigned bit = first + 1; bit-- > last;)
                list.bits[list.size++] = {channel, point, bit, 1};
        fields.remove_prefix(is_range ? 5 : 3);
        if (!fields.empty())
            fields.remove_prefix(1);  // skips the blank
    }
    return list;
}

constexpr unsigned place_of(const PointList& list, unsigned start, size_t field) {
    for (size_t i = 0; i < field; ++i)
        start += list.bits[i].count;
    return start;
}

template <size_t Number, size_t... I>
[[gnu::always_inline]] inline EndPoints
read_end_points(uint64_t low, uint64_t high, std::index_sequence<I...> /*fields*/) {
    constexpr const Bc6hMode& mode = kBc6hModes[Number];
    constexpr PointList list = list_points(mode.fields);
    EndPoints points{};
    ((points[list.bits[I].channel][list.bits[I].point] |= static_cast<int32_t>(
          block_field<place_of(list, mode.number_bits, I), list.bits[I].count>(low, high)
          << list.bits[I].shift)),
     ...);
    return points;
}

using WideLanes = WideTexels::Lanes;  ///< also holds the end points of a channel
using Floats = float __attribute__((vector_size(16)));

template <unsigned Bits>
[[gnu::always_inline]] inline WideLanes sign_extended(const WideLanes& values) {
    constexpr unsigned shift = 32 - Bits;
    return (values << shift) >> shift;
}

/// Adds the first end point to the differences and sign-extends signed formats.
template <size_t Number, unsigned Channel, bool Signed>
[[gnu::always_inline]] inline WideLanes resolved(const WideLanes& stored) {
    constexpr const Bc6hMode& mode = kBc6hModes[Number];
    WideLanes points = stored;
    if constexpr (mode.transformed) {
        const WideLanes all_but_first{0, -1, -1, -1};
        points = sign_extended<mode.delta_bits[Channel]>(points) + stored[0];
        points = (all_but_first & points) | (~all_but_first & stored);
        points &= (1 << mode.precision) - 1;
    }
    return Signed ? sign_extended<mode.precision>(points) : points;
}

template <unsigned Bits, bool Signed>
[[gnu::always_inline]] inline WideLanes unquantized(const WideLanes& values) {
    if constexpr (!Signed) {
        if constexpr (Bits >= 15)
            return values;
        const WideLanes scaled = ((values << 16) + 0x8000) >> Bits;
        return (scaled & (values != 0)) | (0xFFFF & (values == (1 << Bits) - 1));
    } else {
        if constexpr (Bits >= 16)
            return values;
        const WideLanes sign = values >> 31;
        const WideLanes magnitude = (values ^ sign) - sign;
        const WideLanes largest = magnitude >= (1 << (Bits - 1)) - 1;
        const WideLanes scaled = ((magnitude << 15) + 0x4000) >> (Bits - 1);
        const WideLanes limited = (0x7FFF & largest) | (scaled & ~largest);
        return ((limited ^ sign) - sign) & (values != 0);
    }
}

/// Applies the final scaling, to binary16 codes below infinity. A result of 0 has no sign.
template <bool Signed>
[[gnu::always_inline]] inline WideLanes finished(const WideLanes& value) {
    if constexpr (!Signed)
        return ((value << 5) - value) >> 6;
    const WideLanes sign = value >> 31;
    const WideLanes magnitude = (value ^ sign) - sign;
    const WideLanes code = ((magnitude << 5) - magnitude) >> 5;
    return code | (sign & (code != 0) & 0x8000);
}

/// Computes the codes of a channel: (a (64 - w) + b w + 32) / 64 with the end points of each
/// texel's subset, scaled. Sums are below 2^24, so floats hold them exactly.
template <unsigned Subsets, bool Signed>
[[gnu::always_inline]] inline WideTexels
channel_codes(const WideLanes& ends, const WideTexels& weights, const WideTexels& second) {
    WideTexels codes;
    for (size_t i = 0; i < WideTexels::kParts; ++i) {
        const WideLanes none{};
        WideLanes a = none + ends[0];
        WideLanes b = none + ends[1];
        if constexpr (Subsets > 1) {
            a ^= second.part[i] & (a ^ ends[2]);
            b ^= second.part[i] & (b ^ ends[3]);
        }
        const Floats weight = __builtin_convertvector(weights.part[i], Floats);
        const Floats sum = __builtin_convertvector(a * 64 + 32, Floats) +
                           __builtin_convertvector(b - a, Floats) * weight;
        codes.part[i] = finished<Signed>(__builtin_convertvector(sum, WideLanes) >> 6);
    }
    return codes;
}

/// Sign-extends 16-bit numbers to 32 bits.
[[gnu::always_inline]] inline WideTexels widened(const BlockTexels& numbers) {
    using Halves = int16_t __attribute__((vector_size(8)));
    WideTexels result;
    for (size_t i = 0; i < WideTexels::kParts; ++i) {
        Halves halves;
        std::memcpy(&halves, reinterpret_cast<const char*>(&numbers) + i * sizeof(halves),
                    sizeof(halves));
        result.part[i] = __builtin_convertvector(halves, WideLanes);
    }
    return result;
}

[[gnu::always_inline]] inline void store_texels(const std::array<WideTexels, 3>& codes,
                                                HalfBlock& out) {
    for (size_t i = 0; i < WideTexels::kParts; ++i) {
        const WideLanes low = codes[0].part[i] | codes[1].part[i] << 16;
        const WideLanes high = codes[2].part[i] | kHalfOne << 16;
        const std::array<WideLanes, 2> texels{__builtin_shufflevector(low, high, 0, 4, 1, 5),
                                              __builtin_shufflevector(low, high, 2, 6, 3, 7)};
        std::memcpy(&out[4 * i], texels.data(), sizeof(texels));
    }
}

template <size_t Number, bool Signed>
void decode_mode(uint64_t low, uint64_t high, HalfBlock& out) {
    constexpr const Bc6hMode& mode = kBc6hModes[Number];
    constexpr unsigned subsets = mode.subsets;
    constexpr unsigned index_bits = subsets == 2 ? 3 : 4;
    constexpr unsigned stored_bits = 16 * index_bits - subsets;
    constexpr PointList list = list_points(mode.fields);
    constexpr unsigned partition_place = place_of(list, mode.number_bits, list.size);
    const EndPoints points =
        read_end_points<Number>(low, high, std::make_index_sequence<list.size>());
    const unsigned partition = block_field < partition_place, subsets == 2 ? 5 : 0 > (low, high);
    const WideTexels weights = widened(bptc_weights<index_bits>(
        bptc_indices<index_bits, subsets>(high >> (64 - stored_bits), partition)));
    const WideTexels second =
        subsets == 2 ? widened(bptc_masks(2, partition).second) : WideTexels{};
    const auto codes = [&]<unsigned Channel>() {
        const std::array<int32_t, 4>& p = points[Channel];
        return channel_codes<subsets, Signed>(
            unquantized<mode.precision, Signed>(
                resolved<Number, Channel, Signed>(WideLanes{p[0], p[1], p[2], p[3]})),
            weights, second);
    };
    store_texels({codes.template operator()<0>(), codes.template operator()<1>(),
                  codes.template operator()<2>()},
                 out);
}

using DecodeMode = void (*)(uint64_t low, uint64_t high, HalfBlock& out);

/// Decoders by the five lowest bits of a block, null for the four reserved numbers.
template <bool Signed, size_t... I>
constexpr std::array<DecodeMode, 32> decoders(std::index_sequence<I...> /*modes*/) {
    std::array<DecodeMode, 32> result{};
    const std::array<DecodeMode, kBc6hModes.size()> by_mode{decode_mode<I, Signed>...};
    for (unsigned bits = 0; bits < result.size(); ++bits)
        for (size_t m = 0; m < kBc6hModes.size(); ++m)
            if ((bits & ((1U << kBc6hModes[m].number_bits) - 1)) == kBc6hModes[m].number)
                result[bits] = by_mode[m];
    return result;
}
constexpr auto kUnsignedDecoders = decoders<false>(std::make_index_sequence<kBc6hModes.size()>());
constexpr auto kSignedDecoders = decoders<true>(std::make_index_sequence<kBc6hModes.size()>());

}  // namespace

void decode_bc6h(const uint8_t* block, bool is_signed, HalfBlock& out) noexcept {
    uint64_t low = 0;
    uint64_t high = 0;
    std::memcpy(&low, block, 8);
    std::memcpy(&high, block + 8, 8);
    const DecodeMode decode = (is_signed ? kSignedDecoders : kUnsignedDecoders)[low & 31];
    if (decode != nullptr)
        decode(low, high, out);
    else
        out.fill({0, 0, 0, kHalfOne});
}

}  // namespace valkyr::raster

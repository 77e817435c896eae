// Byte blits: tabulate offsets and weights for the row loop of the host level.
// SPDX-License-Identifier: MIT
#include "raster/resource/blit_bytes.hpp"

#include "base/bits.hpp"

#include <cstddef>
#include <vector>

namespace valkyr::raster {
namespace {

bool has_unorm_bytes(const FormatInfo& info) {
    return info.layout == exec::FormatLayout::Array && info.type == exec::ChannelType::Unorm &&
           info.bits[0] == 8 && !info.srgb && info.block_bytes == info.channel_count;
}

/// Offsets and weights by column: all rows of the blit share them.
class Columns {
public:
    Columns(const BlitTexels& from, const BlitTexels& to, const BlitBox& box) {
        const auto count = static_cast<size_t>(box.x1 - box.x0);
        const size_t padded = align_up(count, size_t{exec::kLanes});
        const bool linear = box.filter == Filter::Linear;
        for (auto& offsets : from_)
            offsets.resize(padded);
        to_.resize(count);
        weights_.resize(padded);
        for (size_t k = 0; k < padded; ++k) {
            const int64_t x = box.x0 + static_cast<int64_t>(std::min(k, count - 1));
            const int64_t i = x - box.x.destination;
            const TexelPair pair =
                linear ? texel_pair(box.x, i) : TexelPair{box.x.nearest(i), box.x.nearest(i), 0};
            from_[0][k] = offset(from, pair.first);
            from_[1][k] = offset(from, pair.second);
            weights_[k] = static_cast<float>(pair.weight) / 256;
            if (k < count)
                to_[k] = offset(to, static_cast<uint32_t>(x));
        }
        row_.offsets[0] = from_[0].data();
        row_.offsets[1] = from_[1].data();
        row_.weights = linear ? weights_.data() : nullptr;
        row_.target_offsets = to_.data();
        row_.count = static_cast<uint32_t>(count);
    }

    /// A row to which only its own members have to be added.
    [[nodiscard]] const ByteRow& row() const { return row_; }

private:
    /// Bytes from the first texel of a row to texel x: offsets of x and y add up.
    static int32_t offset(const BlitTexels& texels, uint32_t x) {
        return static_cast<int32_t>(texels.at(x, 0, 0, 0) - texels.at(0, 0, 0, 0));
    }

    std::vector<int32_t> from_[2];
    std::vector<int32_t> to_;
    std::vector<float> weights_;
    ByteRow row_;
};

}  // namespace

std::optional<ByteMap> byte_map(const FormatInfo& from, const FormatInfo& to, unsigned color_mask) {
    if (!has_unorm_bytes(from) || !has_unorm_bytes(to))
        return std::nullopt;
    ByteMap map;
    map.target_bytes = to.block_bytes;
    const unsigned mask = channel_mask(to, color_mask);
    for (unsigned channel = 0; channel < to.channel_count; ++channel) {
        const exec::Swizzle source = from.swizzle[channel_component(to, channel)];
        const auto byte = static_cast<unsigned>(source);
        map.source[channel] =
            byte < from.channel_count ? static_cast<int8_t>(byte) : ByteMap::kConstant;
        map.constant[channel] = source == exec::Swizzle::One ? 255 : 0;
        if ((mask >> channel & 1) != 0)
            map.mask |= 0xFFU << (8 * channel);
    }
    return map;
}

void blit_bytes(const LevelOps& ops,
                const ByteMap& map,
                const BlitTexels& from,
                const BlitTexels& to,
                const BlitBox& box) {
    const Columns columns(from, to, box);
    ByteRow row = columns.row();
    for (int64_t z = box.z.destination; z < box.z.destination + box.z.size; ++z) {
        const uint32_t slice = box.z.nearest(z - box.z.destination);
        for (int64_t y = box.y0; y < box.y1 && !is_cancelled(to.texture.owner()); ++y) {
            const int64_t j = y - box.y.destination;
            const TexelPair pair = box.filter == Filter::Linear
                                       ? texel_pair(box.y, j)
                                       : TexelPair{box.y.nearest(j), box.y.nearest(j), 0};
            row.rows[0] = from.at(0, pair.first, slice, 0);
            row.rows[1] = from.at(0, pair.second, slice, 0);
            row.row_weight = static_cast<float>(pair.weight) / 256;
            row.target = to.at(0, static_cast<uint32_t>(y), static_cast<uint32_t>(z), 0);
            ops.blit_row(map, row);
        }
    }
}

}  // namespace valkyr::raster

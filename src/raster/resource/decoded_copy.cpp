// Decoded copies: decide when a texture has one, and decode its texels.
// SPDX-License-Identifier: MIT
#include "raster/resource/decoded_copy.hpp"

#include "raster/formats/format_channel.hpp"
#include "raster/resource/resource.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace valkyr::raster {
namespace {

constexpr uint32_t kTexelBytes = 4;
constexpr uint32_t kDecodedBytes = 16;

/// The numbers of all codes of a texel's bytes, by component.
using ComponentTables = std::array<std::array<uint32_t, 256>, 4>;

ComponentTables component_tables(const exec::FormatInfo& info) {
    ComponentTables tables{};
    for (size_t component = 0; component < 4; ++component) {
        const exec::Swizzle channel = info.swizzle[component];
        for (uint32_t code = 0; channel <= exec::Swizzle::W && code < 256; ++code)
            tables[component][code] = decode_channel(info, static_cast<unsigned>(channel), code);
    }
    return tables;
}

/// The byte of a texel that holds each component; any byte if it is a constant.
std::array<uint8_t, 4> component_bytes(const exec::FormatInfo& info) {
    std::array<uint8_t, 4> bytes{};
    for (size_t component = 0; component < 4; ++component)
        bytes[component] = static_cast<uint8_t>(info.swizzle[component]) & 3;
    return bytes;
}

/// Decodes texels in the order of memory, which is the same in both.
void decode_texels(const uint8_t* from,
                   std::byte* to,
                   size_t count,
                   const ComponentTables& tables,
                   const std::array<uint8_t, 4>& bytes) {
    for (size_t i = 0; i < count; ++i) {
        const uint8_t* texel = from + i * kTexelBytes;
        const std::array<uint32_t, 4> numbers{
            tables[0][texel[bytes[0]]], tables[1][texel[bytes[1]]], tables[2][texel[bytes[2]]],
            tables[3][texel[bytes[3]]]};
        std::memcpy(to + i * kDecodedBytes, numbers.data(), kDecodedBytes);
    }
}

}  // namespace

bool DecodedCopy::takes(const TextureImpl& texture, exec::Format format) noexcept {
    const exec::FormatInfo& info = exec::format_info(format);
    return info.srgb && info.layout == exec::FormatLayout::Array &&
           info.block_bytes == kTexelBytes && texture.texel_bytes() == kTexelBytes &&
           texture.desc().samples == 1 && !is_depth_stencil(texture.desc().format);
}

const std::vector<exec::TextureLevel>* DecodedCopy::levels(TextureImpl& texture,
                                                           exec::Format format) {
    if (format_ != exec::Format::None && contents_ == texture.changes)
        return format_ == format ? &levels_ : nullptr;
    if (!stays_unchanged(texture)) {
        release();
        return nullptr;
    }
    return decode(texture, format) ? &levels_ : nullptr;
}

/// Returns whether so many passes have read the same contents that a copy pays: the first copy is
/// made at once, further ones later and later.
bool DecodedCopy::stays_unchanged(const TextureImpl& texture) {
    if (std::exchange(seen_contents_, texture.changes) != texture.changes) {
        passes_ = 0;
        seen_pass_ = UINT64_MAX;
    }
    if (std::exchange(seen_pass_, texture.owner()->rendered) != texture.owner()->rendered)
        ++passes_;
    return passes_ > awaited_passes_;
}

/// Allocates a copy; returns false if there is no room.
bool DecodedCopy::allocate(TextureImpl& texture) {
    if (total_ != nullptr)
        return true;
    uint64_t size = 0;
    levels_.clear();
    std::vector<uint64_t> offsets;
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        exec::TextureLevel level = texture.level(l);
        level.slice_bytes *= kDecodedBytes / kTexelBytes;
        offsets.push_back(size);
        size += level.slice_bytes * level.depth;
        levels_.push_back(level);
    }
    const uint64_t slack = exec::read_slack(levels_[0], kDecodedBytes);
    const uint64_t texels = std::exchange(size, size + slack);
    const std::shared_ptr<DecodedBytes>& total = texture.owner()->decoded;
    if (size > kMostBytes - std::min(kMostBytes, total->count.load()))
        return false;
    bytes_ = allocate_for(texture.owner(), size);
    if (!bytes_)
        return false;
    std::memset(bytes_.get() + texels, 0, slack);
    total_ = total;
    total_->count += size_ = size;
    for (size_t l = 0; l < levels_.size(); ++l)
        levels_[l].data = reinterpret_cast<uint8_t*>(bytes_.get()) + offsets[l];
    return true;
}

bool DecodedCopy::decode(TextureImpl& texture, exec::Format format) {
    constexpr uint32_t kFirstWait = 2;
    constexpr uint32_t kLongestWait = 64;
    format_ = exec::Format::None;
    if (!allocate(texture))
        return false;
    texture.settle_all();
    const exec::FormatInfo& info = exec::format_info(format);
    const ComponentTables tables = component_tables(info);
    const std::array<uint8_t, 4> bytes = component_bytes(info);
    std::byte* to = bytes_.get();
    for (uint32_t l = 0; l < levels_.size(); ++l)
        for (uint32_t z = 0; z < levels_[l].depth; ++z) {
            if (is_cancelled(texture.owner()))
                return false;
            const exec::TextureLevel& level = levels_[l];
            decode_texels(texture.slice(l, z), to, level.slice_bytes / kDecodedBytes, tables,
                          bytes);
            to += level.slice_bytes;
        }
    format_ = format;
    contents_ = texture.changes;
    awaited_passes_ = std::clamp(2 * awaited_passes_, kFirstWait, kLongestWait);
    return true;
}

void DecodedCopy::release() noexcept {
    if (total_ == nullptr)
        return;
    format_ = exec::Format::None;
    bytes_ = {};
    total_->count -= size_;
    total_ = nullptr;
}

}  // namespace valkyr::raster

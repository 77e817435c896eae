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
constexpr uint64_t kTexelsTaken = 4096;  ///< texels that a thread takes at a time

/// Decodes texels of a format with codes in words.
class TexelDecoder {
public:
    explicit TexelDecoder(const exec::FormatInfo& info) {
        for (size_t component = 0; component < 4; ++component) {
            const auto channel = static_cast<unsigned>(info.swizzle[component]);
            if (info.swizzle[component] > exec::Swizzle::W)
                continue;  // a constant, which the view has
            bytes_[component] = static_cast<uint8_t>(channel);
            for (uint32_t code = 0; code < 256; ++code)
                numbers_[component][code] = decode_channel(info, channel, code);
        }
    }

    /// Decodes texels [first, end) in the order of memory, which is the same in both.
    void decode(const uint8_t* from, std::byte* to, uint64_t first, uint64_t end) const noexcept {
        for (uint64_t i = first; i < end; ++i) {
            const uint8_t* texel = from + i * kTexelBytes;
            std::array<uint32_t, 4> components;
            for (size_t k = 0; k < 4; ++k)
                components[k] = numbers_[k][texel[bytes_[k]]];
            std::memcpy(to + i * kDecodedBytes, components.data(), kDecodedBytes);
        }
    }

private:
    std::array<uint8_t, 4> bytes_{};                      ///< the byte of each component
    std::array<std::array<uint32_t, 256>, 4> numbers_{};  ///< of all codes, by component
};

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
    const uint64_t pass = texture.owner()->rendered;
    if (refused_pass_ == pass)
        return nullptr;
    if (decode(texture, format))
        return &levels_;
    refused_pass_ = pass;
    return nullptr;
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

/// Decodes all texels; returns false if the device is cancelled or its workers fail.
bool DecodedCopy::decode_slices(TextureImpl& texture, exec::Format format) {
    const TexelDecoder decoder(exec::format_info(format));
    std::byte* to = bytes_.get();
    for (uint32_t l = 0; l < levels_.size(); ++l)
        for (uint32_t z = 0; z < levels_[l].depth; ++z) {
            const uint8_t* from = texture.slice(l, z);
            const uint64_t texels = levels_[l].slice_bytes / kDecodedBytes;
            const auto pieces = static_cast<uint32_t>((texels + kTexelsTaken - 1) / kTexelsTaken);
            const auto decode_pieces = [&](uint32_t first, uint32_t end) {
                const uint64_t last = std::min(texels, uint64_t{end} * kTexelsTaken);
                decoder.decode(from, to, uint64_t{first} * kTexelsTaken, last);
            };
            if (is_cancelled(texture.owner()) ||
                !runner_for(texture.owner(), texels)(pieces, decode_pieces))
                return false;
            to += levels_[l].slice_bytes;
        }
    return true;
}

/// Makes the copy; returns false if there is none.
bool DecodedCopy::decode(TextureImpl& texture, exec::Format format) {
    constexpr uint32_t kFirstWait = 2;
    constexpr uint32_t kLongestWait = 64;
    format_ = exec::Format::None;
    if (!allocate(texture))
        return false;
    texture.settle_all();
    if (!decode_slices(texture, format))
        return false;
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

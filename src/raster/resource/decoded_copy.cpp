// Decoded copies: decide when a texture has one, and decode its texels.
// SPDX-License-Identifier: MIT
#include "raster/resource/decoded_copy.hpp"

#include "raster/formats/format_channel.hpp"
#include "raster/resource/resource.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
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

    /// Decodes texels [first, end) in the order of memory, which is the same in both: levels,
    /// slices and tiles follow one another without gaps.
    void decode(const std::byte* from, std::byte* to, uint64_t first, uint64_t end) const noexcept {
        for (uint64_t i = first; i < end; ++i) {
            const std::byte* texel = from + i * kTexelBytes;
            std::array<uint32_t, 4> components;
            for (size_t k = 0; k < 4; ++k)
                components[k] = numbers_[k][std::to_integer<uint8_t>(texel[bytes_[k]])];
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
    const uint64_t texels = texture.memory().front().size() / kTexelBytes;
    const uint64_t slack = exec::read_slack(texture.level(0), kDecodedBytes);
    const uint64_t size = texels * kDecodedBytes + slack;
    const std::shared_ptr<DecodedBytes>& total = texture.owner()->decoded;
    if (size > kMostBytes - std::min(kMostBytes, total->count.load()))
        return false;
    bytes_ = allocate_for(texture.owner(), size);
    if (!bytes_)
        return false;
    std::memset(bytes_.get() + texels * kDecodedBytes, 0, slack);
    total_ = total;
    total_->count += size_ = size;
    levels_.clear();
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        exec::TextureLevel& level = levels_.emplace_back(texture.level(l));
        const auto texels_before = (level.data - texture.level(0).data) / kTexelBytes;
        level.data = reinterpret_cast<uint8_t*>(bytes_.get()) + texels_before * kDecodedBytes;
        level.slice_bytes *= kDecodedBytes / kTexelBytes;
    }
    return true;
}

/// Decodes all texels; returns false if the device is cancelled or its workers fail.
bool DecodedCopy::decode_texels(TextureImpl& texture, exec::Format format) {
    const TexelDecoder decoder(exec::format_info(format));
    const std::span<const std::byte> from = texture.memory().front();
    const uint64_t texels = from.size() / kTexelBytes;
    const auto decode_pieces = [&](uint32_t first, uint32_t end) {
        const uint64_t last = std::min(texels, uint64_t{end} * kTexelsTaken);
        for (uint64_t i = uint64_t{first} * kTexelsTaken; i < last; i += kTexelsTaken)
            if (!is_cancelled(texture.owner()))
                decoder.decode(from.data(), bytes_.get(), i, std::min(last, i + kTexelsTaken));
    };
    const auto pieces = static_cast<uint32_t>((texels + kTexelsTaken - 1) / kTexelsTaken);
    return runner_for(texture.owner(), texels)(pieces, decode_pieces).has_value() &&
           !is_cancelled(texture.owner());
}

/// Makes the copy; returns false if there is none.
bool DecodedCopy::decode(TextureImpl& texture, exec::Format format) {
    constexpr uint32_t kFirstWait = 2;
    constexpr uint32_t kLongestWait = 64;
    format_ = exec::Format::None;
    if (!allocate(texture))
        return false;
    texture.settle_all();
    if (!decode_texels(texture, format))
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

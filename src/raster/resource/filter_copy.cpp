// Filter copies: decide when a texture has one, and decode its texels.
// SPDX-License-Identifier: MIT
#include "raster/resource/filter_copy.hpp"

#include "raster/formats/format_channel.hpp"
#include "raster/resource/footprints.hpp"
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
constexpr uint32_t kCopiedBytes = 16;    ///< of a texel in a copy
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
            std::memcpy(to + i * kCopiedBytes, components.data(), kCopiedBytes);
        }
    }

private:
    std::array<uint8_t, 4> bytes_{};                      ///< the byte of each component
    std::array<std::array<uint32_t, 256>, 4> numbers_{};  ///< of all codes, by component
};

}  // namespace

CopyKind FilterCopy::kind_for(const TextureImpl& texture, exec::Format format) noexcept {
    const exec::FormatInfo& info = exec::format_info(format);
    if (info.layout != exec::FormatLayout::Array || info.block_bytes != kTexelBytes ||
        texture.texel_bytes() != kTexelBytes || texture.desc().samples != 1 ||
        is_depth_stencil(texture.desc().format))
        return CopyKind::None;
    if (info.srgb)
        return CopyKind::Decoded;
    const bool bytes = info.type == exec::ChannelType::Unorm && info.bits[0] == 8;
    return bytes ? CopyKind::Footprints : CopyKind::None;
}

bool FilterCopy::holds(TextureImpl& texture, exec::Format format) {
    const CopyKind kind = kind_for(texture, format);
    if (kind_ != CopyKind::None && contents_ == texture.changes)
        return kind_ == kind && (kind == CopyKind::Footprints || format_ == format);
    if (!stays_unchanged(texture, kind)) {
        release();
        return false;
    }
    const uint64_t pass = texture.owner()->rendered;
    if (refused_pass_ == pass)
        return false;
    if (make(texture, format))
        return true;
    refused_pass_ = pass;
    return false;
}

uint64_t FilterCopy::footprints(TextureImpl& texture) const {
    constexpr uint64_t ratio = kCopiedBytes / kTexelBytes;
    return reinterpret_cast<uint64_t>(bytes_.get()) -
           ratio * reinterpret_cast<uint64_t>(texture.level(0).data);
}

/// Returns whether so many passes have read the same contents that a copy pays: the first copy of
/// decoded texels is made at once, that of footprints after some passes, further ones later and
/// later.
bool FilterCopy::stays_unchanged(const TextureImpl& texture, CopyKind kind) {
    constexpr uint32_t kFootprintWait = 4;
    if (std::exchange(seen_contents_, texture.changes) != texture.changes) {
        passes_ = 0;
        seen_pass_ = UINT64_MAX;
    }
    if (std::exchange(seen_pass_, texture.owner()->rendered) != texture.owner()->rendered)
        ++passes_;
    const bool waits = kind == CopyKind::Footprints && !texture.owner()->copies->at_once;
    return passes_ > std::max(awaited_passes_, waits ? kFootprintWait : 0);
}

/// Allocates a copy; returns false if there is no room.
bool FilterCopy::allocate(TextureImpl& texture) {
    if (total_ != nullptr)
        return true;
    const uint64_t texels = texture.memory().front().size() / kTexelBytes;
    const uint64_t slack = exec::read_slack(texture.level(0), kCopiedBytes);
    const uint64_t size = texels * kCopiedBytes + slack;
    const std::shared_ptr<KeptCopies>& total = texture.owner()->copies;
    if (size > kMostBytes - std::min(kMostBytes, total->bytes.load()))
        return false;
    bytes_ = allocate_for(texture.owner(), size);
    if (!bytes_)
        return false;
    std::memset(bytes_.get() + texels * kCopiedBytes, 0, slack);
    total_ = total;
    total_->bytes += size_ = size;
    place_levels(texture);
    return true;
}

void FilterCopy::place_levels(TextureImpl& texture) {
    levels_.clear();
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        exec::TextureLevel& level = levels_.emplace_back(texture.level(l));
        const auto texels_before = (level.data - texture.level(0).data) / kTexelBytes;
        level.data = reinterpret_cast<uint8_t*>(bytes_.get()) + texels_before * kCopiedBytes;
        level.slice_bytes *= kCopiedBytes / kTexelBytes;
    }
}

/// Decodes all texels; returns false if the device is cancelled or its workers fail.
bool FilterCopy::decode(TextureImpl& texture, exec::Format format) {
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
bool FilterCopy::make(TextureImpl& texture, exec::Format format) {
    constexpr uint32_t kFirstWait = 2;
    constexpr uint32_t kLongestWait = 64;
    const CopyKind kind = kind_for(texture, format);
    kind_ = CopyKind::None;
    if (kind == CopyKind::Footprints &&
        texture.memory().front().size() > kMostFootprints * kTexelBytes)
        return false;
    if (!allocate(texture))
        return false;
    texture.settle_all();
    if (!(kind == CopyKind::Decoded ? decode(texture, format)
                                    : write_footprints(texture, bytes_.get())))
        return false;
    kind_ = kind;
    format_ = format;
    contents_ = texture.changes;
    awaited_passes_ = std::clamp(2 * awaited_passes_, kFirstWait, kLongestWait);
    return true;
}

void FilterCopy::release() noexcept {
    if (total_ == nullptr)
        return;
    kind_ = CopyKind::None;
    bytes_ = {};
    total_->bytes -= size_;
    total_ = nullptr;
}

}  // namespace valkyr::raster

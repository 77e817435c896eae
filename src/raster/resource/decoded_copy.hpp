// Decoded copies: keep texels of sRGB codes as binary32 numbers beside their texture.
// SPDX-License-Identifier: MIT
//
// Code for eight lanes and fewer looks sRGB codes up one by one, which takes as long as the rest of
// a filter. From a copy it loads a texel's four numbers at once. Results are the same: both are
// numbers of the table in exec/srgb.hpp, filtered in binary32.
#pragma once

#include "exec/abi.hpp"
#include "raster/support/block_pool.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::raster {

class TextureImpl;

/// Bytes of all copies of a device; textures may outlive it.
struct DecodedBytes {
    std::atomic<uint64_t> count = 0;
};

/// The copy of one texture, for views of one format.
class DecodedCopy {
public:
    /// Format of the texels in a copy: their components r, g, b, a.
    static constexpr exec::Format kFormat = exec::Format::R32G32B32A32_FLOAT;
    /// Most bytes of all copies of a device.
    static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

    DecodedCopy() = default;
    DecodedCopy(const DecodedCopy&) = delete;
    DecodedCopy& operator=(const DecodedCopy&) = delete;
    ~DecodedCopy() { release(); }

    /// Returns whether texels that a view reads in this format can be copied: sRGB codes in words.
    static bool takes(const TextureImpl& texture, exec::Format format) noexcept;

    /// Returns the levels of the copy, which have the texture's contents, or null if the texture's
    /// own texels must be read: the copy would be too large, or the contents change often. The
    /// answer stays the same until the texture is written to or the device renders a pass. Settles
    /// the texture before it copies.
    /// format  takes(texture, format)
    const std::vector<exec::TextureLevel>* levels(TextureImpl& texture, exec::Format format);

private:
    [[nodiscard]] bool stays_unchanged(const TextureImpl& texture);
    bool allocate(TextureImpl& texture);
    bool decode(TextureImpl& texture, exec::Format format);
    bool decode_texels(TextureImpl& texture, exec::Format format);
    void release() noexcept;

    exec::Format format_ = exec::Format::None;  ///< None: there is no copy
    uint64_t contents_ = 0;                     ///< ResourceUse::changes of the copied contents
    uint64_t seen_contents_ = 0;                ///< `changes` when passes_ was counted
    uint64_t seen_pass_ = UINT64_MAX;           ///< last pass that was counted
    uint64_t refused_pass_ = UINT64_MAX;        ///< last pass in which there was no room
    uint32_t passes_ = 0;                       ///< passes that read the same contents
    uint32_t awaited_passes_ = 0;               ///< a copy is made if passes_ is above
    PooledBlock bytes_;
    uint64_t size_ = 0;
    std::shared_ptr<DecodedBytes> total_;  ///< has size_; null: has nothing
    std::vector<exec::TextureLevel> levels_;
};

}  // namespace valkyr::raster

// Filter copies: keep texels of a texture beside it in a form that filters read faster.
// SPDX-License-Identifier: MIT
//
// Decoded texels: code for eight lanes and fewer looks sRGB codes up one by one, which takes as
// long as the rest of a filter. From a copy it loads a texel's four numbers at once. Results are
// the same: both are numbers of the table in exec/srgb.hpp, filtered in binary32.
//
// Footprints: a linear filter of bytes loads four texels of each lane. From a copy it loads them at
// once, in the order in which it sums them up (exec/descriptors.hpp). The sums are the same.
#pragma once

#include "exec/abi.hpp"
#include "raster/support/block_pool.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::raster {

class TextureImpl;

/// Content of a copy.
enum class CopyKind : uint8_t {
    None,
    Decoded,     ///< the numbers of sRGB codes
    Footprints,  ///< the texels of linear filters
};

/// The kinds of copies that a device keeps, and the bytes of all copies. Textures may outlive the
/// device.
struct KeptCopies {
    bool decoded = true;   ///< both kinds, not footprints alone
    bool at_once = false;  ///< footprints do not wait until a texture was read for some passes
    std::atomic<uint64_t> bytes = 0;
};

/// The copy of one texture, for views of one format.
class FilterCopy {
public:
    /// Format of decoded texels: their components r, g, b, a.
    static constexpr exec::Format kDecodedFormat = exec::Format::R32G32B32A32_FLOAT;
    /// Most bytes of all copies of a device.
    static constexpr uint64_t kMostBytes = uint64_t{256} << 20;
    /// Most texels of a texture that has footprints: filters of large textures wait for memory,
    /// which a copy has four times as much of.
    static constexpr uint64_t kMostFootprints = uint64_t{2} << 20;

    FilterCopy() = default;
    FilterCopy(const FilterCopy&) = delete;
    FilterCopy& operator=(const FilterCopy&) = delete;
    ~FilterCopy() { release(); }

    /// Returns the kind of copy for views of this format: Decoded for sRGB codes in words,
    /// Footprints for unorm bytes in words.
    static CopyKind kind_for(const TextureImpl& texture, exec::Format format) noexcept;

    /// Returns whether there is a copy with the texture's contents; makes it if that pays. Without
    /// a copy, the texture's own texels must be read: it would be too large, or the contents change
    /// often. The answer stays the same until the texture is written to or the device renders a
    /// pass. Settles the texture before it copies.
    bool holds(TextureImpl& texture, exec::Format format);

    /// Returns the levels of decoded texels; holds() was true.
    [[nodiscard]] const std::vector<exec::TextureLevel>& levels() const noexcept { return levels_; }
    /// Returns TextureDescriptor::footprints; holds() was true.
    [[nodiscard]] uint64_t footprints(TextureImpl& texture) const;

private:
    [[nodiscard]] bool stays_unchanged(const TextureImpl& texture, CopyKind kind);
    bool allocate(TextureImpl& texture);
    void place_levels(TextureImpl& texture);
    bool make(TextureImpl& texture, exec::Format format);
    bool decode(TextureImpl& texture, exec::Format format);
    void release() noexcept;

    CopyKind kind_ = CopyKind::None;            ///< None: there is no copy
    exec::Format format_ = exec::Format::None;  ///< of decoded texels
    uint64_t contents_ = 0;                     ///< ResourceUse::changes of the copied contents
    uint64_t seen_contents_ = 0;                ///< `changes` when passes_ was counted
    uint64_t seen_pass_ = UINT64_MAX;           ///< last pass that was counted
    uint64_t refused_pass_ = UINT64_MAX;        ///< last pass in which there was no room
    uint32_t passes_ = 0;                       ///< passes that read the same contents
    uint32_t awaited_passes_ = 0;               ///< a copy is made if passes_ is above
    PooledBlock bytes_;
    uint64_t size_ = 0;
    std::shared_ptr<KeptCopies> total_;  ///< has size_; null: has nothing
    std::vector<exec::TextureLevel> levels_;
};

}  // namespace valkyr::raster

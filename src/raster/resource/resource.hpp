// Resources: keep buffers and textures in the rasterizer's own layout.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/abi.hpp"
#include "raster/config.hpp"
#include "raster/device.hpp"
#include "raster/resource/filter_copy.hpp"
#include "raster/resource/late_writes.hpp"
#include "raster/resource/row_runner.hpp"
#include "raster/support/block_pool.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace valkyr::raster {

/// Pass numbers of the last uses of a resource.
struct ResourceUse {
    uint64_t last_pass = 0;     ///< last pass that reads it, draws to it or stores to it
    uint64_t written_pass = 0;  ///< last pass that lets shaders write to it
    uint64_t late_pass = 0;     ///< last pass in which a buffer had late writes
    uint64_t changes = 0;       ///< calls and passes that may have written to a texture
};

/// Identity of a Device. Handles carry it, so that other Devices refuse them, and so that long work
/// on them ends when the device is cancelled.
struct DeviceTag {
    exec::LoopWatch watch;
    std::shared_ptr<BlockPool> blocks = std::make_shared<BlockPool>();
    std::shared_ptr<KeptCopies> copies;  ///< null: textures have no copies for filters
    uint64_t rendered = 0;               ///< passes that were rendered
    RowRunner runner;                    ///< gives rows to all workers; empty: there are none
};
/// Returns the runner for work on so many texels: few are done before other threads have started.
inline RowRunner runner_for(const DeviceTag* owner, uint64_t texels) {
    constexpr uint64_t kFew = uint64_t{256} * 256;
    if (owner == nullptr || !owner->runner || texels <= kFew)
        return run_on_this_thread;
    return owner->runner;
}
/// Returns whether the device is cancelled; false for a resource without a device (null).
inline bool is_cancelled(const DeviceTag* owner) noexcept {
    return owner != nullptr && exec::is_cancelled(&owner->watch);
}
/// Returns the watch of a device, or null.
inline const exec::LoopWatch* watch_of(const DeviceTag* owner) noexcept {
    return owner != nullptr ? &owner->watch : nullptr;
}

/// Allocates memory of a resource; none without memory.
inline PooledBlock allocate_for(const DeviceTag* owner, size_t bytes) noexcept {
    return {owner != nullptr ? owner->blocks : nullptr, bytes};
}

class BufferImpl final : public Buffer, public ResourceUse {
public:
    explicit BufferImpl(const DeviceTag* owner)
        : Buffer(owner)
        , owner_(owner) {}
    /// errors  OutOfRange: too large; OutOfMemory; Cancelled
    static Result<std::shared_ptr<BufferImpl>>
    create(const DeviceTag* owner, uint64_t size_bytes, std::span<const std::byte> data);

    [[nodiscard]] uint64_t size() const noexcept override { return size_; }
    [[nodiscard]] uint8_t* data() noexcept { return reinterpret_cast<uint8_t*>(bytes_.get()); }
    [[nodiscard]] const uint8_t* data() const noexcept {
        return reinterpret_cast<const uint8_t*>(bytes_.get());
    }
    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }

    LateWrites late;

private:
    const DeviceTag* owner_;
    uint64_t size_ = 0;
    PooledBlock bytes_;
};

/// Parts of a tile that hold the clear value instead of the texels in memory.
enum ClearBit : uint8_t {
    kClearMain = 1,     ///< colour, or depth
    kClearStencil = 2,  ///< stencil
};

/// Clear state of a drawable slice, by 64x64 tile: if a part's flag is set, the whole part of the
/// tile has the clear value, and its memory is undefined.
struct SliceClear {
    std::vector<uint8_t> flags;       ///< ClearBits by tile, row-major
    std::array<uint8_t, 16> texel{};  ///< stored bytes of the clear colour
    uint32_t depth = 0;               ///< depth code
    uint8_t stencil = 0;
};

/// Blocks of one slice of a compressed texture, as the application wrote them.
struct BlockRows {
    std::byte* first = nullptr;  ///< null: the format is not compressed
    size_t stride_bytes = 0;     ///< from one row of blocks to the next
};

class TextureImpl final : public Texture, public ResourceUse {
public:
    explicit TextureImpl(const DeviceTag* owner)
        : Texture(owner)
        , owner_(owner) {}
    /// errors  OutOfRange: size beyond config.hpp; Unsupported: format; InvalidState: contradictory
    ///         description; OutOfMemory; Cancelled
    static Result<std::shared_ptr<TextureImpl>> create(const DeviceTag* owner,
                                                       const TextureDesc& desc);

    [[nodiscard]] const TextureDesc& desc() const noexcept override { return desc_; }
    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    [[nodiscard]] const exec::TextureLevel& level(uint32_t l) const noexcept { return levels_[l]; }
    /// The plain format of the stored texels; differs from desc().format if that is compressed.
    [[nodiscard]] Format storage() const noexcept { return storage_; }
    [[nodiscard]] uint32_t texel_bytes() const noexcept { return texel_bytes_; }
    /// Returns the first byte of a slice; multisampled tiles hold `samples` planes.
    [[nodiscard]] uint8_t* slice(uint32_t l, uint32_t z) noexcept;

    /// Returns the texels of all levels, and then the blocks of each level of a compressed format.
    [[nodiscard]] std::vector<std::span<std::byte>> memory();

    /// Returns the blocks that decoded texels were made from, for reading back compressed formats.
    [[nodiscard]] BlockRows blocks(uint32_t l, uint32_t z) noexcept;

    /// Returns the clear state of one slice, creating it at the first call.
    [[nodiscard]] SliceClear& slice_clear(uint32_t l, uint32_t z);
    /// Writes pending clear values to memory, so that the texels can be read in place. Returns
    /// early when the device is cancelled.
    void settle(uint32_t l, uint32_t z) noexcept;
    void settle_all() noexcept;
    /// Does settle_all() with the rows that `run` gives out.
    Result<void> settle_all(const RowRunner& run);
    /// Does settle() in rows of tiles, perhaps on several threads.
    /// errors  those of the threads
    Result<void> settle(uint32_t l, uint32_t z, const RowRunner& run);
    /// Does settle() only for tiles with texels of a box, which lies inside the level; its z and
    /// depth do not count.
    void settle(uint32_t l, uint32_t z, const Box& box) noexcept;
    /// Does that in rows of tiles, perhaps on several threads.
    /// errors  those of the threads
    Result<void> settle(uint32_t l, uint32_t z, const Box& box, const RowRunner& run);
    /// Does settle() only for tiles of the box of which one part is cleared: cleared_tile() gives
    /// fully cleared tiles.
    void settle_parts(uint32_t l, uint32_t z, const Box& box) noexcept;
    /// Notes that stored texels are read. Texels of a texture that is only cleared and drawn to
    /// need not be in the caches afterwards.
    void note_read() noexcept {
        if (!is_read())
            read_.store(true, std::memory_order_relaxed);
    }
    [[nodiscard]] bool is_read() const noexcept { return read_.load(std::memory_order_relaxed); }
    /// Returns whether the slice has tiles that hold a clear value, so that they cannot be read in
    /// place.
    [[nodiscard]] bool has_clears(uint32_t l, uint32_t z) const noexcept;
    /// Returns the copy for filters, which may be empty.
    [[nodiscard]] FilterCopy& filter_copy();
    /// Returns the texel that a whole tile (row-major) holds, of which the first texel_bytes()
    /// bytes count; nothing if the tile's texels are in memory.
    [[nodiscard]] std::optional<std::array<uint8_t, 16>>
    cleared_tile(uint32_t l, uint32_t z, uint32_t tile) const noexcept;

private:
    /// Allocates the blocks of a compressed format.
    Result<void> create_blocks();
    void mark_stencil_cleared();
    /// Settles the tiles of the box whose flags are wanted.
    template <typename F>
    void settle_tiles(uint32_t l, uint32_t z, const Box& box, F wanted) noexcept;
    void settle_tile(uint32_t l, uint32_t z, uint32_t tile) noexcept;

    const DeviceTag* owner_;
    TextureDesc desc_;
    Format storage_ = Format::None;
    uint32_t texel_bytes_ = 0;
    bool any_clear_ = false;
    std::atomic<bool> read_ = false;
    std::vector<exec::TextureLevel> levels_;
    std::vector<std::vector<SliceClear>> clears_;  ///< by level and slice
    PooledBlock bytes_;
    std::vector<PooledBlock> blocks_;  ///< by level; slices follow one another
    std::unique_ptr<FilterCopy> filter_copy_;
};

/// Returns the number of tiles of kTileSize that cover `texels` texels in one direction.
constexpr uint32_t tiles_across(uint32_t texels) {
    return (texels + exec::kTileSize - 1) / exec::kTileSize;
}

/// Returns the buffer behind a handle; null if the handle is null or belongs to another Device.
inline BufferImpl* own_buffer(const BufferRef& buffer, const DeviceTag* owner) noexcept {
    return buffer && buffer->maker() == owner ? static_cast<BufferImpl*>(buffer.get()) : nullptr;
}
inline TextureImpl* own_texture(const TextureRef& texture, const DeviceTag* owner) noexcept {
    return texture && texture->maker() == owner ? static_cast<TextureImpl*>(texture.get())
                                                : nullptr;
}

/// Returns whether a format can be a colour target, a depth/stencil target or a texture.
bool is_color_renderable(Format format);
bool is_depth_stencil(Format format);
bool has_depth(Format format);
bool has_stencil(Format format);

}  // namespace valkyr::raster

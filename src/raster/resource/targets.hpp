// Targets: name the surfaces that a pass draws to and buffer one tile of them for a worker.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/resource/resource.hpp"
#include "raster/support/memory.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::raster {

/// One attachment.
struct TargetSurface {
    TextureImpl* texture = nullptr;  ///< null: nothing bound
    uint32_t level = 0;
    uint32_t layer = 0;
    uint32_t layer_count = 1;
    Format format = Format::None;
    uint8_t* texels = nullptr;  ///< first texel of the slice
    uint32_t blocks_per_row = 0;
    uint32_t block_rows = 0;
    uint32_t texel_bytes = 0;
    SliceClear* clear = nullptr;
    uint32_t tiles_per_row = 0;  ///< tiles in a row of `clear->flags`
    bool shared = false;         ///< the pass's shaders access its texels, as those of an image

    friend bool operator==(const TargetSurface& a, const TargetSurface& b) {
        return a.texture == b.texture && a.level == b.level && a.layer == b.layer &&
               a.layer_count == b.layer_count && a.format == b.format;
    }
};

/// All attachments of a pass.
struct PassTargets {
    std::array<TargetSurface, exec::kMaxRenderTargets> color;
    TargetSurface depth_stencil;
    uint32_t width = 0;  ///< size that all attachments have
    uint32_t height = 0;
    uint32_t samples = 1;
    uint32_t layers = 1;  ///< layers that all attachments have

    /// Returns the attachments with one of their layers as the only one. Clear states of all layers
    /// must exist.
    [[nodiscard]] PassTargets at_layer(uint32_t layer) const;
    [[nodiscard]] uint32_t tiles_x() const { return tiles_across(width); }
    [[nodiscard]] uint32_t tiles_y() const { return tiles_across(height); }
    /// Returns the tiles of one layer.
    [[nodiscard]] uint32_t tile_count() const { return tiles_x() * tiles_y(); }
    friend bool operator==(const PassTargets& a, const PassTargets& b) {
        return a.color == b.color && a.depth_stencil == b.depth_stencil && a.width == b.width &&
               a.height == b.height && a.samples == b.samples && a.layers == b.layers;
    }
};

/// Effects of a pass's draws on its attachments.
struct PassAccess {
    uint32_t color_written = 0;  ///< mask
    bool depth_stencil_used = false;
    bool stencil_used = false;  ///< tested or written
    bool depth_written = false;
    bool stencil_written = false;
};

/// One worker's copy of a tile: 256 blocks of each attachment (FragmentCall's layout).
class TileBuffer {
public:
    /// Makes room; returns false without memory. Buffers only grow.
    bool reserve(const PassTargets& targets);
    /// Fills the buffers from the surfaces or their clear values; loads colours only if `colors`,
    /// except shared ones.
    void load(const PassTargets& targets,
              const PassAccess& access,
              uint32_t tx,
              uint32_t ty,
              bool colors);
    /// Writes back the parts that the pass may have changed; of shared surfaces the texels that it
    /// did change, because shaders may have written the others.
    void store(const PassTargets& targets, const PassAccess& access, uint32_t tx, uint32_t ty);
    /// Returns the depth code of a tile that is unchanged since its clear; nothing for other tiles.
    static std::optional<uint32_t>
    cleared_depth(const PassTargets& targets, uint32_t tx, uint32_t ty);
    /// Sets a call's buffer pointers.
    void bind(const PassTargets& targets, exec::FragmentCall& call) const;

private:
    struct Plane {
        AlignedBytes bytes;
        size_t size = 0;
        bool reserve(size_t wanted);
        [[nodiscard]] uint8_t* data() const { return reinterpret_cast<uint8_t*>(bytes.get()); }
    };

    void load_depth_stencil(const PassTargets& targets,
                            const PassAccess& access,
                            uint32_t tx,
                            uint32_t ty);
    void store_depth_stencil(const PassTargets& targets,
                             const PassAccess& access,
                             uint32_t tx,
                             uint32_t ty);

    std::array<Plane, exec::kMaxRenderTargets> color_;
    std::array<Plane, exec::kMaxRenderTargets> loaded_;  ///< shared surfaces, as they were loaded
    Plane depth_;
    Plane stencil_;
};

}  // namespace valkyr::raster

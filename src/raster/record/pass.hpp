// Pass: keeps the draws recorded for one set of attachments, and the objects that they use.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/record/query.hpp"
#include "raster/record/recent_draw.hpp"
#include "raster/resource/resource.hpp"
#include "raster/resource/targets.hpp"
#include "raster/support/memory.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::raster {

struct Pass {
    PassTargets targets;
    PassAccess access;
    uint32_t layers = 1;           ///< layers of the attachments that some draw chooses from
    bool written = false;          ///< some draw's shaders may write to images or buffers
    bool alone = false;            ///< its only draw reads or stores texels that it draws to
    bool reads_depth = false;      ///< shaders read texels of the depth/stencil attachment
    Arena arena{size_t{1} << 18};  ///< draw records, contexts, uniforms, descriptors
    std::vector<DrawRecord*> draws;
    std::vector<std::shared_ptr<const void>> alive;  ///< resources, pipelines, kernels, surfaces
    std::vector<CounterBlock> counters;              ///< counters of queries
    std::vector<std::shared_ptr<BufferImpl>> late;   ///< buffers with late writes
    uint64_t number = 1;                             ///< stamps resources in use
    std::array<BoundTables, kDrawStages> bound;      ///< tables of the last draws, by DrawStage

    /// Keeps an object alive until the pass is done; cheap if it is one of the last few.
    void keep(const std::shared_ptr<const void>& object) {
        const size_t n = alive.size();
        for (size_t i = n > kRecent ? n - kRecent : 0; i < n; ++i)
            if (alive[i] == object)
                return;
        alive.push_back(object);
    }

    /// Makes room for one more draw, so that adding it cannot fail.
    void make_room() {
        if (draws.size() == draws.capacity())
            draws.reserve(2 * draws.size() + kLeastRoom);
    }

    /// Applies late writes; no draw may need the old bytes any more.
    void land_writes() noexcept {
        for (const auto& buffer : late)
            buffer->late.apply(reinterpret_cast<std::byte*>(buffer->data()));
        late.clear();
    }

    /// Notes that the attachments have other texels than before.
    void note_changes() const noexcept {
        for (const TargetSurface& surface : targets.color)
            if (surface.texture != nullptr)
                ++surface.texture->changes;
    }

    /// Returns whether nothing was recorded since reset(): each draw, even one that fails, keeps
    /// its pipeline, and begin_pass() its attachments.
    [[nodiscard]] bool is_new() const { return alive.empty() && late.empty() && counters.empty(); }

    void reset() {
        bound = {};
        arena.reset();
        draws.clear();
        alive.clear();
        counters.clear();
        access = {};
        layers = 1;
        written = false;
        alone = false;
        reads_depth = false;
        targets = {};
        ++number;
    }

private:
    static constexpr size_t kRecent = 8;
    static constexpr size_t kLeastRoom = 16;
};

}  // namespace valkyr::raster

// Scene capture: copies the warps of a draw that shade a pixel, a vertex, a primitive or a patch.
// SPDX-License-Identifier: MIT
#include "app/debug/session/scene_capture.hpp"

#include "app/debug/session/kernel_cases.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

/// Pixels of a block that are covered in some sample.
uint16_t covered(const exec::FragmentCall& call, uint32_t index, unsigned samples) {
    if (call.sample_masks == nullptr)
        return call.blocks[index].mask;
    uint16_t mask = 0;
    for (unsigned s = 0; s < samples; ++s)
        mask |= call.sample_masks[size_t{index} * samples + s];
    return mask;
}

}  // namespace

/// The kernel itself, and what it was made from.
struct SceneCapture::Origin : KernelOrigin {
    raster::KernelRef kernel;
};

class SceneCapture::TappedKernel final : public raster::KernelHandle {
public:
    TappedKernel(SceneCapture& capture, Origin origin)
        : capture_(capture)
        , origin_(std::move(origin)) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override { return {call, this}; }

private:
    static void call(const void* self, void* argument) noexcept {
        const auto& kernel = *static_cast<const TappedKernel*>(self);
        if (kernel.capture_.armed_)
            kernel.see(argument);
        const exec::Kernel inner = kernel.origin_.kernel->entry();
        inner.entry(inner.self, argument);
    }

    void see(const void* argument) const {
        switch (origin_.program->info.stage) {
        case exec::Stage::Vertex:
            return capture_.see(origin_, *static_cast<const exec::VertexCall*>(argument));
        case exec::Stage::Geometry:
            return capture_.see(origin_, *static_cast<const exec::GeometryCall*>(argument));
        case exec::Stage::Fragment:
            return capture_.see(origin_, *static_cast<const exec::FragmentCall*>(argument));
        case exec::Stage::Compute:
            return capture_.see(origin_, *static_cast<const exec::ComputeCall*>(argument));
        case exec::Stage::Blend: return;
        }
    }

    SceneCapture& capture_;
    Origin origin_;
};

raster::KernelRef SceneCapture::wrap(const valhall::Program& program,
                                     const exec::VertexKey* vertex,
                                     const exec::FragmentKey* fragment,
                                     raster::KernelRef kernel) {
    // Uniform prologues have no key.
    const bool has_key = vertex != nullptr || fragment != nullptr;
    if (!target_.is_set() || !has_key || program.info.stage != target_.stage())
        return kernel;
    Origin origin{{copy_of(program), {}, {}}, std::move(kernel)};
    if (vertex != nullptr)
        origin.vertex = *vertex;
    if (fragment != nullptr)
        origin.fragment = *fragment;
    return std::make_shared<TappedKernel>(*this, std::move(origin));
}

void SceneCapture::see(const Origin& origin, const exec::FragmentCall& call) {
    const int32_t x = target_.pixel->first - call.tile_x;
    const int32_t y = target_.pixel->second - call.tile_y;
    const auto size = static_cast<int32_t>(exec::kTileSize);
    if (x < 0 || y < 0 || x >= size || y >= size)
        return;
    const auto block =
        static_cast<uint32_t>(y / 4 * static_cast<int32_t>(exec::kBlocksPerRow) + x / 4);
    const unsigned lane = exec::lane_at(static_cast<unsigned>(x & 3), static_cast<unsigned>(y & 3));
    for (uint32_t i = 0; i < call.block_count; ++i) {
        if (call.blocks[i].block != block ||
            (covered(call, i, std::max<unsigned>(origin.fragment.samples, 1)) >> lane & 1) == 0)
            continue;
        add(fragment_case(origin, call, i), lane);
    }
}

void SceneCapture::see(const Origin& origin, const exec::VertexCall& call) {
    const uint32_t* const end = call.vertex_ids + call.count;
    for (const uint32_t* found = std::find(call.vertex_ids, end, *target_.vertex); found != end;
         found = std::find(found + 1, end, *target_.vertex)) {
        const auto index = static_cast<uint32_t>(found - call.vertex_ids);
        const uint32_t first = index / exec::kLanes * exec::kLanes;
        add(vertex_case(origin, call, first), index - first);
    }
}

void SceneCapture::see(const Origin& origin, const exec::GeometryCall& call) {
    for (uint32_t pair = 0; pair < call.out.count; ++pair) {
        if (call.primitive_ids[pair] != *target_.primitive)
            continue;
        const uint32_t first = pair / exec::kLanes * exec::kLanes;
        add(geometry_case(origin, call, first), pair - first);
    }
}

/// A draw runs no other compute programs than those of tessellation.
void SceneCapture::see(const Origin& origin, const exec::ComputeCall& call) {
    if (origin.program->info.patch.vertices != 0)
        control_vertices_ = origin.program->info.patch.vertices;
    for (uint64_t group = call.first_group; group < call.first_group + call.group_count; ++group) {
        if (origin.program->info.patch.vertices != 0)
            see_control(origin, call, group);
        else
            see_points(origin, call, group);
    }
}

void SceneCapture::see_control(const Origin& origin,
                               const exec::ComputeCall& call,
                               uint64_t group) {
    const uint32_t made = origin.program->info.patch.vertices;
    const auto first = static_cast<uint32_t>(group * origin.program->info.compute.block[1]);
    const uint32_t count = call.block[1];
    for (uint32_t patch = 0; patch < count; ++patch) {
        if (patch_id(call, first + patch) != *target_.patch)
            continue;
        add(control_case(origin, call, group, patch_vertices_), patch * made);
    }
}

void SceneCapture::see_points(const Origin& origin, const exec::ComputeCall& call, uint64_t group) {
    const uint32_t count = call.block[0];
    uint32_t lane = 0;
    while (lane < count &&
           patch_id(call, point_of(call, group * exec::kLanes + lane).patch) != *target_.patch)
        ++lane;
    if (lane == count)
        return;
    const uint32_t vertices = control_vertices_ != 0 ? control_vertices_ : patch_vertices_;
    add(points_case(origin, call, group, vertices), lane);
}

void SceneCapture::add(std::unique_ptr<WarpCase> warp, unsigned lane) {
    if (hits_.size() == kMaxHits)
        hits_.erase(hits_.begin());
    hits_.push_back({draw_, std::move(warp), lane});
}

}  // namespace valkyr::debug

// Scene capture: catches the warps of a draw that shade a pixel, a vertex, a primitive or a patch.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "raster/record/kernel_tap.hpp"

#include <optional>

namespace valkyr::debug {

/// The pixel, vertex, input primitive or patch to look for; one of them is set.
struct Target {
    std::optional<std::pair<int32_t, int32_t>> pixel;
    std::optional<uint32_t> vertex;     ///< by vertex ID, base vertex included
    std::optional<uint32_t> primitive;  ///< of a geometry shader, by gl_PrimitiveIDIn
    std::optional<uint32_t> patch;      ///< of a tessellation shader, by gl_PrimitiveID
    [[nodiscard]] bool is_set() const { return pixel || vertex || primitive || patch; }
    /// The stage whose warps have it.
    [[nodiscard]] exec::Stage stage() const {
        return pixel       ? exec::Stage::Fragment
               : primitive ? exec::Stage::Geometry
               : patch     ? exec::Stage::Compute
                           : exec::Stage::Vertex;
    }
};

/// A warp that was found.
struct Hit {
    uint32_t draw = 0;
    std::unique_ptr<WarpCase> warp;
    unsigned lane = 0;  ///< of the target
};

/// Wraps every kernel of a device. While armed, it copies the warps that contain the target, then
/// calls the wrapped kernel. The device must have one thread.
class SceneCapture final : public raster::KernelTap {
public:
    static constexpr size_t kMaxHits = 4096;

    explicit SceneCapture(const Target& target)
        : target_(target) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;

    /// From now on, kernel calls belong to draw number `draw`.
    /// patch_vertices  raster::DrawInfo::patch_vertices
    void arm(uint32_t draw, uint32_t patch_vertices) {
        draw_ = draw;
        patch_vertices_ = patch_vertices;
        control_vertices_ = 0;
        armed_ = true;
    }
    void disarm() { armed_ = false; }
    /// The last kMaxHits warps that were found.
    [[nodiscard]] std::vector<Hit>& hits() { return hits_; }

private:
    class TappedKernel;
    struct Origin;
    void see(const Origin& origin, const exec::FragmentCall& call);
    void see(const Origin& origin, const exec::VertexCall& call);
    void see(const Origin& origin, const exec::GeometryCall& call);
    void see(const Origin& origin, const exec::ComputeCall& call);
    void see_control(const Origin& origin, const exec::ComputeCall& call, uint64_t group);
    void see_points(const Origin& origin, const exec::ComputeCall& call, uint64_t group);
    void add(std::unique_ptr<WarpCase> warp, unsigned lane);

    Target target_;
    uint32_t draw_ = 0;
    uint32_t patch_vertices_ = 0;
    uint32_t control_vertices_ = 0;  ///< of the draw's control program; 0: none has run
    bool armed_ = false;
    std::vector<Hit> hits_;
};

}  // namespace valkyr::debug

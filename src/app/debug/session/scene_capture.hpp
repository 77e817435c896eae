// Scene capture: catches the warps of a draw that touch a pixel or shade a vertex or a primitive.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "raster/record/kernel_tap.hpp"

#include <optional>

namespace valkyr::debug {

/// The pixel, vertex or input primitive to look for; one of the three is set.
struct Target {
    std::optional<std::pair<int32_t, int32_t>> pixel;
    std::optional<uint32_t> vertex;     ///< by vertex ID, base vertex included
    std::optional<uint32_t> primitive;  ///< of a geometry shader, by gl_PrimitiveIDIn
    [[nodiscard]] bool is_set() const { return pixel || vertex || primitive; }
    /// The stage whose warps have it.
    [[nodiscard]] exec::Stage stage() const {
        return pixel       ? exec::Stage::Fragment
               : primitive ? exec::Stage::Geometry
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
    void arm(uint32_t draw) {
        draw_ = draw;
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
    void add(std::unique_ptr<WarpCase> warp, unsigned lane);

    Target target_;
    uint32_t draw_ = 0;
    bool armed_ = false;
    std::vector<Hit> hits_;
};

}  // namespace valkyr::debug

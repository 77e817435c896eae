// Depth loss: says which of the depth and stencil tests took a fragment's samples.
// SPDX-License-Identifier: MIT
#include "app/debug/history/depth_loss.hpp"

#include "raster/messages/compare.hpp"
#include "raster/messages/interpolate.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

/// The tests of one lane, as the rasterizer's messages make them.
class Tests {
public:
    Tests(const WarpCase& warp, unsigned lane, const ShaderDepth& given)
        : warp_(warp)
        , zs_(warp.fragment_key.zs)
        , face_(zs_.stencil[warp.primitive.flags & 1])
        , lane_(lane)
        , given_(given) {
        call_.primitive = &warp.primitive;
        seen_.draw = &warp.draw;
        seen_.fragment = &call_;
        seen_.x = warp.x;
        seen_.y = warp.y;
    }

    [[nodiscard]] Loss loss(unsigned sample) const {
        const size_t element = size_t{sample} * exec::kLanes + lane_;
        Loss loss;
        loss.samples = 1U << sample;
        if (zs_.stencil_test() && !warp_.memory.stencil.empty()) {
            const uint8_t stored = warp_.memory.stencil[element];
            const uint8_t reference =
                given_.stencil.value_or(warp_.draw.stencil_reference[warp_.primitive.flags & 1]);
            loss.killer = Killer::Stencil;
            loss.func = face_.func;
            loss.value = reference;
            loss.against = stored;
            loss.read_mask = face_.read_mask;
            if (!raster::compare<unsigned>(face_.func, reference & face_.read_mask,
                                           stored & face_.read_mask))
                return loss;
        }
        loss.killer = Killer::Depth;
        loss.func = zs_.depth_func;
        loss.value = raster::decode_depth(zs_.format, code(sample));
        loss.against = warp_.memory.depth.empty()
                           ? 0
                           : raster::decode_depth(zs_.format, warp_.memory.depth[element]);
        return loss;
    }

private:
    [[nodiscard]] uint32_t code(unsigned sample) const {
        const float z = given_.depth
                            ? *given_.depth
                            : raster::linear_value(
                                  warp_.primitive.z,
                                  raster::sample_in_lane(seen_, lane_, warp_.samples(), sample));
        return raster::encode_depth(zs_.format, raster::clamp_depth(z, warp_.primitive.depth_min,
                                                                    warp_.primitive.depth_max));
    }

    const WarpCase& warp_;
    const exec::DepthStencilKey& zs_;
    const exec::StencilFace& face_;
    unsigned lane_;
    const ShaderDepth& given_;
    exec::FragmentCall call_;
    exec::Warp seen_;
};

}  // namespace

std::vector<Loss> depth_losses(
    const WarpCase& warp, unsigned lane, uint32_t lost, bool early, const ShaderDepth& given) {
    const Tests tests(warp, lane, given);
    std::vector<Loss> losses;
    for (unsigned s = 0; s < warp.samples(); ++s) {
        if ((lost >> s & 1) == 0)
            continue;
        Loss loss = tests.loss(s);
        loss.early = early;
        const auto known = std::ranges::find(losses, loss.killer, &Loss::killer);
        if (known != losses.end())
            known->samples |= loss.samples;
        else
            losses.push_back(loss);
    }
    return losses;
}

}  // namespace valkyr::debug

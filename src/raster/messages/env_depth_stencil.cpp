// Depth and stencil messages: executes the early test, ATEST and ZS_EMIT (GL 4.6 section 17.3).
// SPDX-License-Identifier: MIT
//
// One function tests and updates a pixel's samples. The three messages call it at different times,
// and differ in the source of depth and of the stencil reference.
#include "base/bits.hpp"
#include "exec/atest_datum.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/messages/alpha_coverage.hpp"
#include "raster/messages/compare.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/interpolate.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::raster {
namespace {

using exec::StencilFace;
using exec::StencilOp;

/// Depth and stencil of one pixel that the shader supplies, in place of the rasterizer's depth and
/// the state's reference.
struct PixelValues {
    bool has_depth = false;
    bool has_stencil = false;
    float depth = 0;
    uint8_t stencil = 0;
};

uint8_t stencil_result(StencilOp op, uint8_t stored, uint8_t reference) {
    switch (op) {
    case StencilOp::Keep: return stored;
    case StencilOp::Zero: return 0;
    case StencilOp::Replace: return reference;
    case StencilOp::IncrementClamp: return static_cast<uint8_t>(std::min(stored + 1, 255));
    case StencilOp::DecrementClamp: return static_cast<uint8_t>(std::max(stored - 1, 0));
    case StencilOp::IncrementWrap: return static_cast<uint8_t>(stored + 1);
    case StencilOp::DecrementWrap: return static_cast<uint8_t>(stored - 1);
    case StencilOp::Invert: return static_cast<uint8_t>(~stored);
    }
    return stored;
}

/// Tests of one warp; looks up state and tile memory once.
class ZsTest {
public:
    explicit ZsTest(const Warp& warp)
        : warp_(warp)
        , zs_(fragment_key(warp).zs)
        , samples_(fragment_key(warp).samples)
        , face_(zs_.stencil[warp.fragment->primitive->flags & 1])
        , reference_(warp.draw->stencil_reference[warp.fragment->primitive->flags & 1]) {
        const DepthLayout layout = depth_layout(zs_.format);
        test_depth_ = zs_.depth_test && layout.depth >= 0 && warp.fragment->depth != nullptr;
        test_stencil_ =
            zs_.stencil_test() && layout.stencil >= 0 && warp.fragment->stencil != nullptr;
    }

    /// Tests and updates the samples of `coverage`; counts and returns the samples that pass.
    uint32_t pixel(unsigned lane, uint32_t coverage, const PixelValues& values) {
        uint32_t passed = 0;
        for (unsigned s = 0; s < samples_; ++s)
            if (coverage >> s & 1 && sample(lane, s, values))
                passed |= 1U << s;
        if (zs_.count_samples)
            warp_.fragment->samples_passed += static_cast<unsigned>(std::popcount(passed));
        return passed;
    }

private:
    [[nodiscard]] uint32_t depth_code(unsigned lane, unsigned s, const PixelValues& values) const {
        const exec::PrimitiveSetup& primitive = *warp_.fragment->primitive;
        const float z = values.has_depth
                            ? values.depth
                            : linear_value(primitive.z, sample_in_lane(warp_, lane, samples_, s));
        return encode_depth(zs_.format, clamp_depth(z, primitive.depth_min, primitive.depth_max));
    }

    bool sample(unsigned lane, unsigned s, const PixelValues& values) {
        const size_t index = (size_t{warp_.block} * samples_ + s) * exec::kLanes + lane;
        const uint8_t reference = values.has_stencil ? values.stencil : reference_;
        if (test_stencil_ && !stencil_passes(index, reference)) {
            update_stencil(index, face_.fail, reference);
            return false;
        }
        if (test_depth_ && !depth_passes(index, depth_code(lane, s, values))) {
            if (test_stencil_)
                update_stencil(index, face_.depth_fail, reference);
            return false;
        }
        if (test_stencil_)
            update_stencil(index, face_.pass, reference);
        return true;
    }

    [[nodiscard]] bool stencil_passes(size_t index, uint8_t reference) const {
        const uint8_t stored = warp_.fragment->stencil[index];
        return compare<unsigned>(face_.func, reference & face_.read_mask, stored & face_.read_mask);
    }

    void update_stencil(size_t index, StencilOp op, uint8_t reference) const {
        uint8_t& stored = warp_.fragment->stencil[index];
        const uint8_t result = stencil_result(op, stored, reference);
        stored = static_cast<uint8_t>((stored & ~face_.write_mask) | (result & face_.write_mask));
    }

    [[nodiscard]] bool depth_passes(size_t index, uint32_t code) const {
        uint32_t& stored = warp_.fragment->depth[index];
        if (!compare(zs_.depth_func, code, stored))
            return false;
        if (zs_.depth_write)
            stored = code;
        return true;
    }

    const Warp& warp_;
    const exec::DepthStencilKey& zs_;
    unsigned samples_;
    const StencilFace& face_;
    uint8_t reference_;
    bool test_depth_ = false;
    bool test_stencil_ = false;
};

bool can_test(const Warp& warp) {
    return warp.fragment != nullptr && warp.fragment->primitive != nullptr;
}

}  // namespace

void env_early_zs(const Warp& warp, Lanes& coverage) noexcept {
    if (!can_test(warp))
        return;
    ZsTest test(warp);
    for_each_lane(warp.running, [&](unsigned lane) {
        coverage.v[lane] = test.pixel(lane, coverage.v[lane], {});
    });
}

void env_atest(const Warp& warp,
               const Lanes& coverage,
               const Lanes& alpha,
               uint64_t datum,
               Lanes* out) noexcept {
    if (!can_test(warp))
        return;
    const exec::AtestDatum state = exec::unpack_atest_datum(datum);
    ZsTest test(warp);
    for_each_lane(warp.running, [&](unsigned lane) {
        const float a = as_float(alpha.v[lane]);
        uint32_t result = warp.live >> lane & 1 ? coverage.v[lane] : 0;
        if (!compare(state.alpha_func, a, state.alpha_reference))
            result = 0;
        if (state.alpha_to_coverage)
            result &= alpha_coverage(a, state.samples);
        out->v[lane] = state.late_test ? test.pixel(lane, result, {}) : result;
    });
}

void env_zs_emit(const Warp& warp,
                 const Lanes* depth,
                 const Lanes* stencil,
                 const Lanes& coverage,
                 Lanes* out) noexcept {
    if (!can_test(warp))
        return;
    ZsTest test(warp);
    for_each_lane(warp.running, [&](unsigned lane) {
        PixelValues values;
        if (depth != nullptr) {
            values.has_depth = true;
            values.depth = as_float(depth->v[lane]);
        }
        if (stencil != nullptr) {
            values.has_stencil = true;
            values.stencil = static_cast<uint8_t>(stencil->v[lane]);
        }
        const uint32_t live = warp.live >> lane & 1 ? coverage.v[lane] : 0;
        out->v[lane] = test.pixel(lane, live, values);
    });
}

}  // namespace valkyr::raster

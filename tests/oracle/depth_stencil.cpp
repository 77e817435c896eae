// Depth stencil: tests and updates one sample (OpenGL 4.6 sections 17.3.3, 17.3.4).
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/oracle/per_sample.hpp"

#include <algorithm>

namespace valkyr::reference {

using raster::StencilOp;

uint8_t stencil_result(StencilOp op, uint8_t stored, uint8_t reference) {
    const int value = stored;
    switch (op) {
    case StencilOp::Keep: return stored;
    case StencilOp::Zero: return 0;
    case StencilOp::Replace: return reference;
    case StencilOp::IncrementClamp: return static_cast<uint8_t>(std::min(value + 1, 255));
    case StencilOp::DecrementClamp: return static_cast<uint8_t>(std::max(value - 1, 0));
    case StencilOp::IncrementWrap: return static_cast<uint8_t>((value + 1) & 255);
    case StencilOp::DecrementWrap: return static_cast<uint8_t>((value - 1) & 255);
    case StencilOp::Invert: return static_cast<uint8_t>(~value & 255);
    }
    VALKYR_UNREACHABLE();
}

namespace {

void update_stencil(const raster::StencilFace& face,
                    StencilOp op,
                    uint8_t reference,
                    exec::Format format,
                    uint8_t* texel) {
    const auto stored = static_cast<uint8_t>(load_channel(format, texel, stencil_channel(format)));
    const uint8_t result = stencil_result(op, stored, reference);
    const int merged = (stored & ~face.write_mask) | (result & face.write_mask);
    store_channel(format, texel, stencil_channel(format), static_cast<uint32_t>(merged & 255));
}

}  // namespace

bool depth_stencil(const raster::DepthStencilState& state,
                   exec::Format format,
                   const DepthStencilInput& input,
                   uint8_t* texel) {
    const bool two_sided = state.stencil[1].enable;
    const raster::StencilFace& face = state.stencil[input.back_facing && two_sided ? 1 : 0];
    const bool stencil_test = state.stencil[0].enable && has_stencil(format);
    const uint8_t reference = input.stencil_reference;

    if (stencil_test) {
        const auto stored =
            static_cast<uint32_t>(load_channel(format, texel, stencil_channel(format)));
        const bool pass =
            compare<uint32_t>(face.func, reference & face.read_mask, stored & face.read_mask);
        if (!pass) {
            update_stencil(face, face.fail, reference, format, texel);
            return false;
        }
    }
    const bool depth_test = state.depth_test && has_depth(format);
    const bool depth_pass =
        !depth_test || compare<uint64_t>(state.depth_func, input.depth_code,
                                         load_channel(format, texel, depth_channel(format)));
    if (stencil_test)
        update_stencil(face, depth_pass ? face.pass : face.depth_fail, reference, format, texel);
    if (depth_pass && depth_test && state.depth_write)
        store_channel(format, texel, depth_channel(format), input.depth_code);
    return depth_pass;
}

}  // namespace valkyr::reference

// Read state: sets a context's parameters of reads to their initial values for a while.
// SPDX-License-Identifier: MIT
#include "osmesa/read_state.hpp"

#include "osmesa/names.hpp"

#include <cstddef>

namespace valkyr::osmesa {
namespace {

/// A parameter and its value for reads.
template <typename T>
struct Parameter {
    unsigned name;
    T value;
};
constexpr std::array<Parameter<int>, 5> kPack{{{kGlPackSwapBytes, 0},
                                               {kGlPackRowLength, 0},
                                               {kGlPackSkipRows, 0},
                                               {kGlPackSkipPixels, 0},
                                               {kGlPackAlignment, 1}}};
constexpr std::array<Parameter<float>, 2> kTransfer{{{kGlDepthScale, 1}, {kGlDepthBias, 0}}};

}  // namespace

ReadState::ReadState(const Gl& gl, bool core)
    : gl_(gl)
    , core_(core) {
    gl_.get_integer(kGlPixelPackBufferBinding, &buffer_);
    gl_.bind_buffer(kGlPixelPackBuffer, 0);
    gl_.get_integer(kGlReadFramebufferBinding, &frame_);
    gl_.bind_framebuffer(kGlReadFramebuffer, 0);
    for (size_t i = 0; i < kPack.size(); ++i) {
        gl_.get_integer(kPack[i].name, &pack_[i]);
        gl_.pixel_store(kPack[i].name, kPack[i].value);
    }
    for (size_t i = 0; i < kTransfer.size() && !core_; ++i) {
        gl_.get_float(kTransfer[i].name, &transfer_[i]);
        gl_.pixel_transfer(kTransfer[i].name, kTransfer[i].value);
    }
}

ReadState::~ReadState() {
    for (size_t i = 0; i < kTransfer.size() && !core_; ++i)
        gl_.pixel_transfer(kTransfer[i].name, transfer_[i]);
    for (size_t i = 0; i < kPack.size(); ++i)
        gl_.pixel_store(kPack[i].name, pack_[i]);
    gl_.bind_framebuffer(kGlReadFramebuffer, static_cast<unsigned>(frame_));
    gl_.bind_buffer(kGlPixelPackBuffer, static_cast<unsigned>(buffer_));
}

}  // namespace valkyr::osmesa

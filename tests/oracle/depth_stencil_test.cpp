// Depth and stencil test: compares with the text of the OpenGL specification.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/oracle/per_sample.hpp"

#include <doctest/doctest.h>
#include <vector>

namespace valkyr::reference {
namespace {

using exec::Format;
using raster::CompareFunc;
using raster::StencilOp;

constexpr Format kFormat = Format::D24_UNORM_S8_UINT;

struct DepthStencilTexel {
    uint8_t bytes[4] = {};
    DepthStencilTexel(uint32_t depth, uint32_t stencil) {
        store_channel(kFormat, bytes, 0, depth);
        store_channel(kFormat, bytes, 1, stencil);
    }
    [[nodiscard]] uint64_t depth() const { return load_channel(kFormat, bytes, 0); }
    [[nodiscard]] uint64_t stencil() const { return load_channel(kFormat, bytes, 1); }
    bool run(const raster::DepthStencilState& state, const DepthStencilInput& input) {
        return depth_stencil(state, kFormat, input, bytes);
    }
};

TEST_CASE("each comparison against a smaller, equal and larger value") {
    const struct {
        CompareFunc func;
        bool smaller, equal, larger;
    } rows[] = {
        {CompareFunc::Never, false, false, false},      {CompareFunc::Less, true, false, false},
        {CompareFunc::Equal, false, true, false},       {CompareFunc::LessEqual, true, true, false},
        {CompareFunc::Greater, false, false, true},     {CompareFunc::NotEqual, true, false, true},
        {CompareFunc::GreaterEqual, false, true, true}, {CompareFunc::Always, true, true, true}};
    for (const auto& r : rows) {
        CHECK(compare(r.func, 1U, 2U) == r.smaller);
        CHECK(compare(r.func, 2U, 2U) == r.equal);
        CHECK(compare(r.func, 3U, 2U) == r.larger);
    }
}

TEST_CASE("stencil operations at both ends of the range") {
    CHECK(stencil_result(StencilOp::Keep, 7, 9) == 7);
    CHECK(stencil_result(StencilOp::Zero, 7, 9) == 0);
    CHECK(stencil_result(StencilOp::Replace, 7, 9) == 9);
    CHECK(stencil_result(StencilOp::IncrementClamp, 255, 9) == 255);
    CHECK(stencil_result(StencilOp::DecrementClamp, 0, 9) == 0);
    CHECK(stencil_result(StencilOp::IncrementWrap, 255, 9) == 0);
    CHECK(stencil_result(StencilOp::DecrementWrap, 0, 9) == 255);
    CHECK(stencil_result(StencilOp::Invert, 0x0F, 9) == 0xF0);
}

TEST_CASE("depth is written only where the test is on, passes and writing is on") {
    raster::DepthStencilState state;
    state.depth_write = true;
    DepthStencilTexel texel(100, 0);
    CHECK(texel.run(state, {50, 0, false}));
    CHECK(texel.depth() == 100);  // no test, no write (OpenGL 4.6 section 17.3.4)
    state.depth_test = true;
    CHECK(texel.run(state, {50, 0, false}));
    CHECK(texel.depth() == 50);
    CHECK_FALSE(texel.run(state, {60, 0, false}));
    CHECK(texel.depth() == 50);
    state.depth_write = false;
    CHECK(texel.run(state, {10, 0, false}));
    CHECK(texel.depth() == 50);
}

TEST_CASE("stencil chooses among its three operations and honours both masks") {
    raster::DepthStencilState state;
    state.depth_test = true;
    state.stencil[0] = {
        true, CompareFunc::Equal, StencilOp::Invert, StencilOp::Zero, StencilOp::Replace, 0x0F,
        0x3C};
    DepthStencilTexel pass(100, 0xA5);
    CHECK(pass.run(state, {50, 0x15, false}));  // low nibble 5 == 5
    CHECK(pass.stencil() == ((0xA5 & ~0x3C) | (0x15 & 0x3C)));
    DepthStencilTexel depth_fail(40, 0xA5);
    CHECK_FALSE(depth_fail.run(state, {50, 0x15, false}));
    CHECK(depth_fail.stencil() == (0xA5 & ~0x3C));
    DepthStencilTexel fail(100, 0xA6);
    CHECK_FALSE(fail.run(state, {50, 0x15, false}));
    CHECK(fail.stencil() == ((0xA6 & ~0x3C) | (~0xA6 & 0x3C)));
}

TEST_CASE("a back face uses the front state unless its own is on") {
    raster::DepthStencilState state;
    state.stencil[0].enable = true;
    state.stencil[0].pass = StencilOp::IncrementWrap;
    state.stencil[1].pass = StencilOp::Zero;
    DepthStencilTexel texel(0, 5);
    CHECK(texel.run(state, {0, 0, true}));
    CHECK(texel.stencil() == 6);
    state.stencil[1].enable = true;
    CHECK(texel.run(state, {0, 0, true}));
    CHECK(texel.stencil() == 0);
}

}  // namespace
}  // namespace valkyr::reference

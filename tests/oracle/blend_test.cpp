// Blend test: compares the reference renderer's blends with hand computation.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/oracle/per_sample.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <vector>

namespace valkyr::reference {
namespace {

using exec::Format;
using raster::BlendFactor;
using raster::BlendFunc;
using Bytes = std::vector<uint8_t>;

Vec4 floats(float r, float g, float b, float a) {
    return {as_bits(r), as_bits(g), as_bits(b), as_bits(a)};
}

raster::BlendTarget over() {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = target.alpha_src = BlendFactor::SrcAlpha;
    target.rgb_dst = target.alpha_dst = BlendFactor::InvSrcAlpha;
    return target;
}

Bytes blended(const raster::BlendState& state,
              const raster::BlendTarget& target,
              Format format,
              const Vec4& source,
              Bytes texel) {
    BlendInput input;
    input.source = source;
    blend_sample(state, target, format, input, texel.data());
    return texel;
}

TEST_CASE("source-over of half red on green in bytes") {
    // sa = 128: 255*128 = 32640 + 0*127 -> 128; green 200*127 = 25400 -> (25400+127)/255 = 100.
    // alpha: 128*128 + 255*127 = 48769 -> 191.
    CHECK(blended({}, over(), Format::R8G8B8A8_UNORM, floats(1, 0, 0, 0.5F), {0, 200, 0, 255}) ==
          Bytes{128, 100, 0, 191});
}

TEST_CASE("byte blending rounds N/255 to nearest and saturates") {
    CHECK(blend_byte(BlendFunc::Add, 1, 127, 0, 0) == 0);  // 127/255
    CHECK(blend_byte(BlendFunc::Add, 1, 128, 0, 0) == 1);  // 128/255
    CHECK(blend_byte(BlendFunc::Add, 255, 255, 255, 255) == 255);
    CHECK(blend_byte(BlendFunc::Subtract, 10, 255, 20, 255) == 0);
    CHECK(blend_byte(BlendFunc::ReverseSubtract, 10, 255, 20, 255) == 10);
    CHECK(blend_byte(BlendFunc::Min, 10, 0, 20, 0) == 10);
    CHECK(blend_byte(BlendFunc::Max, 10, 0, 20, 0) == 20);
    for (int s = 0; s < 256; s++)
        CHECK(blend_byte(BlendFunc::Add, s, 255, 77, 0) == s);
}

TEST_CASE("missing destination alpha counts as 1") {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = BlendFactor::DstAlpha;
    target.rgb_dst = BlendFactor::Zero;
    CHECK(blended({}, target, Format::R8G8_UNORM, floats(1, 0.2F, 0, 0), {9, 9}) == Bytes{255, 51});
}

TEST_CASE("alpha saturate takes the smaller of source alpha and 1 - destination alpha") {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = target.alpha_src = BlendFactor::SrcAlphaSaturate;
    // sa 102, 255 - da = 55: 255 * 55 / 255 = 55; alpha factor 255: 102.
    CHECK(blended({}, target, Format::R8G8B8A8_UNORM, floats(1, 1, 1, 0.4F), {0, 0, 0, 200}) ==
          Bytes{55, 55, 55, 102});
}

TEST_CASE("float targets blend by one fused multiply-add and are not clamped") {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = target.rgb_dst = target.alpha_src = target.alpha_dst = BlendFactor::One;
    Bytes texel(16, 0);
    const Vec4 before = floats(2, 0.5F, -3, 1);
    encode_texel(Format::R32G32B32A32_FLOAT, before, 0xF, texel.data());
    texel = blended({}, target, Format::R32G32B32A32_FLOAT, floats(3, 0.25F, 1, 1), texel);
    CHECK(decode_texel(Format::R32G32B32A32_FLOAT, texel.data()) == floats(5, 0.75F, -2, 2));
}

TEST_CASE("factor zero drops an infinite destination") {
    raster::BlendTarget target;
    target.enable = true;
    Bytes texel(4, 0);
    encode_texel(Format::R32_FLOAT, floats(std::numeric_limits<float>::infinity(), 0, 0, 0), 1,
                 texel.data());
    texel = blended({}, target, Format::R32_FLOAT, floats(3, 0, 0, 0), texel);
    CHECK(decode_texel(Format::R32_FLOAT, texel.data())[0] == as_bits(3.0F));
}

TEST_CASE("a computed NaN is stored as the canonical one in float and as 0 in unorm") {
    const float nan = as_float(0xFFC12345);
    Bytes texel = blended({}, {}, Format::R32_FLOAT, floats(nan, 0, 0, 0), Bytes(4, 1));
    CHECK(texel == Bytes{0x00, 0x00, 0xC0, 0x7F});
    texel = blended({}, {}, Format::R8_UNORM, floats(nan, 0, 0, 0), Bytes(1, 9));
    CHECK(texel == Bytes{0});
}

TEST_CASE("logic operations work on stored bits under the write mask") {
    raster::BlendState state;
    state.logic_op_enable = true;
    state.logic_op = raster::LogicOp::Xor;
    raster::BlendTarget target;
    target.write_mask = 0b0111;
    CHECK(blended(state, target, Format::R8G8B8A8_UNORM, floats(1, 0, 1, 1), {0x0F, 7, 255, 3}) ==
          Bytes{0xF0, 7, 0, 3});
}

TEST_CASE("the stored sRGB colour is decoded, blended and encoded") {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = target.alpha_src = BlendFactor::One;
    target.rgb_dst = target.alpha_dst = BlendFactor::One;
    // 0.25 + 0.25 of linear light is code 188 (0.5 linear = 187.5 rounds up).
    const uint8_t quarter = static_cast<uint8_t>(linear_to_srgb(0.25F));
    const Bytes texel =
        blended({}, target, Format::R8G8B8A8_SRGB, floats(0.25F, 0, 0, 0), {quarter, 0, 0, 0});
    CHECK(texel[0] == 188);
}

TEST_CASE("second source colour and constant colour as factors") {
    raster::BlendTarget target;
    target.enable = true;
    target.rgb_src = BlendFactor::Src1Color;
    target.rgb_dst = BlendFactor::ConstColor;
    BlendInput input;
    input.source = floats(1, 1, 1, 1);
    input.source1 = floats(0.2F, 0.4F, 0.6F, 1);
    input.blend_constant = {1, 0, 2, 0};
    Bytes texel{10, 20, 30, 40};
    blend_sample({}, target, Format::R8G8B8A8_UNORM, input, texel.data());
    CHECK(texel == Bytes{51 + 10, 102, 153 + 30, 255});
}

}  // namespace
}  // namespace valkyr::reference

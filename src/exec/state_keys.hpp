// State keys: name the state that a kernel is specialised for.
// SPDX-License-Identifier: MIT
//
// Padding is zero-filled, so that keys can be hashed and compared bytewise.
#pragma once

#include "exec/descriptors.hpp"

#include <cstdint>

namespace valkyr::exec {

enum class BlendFactor : uint8_t {
    Zero,
    One,
    SrcColor,
    SrcAlpha,
    DstColor,
    DstAlpha,
    InvSrcColor,
    InvSrcAlpha,
    InvDstColor,
    InvDstAlpha,
    ConstColor,
    ConstAlpha,
    InvConstColor,
    InvConstAlpha,
    SrcAlphaSaturate,
    Src1Color,
    Src1Alpha,
    InvSrc1Color,
    InvSrc1Alpha,
};
enum class BlendFunc : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
enum class LogicOp : uint8_t {
    Clear,
    Nor,
    AndInverted,
    CopyInverted,
    AndReverse,
    Invert,
    Xor,
    Nand,
    And,
    Equiv,
    Noop,
    OrInverted,
    Copy,
    OrReverse,
    Or,
    Set,
};
enum class StencilOp : uint8_t {
    Keep,
    Zero,
    Replace,
    IncrementClamp,
    DecrementClamp,
    IncrementWrap,
    DecrementWrap,
    Invert
};

/// Blend equation and write mask of a render target: part of the API's state and of keys.
struct BlendEquation {
    bool enable = false;
    BlendFunc rgb_func = BlendFunc::Add;
    BlendFactor rgb_src = BlendFactor::One;
    BlendFactor rgb_dst = BlendFactor::Zero;
    BlendFunc alpha_func = BlendFunc::Add;
    BlendFactor alpha_src = BlendFactor::One;
    BlendFactor alpha_dst = BlendFactor::Zero;
    uint8_t write_mask = 0xF;  ///< bit 0 red .. bit 3 alpha
    friend bool operator==(const BlendEquation&, const BlendEquation&) = default;
};

/// Blending of one render target.
struct BlendKey : BlendEquation {
    bool logic_op_enable = false;
    LogicOp logic_op = LogicOp::Copy;
    Format format = Format::None;  ///< format of the target; None = no target bound
    uint8_t reserved = 0;
    /// Whether a factor is the second colour of the shader.
    [[nodiscard]] bool reads_second_color() const {
        const auto is_second = [](BlendFactor f) { return f >= BlendFactor::Src1Color; };
        return enable && (is_second(rgb_src) || is_second(rgb_dst) || is_second(alpha_src) ||
                          is_second(alpha_dst));
    }
    friend bool operator==(const BlendKey&, const BlendKey&) = default;
};

/// Stencil test of one facing: part of the API's state and of keys.
struct StencilFace {
    bool enable = false;
    CompareFunc func = CompareFunc::Always;
    StencilOp fail = StencilOp::Keep;
    StencilOp depth_fail = StencilOp::Keep;
    StencilOp pass = StencilOp::Keep;
    uint8_t read_mask = 0xFF;
    uint8_t write_mask = 0xFF;
    friend bool operator==(const StencilFace&, const StencilFace&) = default;
};

/// Depth and stencil. The tile keeps depth as 32-bit codes whose integer order is the depth order:
/// D16 and D24 the unorm code, D32F the bits of the (non-negative) float.
struct DepthStencilKey {
    Format format = Format::None;  ///< None = no buffer: every test passes, nothing is written
    bool depth_test = false;
    bool depth_write = false;
    CompareFunc depth_func = CompareFunc::Less;
    bool early = false;  ///< test and update before shading, in the kernel's first lines
    bool count_samples =
        false;  ///< an occlusion query is open: add passing samples to FragmentCall::samples_passed
    StencilFace stencil[2];  ///< front, back; both enabled or neither
    [[nodiscard]] bool stencil_test() const { return stencil[0].enable; }
    friend bool operator==(const DepthStencilKey&, const DepthStencilKey&) = default;
};

/// A texture unit as the fragment or vertex program uses it.
struct TextureKey {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;
    Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
    bool power_of_two = false;
    bool single_level = false;  ///< level_count == 1
    /// All slices that layers and faces can name exist, and element numbers of whole levels are
    /// below 2^29.
    bool plain_slices = false;
    uint8_t samples = 1;
    bool footprints = false;  ///< the texels have a copy of footprints
    friend bool operator==(const TextureKey&, const TextureKey&) = default;
};
using SamplerKey = SamplerModes;

/// An image unit as the program uses it.
struct ImageKey {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;  ///< None: no format whose texels are addressed singly
    uint8_t samples = 1;
    bool near = false;  ///< all texels start less than 2^31 bytes behind the first one
    friend bool operator==(const ImageKey&, const ImageKey&) = default;
};

/// State that a fragment kernel is specialised for. A program also carries FAU words that repeat
/// some of it (the ATEST datum: alpha function, alpha to coverage; the BLEND descriptors: target
/// and format). They must say the same as the key.
struct FragmentKey {
    BlendKey blend[kMaxRenderTargets];
    DepthStencilKey zs;
    uint8_t samples = 1;
    bool per_sample = false;
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
    CompareFunc alpha_func = CompareFunc::Always;
    bool constant_w = false;  ///< all three q are equal: PERSPECTIVE varyings are linear
    bool flat_shade = false;  ///< Interpolation::Color means Flat
    bool strict_nan = false;
    uint8_t texture_units = 0;  ///< how many entries below count
    uint8_t sampler_units = 0;
    bool centered_samples = false;  ///< multisample state off: all samples lie in the pixel centre
    uint8_t image_units = 0;
    uint32_t linear_slots = 0;  ///< bit s: varying slot s is LINEAR
    /// Bit s: no vertex output writes varying slot s, but it holds the point coordinate.
    uint32_t point_slots = 0;
    TextureKey textures[kMaxTextureUnits];
    SamplerKey samplers[kMaxTextureUnits];
    ImageKey images[kMaxImages];
    friend bool operator==(const FragmentKey&, const FragmentKey&) = default;
};
static_assert(sizeof(BlendKey) == 12 && sizeof(SamplerKey) == 12, "keys have no padding");

/// State that a vertex kernel is specialised for.
struct VertexKey {
    Format attribute_format[kMaxAttributes] = {};
    uint32_t instanced = 0;  ///< bit i: attribute i has a divisor
    bool strict_nan = false;
    uint8_t texture_units = 0;
    uint8_t sampler_units = 0;
    uint8_t image_units = 0;
    /// Outputs are only interpolated: nothing reads their bits.
    bool float_outputs = false;
    uint8_t reserved[3] = {};
    TextureKey textures[kMaxTextureUnits];
    SamplerKey samplers[kMaxTextureUnits];
    ImageKey images[kMaxImages];
    friend bool operator==(const VertexKey&, const VertexKey&) = default;
};

}  // namespace valkyr::exec

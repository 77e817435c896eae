// Colours of 8-bit unorm targets with four channels: encoding, and blending in integers.
// SPDX-License-Identifier: MIT
//
// Two registers of 16-bit lanes hold a colour: in each quad r0..r3 g0..g3 and b0..b3 a0..a3.
#pragma once

#include "jit/inline_blend.hpp"
#include "valhall/isa/exec_format.hpp"

namespace valkyr::jit {

/// Whether a format's texels are four bytes of unorm, in any order.
bool is_byte_color(const exec::FormatInfo& info);

struct WideBytes {
    Vec rg;
    Vec ba;
};

/// A colour as bytes that are not limited to 0..255 yet: saturating packs or limit_bytes() do that.
WideBytes encode_bytes(EmitContext& c, const Color& color);
void limit_bytes(EmitContext& c, const WideBytes& bytes);

/// d = texels of bytes in the order of the format. Takes the registers of `bytes`.
Vec pack_texels(EmitContext& c, const exec::FormatInfo& info, const WideBytes& bytes);

/// What a blender of one target needs for every sample.
struct ByteBlendSources {
    WideBytes source;   ///< 0..255
    WideBytes source1;  ///< invalid: not read
};

/// The texels that blending gives; `stored` are the old ones, whose register it takes.
Vec blend_bytes(EmitContext& c,
                const exec::BlendKey& key,
                const ByteBlendSources& sources,
                Vec stored);

}  // namespace valkyr::jit

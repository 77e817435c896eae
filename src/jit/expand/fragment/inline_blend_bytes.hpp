// Byte blending: encodes and blends colours of 8-bit unorm targets in integers.
// SPDX-License-Identifier: MIT
//
// Two registers of 16-bit lanes hold a colour: in each quad r0..r3 g0..g3 and b0..b3 a0..a3.
#pragma once

#include "exec/format.hpp"
#include "jit/expand/fragment/blend_color.hpp"

namespace valkyr::jit {

/// Whether a format's texels are four bytes of unorm, in any order.
bool is_byte_color(const exec::FormatInfo& info);

/// The same for one or two bytes.
bool is_small_byte_color(const exec::FormatInfo& info);

struct WideBytes {
    Temp rg;
    Temp ba;
};

/// A colour as bytes, 0..255.
WideBytes encode_bytes(EmitContext& c, Color color);

/// Texels of bytes in the order of the format, as words with zeros above.
Temp pack_texels(EmitContext& c, const exec::FormatInfo& info, WideBytes bytes);

/// The colours that a blender of one target needs for every sample.
struct ByteBlendSources {
    WideBytes source;   ///< 0..255
    WideBytes source1;  ///< invalid: not read
};

/// The texels that blending gives; `stored` are the old ones.
Temp blend_bytes(EmitContext& c,
                 const exec::BlendKey& key,
                 const ByteBlendSources& sources,
                 Temp stored);

// A source that is the same in all pixels: N = D * factor + term, both computed once a call.

/// Whether a blend equation has this form: sums whose factors come from the source or the state.
bool blends_by_terms(const exec::BlendKey& key);

struct ByteBlendTerms {
    WideBytes source;  ///< S * Fs + 128, saturated
    WideBytes factor;  ///< Fd
};
/// In temporaries.
ByteBlendTerms blend_terms(EmitContext& c, const exec::BlendKey& key, const WideBytes& source);

/// The same as operands: red and green, blue and alpha.
struct ByteBlendTermOperands {
    Operand source[2];
    Operand factor[2];
};
/// As blend_bytes().
Temp blend_by_terms(EmitContext& c,
                    const exec::BlendKey& key,
                    const ByteBlendTermOperands& terms,
                    Temp stored);

}  // namespace valkyr::jit

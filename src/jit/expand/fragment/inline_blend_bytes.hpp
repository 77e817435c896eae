// Byte blending: encodes and blends colours of 8-bit unorm targets in integers.
// SPDX-License-Identifier: MIT
//
// Two registers of 16-bit lanes hold a colour. A quad of them is r0..r3 g0..g3 and b0..b3 a0..a3.
#pragma once

#include "exec/format.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/fragment/blend_color.hpp"

namespace valkyr::jit {

/// Whether a format's texels are four bytes of unorm, in any order.
bool is_byte_color(const exec::FormatInfo& info);

/// Whether a format's texels are one or two bytes of unorm.
bool is_small_byte_color(const exec::FormatInfo& info);

struct WideBytes {
    U16 rg;
    U16 ba;
};

/// A colour as bytes, 0..255.
WideBytes encode_bytes(EmitContext& c, Color color);

/// Texels of bytes in the order of the format, as words with zeros above.
Temp pack_texels(EmitContext& c, const exec::FormatInfo& info, WideBytes bytes);

/// The colours that blending to one target reads in every sample.
struct ByteBlendSources {
    WideBytes source;   ///< 0..255
    WideBytes source1;  ///< invalid: not read
};

/// The blended texels; `stored` holds the old ones.
Temp blend_bytes(EmitContext& c,
                 const exec::BlendKey& key,
                 const ByteBlendSources& sources,
                 Temp stored);

// Blending of a source that all pixels share: N = D * factor + term, where factor and term are
// computed once a call.

/// Whether a blend equation has this form: sums whose factors come from the source or the state.
bool blends_by_terms(const exec::BlendKey& key);

struct ByteBlendTerms {
    WideBytes source;  ///< S * Fs + 128, saturated
    WideBytes factor;  ///< Fd
};
/// Computes the terms into temporaries.
ByteBlendTerms blend_terms(EmitContext& c, const exec::BlendKey& key, const WideBytes& source);

/// Blend terms as operands: [0] red and green, [1] blue and alpha.
struct ByteBlendTermOperands {
    Operand source[2];
    Operand factor[2];
};
/// Like blend_bytes(), from terms.
Temp blend_by_terms(EmitContext& c,
                    const exec::BlendKey& key,
                    const ByteBlendTermOperands& terms,
                    Temp stored);

}  // namespace valkyr::jit

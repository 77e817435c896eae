// History words: names what a pixel's history has, the same in all its forms.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// Six digits of a float, or an integer of the kind that the format has.
std::string value_text(const exec::FormatInfo& info, uint32_t word);
/// Six digits.
std::string number_text(double number);

/// "0.25, 0.5, 1, 1 (40 80 FF FF)"; depth/stencil: "depth 0.5, stencil 3". Only the components that
/// the format has.
std::string sample_text(const Texel& texel, uint32_t sample);
/// sample_text() of the chosen sample, or of all samples: once if they are equal.
std::string texel_text(const Texel& texel, std::optional<uint32_t> sample);

/// "clear", "draw 12, primitive 3, front facing", "blit".
std::string entry_title(const Entry& entry);
/// "written", "killed by the depth test", "samples 1 and 3 written" ...
std::string fate_text(const Fragment& fragment, uint32_t samples);
/// "early depth test: 0.75 less 0.5 is false".
std::string loss_text(const Loss& loss, uint32_t samples);
/// "GENERIC[0].xy".
std::string input_name(const LoadedInput& input);
/// "rgb = src * src_alpha + dst * inv_src_alpha, a = ..., mask rgb-".
std::string blend_text(const exec::BlendKey& blend);
/// "unit 0, texture 3, at 0.25, 0.75".
std::string read_text(const TexelRead& read);
/// "texture 3, texel 5,7 of level 1, layer 2".
std::string spot_text(const std::string& texture, const Spot& spot);
/// "valkyr debug x.scene --pixel 3,4 --draw 1 --hit 0"; empty: the entry is no fragment.
std::string debug_command(const History& history, const Entry& entry);

}  // namespace valkyr::debug

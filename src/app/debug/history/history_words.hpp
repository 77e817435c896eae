// History words: names what a pixel's history has, the same in all its forms.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace valkyr::debug {

/// Six digits of a float, or an integer of the kind that the format has.
std::string value_text(const exec::FormatInfo& info, uint32_t word);
/// Six digits.
std::string number_text(double number);
/// The parts with `between` between them.
std::string joined(const std::vector<std::string>& parts, std::string_view between = ", ");

/// The components that a colour format has, of one sample.
std::vector<std::string> color_numbers(const Texel& texel, uint32_t sample);
/// Depth and stencil of a sample, as far as the format has them; else empty texts.
std::pair<std::string, std::string> depth_stencil_numbers(const Texel& texel, uint32_t sample);
/// "40 80 FF FF".
std::string byte_text(const Texel& texel, uint32_t sample);
/// The components of a colour that is blended into an attachment of this state.
std::vector<std::string> sent_numbers(const SentColor& color, const exec::BlendKey& blend);
std::vector<std::string> input_numbers(const LoadedInput& input);
std::vector<std::string> coordinate_numbers(const TexelRead& read);
std::vector<std::string> result_numbers(const TexelRead& read);

/// "0.25, 0.5, 1, 1 (40 80 FF FF)"; depth/stencil: "depth 0.5, stencil 3". Only the components that
/// the format has.
std::string sample_text(const Texel& texel, uint32_t sample);
/// sample_text() of the chosen sample, or of all samples: once if they are equal.
std::string texel_text(const Texel& texel, std::optional<uint32_t> sample);

/// "clear", "draw 12, primitive 3, front facing", "blit".
std::string entry_title(const Entry& entry);
/// "fragment", "clear_texture": a word for each kind.
std::string_view kind_name(EntryKind kind);
/// "early depth test", "discard".
std::string_view killer_name(const Loss& loss);
/// "sampled", "fetched", "gathered".
std::string_view read_verb(const TexelRead& read);
/// The mask of the samples that are shown: the chosen one, or all.
uint32_t samples_shown(std::optional<uint32_t> sample);
/// Whether a sample that is shown passed everything.
bool has_passed(const Fragment& fragment, std::optional<uint32_t> sample);
/// "passed", "killed by the depth test", "passed of sample 1, ...".
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

// Blend choice: says which BLENDs are expanded inline.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/blend_choice.hpp"

#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"
#include "jit/expand/fragment/inline_blend_numbers.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "valhall/isa/messages.hpp"

#include <optional>

namespace valkyr::jit {

bool expands_blend(const KernelSource& c, const valhall::Instr& instr) {
    const std::optional<unsigned> target = blend_target(instr);
    if (!expands_fragment(c) || !target || instr.staging[0].count != 4 ||
        has_halves(valhall::register_format(instr)))
        return false;
    const exec::BlendKey& key = c.key.fragment->blend[*target];
    // No format: the descriptor's mode is "off".
    return key.format == exec::Format::None || is_byte_color(exec::format_info(key.format)) ||
           stores_numbers(key) ||
           (is_small_byte_color(exec::format_info(key.format)) && blends(key));
}

}  // namespace valkyr::jit

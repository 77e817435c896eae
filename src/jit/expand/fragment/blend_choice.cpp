// Blend choice: chooses the expansion of BLEND.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/blend_choice.hpp"

#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_bytes.hpp"
#include "jit/expand/fragment/inline_blend_constant.hpp"
#include "jit/expand/fragment/inline_blend_numbers.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "valhall/isa/messages.hpp"

#include <algorithm>
#include <optional>

namespace valkyr::jit {

namespace {

/// Whether the program has one BLEND to the target.
bool blends_once(const GuestProgram& program, unsigned target) {
    return std::ranges::count_if(program.steps, [&](const Step& step) {
               return step.instr.op == valhall::Op::BLEND && blend_target(step.instr) == target;
           }) == 1;
}

/// The expansion for the state of a target.
Expansion expansion_to(const MessageSource& m, unsigned target) {
    const exec::BlendKey& key = m.key.fragment->blend[target];
    if (key.format == exec::Format::None)  // the descriptor's mode is "off"
        return Expansion::BlendOff;
    const exec::FormatInfo& info = exec::format_info(key.format);
    if (is_byte_color(info)) {
        const bool constant = key.write_mask != 0 && blends_once(m.program, target) &&
                              constant_color(m.program, m.at);
        return constant ? Expansion::BlendConstant : Expansion::BlendBytes;
    }
    if (is_small_byte_color(info) && blends(key))
        return Expansion::BlendSmallBytes;
    return stores_numbers(key) ? Expansion::BlendNumbers : Expansion::Routine;
}

}  // namespace

MessageChoice choose_blend(const MessageSource& m) {
    const std::optional<unsigned> target = blend_target(m.instr());
    if (!expands_fragment(m) || !target || m.instr().staging[0].count != 4 ||
        has_halves(valhall::register_format(m.instr())))
        return {Expansion::Routine};
    return {expansion_to(m, *target)};
}

}  // namespace valkyr::jit

// Border colours: replace texels outside the level (docs/rules/sampling.md "Borders").
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::SamplerDescriptor;

bool has_borders(const TextureState& state) {
    for (unsigned axis = 0; axis < state.coordinates; ++axis)
        if (has_border(state, axis))
            return true;
    return false;
}

namespace {

/// A temporary with the sampler's colour for a channel.
Temp border_component(const TextureSite& site, Gp sampler, unsigned channel) {
    Temp v = site.c.scratch();
    const size_t place = offsetof(SamplerDescriptor, border) +
                         sizeof(uint32_t) * channel_component(*site.info, channel);
    site.c.h.move(v, Operand::broadcast({sampler, static_cast<int32_t>(place)}));
    return v;
}

void keep(const TextureSite& site, unsigned channel, Vec v) {
    site.c.h.store(site.border(channel), v);
}

/// The border colour encoded as a texel: its words, in new temporaries.
std::array<Temp, 4> encoded_border(const TextureSite& site, Gp sampler) {
    std::array<Temp, 4> words;
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel)
        add_channel(site.c, *site.info, channel, border_component(site, sampler, channel),
                    site.info->type == exec::ChannelType::Sint, words);
    return words;
}

/// Stores the colour as texels would hold it: integers within the range, steps (gathers: their
/// values).
void keep_decoded(const TextureSite& site, Gp sampler) {
    const std::array<Temp, 4> words = encoded_border(site, sampler);
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel) {
        const ChannelField field = channel_field(*site.info, channel);
        const Vec word = words[field.word];
        keep(site, channel,
             site.kind == TexelKind::Steps ? channel_steps(site.c, *site.info, field, word)
                                           : channel_value(site.c, *site.info, field, word));
    }
}

/// Clamps v to the range of a normalised format; NaN becomes 0, -0 stays.
void limit_normalized(const TextureSite& site, Vec number) {
    F32 v(site.c, number);
    {
        const LaneMask nan = is_nan(v);
        v = select(nan, 0.0F, v);
    }
    limit_number(v, site.info->type == exec::ChannelType::Snorm ? -1.0F : 0.0F, 1);
}

void keep_numbers(const TextureSite& site, Gp sampler) {
    using exec::ChannelType;
    const ChannelType type = site.info->type;
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel) {
        const Temp v = border_component(site, sampler, channel);
        if (type == ChannelType::Unorm || type == ChannelType::Snorm)
            limit_normalized(site, v);
        keep(site, channel, v);
    }
}

}  // namespace

void prepare_border(const TextureSite& site) {
    if (!has_borders(site))
        return;
    const Scalar sampler = load_samplers(site);
    site.c.h.add64(sampler, site.sampler_offset);
    if (site.kind == TexelKind::Bytes)
        keep(site, 0, encoded_border(site, sampler)[0]);
    else if (has_integer_values(*site.info) || site.kind == TexelKind::Steps ||
             (site.gathers && filters_steps(*site.info)))
        keep_decoded(site, sampler);
    else
        keep_numbers(site, sampler);
}

void apply_border(const TextureSite& site, Vec v, unsigned tap, unsigned channel) {
    if (!has_borders(site))
        return;
    EmitContext& c = site.c;
    U32 outside(c, 0);
    for (unsigned axis = 0; axis < site.coordinates; ++axis)
        if (has_border(site, axis))
            outside |= site.outside(axis, axis < 2 ? tap >> axis & 1 : 0);
    const Vec flags = outside;
    outside.reset();  // so that the mask may reuse the register
    const TempMask lanes = c.scratch_mask();
    c.h.sign_mask(lanes, flags);
    c.h.select(Element::B32, v, lanes, Operand::memory(site.border(channel)), v);
}

}  // namespace valkyr::jit

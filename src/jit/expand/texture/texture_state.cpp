// Texture state: chooses the expansion of texture messages by the facts known before emission.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/texture_state.hpp"

#include "exec/handle.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "valhall/isa/messages.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace valkyr::jit {

using exec::Filter;
using exec::LodMode;
using exec::MipFilter;
using exec::Swizzle;
using exec::TextureKind;
using exec::TextureMessage;
using exec::TextureOp;
using valhall::Mod;
using valhall::Op;

namespace {

bool is_computed(LodMode mode) {
    return mode == LodMode::Computed || mode == LodMode::ComputedBias;
}
/// Whether a message is a sample or gather with a known level mode and no integer coordinates.
bool is_plain_message(const TextureMessage& m) {
    const bool known_mode =
        m.lod_mode == LodMode::Zero || m.lod_mode == LodMode::Explicit || is_computed(m.lod_mode);
    return (m.op == TextureOp::Sample || m.op == TextureOp::Gather) && !m.integer_coordinates &&
           known_mode;
}

/// Sets the number of coordinates of the message and whether they select a slice.
void choose_shape(TextureState& state) {
    const TextureKind kind = state.texture.kind;
    constexpr std::array<unsigned, 4> coordinates = {1, 2, 3, 2};
    constexpr unsigned cube_dimension = 3;
    state.cube = state.message.dimension == cube_dimension;
    state.coordinates = coordinates[state.message.dimension & 3];
    state.axes = std::min(state.coordinates, 2U);
    const bool one_slice = kind == TextureKind::Tex1D || kind == TextureKind::Tex2D ||
                           kind == TextureKind::Rect || kind == TextureKind::Buffer ||
                           kind == TextureKind::Tex2DMs;
    state.has_slices = !one_slice;
    state.anisotropic = state.sampler.max_anisotropy > 1 && state.coordinates == 2 && !state.cube &&
                        is_computed(state.message.lod_mode) && !has_integer_values(*state.info);
    state.leaves_faces =
        state.cube && state.sampler.seamless_cube && state.filter != FilterChoice::Nearest;
}

bool kind_fits(const TextureState& state) {
    switch (state.texture.kind) {
    case TextureKind::Tex1D:
    case TextureKind::Tex1DArray: return state.message.dimension == 0;
    case TextureKind::Tex2D:
    case TextureKind::Rect:
    case TextureKind::Tex2DArray: return state.message.dimension == 1;
    case TextureKind::Tex3D: return state.message.dimension == 2 && !state.message.array;
    case TextureKind::Cube:
    case TextureKind::CubeArray: return state.cube;
    default: return false;
    }
}

bool state_is_expanded(const TextureState& state) {
    if (!kind_fits(state) || !state.texture.plain_slices || state.kind == TexelKind::None)
        return false;
    return !state.gathers || state.coordinates == 2;
}

bool runs_fit(const TextureState& state, const valhall::Instr& instr) {
    const TextureMessage& m = state.message;
    const auto results = static_cast<unsigned>(std::popcount(m.write_mask));
    const unsigned registers = m.half ? (results + 1) / 2 : results;
    const unsigned operands =
        state.coordinates + m.array + m.shadow + m.offset + (sends_lod(m.lod_mode) ? 1 : 0);
    return instr.staging[0].count == registers && m.staging_count >= operands;
}

void choose_filter(TextureState& state) {
    const exec::SamplerKey& s = state.sampler;
    const bool filters = !has_integer_values(*state.info);
    state.level_matters =
        s.mip_filter != MipFilter::None && !state.texture.single_level && !state.gathers;
    state.blends_levels = state.level_matters && s.mip_filter == MipFilter::Linear && filters;
    if (state.gathers)
        state.filter = FilterChoice::Linear;
    else if (!filters)
        state.filter = FilterChoice::Nearest;
    else if (s.min_filter != s.mag_filter)
        state.filter = FilterChoice::ByLane;
    else
        state.filter =
            s.min_filter == Filter::Linear ? FilterChoice::Linear : FilterChoice::Nearest;
    for (unsigned k = 0; k < 4; ++k)
        if ((state.message.write_mask >> k & 1) && state.texture.swizzle[k] <= Swizzle::W)
            state.channels_used |= 1U << static_cast<unsigned>(state.texture.swizzle[k]);
    state.channels_used &= (1U << state.info->channel_count) - 1;
    if (state.kind == TexelKind::Shadow)
        state.channels_used = 1;
}

bool fetch_fits(const TextureState& state, const valhall::Instr& instr) {
    const bool cube_layers =
        state.message.dimension == 1 &&
        (state.texture.kind == TextureKind::Cube || state.texture.kind == TextureKind::CubeArray);
    const bool buffer = state.texture.kind == TextureKind::Buffer && state.message.dimension == 0 &&
                        !state.message.array;
    const bool samples = has_samples(state) && state.message.dimension == 1;
    return !state.cube && !state.message.shadow && state.texture.plain_slices &&
           (kind_fits(state) || cube_layers || buffer || samples) && fetch_is_expanded(state) &&
           runs_fit(state, instr);
}

/// Completes the state for the message, with its units' state; false: there is no expansion.
bool prepare(TextureState& state, const valhall::Instr& instr) {
    const TextureMessage& message = state.message;
    const bool fetches = message.op == TextureOp::Fetch;
    if (!fetches && !is_plain_message(message))
        return false;
    state.info = &exec::format_info(state.texture.format);
    state.gathers = message.op == TextureOp::Gather;
    if (state.gathers || fetches)
        state.message.lod_mode = LodMode::Zero;
    state.kind = fetches ? TexelKind::Numbers
                         : texel_kind(*state.info, message.shadow && state.sampler.compare_enable,
                                      state.gathers);
    choose_filter(state);
    choose_shape(state);
    return fetches ? fetch_fits(state, instr) : state_is_expanded(state) && runs_fit(state, instr);
}

TextureOp operation(Op op) {
    switch (op) {
    case Op::TEX_FETCH: return TextureOp::Fetch;
    case Op::TEX_GATHER:
    case Op::VAR_TEX_BUF_GATHER:
    case Op::VAR_TEX_GATHER: return TextureOp::Gather;
    default: return TextureOp::Sample;
    }
}

/// A choice of this expansion with the handles, if they are known.
MessageChoice with_handles(const MessageSource& m, Expansion expansion) {
    const bool wide = m.instr().mod(Mod::wide_indices) != 0;
    const auto low = m.known_word(0, 0);
    const auto high = wide ? m.known_word(0, 1) : low;
    if (!low || !high)
        return {expansion};
    if (wide)
        return {expansion, high, low};
    return {expansion, exec::widen_narrow_handle(*low >> exec::kNarrowTextureShift),
            exec::widen_narrow_handle(*low & 0xFFFF)};
}

}  // namespace

bool sends_lod(LodMode mode) {
    return mode == LodMode::Explicit || mode == LodMode::ComputedBias;
}

MessageChoice choose_texture(const MessageSource& m) {
    MessageChoice choice = with_handles(m, Expansion::Routine);
    if (!m.inline_messages)
        return choice;
    const TextureMessage message = texture_message(m.instr(), choice);
    if (choice.known && known_texture(m, m.instr(), message))
        choice.expansion = Expansion::Texture;
    else if (!choice.known && indexed_texture(m, m.instr(), message))
        choice.expansion = Expansion::IndexedTexture;
    return choice;
}

MessageChoice choose_varying_texture(const MessageSource& m) {
    return with_handles(m, Expansion::Routine);
}

TextureMessage texture_message(const valhall::Instr& instr, const MessageChoice& choice) {
    TextureMessage message = valhall::texture_message(instr, operation(instr.op));
    if (choice.known) {
        message.texture = *choice.known;
        message.sampler = *choice.sampler;
    }
    return message;
}

std::optional<TextureState> known_texture(const KernelSource& source,
                                          const valhall::Instr& instr,
                                          const TextureMessage& message) {
    TextureState state{.message = message};
    if (!take_units(state, source) || !prepare(state, instr))
        return std::nullopt;
    return state;
}

std::optional<IndexedTexture> indexed_texture(const KernelSource& source,
                                              const valhall::Instr& instr,
                                              const TextureMessage& message) {
    TextureState state{.message = message};
    const UnitRun run = take_run(state, source);
    if (run.count == 0 || !prepare(state, instr))
        return std::nullopt;
    return IndexedTexture{state, run};
}

}  // namespace valkyr::jit

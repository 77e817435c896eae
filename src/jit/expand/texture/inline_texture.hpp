// Inline textures: declares the state and functions that the parts of the expansion share.
// SPDX-License-Identifier: MIT
//
// The expansion computes the bits of docs/rules/sampling.md, for the textures and samplers in the
// kernel's key. Its parts: coordinates to texel numbers (inline_texture_wrap.cpp) and to places in
// tiles (inline_texture_place.cpp, inline_texture_window.cpp), layers and faces
// (inline_texture_slice.cpp, inline_texture_cube.cpp), level of detail (inline_texture_lod.cpp),
// probes of anisotropic filters (inline_texture_probes.cpp), texels and filters
// (inline_texture_taps.cpp, inline_texture_bytes.cpp, inline_texture_footprints.cpp,
// inline_texture_numbers.cpp, inline_texture_quads.cpp), and the order of all that with its loop
// over mip levels (inline_texture.cpp). Which messages have an expansion is decided before
// (texture_state.cpp). Temporaries that outlive a part wait in the frame (texture_places.hpp), so
// few registers are needed at once.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/texture/texture_places.hpp"

#include <array>
#include <functional>

namespace valkyr::jit {

/// Expands a texture message whose handles are known.
void expand_texture(EmitContext& c);

/// Emits only the call of the routine: operands are in the frame's `in`, results go to `out`.
using CallTextureRoutine = std::function<void()>;

/// Expands a texture message with run-time handles. Units outside the run take the routine.
/// Operands are staged in the frame's `in`.
/// place  the TextureMessage with its handles
void expand_indexed_texture(EmitContext& c, Address place, const CallTextureRoutine& routine);

// ---------------------------------------------------------------------------------------------
// Parts of the expansion.

/// The most temporaries of an expansion at a time. They are made free before its first jump,
/// because code that can be skipped must not evict values.
inline constexpr unsigned kTextureTemporaries = 12;

/// For quad_permute(), times k: lane k of each quad in all of its lanes.
inline constexpr unsigned kSameLane = 0x55;

/// Scalars of the expansion.
struct TextureScalars {
    Scalar texture;       ///< address of the TextureDescriptor
    Scalar level;         ///< address of the current TextureLevel
    Scalar texels;        ///< TextureLevel::data
    Scalar lanes_left;    ///< lanes whose level is not done yet
    Scalar level_lanes;   ///< lanes of the current level
    Scalar level_number;  ///< of the current level
};

inline TextureScalars lease_scalars(EmitContext& c) {
    return {c.scalar(), c.scalar(), c.scalar(), c.scalar(), c.scalar(), c.scalar()};
}

/// Whether all parts are prepared before the first one is sampled, so that the processor computes
/// their levels of detail at the same time. The places of all parts are those of one warp.
inline bool prepares_parts(const EmitContext& c) {
    return c.parts > 1 && c.parts * c.h.traits().lanes <= exec::kLanes;
}

/// A message: what is known of it, its operands, and the places of its expansion in the frame and
/// in registers. It does not change; there is one for each part.
struct TextureSite : TexturePlaces {
    TextureSite(EmitContext& context,
                const TextureState& state,
                std::optional<uint32_t> offset,
                const TextureScalars& scalars,
                unsigned of_part)
        : TexturePlaces(state, prepares_parts(context) ? of_part * context.h.traits().lanes : 0)
        , c(context)
        , known_offset(offset)
        , at(scalars)
        , part(of_part) {}

    EmitContext& c;
    const std::optional<uint32_t> known_offset;  ///< the offset word, if it is a constant
    const TextureScalars& at;
    const unsigned part;
    bool is_far = false;  ///< 3D: of the far slice, when the near one is done

    [[nodiscard]] TextureSite of_far_slice() const {
        TextureSite site = *this;
        site.is_far = true;
        return site;
    }
    /// A word of what messages share of an axis.
    [[nodiscard]] Address shared_axis(unsigned axis, unsigned word) const {
        const size_t number = c.message().axes[axis].place + size_t{word};
        const auto offset = static_cast<int32_t>(number * kMaxBlocks * sizeof(exec::Lanes));
        return c.lanes_at(VALKYR_FRAME(shared_axis).plus(offset), part);
    }
    [[nodiscard]] Address shared_level() const {
        return VALKYR_FRAME(shared_level).plus(8 * c.message().level.place);
    }
    /// Member of the current level.
    [[nodiscard]] Address level_member(size_t offset) const {
        return {at.level, static_cast<int32_t>(offset)};
    }
};

/// Stores the addresses of the descriptors that the handles in `message` name; jumps if these are
/// not in the run.
void find_descriptors(
    EmitContext& c, const TexturePlaces& places, const UnitRun& run, Address message, Label other);

/// The origin of a component of texels: a channel of the format, or the constant.
struct ComponentSource {
    std::optional<unsigned> channel;
    uint32_t constant;
};
ComponentSource component_source(const TextureSite& site, unsigned component);

/// The table of the draw's SamplerDescriptors; with a run-time handle, its descriptor.
Scalar load_samplers(const TextureSite& site);

/// Does the part of wrapping that does not depend on the level: afterwards the coordinate is within
/// [-1, 2] or NaN. Works in place, in the frame. Does nothing where this comes later, while the
/// coordinate is scaled to its level: with texel offsets, for instance, which must be added first.
void fold_coordinate(const TextureSite& site, unsigned axis);
/// Does this to a coordinate in a register.
void fold_number(const TextureSite& site, unsigned axis, F32& u);

/// Stores the border colour, if there is one, in the form of texels, once a part.
void prepare_border(const TextureSite& site);
/// v = the border colour (bytes: channel 0) where a tap of the footprint is outside. Taps are
/// numbered as in Footprint.
void apply_border(const TextureSite& site, Vec v, unsigned tap, unsigned channel);

/// Results of the filter for the current level, before the final scaling: sums of steps, or
/// numbers.
struct Sums {
    std::array<Temp, 4> channel;
    bool biased = false;  ///< 2^23 too low each
};
/// The texels of one axis in the current level.
struct AxisTexels {
    S32 first;
    S32 second;  ///< not for nearest
    S32 weight;  ///< of the second in 1/256; not for nearest
};
AxisTexels axis_texels(const TextureSite& site, unsigned axis);
/// The first texel of x or y before wrapping, and the weight; no second texel.
AxisTexels raw_texels(const TextureSite& site, unsigned axis);
/// Whether an axis repeats by a mask: element numbers keep the bits that the last texel's has.
bool repeats_by_mask(const TextureSite& site, unsigned axis);
/// Wraps a raw texel into the level.
void wrap_first(const TextureSite& site, unsigned axis, S32& i);
/// Wraps both texels of a linear filter; the first is raw.
/// outside_face  target of a jump if they leave a face, if the site can
void wrap_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// Turns raw_texels() into element numbers of x alone or y alone; the texel's is their sum.
void place_first(const TextureSite& site, unsigned axis, S32& texel);
/// Turns both texels of a linear filter into element numbers; outside_face as for wrap_both().
void place_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// Texels of a cube's face: -1 to its size + 1 in lanes that filter linearly, inside in the others.
AxisTexels unwrapped_texels(const TextureSite& site, unsigned axis);

/// low <= u <= high; NaN stays NaN.
void limit_number(F32& u, float low, float high);

/// Cubes: separates face and first coordinate, in place.
void unpack_face(const TextureSite& site);
/// The last layer (cubes: the last whole cube) of the view in all lanes.
void last_layer(const TextureSite& site, S32& last);
/// Stores the number of each lane's slice, by its layer (if a register holds layers) and its face.
void choose_slice(const TextureSite& site, F32 layer);

/// Replace x and y by element numbers; the texel's is their sum. |y| must be below 2^15.
void spread_x(S32& x);
void spread_y(const TextureSite& site, S32& y);

/// Makes a level of the view the current one: number 0, or `at.level_number`.
void enter_level(const TextureSite& site, bool zero);
/// Converts bits of the part's lanes to bits of the round, and removes lanes that do not run.
void keep_running(const TextureSite& site, Gp lanes);
/// Jumps unless the mask has all running lanes of the part. Changes the mask and `bits`.
void jump_unless_all(const TextureSite& site, Mask mask, Gp bits, Label target);
/// Emits a loop over the levels of the running lanes. Before visit(), `at.level_number` is a level
/// and `at.level_lanes` its lanes, which are no longer among `at.lanes_left`.
void visit_levels(const TextureSite& site, const std::function<void()>& visit);

/// Channel values of TEX_FETCH; operands are kept as for sampling, the offset word in
/// fetch_operand().
Sums fetch_texels(const TextureSite& site);
/// Whether no lane of a TEX_FETCH names another level than 0: its offset word, if any, is constant.
bool reads_first_level(const TextureSite& site);

/// Whether the message needs a level of detail at all.
bool needs_lod(const TextureSite& site);
/// The level of detail of every lane by docs/rules/sampling.md: an integer in 1/256.
/// some_idle  some lanes of this part may not run
S32 fixed_lod(const TextureSite& site, bool some_idle);

/// Whether docs/rules/sampling.md filters the format as steps.
bool filters_steps(const exec::FormatInfo& info);
/// The value of one step of a channel, for these formats.
float channel_step(const exec::FormatInfo& info, unsigned channel);

/// n, where addresses of fetch_word() are in units of 2^n bytes. A slice is a whole number of
/// units.
uint8_t unit_shift(const TextureSite& site);
/// The units of a slice of the current level, a word of the frame. Slices may be padded, so it may
/// be no whole number of elements.
inline Address slice_units() {
    return VALKYR_FRAME(spare);
}

/// Converts elements to units, in place.
void scale_element(const TextureSite& site, S32& element);

/// The distance, in units, of a nearest filter's texel from the level's data.
S32 nearest_element(const TextureSite& site);
/// A linear footprint by its axes.
struct FootprintAxes {
    AxisTexels x;
    AxisTexels y;  ///< not for 1D
};
/// raw_texels() of x and y.
FootprintAxes raw_axes(const TextureSite& site);
/// Turns raw texels into units; those of the footprint are sums of x's, y's and the slice's start.
void place_axes(const TextureSite& site, FootprintAxes& axes, Label outside_face);
/// Turns the first texels into units, whose sums are then in x.
void place_first(const TextureSite& site, FootprintAxes& axes);
/// A linear footprint: x0y0, x1y0, x0y1, x1y1 (1D: two), and the weights in 1/256.
struct Footprint {
    std::array<Temp, 4> element;  ///< units from the level's data, or words of the texels
    unsigned count = 4;
    Temp across;
    Temp down;  ///< not for 1D
};
/// Whether the taps of a footprint are units or words of texels.
enum class Taps : uint8_t { Elements, Words };
/// The first texels of footprints in registers, by their axes: units in x, nothing in y; the
/// weights.
FootprintAxes first_texels(const TextureSite& site, FootprintAxes raw);
/// The same of the coordinates.
FootprintAxes first_texels(const TextureSite& site);
/// The footprint of raw axes: the texels' units, or their first words.
/// outside_face  as for place_both()
Footprint
linear_taps(const TextureSite& site, FootprintAxes axes, Taps taps, Label outside_face = {});
/// The footprint of the coordinates, across the edges of faces if the site can leave them.
Footprint linear_taps(const TextureSite& site, Taps taps);
/// Replaces the taps in the registers of `footprint` in lanes whose footprint leaves the face.
/// Stores corners in the frame; averages those of byte texels.
void filter_across_edges(const TextureSite& site, const Footprint& footprint, Taps taps);
/// How texels around a corner are averaged: as numbers, as whole numbers with a rounded mean, or,
/// for integers, by taking the texel of the face itself.
enum class CornerMean : uint8_t { Numbers, Steps, OwnFace };
/// In lanes with a corner, replaces corner_value() of that tap by the mean of the other three taps.
void average_corners(const TextureSite& site, CornerMean mean);
/// Jumps if no lane of the current footprint has a corner; footprints that stay on a face have
/// none.
void jump_without_corners(const TextureSite& site, Label label);
/// Whether the expansion tries to load footprints from windows of tiles.
bool has_windows(const TextureSite& site);
/// Loads the texels of raw axes from a window, as the first words of `footprint`. Jumps to
/// `outside`, with nothing changed, if no window has them.
void load_window(const TextureSite& site,
                 const FootprintAxes& axes,
                 const Footprint& footprint,
                 Label outside);
/// Whether fetch_near_word() tries load_nearest_window() before it gathers.
bool has_nearest_windows(const TextureSite& site);
/// d = the words of texels of 4 bytes, by number, from a window. Jumps to `outside`, with nothing
/// changed, if the window of the block's corners does not have those of all running lanes.
void load_nearest_window(const TextureSite& site, Vec d, Vec texel, Label outside);
/// d = 32 bits of each texel from byte 4 * word on; `texel` is in units.
void fetch_word(const TextureSite& site, Vec d, Vec texel, unsigned word);
/// fetch_word() of word 0, for texels that are often in one tile, as in pictures drawn at their own
/// size: decided at run time.
void fetch_near_word(const TextureSite& site, Vec d, Vec texel);

/// The words of each lane's texel, as new temporaries.
using TexelWords = std::array<Temp, 4>;
/// Whether fetch_texel() can load these words (a mask) of a texel, and is better than
/// fetch_word() for each.
bool fetches_texels(const TextureSite& site, unsigned words);
/// Loads texels of two or four words; `texel` is in units.
TexelWords fetch_texel(const TextureSite& site, Vec texel);
/// The channels of texels of four halves, as new temporaries; only if the host loads lanes.
TexelWords fetch_halves(const TextureSite& site, Vec texel);

/// Anisotropic filters: from the squared lengths of the differences in x and y, which lie in
/// difference(), to the probes of each lane. x becomes the square that the level of
/// detail comes from; y is lost.
void choose_probes(const TextureSite& site, F32& x, F32& y);
/// The sums over the probes of the lanes in `at.level_lanes`, as sample_level() for exact sums.
Sums sample_probes(const TextureSite& site);
/// Converts sums over the probes to means, in place, after finish_sums().
void finish_probes(const TextureSite& site, const Sums& sums);

/// exact_sums  the sums are blended later, so they must not be biased
Sums sample_level(const TextureSite& site, bool exact_sums);
/// Anisotropic: of a linear filter as integers.
Sums sample_bytes(const TextureSite& site);
/// Weights w down as 16-bit pairs 256 - w, w.
void prepare_down(EmitContext& c, Vec weight);
/// The sums of footprints from first_texels(), whose texels come from the copy of footprints: 2^23
/// too low.
Sums filter_footprints(const TextureSite& site, FootprintAxes texels);
Sums sample_shadow(const TextureSite& site);
/// Whether filter_quads() has the linear filter of the texels.
bool filters_quads(const TextureSite& site);
/// Blends texels of four floats, whose taps are units. Weights are numbers.
Sums filter_quads(const TextureSite& site, Footprint taps);
/// Filters numbers and steps.
Sums sample_numbers(const TextureSite& site);
/// TEX_GATHER: the four results.
Sums gather_texels(const TextureSite& site);
/// Turns NaN results of blends into the quiet NaN; emits nothing for formats without NaN.
void quiet_numbers(const TextureSite& site, Vec v);
/// Clamps the reference of a shadow compare to the range of the format, in place.
void limit_reference(const TextureSite& site);

/// Chooses filters and levels, then folds the coordinates: the choice needs their differences
/// before folding.
void choose_level_of_detail(const TextureSite& site);
/// Filters the chosen levels.
Sums sample_levels(const TextureSite& site);
/// Converts sums to values, in place.
void finish_sums(const TextureSite& site, Sums& sums);

}  // namespace valkyr::jit

// Inline textures: declares what the parts of the expansion share.
// SPDX-License-Identifier: MIT
//
// The expansion gives the bits of docs/rules/sampling.md for the textures and samplers that the
// kernel's key names. Its parts: coordinates to texel numbers (inline_texture_wrap.cpp) and to
// places in tiles (inline_texture_place.cpp, inline_texture_window.cpp), layers and faces
// (inline_texture_slice.cpp, inline_texture_cube.cpp), level of detail (inline_texture_lod.cpp),
// probes of anisotropic filters (inline_texture_probes.cpp), texels and filters
// (inline_texture_taps.cpp, inline_texture_bytes.cpp, inline_texture_numbers.cpp), and the order of
// all that with its loop over mip levels (inline_texture.cpp). Which messages have an expansion is
// decided before (texture_state.cpp). Temporaries that outlive a part wait
// in the frame (texture_places.hpp), so few registers are needed at once.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/expand/texture/texture_places.hpp"

#include <array>
#include <functional>

namespace valkyr::jit {

/// Expands a texture message whose handles are known.
void expand_texture(EmitContext& c);

/// Emits the bare call of the routine: operands lie in the frame's `in`, results go to `out`.
using CallTextureRoutine = std::function<void()>;

/// Expands a texture message with handles of run time; those of units outside of the run take the
/// routine. Operands are staged in the frame's `in`.
/// place  the TextureMessage with its handles
void expand_indexed_texture(EmitContext& c, Address place, const CallTextureRoutine& routine);

// ---------------------------------------------------------------------------------------------
// Parts of the expansion.

/// Temporaries that an expansion may have at once. They are set free before its first jump, since
/// nothing may be evicted in code that can be skipped.
inline constexpr unsigned kTextureTemporaries = 12;

/// Scalars of the expansion.
struct TextureScalars {
    Scalar texture;       ///< address of the TextureDescriptor
    Scalar level;         ///< address of the TextureLevel at hand
    Scalar texels;        ///< TextureLevel::data
    Scalar lanes_left;    ///< lanes whose level is still to come
    Scalar level_lanes;   ///< lanes of the level at hand
    Scalar level_number;  ///< of the level at hand
};

inline TextureScalars lease_scalars(EmitContext& c) {
    return {c.scalar(), c.scalar(), c.scalar(), c.scalar(), c.scalar(), c.scalar()};
}

/// A message: what is known of it, its operands, and the places of its expansion in the frame and
/// in registers. It does not change; there is one for each part.
struct TextureSite : TexturePlaces {
    TextureSite(EmitContext& context,
                const TextureState& state,
                std::optional<uint32_t> offset,
                const TextureScalars& scalars,
                unsigned of_part)
        : TexturePlaces(state)
        , c(context)
        , known_offset(offset)
        , at(scalars)
        , part(of_part) {}

    EmitContext& c;
    const std::optional<uint32_t> known_offset;  ///< the offset word, if it is a constant
    const TextureScalars& at;
    const unsigned part;

    /// Member of the level at hand.
    [[nodiscard]] Address level_member(size_t offset) const {
        return {at.level, static_cast<int32_t>(offset)};
    }
};

/// Stores the addresses of the descriptors of the handles in `message`; jumps if these are not in
/// the run.
void find_descriptors(
    EmitContext& c, const TexturePlaces& places, const UnitRun& run, Address message, Label other);

/// The origin of a component of texels: a channel of the format, or the constant.
struct ComponentSource {
    std::optional<unsigned> channel;
    uint32_t constant;
};
ComponentSource component_source(const TextureSite& site, unsigned component);

/// The table of the draw's SamplerDescriptors; with a handle of run time its descriptor.
Scalar load_samplers(const TextureSite& site);

/// Whether any texel can be the border.
bool has_borders(const TextureSite& site);
/// Whether texels of an axis can be the border.
bool has_border(const TextureSite& site, unsigned axis);
/// The part of wrapping that does not depend on the level: afterwards the coordinate lies within
/// [-1, 2], or is NaN. In place, in the frame. Nothing with texel offsets, which come first.
void fold_coordinate(const TextureSite& site, unsigned axis);
/// The same of a coordinate in a register.
void fold_number(const TextureSite& site, unsigned axis, Vec u);

/// Once a part: the border colour as texels need it, if there is one.
void prepare_border(const TextureSite& site);
/// v = border colour (bytes: channel 0) where a tap of the footprint lies outside. Taps as in
/// Footprint.
void apply_border(const TextureSite& site, Vec v, unsigned tap, unsigned channel);

/// Results of the filter for the level at hand, before the final scaling: sums of steps, or
/// numbers.
struct Sums {
    std::array<Temp, 4> channel;
    bool biased = false;  ///< 2^23 too low each
};
/// Texels of one axis for the level at hand.
struct AxisTexels {
    Temp first;
    Temp second;  ///< not for nearest
    Temp weight;  ///< of the second in 1/256; not for nearest
};
AxisTexels axis_texels(const TextureSite& site, unsigned axis);
/// The first texel of x or y before it comes back into the level, and the weight; no second texel.
AxisTexels raw_texels(const TextureSite& site, unsigned axis);
/// Whether an axis repeats by a mask: the elements of its texels are the numbers within a mask,
/// that of its last texel.
bool repeats_by_mask(const TextureSite& site, unsigned axis);
/// A raw texel comes back into the level.
void wrap_first(const TextureSite& site, unsigned axis, Vec i);
/// The same of both texels of a linear filter, of which the first is raw.
/// outside_face  where to go when they leave a face, if the site can
void wrap_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// raw_texels() become element numbers, of x alone or y alone; their sum is the texel's.
void place_first(const TextureSite& site, unsigned axis, Vec texel);
/// The same of both texels of a linear filter; outside_face as for wrap_both().
void place_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// Texels of a cube's face, -1 to its size + 1 in lanes that filter; the others stay inside.
AxisTexels unwrapped_texels(const TextureSite& site, unsigned axis);

/// low <= u <= high; NaN stays NaN.
void limit_number(const TextureSite& site, Vec u, float low, float high);

/// Cubes: takes face and first coordinate apart, in place.
void unpack_face(const TextureSite& site);
/// The last layer (cubes: the last whole cube) of the view in all lanes.
void last_layer(const TextureSite& site, Vec last);
/// Stores the number of each lane's slice: of its layer (if a register holds layers), then of its
/// face.
void choose_slice(const TextureSite& site, Vec layer);

/// Element numbers: x alone, y alone; their sum is the texel's. In place. |y| is below 2^15.
void spread_x(const TextureSite& site, Vec x);
void spread_y(const TextureSite& site, Vec y);

/// Goes to a level of the view: number 0, or `at.level_number`.
void enter_level(const TextureSite& site, bool zero);
/// Bits of the part's lanes become those of the round's, and lanes that do not run leave them.
void keep_running(const TextureSite& site, Gp lanes);
/// Starts a loop over the levels of the lanes: all running ones are left. Jumps to `none` if a part
/// has none.
void start_levels(const TextureSite& site, Label none);
/// Takes number and lanes of the next level, whose lanes are no longer left.
void take_level(const TextureSite& site);

/// Channel values of TEX_FETCH; operands are kept as for sampling, the offset word in
/// fetch_operand().
Sums fetch_texels(const TextureSite& site);

/// Whether the message needs a level of detail at all.
bool needs_lod(const TextureSite& site);
/// The level of detail of every lane as docs/rules/sampling.md has it: an integer in 1/256.
/// running  lanes of this part, if some may not run
Temp fixed_lod(const TextureSite& site, bool some_idle);

/// Whether docs/rules/sampling.md has the format filtered as steps.
bool filters_steps(const exec::FormatInfo& info);
/// The value of one step of a channel of such a format.
float channel_step(const exec::FormatInfo& info, unsigned channel);

/// Addresses of fetch_word() count units of 2^n bytes; slices are whole numbers of them.
uint8_t unit_shift(const TextureSite& site);
/// The units of a slice of the level at hand, as a word of the frame. Slices may be padded, so this
/// need not be a whole number of elements.
inline Address slice_units() {
    return VALKYR_FRAME(spare);
}

/// From elements to units, in place.
void scale_element(const TextureSite& site, Vec element);

/// Units from the level's data to the texel that a nearest filter takes.
Temp nearest_element(const TextureSite& site);
/// A linear footprint along its axes.
struct FootprintAxes {
    AxisTexels x;
    AxisTexels y;  ///< not for 1D
};
/// raw_texels() of x and y.
FootprintAxes raw_axes(const TextureSite& site);
/// Raw texels become units: the footprint's are the sums of x's and y's.
void place_axes(const TextureSite& site, FootprintAxes& axes, Label outside_face);
/// The same of the first texels alone, whose units are left in x.
void place_first(const TextureSite& site, const FootprintAxes& axes);
/// A linear footprint: x0y0, x1y0, x0y1, x1y1 (1D: two), and the weights in 1/256.
struct Footprint {
    std::array<Temp, 4> element;  ///< units from the level's data, or words of the texels
    unsigned count = 4;
    Temp across;
    Temp down;  ///< not for 1D
};
/// Says whether the taps of a footprint are units or texels.
enum class Taps : uint8_t { Elements, Words };
/// The footprint of raw axes: the texels' units, or their first words.
/// outside_face  as for place_both()
Footprint
linear_taps(const TextureSite& site, FootprintAxes axes, Taps taps, Label outside_face = {});
/// The same of the coordinates, across the edges of faces where the site can leave them.
Footprint linear_taps(const TextureSite& site, Taps taps);
/// Footprints across edges: what lies in the registers of `footprint`, for lanes that leave their
/// faces. Notes corners in the frame; those of byte texels are averaged.
void filter_across_edges(const TextureSite& site, const Footprint& footprint, Taps taps);
/// The mean of the texels around a corner: of numbers, of whole numbers rounded to one, or the
/// texel of the face itself, which integers have.
enum class CornerMean : uint8_t { Numbers, Steps, OwnFace };
/// Averages corners: in lanes that have one, corner_value() of that tap becomes the mean of the
/// other three taps.
void average_corners(const TextureSite& site, CornerMean mean);
/// Jumps if no lane of the footprint at hand has a corner, which are those that leave no faces,
/// too.
void jump_without_corners(const TextureSite& site, Label label);
/// Whether footprints are looked for in windows of tiles.
bool has_windows(const TextureSite& site);
/// Loads the texels of raw axes that lie in a window, as the first words of `footprint`, and jumps
/// to `outside` if there is no window: there nothing has changed.
void load_window(const TextureSite& site,
                 const FootprintAxes& axes,
                 const Footprint& footprint,
                 Label outside);
/// d = 32 bits of each texel, from byte 4 * word on; texels by units.
void fetch_word(const TextureSite& site, Vec d, Vec texel, unsigned word);

/// Anisotropic filters: from the squared lengths of the differences in x and y, which lie in
/// difference(), to the probes of each lane. x becomes the square that the level of
/// detail comes from; y is lost.
void choose_probes(const TextureSite& site, Vec x, Vec y);
/// The sums over the probes of the lanes in `at.level_lanes`, as sample_level() for exact sums.
Sums sample_probes(const TextureSite& site);
/// Sums over the probes to means, in place, after finish_sums().
void finish_probes(const TextureSite& site, const Sums& sums);

/// exact_sums  the sums are blended later, so they must not be biased
Sums sample_level(const TextureSite& site, bool exact_sums);
/// Anisotropic: of a linear filter as integers.
Sums sample_bytes(const TextureSite& site);
Sums sample_shadow(const TextureSite& site);
/// Numbers and steps.
Sums sample_numbers(const TextureSite& site);
/// TEX_GATHER: the four results.
Sums gather_texels(const TextureSite& site);
/// A NaN that a blend gives is the quiet NaN; nothing for formats that give none.
void quiet_numbers(const TextureSite& site, Vec v);
/// Brings the reference of a shadow compare into the range of the format, in place.
void limit_reference(const TextureSite& site);

/// Chooses filters and levels, then folds the coordinates, whose differences that needs.
void choose_level_of_detail(const TextureSite& site);
/// Filters the chosen levels.
Sums sample_levels(const TextureSite& site);
/// Values of sums, in place.
void finish_sums(const TextureSite& site, Sums& sums);

}  // namespace valkyr::jit

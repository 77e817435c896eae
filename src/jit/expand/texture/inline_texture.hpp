// Inline textures: declares the state and functions that the parts of the expansion share.
// SPDX-License-Identifier: MIT
//
// The expansion computes the bits of docs/rules/sampling.md, for the textures and samplers in the
// kernel's key. Its parts: coordinates to texel numbers (inline_texture_wrap.cpp) and to places in
// tiles (inline_texture_place.cpp, inline_texture_window.cpp), layers and faces
// (inline_texture_slice.cpp, inline_texture_cube.cpp), level of detail (inline_texture_lod.cpp),
// probes of anisotropic filters (inline_texture_probes.cpp), texels and filters
// (inline_texture_taps.cpp, inline_texture_bytes.cpp, inline_texture_numbers.cpp), mip levels
// (inline_texture_level.cpp), and the order of these parts (inline_texture.cpp). texture_state.cpp
// decides which messages have an expansion. Values that outlive a part are in the frame's staging
// areas, so the expansion needs few registers at a time.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/expand/texture/texture_state.hpp"

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

/// A message, the facts known of it, and the registers and places of its expansion.
struct TextureSite : TextureState {
    TextureSite(EmitContext& context, const TextureState& state)
        : TextureState(state)
        , c(context) {}

    EmitContext& c;
    unsigned part = 0;
    TextureScalars at = lease_scalars(c);
    std::optional<uint32_t> known_offset = {};  ///< the offset word, if it is a constant

    // Places in the frame for values of the part.
    [[nodiscard]] Address coordinate(unsigned axis) const { return kept(axis); }
    [[nodiscard]] Address lod_operand() const { return kept(3); }
    [[nodiscard]] Address level() const { return kept(4); }         ///< number of the level
    [[nodiscard]] Address level_weight() const { return kept(5); }  ///< of the next, 0..255
    [[nodiscard]] Address linear() const { return kept(6); }        ///< ~0 where linear filters
    [[nodiscard]] Address reference() const { return kept(7); }     ///< of shadow compares
    [[nodiscard]] Address slice() const { return kept(8); }         ///< number of the slice
    [[nodiscard]] Address face() const { return kept(9); }          ///< of a cube
    [[nodiscard]] Address sum(unsigned channel) const { return kept(10 + channel); }
    /// A channel's number on its way to sum().
    [[nodiscard]] Address number(unsigned channel) const { return kept(14 + channel); }
    /// The near slice's channels of a 3D texture.
    [[nodiscard]] Address near_slice(unsigned channel) const { return kept(18 + channel); }
    [[nodiscard]] Address far_slice() const { return kept(22); }     ///< its number
    [[nodiscard]] Address slice_weight() const { return kept(23); }  ///< of the far one, as f32
    [[nodiscard]] Address offset_word() const { return kept(24); }   ///< signed bytes: x, y, z
    /// ~0 where the first or second texel of an axis is the border; for z, that of the current
    /// slice.
    [[nodiscard]] Address outside(unsigned axis, unsigned second) const {
        return kept(25 + 2 * axis + second);
    }
    /// The border colour: the texel of bytes, or a channel's number.
    [[nodiscard]] Address border(unsigned channel) const { return kept(31 + channel); }
    // Anisotropic filters.
    /// The message's coordinate; coordinate() is the current probe's.
    [[nodiscard]] Address centre(unsigned axis) const { return kept(35 + axis); }
    /// The step from a probe to the next; before that, the difference to the neighbour in x.
    [[nodiscard]] Address probe_step(unsigned axis) const { return kept(37 + axis); }
    [[nodiscard]] Address probe() const { return kept(39); }        ///< k - (P - 1) / 2
    [[nodiscard]] Address last_probe() const { return kept(40); }   ///< (P - 1) / 2
    [[nodiscard]] Address probe_share() const { return kept(41); }  ///< 1 / P
    /// The sum of the probes so far; before that, an axis's difference to the neighbour in y.
    [[nodiscard]] Address probe_sum(unsigned channel) const { return kept(42 + channel); }
    // Cubes, whose filters are never anisotropic.
    /// ~0 where a tap of the footprint is beyond a corner of the cube; at most one tap a lane.
    [[nodiscard]] Address corner(unsigned tap) const { return kept(35 + tap); }
    /// A channel of a tap, or its word, while corners are averaged.
    [[nodiscard]] Address corner_value(unsigned tap) const { return kept(39 + tap); }
    /// A word that is 0 if no lane has a corner.
    [[nodiscard]] Address corners() const { return kept(43); }
    /// The units of a tap, if texels have several words.
    [[nodiscard]] Address element(unsigned tap) const { return kept(46 + tap); }
    /// Words passed between scalars and vectors (inline_texture_window.cpp).
    [[nodiscard]] Address window(unsigned word) const {
        return kept(50).plus(static_cast<int32_t>(word * sizeof(uint32_t)));
    }
    /// The address of the current slice (inline_texture_window.cpp).
    [[nodiscard]] Address slice_data() const { return kept(51).plus(8); }
    /// The lanes that blend the current level with the next, as bits; 0 when the next is current.
    [[nodiscard]] Address blended() const { return kept(51); }
    /// Addresses of the descriptors, for run-time handles.
    [[nodiscard]] Address texture_pointer() const { return kept(51).plus(16); }
    [[nodiscard]] Address sampler_pointer() const { return kept(51).plus(24); }
    /// A member of the current level.
    [[nodiscard]] Address level_member(size_t offset) const {
        return {at.level, static_cast<int32_t>(offset)};
    }

private:
    [[nodiscard]] static Address kept(unsigned index) {
        return VALKYR_FRAME(expansion).plus(static_cast<int32_t>(index * sizeof(exec::Lanes)));
    }
};

/// Stores the addresses of the descriptors that the handles in `message` name; jumps if these are
/// not in the run.
void find_descriptors(const TextureSite& site, const UnitRun& run, Address message, Label other);

/// The origin of a component of texels: a channel of the format, or the constant.
struct ComponentSource {
    std::optional<unsigned> channel;
    uint32_t constant;
};
ComponentSource component_source(const TextureSite& site, unsigned component);

/// The table of the draw's SamplerDescriptors; with a run-time handle, its descriptor.
Scalar load_samplers(const TextureSite& site);

/// Whether any texel can be the border.
bool has_borders(const TextureSite& site);
/// Whether texels of an axis can be the border.
bool has_border(const TextureSite& site, unsigned axis);
/// Does the part of wrapping that does not depend on the level: afterwards the coordinate is within
/// [-1, 2] or NaN. Works in place, in the frame. With texel offsets, which must be added first, it
/// does nothing.
void fold_coordinate(const TextureSite& site, unsigned axis);
/// Does this to a coordinate in a register.
void fold_number(const TextureSite& site, unsigned axis, Vec u);

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
    Temp first;
    Temp second;  ///< not for nearest
    Temp weight;  ///< of the second in 1/256; not for nearest
};
AxisTexels axis_texels(const TextureSite& site, unsigned axis);
/// The first texel of x or y before wrapping, and the weight; no second texel.
AxisTexels raw_texels(const TextureSite& site, unsigned axis);
/// Whether an axis repeats by a mask: element numbers keep the bits that the last texel's has.
bool repeats_by_mask(const TextureSite& site, unsigned axis);
/// Wraps a raw texel into the level.
void wrap_first(const TextureSite& site, unsigned axis, Vec i);
/// Wraps both texels of a linear filter; the first is raw.
/// outside_face  target of a jump if they leave a face, if the site can
void wrap_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// Turns raw_texels() into element numbers of x alone or y alone; the texel's is their sum.
void place_first(const TextureSite& site, unsigned axis, Vec texel);
/// Turns both texels of a linear filter into element numbers; outside_face as for wrap_both().
void place_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face);
/// Texels of a cube's face: -1 to its size + 1 in lanes that filter linearly, inside in the others.
AxisTexels unwrapped_texels(const TextureSite& site, unsigned axis);

/// low <= u <= high; NaN stays NaN.
void limit_number(const TextureSite& site, Vec u, float low, float high);

/// Cubes: separates face and first coordinate, in place.
void unpack_face(const TextureSite& site);
/// The last layer (cubes: the last whole cube) of the view in all lanes.
void last_layer(const TextureSite& site, Vec last);
/// Stores the number of each lane's slice, by its layer (if a register holds layers) and its face.
void choose_slice(const TextureSite& site, Vec layer);

/// Replace x and y by element numbers; the texel's is their sum. |y| must be below 2^15.
void spread_x(const TextureSite& site, Vec x);
void spread_y(const TextureSite& site, Vec y);

/// Makes a level of the view the current one: number 0, or `at.level_number`.
void enter_level(const TextureSite& site, bool zero);
/// Converts bits of the part's lanes to bits of the round, and removes lanes that do not run.
void keep_running(const TextureSite& site, Gp lanes);
/// Starts a loop over the levels of the lanes, with all running lanes left. Jumps to `none` if the
/// part has none.
void start_levels(const TextureSite& site, Label none);
/// Takes number and lanes of the next level, and removes these lanes from those left.
void take_level(const TextureSite& site);

/// Channel values of TEX_FETCH; operands are kept as for sampling, the offset word in
/// lod_operand().
Sums fetch_texels(const TextureSite& site);

/// Whether the message needs a level of detail at all.
bool needs_lod(const TextureSite& site);
/// The level of detail of every lane by docs/rules/sampling.md: an integer in 1/256.
/// some_idle  some lanes of this part may not run
Temp fixed_lod(const TextureSite& site, bool some_idle);

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
void scale_element(const TextureSite& site, Vec element);

/// The distance, in units, of a nearest filter's texel from the level's data.
Temp nearest_element(const TextureSite& site);
/// A linear footprint by its axes.
struct FootprintAxes {
    AxisTexels x;
    AxisTexels y;  ///< not for 1D
};
/// raw_texels() of x and y.
FootprintAxes raw_axes(const TextureSite& site);
/// Turns raw texels into units; those of the footprint are sums of x's and y's.
void place_axes(const TextureSite& site, FootprintAxes& axes, Label outside_face);
/// Turns the first texels into units, whose sums are then in x.
void place_first(const TextureSite& site, const FootprintAxes& axes);
/// A linear footprint: x0y0, x1y0, x0y1, x1y1 (1D: two), and the weights in 1/256.
struct Footprint {
    std::array<Temp, 4> element;  ///< units from the level's data, or words of the texels
    unsigned count = 4;
    Temp across;
    Temp down;  ///< not for 1D
};
/// Whether the taps of a footprint are units or words of texels.
enum class Taps : uint8_t { Elements, Words };
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
/// d = 32 bits of each texel from byte 4 * word on; `texel` is in units.
void fetch_word(const TextureSite& site, Vec d, Vec texel, unsigned word);

/// Anisotropic filters: chooses the probes of each lane from the squared lengths x and y of the
/// differences, which are in probe_step() and probe_sum(). x becomes the square that the level of
/// detail is computed from; y is overwritten.
void choose_probes(const TextureSite& site, Vec x, Vec y);
/// The sums over the probes of the lanes in `at.level_lanes`, as sample_level() for exact sums.
Sums sample_probes(const TextureSite& site);
/// Converts sums over the probes to means, in place, after finish_sums().
void finish_probes(const TextureSite& site, const Sums& sums);

/// exact_sums  the sums are blended later, so they must not be biased
Sums sample_level(const TextureSite& site, bool exact_sums);
/// Anisotropic: of a linear filter as integers.
Sums sample_bytes(const TextureSite& site);
Sums sample_shadow(const TextureSite& site);
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

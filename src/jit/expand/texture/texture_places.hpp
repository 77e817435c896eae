// Texture places: names the values that an expansion of a texture message keeps in the frame.
// SPDX-License-Identifier: MIT
//
// Each part of the host's lanes is sampled by itself. An array holds the lanes of one part, or of
// several that are prepared before the first one is sampled (prepares_parts()).
#pragma once

#include "base/check.hpp"
#include "jit/context/emit_context.hpp"
#include "jit/expand/texture/texture_state.hpp"

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace valkyr::jit {

/// Values that wait in the frame between the parts of an expansion. One message keeps at most one
/// member of each union, unless the comment says what comes before.
struct TextureScratch {
    /// Values of anisotropic filters, whose textures are 2D.
    struct Probes {
        exec::Lanes
            centre[2];  ///< the coordinate itself; `coordinate` is that of the probe at hand
        union {
            exec::Lanes difference_x[2];  ///< first: to the neighbour in x
            exec::Lanes step[2];          ///< then: from a probe to the next
        };
        exec::Lanes probe;  ///< k - (P - 1) / 2
        exec::Lanes last;   ///< (P - 1) / 2
        exec::Lanes share;  ///< 1 / P
        union {
            exec::Lanes difference_y[2];  ///< first: to the neighbour in y
            exec::Lanes sum[4];           ///< then: of the probes so far, by the channel
        };
    };
    /// Values of footprints that leave their faces. Only cubes have these, and no anisotropy.
    struct Corners {
        /// ~0 where a tap of the footprint lies beyond a corner of the cube; one tap a lane at
        /// most.
        exec::Lanes corner[4];
        exec::Lanes value[4];  ///< a channel of a tap, or its word, while corners are averaged
        uint32_t lanes;        ///< 0 if no lane has a corner
    };
    /// The first tile of a window and the last texel of the level. All of it is stored as one
    /// vector; words without a use are copies of the column and the row.
    struct Window {
        uint32_t first_column;
        uint32_t last_column;
        uint32_t last_row;
        uint32_t column_copy;
        uint32_t first_row;
        uint32_t row_copies[11];
    };

    exec::Lanes coordinate[3];
    union {
        exec::Lanes lod_operand;
        exec::Lanes
            fetch_operand;  ///< TEX_FETCH: signed bytes x, y and z (or the sample); the level
    };
    exec::Lanes level;         ///< its number
    exec::Lanes level_weight;  ///< of the next level, 0..255
    exec::Lanes linear;        ///< ~0 where linear filters
    exec::Lanes reference;     ///< of shadow compares
    exec::Lanes slice;         ///< its number
    exec::Lanes face;          ///< of a cube
    exec::Lanes sum[4];        ///< of a level's channel
    union {
        exec::Lanes tap_x[4];       ///< first, of footprints that leave their faces: coordinates
        exec::Lanes number[4];      ///< then: a channel's number on its way to `sum`
        exec::Lanes texel_word[4];  ///< TEX_FETCH
    };
    union {
        exec::Lanes tap_y[4];       ///< of footprints that leave their faces
        exec::Lanes near_slice[4];  ///< 3D: the channels of the near slice
    };
    exec::Lanes far_slice;      ///< 3D: its number
    exec::Lanes slice_weight;   ///< 3D: of the far one, as f32
    exec::Lanes offset_word;    ///< signed bytes: x, y, z
    exec::Lanes outside[3][2];  ///< by axis and texel
    exec::Lanes border[4];      ///< colour of the border
    union {
        Probes probes;
        Corners corners;
        /// 3D: the axes of the near slice's footprint (inline_texture_taps.cpp).
        exec::Lanes near_axes[6];
    };
    union {
        exec::Lanes element[4];      ///< a tap's units, where texels are loaded word by word
        exec::Lanes tap_word[4][4];  ///< by tap and word, where texels of several words are loads
    };
    alignas(64) Window window;
    uint32_t blended;
    uint64_t slice_data;
    uint64_t texture_pointer;
    uint64_t sampler_pointer;
};
static_assert(sizeof(TextureScratch::Window) == sizeof(exec::Lanes));

/// The state of a message, and the places of its TextureScratch. A place that only some
/// messages have must be asked for by these alone, which debug builds check.
struct TexturePlaces : TextureState {
    explicit TexturePlaces(const TextureState& state)
        : TextureState(state) {}
    /// first_place  index in each array of the part's first lane
    TexturePlaces(const TextureState& state, unsigned first_place)
        : TextureState(state)
        , first_byte_(static_cast<int32_t>(first_place * sizeof(uint32_t))) {}

    [[nodiscard]] Address coordinate(unsigned axis) const { return place(all().coordinate, axis); }
    [[nodiscard]] Address lod_operand() const {
        VALKYR_DCHECK(!fetches());
        return place(all().lod_operand);
    }
    [[nodiscard]] Address fetch_operand() const {
        VALKYR_DCHECK(fetches());
        return place(all().fetch_operand);
    }
    [[nodiscard]] Address level() const { return place(all().level); }
    [[nodiscard]] Address level_weight() const { return place(all().level_weight); }
    [[nodiscard]] Address linear() const { return place(all().linear); }
    [[nodiscard]] Address reference() const { return place(all().reference); }
    [[nodiscard]] Address slice() const { return place(all().slice); }
    [[nodiscard]] Address face() const { return place(all().face); }
    [[nodiscard]] Address sum(unsigned channel) const { return place(all().sum, channel); }
    [[nodiscard]] Address number(unsigned channel) const {
        VALKYR_DCHECK(!fetches());
        return place(all().number, channel);
    }
    [[nodiscard]] Address texel_word(unsigned word) const {
        VALKYR_DCHECK(fetches());
        return place(all().texel_word, word);
    }
    [[nodiscard]] Address near_slice(unsigned channel) const {
        VALKYR_DCHECK(coordinates == 3);
        return place(all().near_slice, channel);
    }
    [[nodiscard]] Address near_axes(unsigned word) const {
        VALKYR_DCHECK(coordinates == 3 && !anisotropic && !leaves_faces);
        return place(all().near_axes, word);
    }
    [[nodiscard]] Address far_slice() const { return place(all().far_slice); }
    [[nodiscard]] Address slice_weight() const { return place(all().slice_weight); }
    [[nodiscard]] Address offset_word() const { return place(all().offset_word); }
    /// ~0 where the first or second texel of an axis is the border; of z, that of the slice at
    /// hand.
    [[nodiscard]] Address outside(unsigned axis, unsigned second) const {
        VALKYR_DCHECK(axis < std::size(all().outside));
        return place(all().outside[axis], second);
    }
    /// The border colour: the texel of bytes, or a channel's number.
    [[nodiscard]] Address border(unsigned channel) const { return place(all().border, channel); }
    [[nodiscard]] Address element(unsigned tap) const { return place(all().element, tap); }
    [[nodiscard]] Address tap_word(unsigned tap, unsigned word) const {
        return place(all().tap_word[tap], word);
    }

    // Anisotropic filters.
    [[nodiscard]] Address centre(unsigned axis) const { return place(probes().centre, axis); }
    /// Difference to the neighbour in x (direction 0) or y, until there is a step or a sum.
    [[nodiscard]] Address difference(unsigned axis, unsigned direction) const {
        return place(direction == 0 ? probes().difference_x : probes().difference_y, axis);
    }
    [[nodiscard]] Address probe_step(unsigned axis) const { return place(probes().step, axis); }
    [[nodiscard]] Address probe() const { return place(probes().probe); }
    [[nodiscard]] Address last_probe() const { return place(probes().last); }
    [[nodiscard]] Address probe_share() const { return place(probes().share); }
    [[nodiscard]] Address probe_sum(unsigned channel) const { return place(probes().sum, channel); }

    // Footprints that leave their faces. Taps are numbers, or the first one is indexed at run time.
    /// Coordinate of a tap along x or y, until there is a number.
    [[nodiscard]] Address tap_coordinate(unsigned axis, unsigned tap) const {
        VALKYR_DCHECK(leaves_faces);
        return place(axis == 0 ? all().tap_x : all().tap_y, tap);
    }
    [[nodiscard]] Address corner(unsigned tap) const { return place(corners().corner, tap); }
    [[nodiscard]] Address corner_value(unsigned tap) const { return place(corners().value, tap); }
    [[nodiscard]] Address corner_lanes() const { return place(corners().lanes); }

    // Words on their way between scalars and vectors (inline_texture_window.cpp).
    [[nodiscard]] Address window() const { return place(all().window); }
    [[nodiscard]] Address first_column() const { return place(all().window.first_column); }
    [[nodiscard]] Address first_row() const { return place(all().window.first_row); }
    [[nodiscard]] Address last_column() const { return place(all().window.last_column); }
    [[nodiscard]] Address last_row() const { return place(all().window.last_row); }
    /// Address of the slice at hand.
    [[nodiscard]] Address slice_data() const { return place(all().slice_data); }

    /// Lanes that blend the level at hand with the next, as bits; 0 once the next is at hand.
    [[nodiscard]] Address blended() const { return place(all().blended); }
    /// Addresses of the descriptors, where handles are of run time.
    [[nodiscard]] Address texture_pointer() const {
        VALKYR_DCHECK(indexed);
        return place(all().texture_pointer);
    }
    [[nodiscard]] Address sampler_pointer() const {
        VALKYR_DCHECK(indexed);
        return place(all().sampler_pointer);
    }

private:
    using Scratch = ExpansionPlaces<TextureScratch>;

    [[nodiscard]] bool fetches() const { return message.op == exec::TextureOp::Fetch; }
    static const TextureScratch& all() { return Scratch::members(); }
    [[nodiscard]] const TextureScratch::Probes& probes() const {
        VALKYR_DCHECK(anisotropic);
        return all().probes;
    }
    [[nodiscard]] const TextureScratch::Corners& corners() const {
        VALKYR_DCHECK(leaves_faces && !anisotropic);
        return all().corners;
    }
    template <typename Member>
    [[nodiscard]] Address place(const Member& member) const {
        const Address start = Scratch::place(member);
        return std::is_same_v<Member, exec::Lanes> ? start.plus(first_byte_) : start;
    }
    template <size_t count>
    [[nodiscard]] Address place(const exec::Lanes (&members)[count], size_t index) const {
        return Scratch::place(members, index).plus(first_byte_);
    }

    int32_t first_byte_ = 0;  ///< of the part in each array
};

}  // namespace valkyr::jit

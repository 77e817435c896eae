// Varying messages: interpolates for LD_VAR_BUF and LD_VAR_SPECIAL.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Interpolation". Set-up has computed the planes; see
// interpolate.hpp.
#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "raster/formats/small_float.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/interpolate.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

/// Returns the lowest covered sample; or `samples`, which means the centre, if the pixel is fully
/// covered or not covered.
unsigned centroid_sample(uint32_t coverage, unsigned samples) {
    const uint32_t all = static_cast<uint32_t>(bit_mask(0, samples));
    coverage &= all;
    return coverage == all || coverage == 0 ? samples
                                            : static_cast<unsigned>(std::countr_zero(coverage));
}

/// Returns the point at which a message of this mode evaluates. `position` is its first source: r61
/// or an offset.
PointOffset evaluation_point(
    const Warp& warp, unsigned lane, exec::SampleMode mode, uint32_t coverage, uint32_t position) {
    const unsigned samples = fragment_key(warp).samples;
    switch (mode) {
    case exec::SampleMode::Center: break;
    case exec::SampleMode::Centroid: {
        const unsigned sample = centroid_sample(coverage, samples);
        if (sample < samples)
            return sample_in_lane(warp, lane, samples, sample);
        break;
    }
    case exec::SampleMode::Sample: return sample_in_lane(warp, lane, samples, position >> 16 & 31);
    case exec::SampleMode::Explicit:
        return point_in_lane(warp, lane, static_cast<float>(static_cast<int16_t>(position)) / 256,
                             static_cast<float>(static_cast<int16_t>(position >> 16)) / 256);
    }
    return point_in_lane(warp, lane, 0.5F, 0.5F);
}

enum class SlotMode : uint8_t { Nothing, Flat, Linear, Perspective };

/// A 16-byte slot, as a message of a draw reads it.
struct SlotView {
    SlotMode mode = SlotMode::Nothing;
    const exec::SlotPlanes* planes = nullptr;
};

SlotView view_slot(const Warp& warp, const exec::VaryingMessage& message, uint32_t slot) {
    const exec::ProgramInfo* info = warp.draw->info;
    const exec::PrimitiveSetup& primitive = *warp.fragment->primitive;
    const uint32_t count = info != nullptr ? info->varying_slot_count : 0;
    const exec::FragmentKey& key = fragment_key(warp);
    if (slot >= count || slot >= exec::kMaxVaryingSlots || primitive.slots == nullptr ||
        !(info->varyings[slot].written || (key.point_slots >> slot & 1) != 0))
        return {};
    SlotView view{SlotMode::Perspective, primitive.slots + slot};
    if (message.flat)
        view.mode = SlotMode::Flat;
    else if (message.source_half && !info->varyings[slot].half)
        view.mode = SlotMode::Nothing;  // no 16-bit numbers were written
    else if (key.constant_w || (key.linear_slots >> slot & 1))
        view.mode = SlotMode::Linear;
    return view;
}

/// Returns the bits of an interpolated number; NaNs get the one payload, whichever the host's is.
uint32_t quiet_bits(float number) {
    return std::isnan(number) ? float_bits::kQuietNan : as_bits(number);
}

/// Returns component `index` of the record, counted from the message's offset, as 32 bits; flat
/// 16-bit components keep their bits.
uint32_t component_value(const Warp& warp,
                         const exec::VaryingMessage& message,
                         unsigned index,
                         PointOffset at,
                         float reciprocal_q) {
    const uint32_t size = message.source_half ? 2 : 4;
    const uint32_t byte = message.offset + index * size;
    SlotView view = view_slot(warp, message, byte / 16);
    uint32_t c = byte % 16 / 4;
    if (message.source_half && !message.flat && view.planes != nullptr) {
        const uint32_t number = byte % 16 / 2;
        view.planes += number < 4 ? 0 : exec::kMaxVaryingSlots;
        c = number % 4;
    }
    switch (view.mode) {
    case SlotMode::Nothing: return 0;
    case SlotMode::Flat: return as_bits(view.planes->a[c]) >> (size == 2 ? byte % 4 * 8 : 0);
    case SlotMode::Linear:
        return quiet_bits(
            linear_value(view.planes->a[c], view.planes->cx[c], view.planes->cy[c], at));
    case SlotMode::Perspective:
        return quiet_bits(perspective_value(view.planes->a[c], view.planes->cx[c],
                                            view.planes->cy[c], at, reciprocal_q));
    }
    return 0;
}

/// Writes a component: 16-bit results are packed two to a register; flat ones are bits already.
void write_component(const exec::VaryingMessage& message,
                     unsigned index,
                     unsigned lane,
                     uint32_t value,
                     Lanes* out) {
    if (!message.half) {
        out[index].v[lane] = value;
        return;
    }
    const uint32_t half = message.flat ? value & 0xFFFF : encode_small_float(kFloat16, value);
    uint32_t& word = out[index / 2].v[lane];
    word = index % 2 == 0 ? half : (word & 0xFFFF) | half << 16;
}

}  // namespace

void env_varying(const Warp& warp,
                 const exec::VaryingMessage& message,
                 const Lanes& coverage,
                 const Lanes& position,
                 Lanes* out) noexcept {
    if (warp.fragment == nullptr || warp.fragment->primitive == nullptr)
        return;
    const exec::Plane& q = warp.fragment->primitive->q;
    for_each_lane(warp.running, [&](unsigned lane) {
        const PointOffset at =
            evaluation_point(warp, lane, message.sample, coverage.v[lane], position.v[lane]);
        const float reciprocal_q = 1.0F / linear_value(q, at);
        for (unsigned i = 0; i < std::min<unsigned>(message.components, 4); ++i)
            write_component(message, i, lane, component_value(warp, message, i, at, reciprocal_q),
                            out);
    });
}

void env_varying_special(const Warp& warp,
                         uint32_t index,
                         exec::SampleMode sample,
                         const Lanes& position,
                         Lanes* out) noexcept {
    if (warp.fragment == nullptr || warp.fragment->primitive == nullptr)
        return;
    const exec::PrimitiveSetup& primitive = *warp.fragment->primitive;
    for_each_lane(warp.running, [&](unsigned lane) {
        // The operand is r61; its low half is the coverage from which centroid chooses a sample.
        const PointOffset at =
            evaluation_point(warp, lane, sample, position.v[lane] & 0xFFFF, position.v[lane]);
        switch (index) {
        case 0:
            out[0].v[lane] = quiet_bits(linear_value(primitive.point_s, at));
            out[1].v[lane] = quiet_bits(linear_value(primitive.point_t, at));
            break;
        case 2: out[0].v[lane] = quiet_bits(linear_value(primitive.q, at)); break;
        case 3: out[0].v[lane] = quiet_bits(linear_value(primitive.z, at)); break;
        default: out[0].v[lane] = 0; break;
        }
    });
}

}  // namespace valkyr::raster

// Blend messages: writes colours to the tile buffer for BLEND (GL 4.6 sections 17.3.6 to 17.3.9).
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "exec/blend_descriptor.hpp"
#include "raster/messages/blend_rule.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/register_convert.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

using Numbers = std::array<float, 4>;
using Bytes = std::array<int, 4>;

Numbers to_numbers(const Values& values) {
    return {as_float(values[0]), as_float(values[1]), as_float(values[2]), as_float(values[3])};
}
Values to_values(const Numbers& numbers) {
    return {as_bits(numbers[0]), as_bits(numbers[1]), as_bits(numbers[2]), as_bits(numbers[3])};
}

/// Clamps to the range of a normalised target; NaN becomes 0.
Numbers clamped(Numbers numbers, const FormatInfo& info) {
    if (!is_normalized(info))
        return numbers;
    const float low = info.type == exec::ChannelType::Snorm ? -1.0F : 0.0F;
    for (float& number : numbers)
        number = std::isnan(number) ? 0.0F : std::clamp(number, low, 1.0F);
    return numbers;
}

/// Returns 255 * c rounded to the nearest byte, NaN as 0: the encoding of 8-bit unorm.
Bytes to_bytes(const Values& values) {
    static const FormatInfo& info = exec::format_info(exec::Format::R8G8B8A8_UNORM);
    const Codes codes = encode_values(info, values, IntegerKind::Unsigned);
    return {static_cast<int>(codes[0]), static_cast<int>(codes[1]), static_cast<int>(codes[2]),
            static_cast<int>(codes[3])};
}

/// Blends colours of one warp into one target.
class Blender {
public:
    Blender(const Warp& warp, const exec::BlendKey& key, bool opaque, IntegerKind kind)
        : draw_(*warp.draw)
        , key_(key)
        , info_(exec::format_info(key.format))
        , mask_(channel_mask(info_, key.write_mask))
        , kind_(kind) {
        // An enabled logic op switches blending off, even in formats that it does not affect.
        const bool has_logic_op = info_.type != exec::ChannelType::Float && !info_.srgb;
        logic_op_ = key.logic_op_enable && has_logic_op && !opaque;
        blend_ = key.enable && !key.logic_op_enable && !is_integer(info_) && !opaque;
    }

    /// Stores one sample's colour.
    void sample(const Values& source, const Values& source1, uint8_t* texel) const {
        Codes codes;
        if (!blend_)
            codes = encode_values(info_, unswizzle_values(info_, source), kind_);
        else if (blends_as_bytes(info_))
            codes = blended_bytes(source, source1, load_codes(info_, texel));
        else
            codes = blended_numbers(source, source1, load_codes(info_, texel));
        if (logic_op_)
            combine(codes, load_codes(info_, texel));
        store_codes(info_, codes, mask_, texel);
    }

private:
    [[nodiscard]] Codes
    blended_bytes(const Values& source, const Values& source1, const Codes& stored) const {
        const Values destination = swizzle_values(stored, info_.swizzle, 255);
        BlendBytes operands{.source = to_bytes(source),
                            .source1 = to_bytes(source1),
                            .constant = {},
                            .destination = {}};
        for (unsigned c = 0; c < 4; ++c) {
            operands.constant[c] = draw_.blend_constant_unorm8[c];
            operands.destination[c] = static_cast<int>(destination[c]);
        }
        const Bytes result = blend_bytes(key_, operands);
        Values components;
        for (unsigned c = 0; c < 4; ++c)
            components[c] = static_cast<uint32_t>(result[c]);
        return unswizzle_values(info_, components);
    }

    [[nodiscard]] Codes
    blended_numbers(const Values& source, const Values& source1, const Codes& stored) const {
        const Values destination =
            swizzle_values(decode_codes(info_, stored), info_.swizzle, one_of(info_));
        const Numbers constant{draw_.blend_constant[0], draw_.blend_constant[1],
                               draw_.blend_constant[2], draw_.blend_constant[3]};
        const Numbers result = blend_numbers(key_, {.source = clamped(to_numbers(source), info_),
                                                    .source1 = clamped(to_numbers(source1), info_),
                                                    .constant = clamped(constant, info_),
                                                    .destination = to_numbers(destination)});
        return encode_values(info_, unswizzle_values(info_, to_values(result)), kind_);
    }

    void combine(Codes& codes, const Codes& stored) const {
        for (unsigned channel = 0; channel < info_.channel_count; ++channel)
            codes[channel] = apply_logic_op(key_.logic_op, codes[channel], stored[channel]) &
                             static_cast<uint32_t>(bit_mask(0, info_.bits[channel]));
    }

    const exec::DrawContext& draw_;
    const exec::BlendKey& key_;
    const FormatInfo& info_;
    unsigned mask_;
    IntegerKind kind_;
    bool logic_op_ = false;
    bool blend_ = false;
};

}  // namespace

void env_blend(const Warp& warp,
               const exec::BlendMessage& message,
               uint64_t descriptor,
               const Lanes& coverage,
               const Lanes* in,
               const Lanes* in1) noexcept {
    const exec::BlendMode mode = exec::blend_mode(descriptor);
    if (warp.fragment == nullptr || message.target >= exec::kMaxRenderTargets ||
        mode == exec::BlendMode::Shader || mode == exec::BlendMode::Off)
        return;
    const exec::FragmentKey& key = fragment_key(warp);
    const exec::BlendKey& target = key.blend[message.target];
    const FormatInfo& info = exec::format_info(target.format);
    uint8_t* tile = warp.fragment->color[message.target];
    if (!is_plain(info) || tile == nullptr)
        return;
    const Blender blender(warp, target, mode == exec::BlendMode::Opaque,
                          register_kind(message.format, info));
    for_each_lane(storing_lanes(warp), [&](unsigned lane) {
        Values source = read_registers(in, lane, message.components, message.format, info);
        Values source1{};
        if (in1 != nullptr)
            source1 = read_registers(in1, lane, message.components, message.format, info);
        if (key.alpha_to_one && !is_integer(info))
            source[3] = source1[3] = one_of(info);
        for (unsigned s = 0; s < key.samples; ++s)
            if (coverage.v[lane] >> s & 1)
                blender.sample(source, source1,
                               tile +
                                   ((size_t{warp.block} * key.samples + s) * exec::kLanes + lane) *
                                       info.block_bytes);
    });
}

}  // namespace valkyr::raster

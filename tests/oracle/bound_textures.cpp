// Bound textures: give the TGSI interpreter the textures and samplers of a draw.
// SPDX-License-Identifier: MIT
#include "tests/oracle/bound_textures.hpp"

#include "base/bits.hpp"
#include "tests/oracle/bound_images.hpp"
#include "tests/oracle/resources.hpp"
#include "tests/oracle/sampling/reference_sampler.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

using exec::ChannelType;
using exec::Format;
using tgsi::TexelClass;

/// RNE(256 * value), clamped to low..high; NaN gives `low`.
int32_t fixed_8(float value, int32_t low, int32_t high) {
    const float steps = std::nearbyintf(256.0F * value);
    if (std::isnan(steps))
        return low;
    return static_cast<int32_t>(
        std::clamp(steps, static_cast<float>(low), static_cast<float>(high)));
}

tgsi::ReferenceSamplerState sampler_state(const raster::SamplerState& s) {
    tgsi::ReferenceSamplerState state;
    const raster::Wrap wraps[] = {s.wrap_s, s.wrap_t, s.wrap_r};
    for (size_t axis = 0; axis < 3; axis++)
        state.wrap[axis] = static_cast<tgsi::WrapMode>(wraps[axis]);
    state.min_filter = static_cast<tgsi::TexelFilter>(s.min_filter);
    state.mag_filter = static_cast<tgsi::TexelFilter>(s.mag_filter);
    state.mip_filter = static_cast<tgsi::LevelFilter>(s.mip_filter);
    state.compare_enable = s.compare_enable;
    state.compare = static_cast<tgsi::Comparison>(s.compare);
    state.seamless_cube = s.seamless_cube;
    state.normalized = s.normalized;
    state.max_anisotropy = std::clamp<uint32_t>(s.max_anisotropy, 1, 16);
    state.lod_bias = fixed_8(s.lod_bias, INT16_MIN, INT16_MAX);
    state.min_lod = fixed_8(s.min_lod, 0, 0x1FFF);
    state.max_lod = fixed_8(s.max_lod, 0, 0x1FFF);
    state.border = s.border;
    return state;
}

/// Reads the texels of a texture view.
class View final : public tgsi::TexelView {
public:
    View(const ReferenceTexture& texture, const raster::TextureView& view)
        : texture_(texture)
        , view_(view)
        , format_(view.format == Format::None ? texture.desc().format : view.format) {}

    [[nodiscard]] TexelClass texel_class() const override {
        if (is_integer(format_))
            return TexelClass::Integers;
        return filters_as_integer(format_) ? TexelClass::Steps : TexelClass::Numbers;
    }
    [[nodiscard]] uint32_t steps(unsigned component) const override {
        const auto channel = static_cast<unsigned>(row(format_).swizzle[component]);
        if (channel > 3)
            return 1;
        const unsigned sign = is_snorm() ? 1 : 0;
        return static_cast<uint32_t>(bit_mask(0, row(format_).bits[channel] - sign));
    }
    [[nodiscard]] bool is_unorm() const override { return row(format_).type == ChannelType::Unorm; }
    [[nodiscard]] bool is_snorm() const override { return row(format_).type == ChannelType::Snorm; }
    [[nodiscard]] uint32_t levels() const override {
        const uint32_t existing = texture_.desc().levels;
        if (view_.first_level >= existing)
            return 0;
        return std::min<uint32_t>(view_.level_count, existing - view_.first_level);
    }
    [[nodiscard]] uint32_t samples() const override { return texture_.desc().samples; }
    [[nodiscard]] std::array<uint32_t, 3> extent(uint32_t level) const override {
        const uint32_t own = view_.first_level + level;
        uint32_t depth = texture_.slices(own);
        if (texture_.desc().kind != exec::TextureKind::Tex3D)
            depth = std::min(view_.layer_count, depth - std::min(depth, view_.first_layer));
        return {texture_.width(own), texture_.height(own), depth};
    }
    [[nodiscard]] Vec4
    texel(uint32_t level, const std::array<uint32_t, 3>& at, uint32_t sample) const override {
        const bool layered = texture_.desc().kind != exec::TextureKind::Tex3D;
        const uint32_t first = layered ? view_.first_layer : 0;
        return value(
            texture_.texel({view_.first_level + level, at[0], at[1], first + at[2], sample}));
    }
    [[nodiscard]] Vec4 zero() const override {
        const uint8_t bytes[32] = {};
        return value(bytes);
    }
    [[nodiscard]] Vec4 border(const Vec4& color) const override;
    [[nodiscard]] std::array<tgsi::ViewSwizzle, 4> swizzle() const override {
        std::array<tgsi::ViewSwizzle, 4> s{};
        for (size_t c = 0; c < 4; c++)
            s[c] = static_cast<tgsi::ViewSwizzle>(view_.swizzle[c]);
        return s;
    }
    [[nodiscard]] std::array<tgsi::ViewSwizzle, 4> format_swizzle() const override {
        std::array<tgsi::ViewSwizzle, 4> s{};
        for (size_t c = 0; c < 4; c++)
            s[c] = static_cast<tgsi::ViewSwizzle>(row(format_).swizzle[c]);
        return s;
    }

private:
    /// A stored texel for the sampler: integer steps of 1/M, or decoded numbers.
    [[nodiscard]] Vec4 value(const uint8_t* bytes) const;
    /// The border colour's component, encoded for a channel of this format.
    [[nodiscard]] uint32_t border_channel(unsigned channel, uint32_t color) const;

    const ReferenceTexture& texture_;
    const raster::TextureView& view_;
    Format format_;
};

Vec4 View::value(const uint8_t* bytes) const {
    if (texel_class() != TexelClass::Steps)
        return decode_texel(format_, bytes);
    Vec4 counts{};
    for (unsigned c = 0; c < 4; c++) {
        const auto channel = static_cast<unsigned>(row(format_).swizzle[c]);
        if (channel > 3) {
            counts[c] = row(format_).swizzle[c] == exec::Swizzle::One ? 1 : 0;
            continue;
        }
        const uint64_t code = load_channel(format_, bytes, channel);
        const auto m = static_cast<int64_t>(steps(c));
        const int64_t count = is_snorm()
                                  ? std::max(-m, sign_extend(code, row(format_).bits[channel]))
                                  : static_cast<int64_t>(code);
        counts[c] = static_cast<uint32_t>(count);
    }
    return counts;
}

uint32_t View::border_channel(unsigned channel, uint32_t color) const {
    const float number = as_float(color);
    if (is_unorm() || is_snorm())
        return std::isnan(number) ? 0
                                  : as_bits(std::clamp(number, is_snorm() ? -1.0F : 0.0F, 1.0F));
    if (is_integer(format_))
        return decode_channel(format_, channel,
                              encode_channel(format_, channel, color) &
                                  bit_mask(0, row(format_).bits[channel]));
    return color;
}

Vec4 View::border(const Vec4& color) const {
    if (texel_class() == TexelClass::Steps) {
        uint8_t bytes[32] = {};
        encode_texel(format_, color, 0xF, bytes);
        return value(bytes);
    }
    const uint32_t one = is_integer(format_) ? 1 : as_bits(1.0F);
    Vec4 result{};
    for (unsigned c = 0; c < 4; c++) {
        const auto channel = static_cast<unsigned>(row(format_).swizzle[c]);
        if (channel > 3)
            result[c] = row(format_).swizzle[c] == exec::Swizzle::One ? one : 0;
        else
            result[c] = border_channel(channel, color[component_of(format_, channel)]);
    }
    return result;
}

/// Reads the texels of a buffer texture.
class BufferTexels final : public tgsi::TexelView {
public:
    BufferTexels(std::span<const uint8_t> bytes, const raster::TextureView& view)
        : bytes_(bytes)
        , view_(view) {}

    [[nodiscard]] TexelClass texel_class() const override {
        return is_integer(view_.format) ? TexelClass::Integers : TexelClass::Numbers;
    }
    [[nodiscard]] uint32_t steps(unsigned /*component*/) const override { return 1; }
    [[nodiscard]] bool is_unorm() const override { return false; }
    [[nodiscard]] bool is_snorm() const override { return false; }
    [[nodiscard]] uint32_t levels() const override { return 1; }
    [[nodiscard]] uint32_t samples() const override { return 1; }
    [[nodiscard]] std::array<uint32_t, 3> extent(uint32_t /*level*/) const override {
        return {static_cast<uint32_t>(bytes_.size() / row(view_.format).block_bytes), 1, 1};
    }
    [[nodiscard]] Vec4 texel(uint32_t /*level*/,
                             const std::array<uint32_t, 3>& at,
                             uint32_t /*sample*/) const override {
        return decode_texel(view_.format,
                            bytes_.data() + size_t{at[0]} * row(view_.format).block_bytes);
    }
    [[nodiscard]] Vec4 zero() const override {
        const uint8_t bytes[32] = {};
        return decode_texel(view_.format, bytes);
    }
    [[nodiscard]] Vec4 border(const Vec4& color) const override { return color; }
    [[nodiscard]] std::array<tgsi::ViewSwizzle, 4> swizzle() const override {
        std::array<tgsi::ViewSwizzle, 4> s{};
        for (size_t c = 0; c < 4; c++)
            s[c] = static_cast<tgsi::ViewSwizzle>(view_.swizzle[c]);
        return s;
    }
    [[nodiscard]] std::array<tgsi::ViewSwizzle, 4> format_swizzle() const override {
        std::array<tgsi::ViewSwizzle, 4> s{};
        for (size_t c = 0; c < 4; c++)
            s[c] = static_cast<tgsi::ViewSwizzle>(row(view_.format).swizzle[c]);
        return s;
    }

private:
    std::span<const uint8_t> bytes_;
    const raster::TextureView& view_;
};

/// Owns the ReferenceSampler and its views.
class BoundTextures final : public tgsi::TextureUnits {
public:
    std::array<Vec4, 4> sample(const tgsi::TextureRequest& request) override {
        return sampler_.sample(request);
    }
    tgsi::TextureSize size(uint32_t texture, uint32_t level) override {
        return sampler_.size(texture, level);
    }
    Result<void> add(const raster::TextureView& view) {
        const auto* texture = dynamic_cast<const ReferenceTexture*>(view.texture.get());
        if (view.texture != nullptr && texture == nullptr)
            return Error{Errc::InvalidState, {}, "a texture of another device is bound"};
        if (texture != nullptr)
            views_.push_back(std::make_unique<View>(*texture, view));
        else if (view.buffer.buffer != nullptr)
            views_.push_back(std::make_unique<BufferTexels>(bytes_of(view.buffer), view));
        else
            views_.push_back(nullptr);
        sampler_.views.push_back(views_.back().get());
        return {};
    }
    void add(const raster::SamplerState& state) {
        sampler_.samplers.push_back(sampler_state(state));
    }

private:
    tgsi::ReferenceSampler sampler_;
    std::vector<std::unique_ptr<tgsi::TexelView>> views_;
};

}  // namespace

Result<std::unique_ptr<tgsi::TextureUnits>>
bind_textures(const std::vector<raster::TextureView>& views,
              const std::vector<raster::SamplerState>& samplers) {
    auto bound = std::make_unique<BoundTextures>();
    for (const raster::TextureView& view : views)
        VALKYR_TRY_VOID(bound->add(view));
    for (const raster::SamplerState& sampler : samplers)
        bound->add(sampler);
    return std::unique_ptr<tgsi::TextureUnits>(std::move(bound));
}

}  // namespace valkyr::reference

// Texture messages: executes TEX_SINGLE, TEX_FETCH and TEX_GATHER (GL 4.6 sections 8.14, 8.15).
// SPDX-License-Identifier: MIT
//
// This file reads operands and writes results; texture_lod, texture_filter and texel_source compute
// them. Rules: docs/rules/sampling.md.
#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/handle.hpp"
#include "raster/messages/env_routines.hpp"
#include "raster/messages/env_warp.hpp"
#include "raster/messages/register_convert.hpp"
#include "raster/messages/sampled_levels.hpp"
#include "raster/messages/texture_filter.hpp"
#include "raster/messages/texture_lod.hpp"
#include "raster/messages/texture_operands.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::LodMode;
using exec::SamplerDescriptor;
using exec::TextureDescriptor;
using exec::TextureMessage;

constexpr uint32_t kRegisterFloat = 1;
constexpr uint32_t kRegisterSigned = 3;

/// Returns the number of the view's levels that exist.
uint32_t level_count(const TextureDescriptor& texture) {
    if (texture.first_level >= exec::kMaxLevels)
        return 0;
    return std::min<uint32_t>(texture.level_count, exec::kMaxLevels - texture.first_level);
}

const exec::TextureLevel& level_of(const TextureDescriptor& texture, uint32_t level) {
    return texture.levels[texture.first_level + level];
}

/// Returns the first slice of a layer; out-of-range layers clamp (docs/rules/sampling.md "Layers").
uint32_t layer_slice(const TextureDescriptor& texture, int64_t layer, bool cube) {
    const uint32_t faces = cube ? 6 : 1;
    const int64_t last = std::max<int64_t>(texture.layer_count / faces, 1) - 1;
    return texture.first_layer + static_cast<uint32_t>(std::clamp<int64_t>(layer, 0, last)) * faces;
}

/// Rounds a float array index to the nearest integer, ties to even; NaN gives 0.
int64_t rounded_layer(float layer) {
    if (std::isnan(layer))
        return 0;
    return std::llrint(std::clamp(layer, -1.0F, 65536.0F));
}

/// Writes the components of the write mask to consecutive registers.
void write_result(const TextureMessage& message,
                  unsigned lane,
                  const Values& components,
                  const FormatInfo& info,
                  Lanes* out) {
    Values packed{};
    unsigned count = 0;
    for (unsigned component = 0; component < 4; ++component)
        if (message.write_mask >> component & 1)
            packed[count++] = components[component];
    const IntegerKind kind =
        message.register_type == kRegisterSigned ? IntegerKind::Signed : IntegerKind::Unsigned;
    const IntegerKind integers =
        message.register_type == kRegisterFloat ? integer_kind(info) : kind;
    write_registers(out, lane, packed, count, message.half, integers, info);
}

/// Returns the components of an unbound texture.
Values unbound_components(const TextureMessage& message) {
    return {0, 0, 0, message.register_type == kRegisterFloat ? float_bits::kOne : 1U};
}

/// Sampler of fetches, which have no sampler state.
constexpr SamplerDescriptor kNoSampler{};

/// Executes TEX_FETCH: one texel by integer coordinates. Layers clamp; other coordinates outside
/// read 0.
class Fetcher {
public:
    Fetcher(const TextureOperands& operands, const TextureDescriptor& texture)
        : operands_(operands)
        , texture_(texture)
        , source_(texture, kNoSampler, false) {}

    [[nodiscard]] Values lane(unsigned lane) const {
        const uint32_t offset = operands_.offset->v[lane];
        const bool multisampled = texture_.kind == exec::TextureKind::Tex2DMs ||
                                  texture_.kind == exec::TextureKind::Tex2DMsArray;
        const uint32_t level = offset >> 24;
        std::array<int64_t, 3> at{};
        for (unsigned i = 0; i < operands_.coordinate_count; ++i)
            at[i] = int64_t{static_cast<int32_t>(operands_.coordinate[i]->v[lane])} +
                    (multisampled && i == 2 ? 0 : offset_byte(offset, i));
        const bool is_3d = operands_.coordinate_count == 3;
        const int64_t slice =
            is_3d ? at[2]
                  : layer_slice(texture_, static_cast<int32_t>(operands_.array->v[lane]), false);
        const bool inside = at[0] >= 0 && at[1] >= 0 && slice >= 0 && level < level_count(texture_);
        TexelIndex index{.x = at[0],
                         .y = at[1],
                         .slice = static_cast<uint32_t>(slice),
                         .sample = multisampled ? offset >> 16 & 0xFF : 0};
        static constexpr exec::TextureLevel kNoLevel{};
        // The source would read a negative coordinate as the border, which fetches do not have.
        const exec::TextureLevel& from = inside ? level_of(texture_, level) : kNoLevel;
        index.x = std::max<int64_t>(index.x, 0);
        index.y = std::max<int64_t>(index.y, 0);
        const Values texel = source_.texel(from, index, 0);
        return source_.components(finished(texel));
    }

private:
    /// Converts steps to values.
    [[nodiscard]] Values finished(const Values& texel) const {
        if (source_.kind() != TexelKind::Steps)
            return texel;
        Values values;
        for (unsigned channel = 0; channel < 4; ++channel)
            values[channel] = as_bits(static_cast<float>(static_cast<int32_t>(texel[channel])) *
                                      source_.step(channel));
        return values;
    }

    const TextureOperands& operands_;
    const TextureDescriptor& texture_;
    TexelSource source_;
};

/// Levels and probes that one lane of TEX_SINGLE samples.
struct LanePlan {
    LevelChoice levels;
    bool anisotropic = false;
    unsigned probes = 1;
    float share = 1;              ///< share of one probe in the mean
    std::array<float, 3> step{};  ///< coordinate difference between probes
};

/// Sums the results of a level's probes: steps exactly, numbers in binary32.
class ProbeSum {
public:
    explicit ProbeSum(TexelKind kind)
        : is_exact_(kind == TexelKind::Steps) {}

    void add(const Values& sums) {
        for (unsigned channel = 0; channel < 4; ++channel) {
            const float v = as_float(sums[channel]);
            steps_[channel] += v;
            numbers_[channel] += v;
        }
    }

    [[nodiscard]] Values values() const {
        Values result;
        for (unsigned channel = 0; channel < 4; ++channel)
            result[channel] =
                as_bits(is_exact_ ? static_cast<float>(steps_[channel]) : numbers_[channel]);
        return result;
    }

private:
    bool is_exact_;
    std::array<double, 4> steps_{};
    std::array<float, 4> numbers_{-0.0F, -0.0F, -0.0F, -0.0F};
};

/// Executes TEX_SINGLE and TEX_GATHER for one message.
class Sampler {
public:
    Sampler(const Warp& warp,
            const TextureMessage& message,
            const TextureOperands& operands,
            const TextureDescriptor& texture,
            const SamplerDescriptor& sampler)
        : message_(message)
        , operands_(operands)
        , texture_(texture)
        , sampler_(sampler)
        , filter_(texture, sampler, message.shadow)
        , coordinates_(unpack_coordinates(warp.running)) {}

    [[nodiscard]] Values sample(unsigned lane) const {
        const LanePlan plan = plan_lane(lane);
        const SamplePoint centre = point(lane);
        const exec::Filter filter =
            plan.levels.magnify ? sampler_.modes.mag_filter : sampler_.modes.min_filter;
        Values sums = sample_level(plan.levels.level, centre, plan, filter);
        if (plan.levels.weight != 0)
            sums = filter_.blend_levels(
                sums, sample_level(plan.levels.second, centre, plan, filter), plan.levels.weight);
        Values result = filter_.finish(sums, centre, filter);
        if (plan.anisotropic)
            for (uint32_t& channel : result)
                channel = mean(as_float(channel), plan);
        return filter_.source().components(result);
    }

    [[nodiscard]] LevelChoice levels(unsigned lane) const { return plan_lane(lane).levels; }

    [[nodiscard]] Values gather(unsigned lane) const {
        const std::array<Values, 4> texels = filter_.gather(level_of(texture_, 0), point(lane));
        Values result;
        for (unsigned i = 0; i < 4; ++i)
            result[i] = filter_.source().components(texels[i])[message_.fetch_component & 3];
        return result;
    }

private:
    [[nodiscard]] WarpCoordinates unpack_coordinates(uint16_t running) const {
        WarpCoordinates at{};
        at.count = operands_.coordinate_count;
        at.running = running;
        for (unsigned i = 0; i < at.count; ++i)
            at.c[i] = *operands_.coordinate[i];
        if (is_cube(message_))
            for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
                const CubeCoordinate cube = unpack_cube(operands_.coordinate[0]->v[lane]);
                at.face.v[lane] = cube.face;
                at.c[0].v[lane] = cube.s_bits;
            }
        return at;
    }

    [[nodiscard]] SamplePoint point(unsigned lane) const {
        SamplePoint at;
        at.dimensions = coordinates_.count;
        at.cube = is_cube(message_);
        at.integer = message_.integer_coordinates;
        at.face = coordinates_.face.v[lane];
        at.reference = as_float(operands_.reference->v[lane]);
        for (unsigned i = 0; i < at.dimensions; ++i) {
            at.c[i] = as_float(coordinates_.c[i].v[lane]);
            at.offset[i] = offset_byte(operands_.offset->v[lane], i);
        }
        if (at.dimensions < 3) {
            const uint32_t layer = operands_.array->v[lane];
            at.first_slice = layer_slice(
                texture_, at.integer ? static_cast<int32_t>(layer) : rounded_layer(as_float(layer)),
                at.cube);
        }
        return at;
    }

    /// Returns the texels of the base level per unit of each coordinate.
    [[nodiscard]] std::array<float, 3> base_scale() const {
        const exec::TextureLevel& base = level_of(texture_, 0);
        if (!sampler_.modes.normalized || texture_.kind == exec::TextureKind::Rect)
            return {1, 1, 1};
        return {static_cast<float>(base.width), static_cast<float>(base.height),
                static_cast<float>(base.depth)};
    }

    [[nodiscard]] bool is_anisotropic() const {
        return sampler_.modes.max_anisotropy > 1 && coordinates_.count == 2 && !is_cube(message_) &&
               filter_.source().kind() != TexelKind::Integers;
    }

    [[nodiscard]] LanePlan plan_lane(unsigned lane) const {
        const uint32_t word = operands_.lod->v[lane];
        const auto low = static_cast<int16_t>(word);
        LanePlan plan;
        float lambda = 0;
        int32_t bias = sampler_.lod_bias;
        int32_t minimum = 0;
        if (message_.lod_mode == LodMode::Explicit) {
            lambda = static_cast<float>(low) / 256;
        } else if (message_.lod_mode != LodMode::Zero) {
            lambda = computed_lambda(lane, plan);
            if (message_.lod_mode == LodMode::ComputedBias) {
                bias += low;
                minimum = static_cast<int16_t>(word >> 16);
            }
        }
        exec::MipFilter mip = sampler_.modes.mip_filter;
        if (mip == exec::MipFilter::Linear && filter_.source().kind() == TexelKind::Integers)
            mip = exec::MipFilter::Nearest;
        plan.levels =
            choose_levels(fixed_lod(lambda, bias, minimum, sampler_), mip, level_count(texture_));
        return plan;
    }

    /// Returns the computed lambda; also sets the probes of an anisotropic filter.
    [[nodiscard]] float computed_lambda(unsigned lane, LanePlan& plan) const {
        const std::array<float, 3> scale = base_scale();
        if (is_cube(message_))
            return half_log2(quad_rho_squared(coordinates_, scale, lane));
        const Footprint footprint = footprint_of(coordinates_, scale, lane);
        if (!is_anisotropic())
            return half_log2(footprint.rho_squared_max);
        const unsigned limit = std::min<unsigned>(sampler_.modes.max_anisotropy, 16);
        plan.anisotropic = true;
        plan.probes = probe_count(footprint, limit);
        plan.share = 1.0F / static_cast<float>(plan.probes);
        if (plan.probes > 1)
            for (unsigned i = 0; i < coordinates_.count; ++i)
                plan.step[i] = footprint.longer[i] * plan.share;
        return half_log2(footprint.rho_squared_max * plan.share * plan.share);
    }

    /// Returns the sums of a level over all probes.
    [[nodiscard]] Values sample_level(uint32_t number,
                                      const SamplePoint& centre,
                                      const LanePlan& plan,
                                      exec::Filter filter) const {
        const exec::TextureLevel& level = level_of(texture_, number);
        if (!plan.anisotropic)
            return filter_.sample_level(level, centre, filter);
        ProbeSum sum(filter_.source().kind());
        const float last = static_cast<float>(plan.probes - 1) * 0.5F;
        for (float k = -last; k <= last; ++k) {
            SamplePoint probe = centre;
            for (unsigned i = 0; i < probe.dimensions; ++i)
                probe.c[i] = std::fma(k, plan.step[i], probe.c[i]);
            sum.add(filter_.sample_level(level, probe, filter));
        }
        return sum.values();
    }

    /// Returns the bits of sum * share; every NaN becomes the quiet NaN.
    static uint32_t mean(float sum, const LanePlan& plan) {
        const float mean = sum * plan.share;
        return std::isnan(mean) ? float_bits::kQuietNan : as_bits(mean);
    }

    const TextureMessage& message_;
    const TextureOperands& operands_;
    const TextureDescriptor& texture_;
    const SamplerDescriptor& sampler_;
    TextureFilter filter_;
    WarpCoordinates coordinates_;
};

/// Returns whether programs may use the message's LOD mode; other modes would read
/// descriptors that do not exist.
bool is_known_mode(const TextureMessage& message) {
    if (message.op != exec::TextureOp::Sample)
        return true;
    return message.lod_mode == LodMode::Zero || message.lod_mode == LodMode::Computed ||
           message.lod_mode == LodMode::Explicit || message.lod_mode == LodMode::ComputedBias;
}

/// The texture and sampler of a message; null: none is bound.
struct Bound {
    const TextureDescriptor* texture;
    const SamplerDescriptor* sampler;
};
Bound bound_by(const Warp& warp, const TextureMessage& message) {
    const exec::ResourceTables& tables = warp.draw->tables;
    return {exec::find_descriptor(tables.textures, tables.texture_count, message.texture,
                                  exec::ResourceTable::Textures),
            exec::find_descriptor(tables.samplers, tables.sampler_count, message.sampler,
                                  exec::ResourceTable::Samplers)};
}

}  // namespace

std::optional<LevelChoice> sampled_levels(const Warp& warp,
                                          const TextureMessage& message,
                                          const Lanes* in,
                                          unsigned lane) noexcept {
    const Bound bound = bound_by(warp, message);
    const bool needs_sampler = message.op != exec::TextureOp::Fetch;
    if (bound.texture == nullptr || (needs_sampler && bound.sampler == nullptr) ||
        !is_known_mode(message) || level_count(*bound.texture) == 0)
        return std::nullopt;
    if (message.op == exec::TextureOp::Gather)
        return LevelChoice{};
    const TextureOperands operands = texture_operands(message, in);
    if (needs_sampler)
        return Sampler(warp, message, operands, *bound.texture, *bound.sampler).levels(lane);
    const uint32_t level = operands.offset->v[lane] >> 24;
    if (level >= level_count(*bound.texture))
        return std::nullopt;
    return LevelChoice{.magnify = false, .level = level, .second = level, .weight = 0};
}

void env_texture(const Warp& warp,
                 const TextureMessage& message,
                 const Lanes* in,
                 Lanes* out) noexcept {
    if (is_cancelled(warp))
        return;
    const auto [texture, sampler] = bound_by(warp, message);
    const bool needs_sampler = message.op != exec::TextureOp::Fetch;
    const FormatInfo& info = exec::format_info(texture ? texture->format : exec::Format::None);
    const auto write = [&](auto&& components_of) {
        for_each_lane(warp.running, [&](unsigned lane) {
            write_result(message, lane, components_of(lane), info, out);
        });
    };
    if (texture == nullptr || (needs_sampler && sampler == nullptr) || !is_known_mode(message))
        return write([](unsigned) { return Values{}; });
    if (level_count(*texture) == 0)
        return write([&](unsigned) { return unbound_components(message); });

    const TextureOperands operands = texture_operands(message, in);
    if (!needs_sampler) {
        const Fetcher fetcher(operands, *texture);
        return write([&](unsigned lane) { return fetcher.lane(lane); });
    }
    const Sampler unit(warp, message, operands, *texture, *sampler);
    if (message.op == exec::TextureOp::Gather)
        return write([&](unsigned lane) { return unit.gather(lane); });
    write([&](unsigned lane) { return unit.sample(lane); });
}

}  // namespace valkyr::raster

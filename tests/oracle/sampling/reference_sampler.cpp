// Reference sampler: turns requests into places, levels and probes.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/reference_sampler.hpp"

#include "base/bits.hpp"
#include "tests/oracle/sampling/sampler_filter.hpp"
#include "tests/oracle/sampling/sampler_lod.hpp"
#include "tgsi/arith/arith_float.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::tgsi {

namespace {

std::array<float, 3> numbers(const std::array<uint32_t, 3>& bits) {
    return {as_float(bits[0]), as_float(bits[1]), as_float(bits[2])};
}

constexpr Word4 kUnbound{0, 0, 0, arith::kOne};

/// Probes of an anisotropic filter.
struct Probes {
    bool anisotropic = false;
    unsigned count = 1;
    std::array<float, 3> step{};  ///< from one to the next, in coordinates
};

/// One request on one view.
class Request {
public:
    Request(const TextureRequest& request,
            const TexelView& view,
            const ReferenceSamplerState& sampler)
        : request_(request)
        , view_(view)
        , sampler_(sampler)
        , shape_(target_shape(request.target))
        , filter_(view, sampler, request.target) {
        for (unsigned lane = 0; lane < 4; ++lane)
            places_[lane] = place_of(request.lanes[lane]);
    }

    [[nodiscard]] Word4 run(unsigned lane) const {
        switch (request_.action) {
        case TextureAction::Sample: return sample(lane);
        case TextureAction::Fetch: return fetch(request_.lanes[lane]);
        case TextureAction::Gather: return gather(lane);
        case TextureAction::QueryLod: return query(lane);
        }
        return {};
    }

private:
    [[nodiscard]] unsigned faces() const { return shape_.cube ? 6 : 1; }

    /// The first slice of a layer; layers outside are limited.
    [[nodiscard]] uint32_t slice_of(int64_t layer) const {
        const int64_t last = std::max<int64_t>(view_.extent(0)[2] / faces(), 1) - 1;
        return static_cast<uint32_t>(std::clamp<int64_t>(layer, 0, last)) * faces();
    }

    [[nodiscard]] SamplePlace place_of(const TextureLane& lane) const {
        SamplePlace place;
        if (!lane.active || request_.action == TextureAction::Fetch)
            return place;
        place.coord = numbers(lane.coord);
        if (shape_.cube) {
            const CubePoint point = cube_point(place.coord);
            place.face = point.face;
            place.coord = {point.st[0], point.st[1], 0};
        }
        if (shape_.array)
            place.first_slice = slice_of(arith::to_int(lane.layer, arith::Round::Even));
        place.reference = as_float(lane.reference);
        place.offset = lane.offsets[0];
        return place;
    }

    [[nodiscard]] std::array<float, 3> base_size() const {
        if (!filter_.is_normalized())
            return {1, 1, 1};
        const auto extent = view_.extent(0);
        return {static_cast<float>(extent[0]), static_cast<float>(extent[1]),
                static_cast<float>(extent[2])};
    }

    /// The neighbour's coordinate less the lane's own; 0 if the neighbour does not run or is on
    /// another face.
    [[nodiscard]] std::array<float, 3> difference(unsigned lane, unsigned axis) const {
        const unsigned other = lane ^ axis;
        std::array<float, 3> d{};
        if (!request_.lanes[other].active || places_[other].face != places_[lane].face)
            return d;
        for (unsigned i = 0; i < shape_.dimensions; ++i)
            d[i] = places_[other].coord[i] - places_[lane].coord[i];
        return d;
    }

    [[nodiscard]] Stretch stretch(unsigned lane) const {
        return stretch_of(difference(lane, 1), difference(lane, 2), base_size(), shape_.dimensions);
    }

    /// The level of detail from the quad; also the probes of an anisotropic filter.
    [[nodiscard]] float implicit_lambda(unsigned lane, Probes& probes) const {
        const Stretch own = stretch(lane);
        if (shape_.cube) {
            float largest = own.larger;
            for (unsigned other = 0; other < 4; ++other)
                if (request_.lanes[other].active)
                    largest = std::max(largest, stretch(other).larger);
            return half_log2(largest);
        }
        probes.anisotropic = sampler_.max_anisotropy > 1 && shape_.dimensions == 2 &&
                             filter_.texel_class() != TexelClass::Integers;
        if (!probes.anisotropic)
            return half_log2(own.larger);
        probes.count = probe_count(own, std::min(sampler_.max_anisotropy, 16U));
        const float share = 1.0F / static_cast<float>(probes.count);
        for (unsigned i = 0; i < shape_.dimensions && probes.count > 1; ++i)
            probes.step[i] = own.direction[i] * share;
        return half_log2(own.larger * share * share);
    }

    /// The level of detail from given gradients, to be rounded like an explicit one.
    [[nodiscard]] float gradient_lambda(const TextureLane& lane) const {
        const auto direction = numbers(lane.coord);
        double longest = 0;
        for (const auto& change : {numbers(lane.ddx), numbers(lane.ddy)}) {
            std::array<float, 3> d = change;
            if (shape_.cube) {
                const auto st = cube_gradient(direction, change);
                d = {st[0], st[1], 0};
            }
            double length = 0;
            for (unsigned i = 0; i < shape_.dimensions; ++i) {
                const double texels = static_cast<double>(d[i]) * base_size()[i];
                length += texels * texels;
            }
            longest = std::max(longest, length);
        }
        return static_cast<float>(0.5 * std::log2(longest));
    }

    [[nodiscard]] int32_t lod_of(unsigned lane, Probes& probes) const {
        const TextureLane& operands = request_.lanes[lane];
        int32_t bias = sampler_.lod_bias;
        float lambda = 0;
        switch (request_.lod_mode) {
        case LodMode::Zero: break;
        case LodMode::Implicit: lambda = implicit_lambda(lane, probes); break;
        case LodMode::Bias:
            lambda = implicit_lambda(lane, probes);
            bias += fixed_lod(operands.lod);
            break;
        case LodMode::Explicit:
            lambda = static_cast<float>(fixed_lod(operands.lod)) / 256.0F;
            break;
        case LodMode::Gradient:
            lambda = static_cast<float>(fixed_lod(as_bits(gradient_lambda(operands)))) / 256.0F;
            break;
        }
        return limited_lod(lambda, bias, sampler_);
    }

    /// The sums of a level, over all probes: exact for steps, else in binary32.
    [[nodiscard]] Word4 level(uint32_t level,
                              const SamplePlace& centre,
                              TexelFilter filter,
                              const Probes& probes) const {
        if (!probes.anisotropic)
            return filter_.level(level, centre, filter);
        std::array<int64_t, 4> steps{};
        Word4 numbers{};
        for (unsigned k = 0; k < probes.count; ++k) {
            const float from_centre =
                static_cast<float>(k) - static_cast<float>(probes.count - 1) / 2;
            SamplePlace place = centre;
            for (unsigned i = 0; i < shape_.dimensions; ++i)
                place.coord[i] = std::fma(from_centre, probes.step[i], place.coord[i]);
            const Word4 value = filter_.level(level, place, filter);
            for (unsigned c = 0; c < 4; ++c) {
                if (filter_.texel_class() == TexelClass::Steps)
                    steps[c] += static_cast<int64_t>(as_float(value[c]));
                else
                    numbers[c] =
                        k == 0 ? value[c] : as_bits(as_float(numbers[c]) + as_float(value[c]));
            }
        }
        if (filter_.texel_class() != TexelClass::Steps)
            return numbers;
        Word4 sums{};
        for (unsigned c = 0; c < 4; ++c)
            sums[c] = as_bits(static_cast<float>(steps[c]));
        return sums;
    }

    [[nodiscard]] Word4 sample(unsigned lane) const {
        Probes probes;
        const int32_t lod = lod_of(lane, probes);
        LevelFilter mip = sampler_.mip_filter;
        if (mip == LevelFilter::Linear && filter_.texel_class() == TexelClass::Integers)
            mip = LevelFilter::Nearest;
        const LevelPair levels = choose_levels(lod, mip, view_.levels());
        const TexelFilter filter = levels.magnifies ? sampler_.mag_filter : sampler_.min_filter;
        Word4 sums = level(levels.first, places_[lane], filter, probes);
        if (levels.weight != 0)
            sums = SamplerFilter::blend(sums, level(levels.second, places_[lane], filter, probes),
                                        levels.weight);
        Word4 result = filter_.finish(sums, filter);
        if (probes.anisotropic)
            for (uint32_t& c : result) {
                const float mean = as_float(c) * (1.0F / static_cast<float>(probes.count));
                c = std::isnan(mean) ? arith::kNan : as_bits(mean);
            }
        return filter_.result(result);
    }

    [[nodiscard]] Word4 gather(unsigned lane) const {
        Word4 out{};
        for (unsigned i = 0; i < 4; ++i) {
            SamplePlace place = places_[lane];
            // Four offsets: each picks the first texel (i0j0) of its own footprint.
            const bool own = request_.offset_count == 4;
            if (own)
                place.offset = request_.lanes[lane].offsets[i];
            out[i] = filter_.result(filter_.gather(place)[own ? 3 : i])[request_.component & 3];
        }
        return out;
    }

    [[nodiscard]] Word4 fetch(const TextureLane& lane) const {
        std::array<int64_t, 3> at{0, 0, 0};
        for (unsigned d = 0; d < shape_.coordinates; ++d)
            at[d] = int64_t{static_cast<int32_t>(lane.coord[d])} + lane.offsets[0][d];
        if (shape_.array)
            at[2] = slice_of(static_cast<int32_t>(lane.layer)) + (shape_.cube ? at[2] : 0);
        return filter_.fetch(lane.lod, at, lane.sample);
    }

    /// x: the level that is accessed, y: the computed level of detail.
    [[nodiscard]] Word4 query(unsigned lane) const {
        Probes probes;
        const float lambda = implicit_lambda(lane, probes);
        const float computed = lambda + static_cast<float>(sampler_.lod_bias) / 256.0F;
        const int32_t lod = limited_lod(lambda, sampler_.lod_bias, sampler_);
        const LevelPair levels = choose_levels(lod, sampler_.mip_filter, view_.levels());
        const float accessed =
            static_cast<float>(levels.first) + static_cast<float>(levels.weight) / 256.0F;
        return {as_bits(accessed), as_bits(computed), 0, 0};
    }

    const TextureRequest& request_;
    const TexelView& view_;
    const ReferenceSamplerState& sampler_;
    TargetShape shape_;
    SamplerFilter filter_;
    std::array<SamplePlace, 4> places_{};
};

}  // namespace

std::array<Word4, 4> ReferenceSampler::sample(const TextureRequest& request) {
    static const ReferenceSamplerState kDefault;
    std::array<Word4, 4> out;
    out.fill(request.action == TextureAction::QueryLod ? Word4{} : kUnbound);
    const TexelView* view = request.texture < views.size() ? views[request.texture] : nullptr;
    if (view == nullptr || view->levels() == 0)
        return out;
    const ReferenceSamplerState& sampler =
        request.sampler < samplers.size() ? samplers[request.sampler] : kDefault;
    const Request run(request, *view, sampler);
    for (unsigned lane = 0; lane < 4; ++lane)
        if (request.lanes[lane].active)
            out[lane] = run.run(lane);
    return out;
}

TextureSize ReferenceSampler::size(uint32_t texture, uint32_t level) {
    TextureSize out;
    const TexelView* view = texture < views.size() ? views[texture] : nullptr;
    if (view == nullptr || view->levels() == 0)
        return out;
    out.levels = view->levels();
    out.samples = view->samples();
    if (level < out.levels) {
        const auto extent = view->extent(level);
        out.width = extent[0];
        out.height = extent[1];
        out.depth = extent[2];
    }
    return out;
}

}  // namespace valkyr::tgsi

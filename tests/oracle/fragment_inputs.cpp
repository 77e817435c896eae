// Fragment inputs: compute the varyings and system values of one lane.
// SPDX-License-Identifier: MIT
#include "tests/oracle/fragment_inputs.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::reference {
namespace {

using tgsi::Interpolation;
using tgsi::Location;
using tgsi::Semantic;

bool needs_samples(const std::vector<Port>& inputs, const std::vector<Port>& system_values) {
    const auto at_sample = [](const Port& p) { return p.location == Location::Sample; };
    const auto names_sample = [](const Port& p) {
        return p.semantic == Semantic::SampleId || p.semantic == Semantic::SamplePos;
    };
    return std::any_of(inputs.begin(), inputs.end(), at_sample) ||
           std::any_of(system_values.begin(), system_values.end(), names_sample);
}

Vec4 everywhere(uint32_t word) {
    return {word, word, word, word};
}

}  // namespace

FragmentInputs::FragmentInputs(const tgsi::Shader& shader,
                               std::vector<Port> vertex_outputs,
                               const raster::RasterizerState& state,
                               uint32_t target_height,
                               uint32_t samples)
    : inputs_(ports(shader, tgsi::File::Input))
    , system_values_(ports(shader, tgsi::File::SystemValue))
    , vertex_outputs_(std::move(vertex_outputs))
    , state_(state)
    , target_height_(target_height)
    , samples_(samples)
    , lower_left_(shader.property("FS_COORD_ORIGIN", 0) == 1)
    , integer_centers_(shader.property("FS_COORD_PIXEL_CENTER", 0) == 1)
    , per_sample_(samples > 1 && needs_samples(inputs_, system_values_)) {}

tgsi::Invocation FragmentInputs::lane(const Primitive& primitive, const LanePixel& at) const {
    tgsi::Invocation in;
    in.helper = at.coverage == 0;
    in.inputs.resize(register_count(inputs_));
    in.system_values.resize(register_count(system_values_));
    for (const Port& port : inputs_)
        in.inputs[port.reg] = value(primitive, port, at);
    for (const Port& port : system_values_)
        in.system_values[port.reg] = value(primitive, port, at);
    // As a system value, FACE is a Boolean integer; as an input it is +1 or -1.
    if (const auto face = find_port(system_values_, Semantic::Face, 0))
        in.system_values[*face] = everywhere(primitive.back_facing ? 0 : ~0U);
    return in;
}

Vec4 FragmentInputs::value(const Primitive& primitive,
                           const Port& port,
                           const LanePixel& at) const {
    switch (port.semantic) {
    case Semantic::Position: return position(primitive, at);
    case Semantic::Face: return everywhere(as_bits(primitive.back_facing ? -1.0F : 1.0F));
    case Semantic::PrimId: return everywhere(primitive.id);
    case Semantic::SampleId: return everywhere(at.per_sample ? at.sample : 0);
    case Semantic::SamplePos: {
        const Point p = sample_point(0, 0, at.per_sample ? at.sample : 0, samples_);
        const auto place = [](int32_t v) { return as_bits(static_cast<float>(v) / 256.0F); };
        return {place(p.x), place(p.y), 0, 0};
    }
    case Semantic::SampleMask:
        return everywhere(samples_ > 1 || at.coverage == 0 ? at.coverage : 1);
    case Semantic::HelperInvocation: return everywhere(at.coverage == 0 ? ~0U : 0);
    case Semantic::PCoord: return point_coordinate(primitive, point(at, port.location));
    default: return varying(primitive, port, point(at, port.location));
    }
}

Vec4 FragmentInputs::at_point(const Primitive& primitive, uint32_t input, Point point) const {
    for (const Port& port : inputs_)
        if (port.reg == input)
            return varying(primitive, port, point);
    return {};
}

Point FragmentInputs::point(const LanePixel& at, Location where) const {
    const uint32_t all = samples_ >= 32 ? ~0U : (1U << samples_) - 1;
    if (at.per_sample && where == Location::Sample)
        return sample_point(at.x, at.y, at.sample, samples_);
    if (where == Location::Centroid && at.coverage != 0 && at.coverage != all)
        return sample_point(at.x, at.y, static_cast<unsigned>(std::countr_zero(at.coverage)),
                            samples_);
    return sample_point(at.x, at.y, 0, 1);
}

Point FragmentInputs::sample(const LanePixel& at, uint32_t number) const {
    const bool exists = number < samples_;
    return sample_point(at.x, at.y, exists ? number : 0, exists ? samples_ : 1);
}

bool FragmentInputs::replaced_by_point_coordinate(const Port& port) const {
    const bool named = port.semantic == Semantic::TexCoord || port.semantic == Semantic::Generic;
    return named && state_.point_sprite && port.index < 32 &&
           (state_.sprite_texcoords >> port.index & 1) != 0;
}

Vec4 FragmentInputs::varying(const Primitive& primitive, const Port& port, Point at) const {
    if (primitive.has_point_coordinate && replaced_by_point_coordinate(port))
        return point_coordinate(primitive, at);
    std::optional<uint32_t> reg = find_port(vertex_outputs_, port.semantic, port.index);
    if (port.semantic == Semantic::Color && state_.two_sided_color && primitive.back_facing) {
        const auto back = find_port(vertex_outputs_, Semantic::BColor, port.index);
        reg = back ? back : reg;
    }
    if (!reg)
        return {};
    const bool flat = port.interpolation == Interpolation::Constant ||
                      (port.interpolation == Interpolation::Color && state_.flat_shade);
    if (flat)
        return (*primitive.provoking)[*reg];
    Vec4 result{};
    for (unsigned c = 0; c < 4; c++) {
        std::array<float, 3> values{};
        for (unsigned i = 0; i < 3; i++)
            values[i] = as_float(primitive.corners[i]->outputs[*reg][c]);
        result[c] = as_bits(port.interpolation == Interpolation::Linear
                                ? primitive.plane->linear(values, at)
                                : primitive.plane->perspective(values, at));
    }
    return result;
}

Vec4 FragmentInputs::position(const Primitive& primitive, const LanePixel& at) const {
    const Point p = at.per_sample ? sample_point(at.x, at.y, at.sample, samples_)
                                  : sample_point(at.x, at.y, 0, 1);
    const float shift = integer_centers_ ? 0.5F : 0.0F;
    const auto height = static_cast<float>(target_height_);
    const float x = static_cast<float>(p.x) / 256.0F;
    const float row_y = static_cast<float>(p.y) / 256.0F;
    const float y = lower_left_ ? height - row_y : row_y;
    return {as_bits(x - shift), as_bits(y - shift), as_bits(primitive.plane->z(p)),
            as_bits(primitive.plane->q(p))};
}

Vec4 FragmentInputs::point_coordinate(const Primitive& primitive, Point at) const {
    if (!primitive.has_point_coordinate)
        return {0, 0, 0, as_bits(1.0F)};
    return {as_bits(primitive.plane->linear(primitive.point_coordinate[0], at)),
            as_bits(primitive.plane->linear(primitive.point_coordinate[1], at)), 0, as_bits(1.0F)};
}

}  // namespace valkyr::reference

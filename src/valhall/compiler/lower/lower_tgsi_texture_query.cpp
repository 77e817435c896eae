// Lowering: explicit gradients, level-of-detail and size queries.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi_memory.hpp"
#include "valhall/compiler/lower/lower_tgsi_texture.hpp"
#include "valhall/compiler/sequences/sequences.hpp"

namespace valkyr::valhall::lower {
namespace {

using exec::DriverValue;
using Vec3 = std::array<Operand, 3>;

using float_bits::kHalf;
using float_bits::kMinusOne;

/// Coordinates that carry derivatives: faces of cubes have two.
unsigned gradient_coordinates(const TargetInfo& target) {
    return target.is_cube() ? 2 : target.coordinates;
}

/// The base level's sizes as floats.
Vec3 float_sizes(Lowering& l, const TextureUnit& unit) {
    constexpr std::array values{DriverValue::TextureWidth, DriverValue::TextureHeight,
                                DriverValue::TextureDepth};
    const TargetInfo& target = target_info(unit.target);
    Vec3 sizes{};
    for (unsigned i = 0; i < gradient_coordinates(target); ++i) {
        const DriverValue value = target.is_cube() ? DriverValue::TextureWidth : values[i];
        sizes[i] = l.b.unary(Op::U32_TO_F32, l.unit_value(value, unit.view));
    }
    return sizes;
}

/// Squared length in texels: last coordinate first, as the sampler does it.
Operand squared_length(Builder& b, const Vec3& gradient, const Vec3& sizes, unsigned count) {
    Operand sum;
    for (unsigned i = count; i-- > 0;) {
        const Operand texels = b.fmul(gradient[i], sizes[i]);
        sum = sum.kind == OperandKind::None ? b.fmul(texels, texels) : b.fma(texels, texels, sum);
    }
    return sum;
}

/// lambda = 0.5 * log2(max(|dx|^2, |dy|^2)).
Operand level_of_detail(Lowering& l, const TextureUnit& unit, const Vec3& dx, const Vec3& dy) {
    const unsigned count = gradient_coordinates(target_info(unit.target));
    const Vec3 sizes = float_sizes(l, unit);
    const Operand larger =
        l.b.fmax(squared_length(l.b, dx, sizes, count), squared_length(l.b, dy, sizes, count));
    return l.b.fmul(log2(l.b, larger), literal(kHalf));
}

/// Gradients of the face coordinates of a cube: the direction divided by its largest component M is
/// s = S/(2M) + 1/2, so ds = (dS - S/M * dM) / (2M), with S and M chosen as for the sample itself.
struct CubeGradient {
    Operand face, s, t, scale;  ///< selected components, 1/(2M)
    Vec3 direction;
};

CubeGradient cube_frame(Builder& b, const Vec3& p) {
    CubeGradient frame;
    frame.direction = p;
    frame.face = b.emit(Spec(Op::CUBEFACE2), {p[0], p[1], p[2]});
    const Operand magnitude = b.emit(Spec(Op::CUBEFACE1), {p[0], p[1], p[2]});
    frame.scale = b.fmul(b.unary(Op::FRCP_F32, magnitude), literal(kHalf));
    frame.s = b.emit(Spec(Op::CUBE_SSEL), {p[2], p[0], frame.face});
    frame.t = b.emit(Spec(Op::CUBE_TSEL), {p[1], p[2], frame.face});
    return frame;
}

Vec3 face_gradient(Builder& b, const CubeGradient& frame, const Vec3& d) {
    // The major component's change, signed so that M grows with it.
    const Operand axis = b.shift_right(frame.face, literal(30));
    const Operand is_x = b.icmp_u32(Condition::eq, ResultType::m1, axis, literal(0));
    const Operand is_y = b.icmp_u32(Condition::eq, ResultType::m1, axis, literal(1));
    const Operand xy = b.mux(Mux::int_zero, b.resolve(d[1]), b.resolve(d[0]), is_x);
    const Operand is_z =
        b.icmp_u32(Condition::eq, ResultType::m1, b.bit_or(is_x, is_y), literal(0));
    Operand major = b.mux(Mux::int_zero, xy, b.resolve(d[2]), is_z);
    const Operand negative = b.bit_and(literal(1), b.shift_right(frame.face, literal(29)));
    major = b.bit_xor(b.shift_left(negative, literal(31)), major);
    const Operand twice = b.fadd(frame.scale, frame.scale);
    const auto quotient = [&](Operand selected, Operand change) {
        const Operand ratio = b.fmul(selected, twice);
        return b.fmul(b.fma(negated(ratio), major, change), frame.scale);
    };
    return {quotient(frame.s, b.emit(Spec(Op::CUBE_SSEL), {d[2], d[0], frame.face})),
            quotient(frame.t, b.emit(Spec(Op::CUBE_TSEL), {d[1], d[2], frame.face})),
            {}};
}

Vec3 read_vector(Lowering& l, const Instruction& inst, unsigned source) {
    return {l.src(inst, source, 0), l.src(inst, source, 1), l.src(inst, source, 2)};
}

/// TXD, SAMPLE_D: gradients in sources rule.a and rule.a + 1.
void lower_gradient_sample(Lowering& l, const Instruction& inst, const Rule& rule) {
    TextureRequest request;
    read_coordinates(l, inst, request);
    Vec3 dx = read_vector(l, inst, rule.a);
    Vec3 dy = read_vector(l, inst, rule.a + 1U);
    if (target_info(request.unit.target).is_cube()) {
        const CubeGradient frame =
            cube_frame(l.b, {l.b.resolve(request.position[0]), l.b.resolve(request.position[1]),
                             l.b.resolve(request.position[2])});
        dx = face_gradient(l.b, frame, dx);
        dy = face_gradient(l.b, frame, dy);
    }
    request.lod_mode = LodMode::explicit_;
    request.lod_word = lod_word(l.b, level_of_detail(l, request.unit, dx, dy));
    request.mask = inst.dst[0].write_mask;
    store_texture(l, inst, request);
}

/// The level, or the place between two, that a sample with this level of detail reads.
Operand accessed_level(Lowering& l, const TextureUnit& unit, Operand lod) {
    Builder& b = l.b;
    const auto sampler = [&](DriverValue value) { return l.unit_value(value, unit.state); };
    const auto filters = [&](Operand filter, exec::MipFilter which, Operand then, Operand other) {
        return b.csel_u32(Condition::eq, filter, literal(static_cast<uint32_t>(which)), then,
                          other);
    };
    lod = b.fmax(lod, sampler(DriverValue::SamplerMinLod));
    lod = b.fmin(lod, sampler(DriverValue::SamplerMaxLod));
    const Operand levels = l.unit_value(DriverValue::TextureLevels, unit.view);
    const Operand last = b.unary(Op::S32_TO_F32, b.isub(levels, literal(1)));
    const Operand level = b.fmax(b.fmin(lod, last), literal(0));
    // In the middle between two levels the lower one is the nearest.
    const Operand above = b.fround(b.fadd(level, literal(kHalf)), RoundMode::rtp);
    const Operand nearest = b.fadd(above, literal(kMinusOne));
    const Operand filter = sampler(DriverValue::SamplerMipFilter);
    return filters(filter, exec::MipFilter::None, literal(0),
                   filters(filter, exec::MipFilter::Nearest, nearest, level));
}

/// LODQ, LOD: x = the level that would be accessed, y = the computed level of detail.
void lower_lod_query(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    TextureRequest request;
    read_coordinates(l, inst, request);
    Vec3 position{};
    const TargetInfo& target = target_info(request.unit.target);
    for (unsigned i = 0; i < target.coordinates; ++i)
        position[i] = b.resolve(request.position[i]);
    Vec3 dx{};
    Vec3 dy{};
    for (unsigned i = 0; i < target.coordinates; ++i) {
        dx[i] = l.quad_derivative(position[i], 1);
        dy[i] = l.quad_derivative(position[i], 2);
    }
    if (target.is_cube()) {
        const CubeGradient frame = cube_frame(b, position);
        dx = face_gradient(b, frame, dx);
        dy = face_gradient(b, frame, dy);
    }
    const Operand lod = b.fadd(level_of_detail(l, request.unit, dx, dy),
                               l.unit_value(DriverValue::SamplerLodBias, request.unit.state));
    l.store(inst, {accessed_level(l, request.unit, lod), lod, literal(0), literal(0)});
}

/// Sizes of a level of a texture; all 0 behind the last level.
struct LevelSizes {
    Builder& b;
    Operand level;
    Operand levels;

    /// A value that is the same for all levels.
    [[nodiscard]] Operand fixed(Operand value) const {
        if (level.is_literal(0))
            return value;
        return b.csel_u32(Condition::lt, level, levels, value, literal(0));
    }
    /// max(1, size >> level).
    [[nodiscard]] Operand minified(Operand size) const {
        if (level.is_literal(0))
            return size;
        const Operand small = b.shift_right(size, level);
        return fixed(b.csel_u32(Condition::gt, small, literal(1), small, literal(1)));
    }
};

/// TXQ, SVIEWINFO: sizes of level source 0 .x, levels in w.
void lower_size_query(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    const TextureUnit unit = texture_unit(l, inst, 1, 1);
    const TargetInfo& target = target_info(unit.target);
    const bool has_levels = !target.is_buffer && !target.multisampled &&
                            unit.target != tgsi::Target::Rect &&
                            unit.target != tgsi::Target::ShadowRect;
    const Operand level = has_levels ? l.src(inst, 0, 0) : literal(0);
    const auto value = [&](DriverValue v) { return l.unit_value(v, unit.view); };
    const unsigned dimensions = target.is_cube() ? 2 : target.coordinates;
    Vec4 out{literal(0), literal(0), literal(0), value(DriverValue::TextureLevels)};
    const LevelSizes sizes{b, level, out[3]};
    out[0] = sizes.minified(value(DriverValue::TextureWidth));
    if (dimensions >= 2)
        out[1] = sizes.minified(value(DriverValue::TextureHeight));
    if (dimensions == 3)
        out[2] = sizes.minified(value(DriverValue::TextureDepth));
    if (target.is_array()) {
        const Operand layers = value(DriverValue::TextureDepth);
        out[dimensions] = sizes.fixed(target.is_cube() ? sixth(b, layers) : layers);
    }
    l.store(inst, out);
}

void lower_samples_query(Lowering& l, const Instruction& inst, const Rule&) {
    const TextureUnit unit = texture_unit(l, inst, 0, 0);
    const Operand samples = l.unit_value(DriverValue::TextureSamples, unit.view);
    l.store(inst, {samples, literal(0), literal(0), literal(0)});
}

constexpr Rule kTextureQueryRules[] = {
    {Opcode::TXD, lower_gradient_sample, Op{}, 1},
    {Opcode::SAMPLE_D, lower_gradient_sample, Op{}, 3},
    {Opcode::LODQ, lower_lod_query},
    {Opcode::LOD, lower_lod_query},
    {Opcode::TXQ, lower_size_query},
    {Opcode::SVIEWINFO, lower_size_query},
    {Opcode::TXQS, lower_samples_query},
};

}  // namespace

std::span<const Rule> texture_query_rules() {
    return kTextureQueryRules;
}

/// The high half of the product with 2^34/6, rounded up, shifted by two.
Operand sixth(Builder& b, Operand x) {
    return b.shift_right(multiply_high_unsigned(b, x, literal(0xAAAAAAAB)), literal(2));
}

}  // namespace valkyr::valhall::lower

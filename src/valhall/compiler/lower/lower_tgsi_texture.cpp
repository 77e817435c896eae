// Lowering: texture sampling, fetching and gathering.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi_texture.hpp"

#include "exec/handle.hpp"
#include "tgsi/names.hpp"

#include <bit>

namespace valkyr::valhall::lower {
namespace {

constexpr uint32_t kMaxLevel = 255;

constexpr TargetInfo kTargets[] = {
    // clang-format off
    // dimension    n  array         reference     multisampled buffer
    {Dimension::n1d, 1, kNoComponent, kNoComponent, false, true},   // Buffer
    {Dimension::n1d, 1},                                            // Tex1D
    {Dimension::n2d, 2},                                            // Tex2D
    {Dimension::n3d, 3},                                            // Tex3D
    {Dimension::cube, 3},                                           // Cube
    {Dimension::n2d, 2},                                            // Rect
    {Dimension::n1d, 1, kNoComponent, 2},                           // Shadow1D
    {Dimension::n2d, 2, kNoComponent, 2},                           // Shadow2D
    {Dimension::n2d, 2, kNoComponent, 2},                           // ShadowRect
    {Dimension::n1d, 1, 1},                                         // Tex1DArray
    {Dimension::n2d, 2, 2},                                         // Tex2DArray
    {Dimension::n1d, 1, 1, 2},                                      // Shadow1DArray
    {Dimension::n2d, 2, 2, 3},                                      // Shadow2DArray
    {Dimension::cube, 3, kNoComponent, 3},                          // ShadowCube
    {Dimension::n2d, 2, kNoComponent, kNoComponent, true},          // Tex2DMsaa
    {Dimension::n2d, 2, 2, kNoComponent, true},                     // Tex2DArrayMsaa
    {Dimension::cube, 3, 3},                                        // CubeArray
    {Dimension::cube, 3, 3, 4},                                     // ShadowCubeArray
    {Dimension::n2d, 2},                                            // Unknown
    // clang-format on
};

RegisterType register_type(tgsi::ReturnType type) {
    switch (type) {
    case tgsi::ReturnType::Sint: return RegisterType::s;
    case tgsi::ReturnType::Uint: return RegisterType::u;
    case tgsi::ReturnType::Unorm:
    case tgsi::ReturnType::Snorm:
    case tgsi::ReturnType::Float: break;
    }
    return RegisterType::f;
}

/// Bytes x, y, z, w of one word.
Operand pack_bytes(Builder& b, const std::array<Operand, 4>& bytes) {
    uint32_t word = 0;
    bool constant = true;
    for (unsigned i = 0; i < 4; ++i) {
        constant = constant && bytes[i].kind == OperandKind::Literal;
        word |= (bytes[i].value & 0xFF) << (8 * i);
    }
    if (constant)
        return literal(word);
    const auto byte0 = [](Operand x) { return select(x, raw(Lane8Bit::b0)); };
    const Operand high =
        b.emit(Spec(Op::MKVEC_V2I8), {byte0(bytes[2]), byte0(bytes[3]), literal(0)});
    return b.emit(Spec(Op::MKVEC_V2I8), {byte0(bytes[0]), byte0(bytes[1]), high});
}

bool implicit_lod(Lowering& l) {
    return l.shader().stage == tgsi::Stage::Fragment;
}

/// TEX, TEX2, TXP, SAMPLE, SAMPLE_C and the forms with LOD zero.
void lower_sample(Lowering& l, const Instruction& inst, const Rule& rule) {
    TextureRequest request;
    read_coordinates(l, inst, request);
    if (inst.opcode == Opcode::TXP) {
        const Operand inverse = l.b.unary(Op::FRCP_F32, l.src_float(inst, 0, 3));
        for (unsigned i = 0; i < target_info(request.unit.target).coordinates; ++i)
            request.position[i] = l.b.fmul(request.position[i], inverse);
        if (request.reference.kind != OperandKind::None)
            request.reference = l.b.fmul(request.reference, inverse);
    }
    const bool computed = rule.a == 0 && implicit_lod(l);
    request.lod_mode = computed ? LodMode::computed : LodMode::zero;
    request.mask = inst.dst[0].write_mask;
    store_texture(l, inst, request);
}

/// TXB, TXB2, TXL, TXL2, SAMPLE_B, SAMPLE_L: rule.a = explicit; the LOD is component x of source
/// rule.b, or w of source 0 if that is 0.
void lower_sample_lod(Lowering& l, const Instruction& inst, const Rule& rule) {
    TextureRequest request;
    read_coordinates(l, inst, request);
    const Operand lod = rule.b == 0 ? l.src_float(inst, 0, 3) : l.src_float(inst, rule.b, 0);
    // The level comes first in source 1, so the reference of a shadow cube array stands second.
    if (target_info(request.unit.target).reference == 4 && rule.b == 1)
        request.reference = l.src(inst, 1, 1);
    const bool is_explicit = rule.a != 0 || !implicit_lod(l);
    request.lod_mode = is_explicit ? LodMode::explicit_ : LodMode::computed_bias;
    request.lod_word = lod_word(l.b, lod);
    request.mask = inst.dst[0].write_mask;
    store_texture(l, inst, request);
}

/// TXF, TXF_LZ, SAMPLE_I, SAMPLE_I_MS: integer coordinates; level or sample in w.
void lower_fetch(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    TextureRequest request;
    request.op = Op::TEX_FETCH;
    request.unit = texture_unit(l, inst, 1, 1);
    const TargetInfo& target = target_info(request.unit.target);
    if (target.is_cube()) {
        l.unsupported("fetching from a cube map");
        return;
    }
    for (unsigned i = 0; i < target.coordinates; ++i)
        request.position[i] = l.src(inst, 0, i);
    if (target.is_array())
        request.layer = l.src(inst, 0, target.array);

    const Operand offsets = offset_bytes(l, inst, 0);
    Operand last = rule.a != 0 || target.is_buffer ? literal(0) : l.src(inst, 0, 3);
    if (inst.opcode == Opcode::SAMPLE_I_MS)
        last = l.src(inst, 2, 0);
    std::array<Operand, 4> bytes{literal(0), literal(0), literal(0), literal(0)};
    if (target.multisampled)
        bytes[2] = last;
    else if (last.kind == OperandKind::Literal)
        bytes[3] = literal(std::min(last.value, kMaxLevel));
    else
        bytes[3] = b.csel_u32(Condition::lt, last, literal(kMaxLevel), last, literal(kMaxLevel));
    Operand word = pack_bytes(b, bytes);
    if (offsets.kind == OperandKind::Literal && word.kind == OperandKind::Literal)
        word.value |= offsets.value;
    else if (offsets.kind != OperandKind::None)
        word = b.bit_or(word, offsets);
    if (!word.is_literal(0))
        request.offset_word = word;
    request.mask = inst.dst[0].write_mask;
    store_texture(l, inst, request);
}

/// TG4, GATHER4. With four offsets, each result comes from a gather of its own: the texel i0j0.
void lower_gather(Lowering& l, const Instruction& inst, const Rule&) {
    TextureRequest request;
    read_coordinates(l, inst, request);
    request.op = Op::TEX_GATHER;
    request.mask = inst.dst[0].write_mask;
    unsigned component = inst.opcode == Opcode::GATHER4 ? inst.src[2].swizzle[0] : 0;
    if (inst.opcode == Opcode::TG4 && request.reference.kind == OperandKind::None) {
        const Operand selector = l.src(inst, 1, 0);
        if (selector.kind != OperandKind::Literal)
            l.unsupported("a gather component that is not an immediate");
        // PIPE_CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE: in the swizzle of the sampler instead.
        const unsigned named = inst.src[2].swizzle[0];
        component = named != 0 ? named : selector.value & 3;
    }
    request.component = static_cast<FetchComponent>(component);
    if (inst.offset_count < 4) {
        store_texture(l, inst, request);
        return;
    }
    Vec4 values{};
    request.mask = 8;
    for (unsigned i = 0; i < 4; ++i) {
        if ((inst.dst[0].write_mask >> i & 1) == 0)
            continue;
        request.offset_word = offset_bytes(l, inst, i);
        values[i] = emit_texture(l, request)[3];
    }
    l.store(inst, values);
}

constexpr Rule kTextureRules[] = {
    {Opcode::TEX, lower_sample},
    {Opcode::TEX2, lower_sample},
    {Opcode::TXP, lower_sample},
    {Opcode::TEX_LZ, lower_sample, Op{}, 1},
    {Opcode::SAMPLE, lower_sample},
    {Opcode::SAMPLE_C, lower_sample},
    {Opcode::SAMPLE_C_LZ, lower_sample, Op{}, 1},
    {Opcode::TXB, lower_sample_lod, Op{}, 0, 0},
    {Opcode::TXB2, lower_sample_lod, Op{}, 0, 1},
    {Opcode::SAMPLE_B, lower_sample_lod, Op{}, 0, 3},
    {Opcode::TXL, lower_sample_lod, Op{}, 1, 0},
    {Opcode::TXL2, lower_sample_lod, Op{}, 1, 1},
    {Opcode::SAMPLE_L, lower_sample_lod, Op{}, 1, 3},
    {Opcode::TXF, lower_fetch},
    {Opcode::TXF_LZ, lower_fetch, Op{}, 1},
    {Opcode::SAMPLE_I, lower_fetch},
    {Opcode::SAMPLE_I_MS, lower_fetch},
    {Opcode::TG4, lower_gather},
    {Opcode::GATHER4, lower_gather},
};

}  // namespace

std::span<const Rule> texture_rules() {
    return kTextureRules;
}

const TargetInfo& target_info(tgsi::Target target) {
    return kTargets[static_cast<unsigned>(target)];
}

TextureUnit texture_unit(Lowering& l, const Instruction& inst, unsigned texture, unsigned sampler) {
    TextureUnit unit;
    const tgsi::RegisterRef& view = inst.src[texture].reg;
    const tgsi::RegisterRef& state = inst.src[sampler].reg;
    unit.view = view;
    unit.state = state;
    if (view.index.value < 0 || static_cast<uint32_t>(view.index.value) >= exec::kMaxTextureUnits ||
        state.index.value < 0 ||
        static_cast<uint32_t>(state.index.value) >= exec::kMaxTextureUnits) {
        l.fail(Errc::OutOfRange,
               "texture unit beyond the limit " + std::to_string(exec::kMaxTextureUnits - 1));
        return unit;
    }
    const tgsi::Declaration* declaration =
        l.declaration_of(tgsi::File::SamplerView, static_cast<uint32_t>(view.index.value));
    if (declaration != nullptr)
        unit.result = register_type(declaration->return_types[0]);
    unit.target = inst.has_target || declaration == nullptr ? inst.target : declaration->target;
    l.note_texture(view, state);

    const uint32_t tables = exec::make_narrow_handle(exec::ResourceTable::Samplers, 0) |
                            exec::make_narrow_handle(exec::ResourceTable::Textures, 0)
                                << exec::kNarrowTextureShift;
    Operand word = literal(tables | static_cast<uint32_t>(state.index.value) |
                           static_cast<uint32_t>(view.index.value) << exec::kNarrowTextureShift);
    if (view.index.indirect) {
        const Operand index = l.limited_unit(view.index);
        const Operand both = l.b.emit(Spec(Op::LSHIFT_OR_I32),
                                      {index, ir::shift_count(exec::kNarrowTextureShift), index});
        word = l.b.bit_or(both, literal(tables));
    }
    unit.resource = l.b.pair(word, literal(0));
    return unit;
}

void store_texture(Lowering& l, const Instruction& inst, const TextureRequest& request) {
    const bool by_view = inst.src_count > 1 && inst.src[1].reg.file == tgsi::File::SamplerView;
    if (!by_view) {
        l.store(inst, emit_texture(l, request));
        return;
    }
    TextureRequest all = request;
    const std::array<uint8_t, 4>& swizzle = inst.src[1].swizzle;
    all.mask = 0;
    for (unsigned c = 0; c < 4; ++c) {
        if ((request.mask >> c & 1) != 0)
            all.mask |= static_cast<uint8_t>(1U << swizzle[c]);
    }
    const Vec4 texel = emit_texture(l, all);
    l.store(inst, {texel[swizzle[0]], texel[swizzle[1]], texel[swizzle[2]], texel[swizzle[3]]});
}

void read_coordinates(Lowering& l, const Instruction& inst, TextureRequest& request) {
    const bool by_view = tgsi::opcode_info(inst.opcode).kind == tgsi::OperandKind::Sample ||
                         inst.opcode == Opcode::LOD;
    // TEX style: the sampler is the last source; SAMPLE style: view and sampler are 1 and 2.
    const unsigned texture = by_view ? 1 : inst.src_count - 1U;
    request.unit = texture_unit(l, inst, texture, by_view ? 2 : texture);
    TargetInfo target = target_info(request.unit.target);
    for (unsigned i = 0; i < target.coordinates; ++i)
        request.position[i] = l.src_float(inst, 0, i);
    if (target.is_array())
        request.layer = l.src(inst, 0, target.array);
    if (by_view) {
        if (inst.opcode == Opcode::SAMPLE_C || inst.opcode == Opcode::SAMPLE_C_LZ)
            request.reference = l.src(inst, 3, 0);
    } else if (target.is_shadow()) {
        request.reference =
            target.reference == 4 ? l.src(inst, 1, 0) : l.src(inst, 0, target.reference);
    }
    request.offset_word = offset_bytes(l, inst, 0);
}

Operand offset_bytes(Lowering& l, const Instruction& inst, unsigned i) {
    if (i >= inst.offset_count)
        return {};
    const tgsi::TexelOffset& offset = inst.offsets[i];
    tgsi::RegisterRef reg;
    reg.file = offset.file;
    reg.index.value = offset.index;
    std::array<Operand, 4> bytes{literal(0), literal(0), literal(0), literal(0)};
    const TargetInfo& target = target_info(inst.target);
    for (unsigned c = 0; c < target.coordinates; ++c)
        bytes[c] = l.read(reg, offset.swizzle[c]);
    return pack_bytes(l.b, bytes);
}

Operand lod_word(Builder& b, Operand lod) {
    constexpr uint32_t kSixteenth = 0x3D800000;
    constexpr uint32_t kFourThousandNinetySix = 0x45800000;
    const Operand unit = b.emit(Spec(Op::FMA_F32).with(Mod::clamp, Clamp::clamp_m1_1),
                                {lod, literal(kSixteenth), literal(float_bits::kSign)});
    const Operand fixed =
        b.f32_to_s32(b.fmul(unit, literal(kFourThousandNinetySix)), RoundMode::rte);
    const uint8_t low = raw(Swizzles16Bit::h00);
    return b.emit(Spec(Op::MKVEC_V2I16), {select(fixed, low), select(literal(0), low)});
}

CubePosition cube_position(Builder& b, const std::array<Operand, 3>& direction) {
    using float_bits::kHalf;
    const auto& [x, y, z] = direction;
    const Operand magnitude = b.emit(Spec(Op::CUBEFACE1), {x, y, z});
    const Operand face = b.emit(Spec(Op::CUBEFACE2), {x, y, z});
    const Operand scale = b.fmul(b.unary(Op::FRCP_F32, magnitude), literal(kHalf));
    const Spec clamped = Spec(Op::FMA_F32).with(Mod::clamp, Clamp::clamp_0_1);
    const Operand s =
        b.emit(clamped, {scale, b.emit(Spec(Op::CUBE_SSEL), {z, x, face}), literal(kHalf)});
    const Operand t =
        b.emit(clamped, {scale, b.emit(Spec(Op::CUBE_TSEL), {y, z, face}), literal(kHalf)});
    return {b.mux(Mux::bit, s, face, literal(0x1FFFFFFF)), t};
}

Vec4 emit_texture(Lowering& l, const TextureRequest& request) {
    Builder& b = l.b;
    const TargetInfo& target = target_info(request.unit.target);
    std::array<Operand, 7> run{};
    uint8_t count = 0;
    const auto add = [&](Operand operand) {
        if (operand.kind != OperandKind::None)
            run[count++] = b.resolve(operand);
    };
    if (target.is_cube()) {
        const CubePosition position = cube_position(b, request.position);
        add(position.x);
        add(position.y);
    } else {
        for (unsigned i = 0; i < target.coordinates; ++i)
            add(request.position[i]);
    }
    add(request.layer);
    add(request.reference);
    add(request.offset_word);
    add(request.lod_word);

    Spec spec = Spec(request.op)
                    .with(Mod::register_type, request.unit.result)
                    .with(Mod::register_width, RegisterWidth::n32)
                    .with(Mod::write_mask, request.mask)
                    .with(Mod::dimension, target.dimension)
                    .with(Mod::array_enable, request.layer.kind != OperandKind::None)
                    .with(Mod::texel_offset, request.offset_word.kind != OperandKind::None);
    if (request.op != Op::TEX_FETCH)
        spec = spec.with(Mod::shadow, request.reference.kind != OperandKind::None);
    if (request.op == Op::TEX_SINGLE)
        spec = spec.with(Mod::lod_mode, request.lod_mode);
    if (request.op == Op::TEX_GATHER)
        spec = spec.with(Mod::fetch_component, request.component);
    const auto results = static_cast<uint8_t>(std::popcount(unsigned{request.mask}));
    uint32_t next = b.emit_message(spec, {request.unit.resource},
                                   {.def_count = results, .staging = {run.data(), count}})
                        .def;
    Vec4 values{literal(0), literal(0), literal(0), literal(0)};
    for (unsigned c = 0; c < 4; ++c) {
        if ((request.mask >> c & 1) != 0)
            values[c] = ir::value_operand(next++);
    }
    return values;
}

}  // namespace valkyr::valhall::lower

// Messages: turns message instructions into requests to routines of the environment.
// SPDX-License-Identifier: MIT
#include "valhall/isa/messages.hpp"

#include "valhall/isa/register_access.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

/// Whether a value of the machine has the same number in the calling convention.
template <typename A, typename B>
constexpr bool same(A machine, B contract) {
    return static_cast<unsigned>(machine) == static_cast<unsigned>(contract);
}

// Fields of the machine word go into messages as they are.
static_assert(same(LodMode::zero, exec::LodMode::Zero) &&
              same(LodMode::computed, exec::LodMode::Computed) &&
              same(LodMode::explicit_, exec::LodMode::Explicit) &&
              same(LodMode::computed_bias, exec::LodMode::ComputedBias) &&
              same(LodMode::grdesc, exec::LodMode::GradientDescriptor));
static_assert(same(RegisterFormat::auto_, exec::RegisterFormat::Auto) &&
              same(RegisterFormat::f32, exec::RegisterFormat::F32) &&
              same(RegisterFormat::f16, exec::RegisterFormat::F16) &&
              same(RegisterFormat::s32, exec::RegisterFormat::S32) &&
              same(RegisterFormat::s16, exec::RegisterFormat::S16) &&
              same(RegisterFormat::u32, exec::RegisterFormat::U32) &&
              same(RegisterFormat::u16, exec::RegisterFormat::U16));
static_assert(same(SampleMode::center, exec::SampleMode::Center) &&
              same(SampleMode::centroid, exec::SampleMode::Centroid) &&
              same(SampleMode::sample, exec::SampleMode::Sample) &&
              same(SampleMode::explicit_, exec::SampleMode::Explicit));

exec::SampleMode sample_of(SampleAndUpdateMode mode) {
    switch (mode) {
    case SampleAndUpdateMode::centroid_store: return exec::SampleMode::Centroid;
    case SampleAndUpdateMode::sample_store:
    case SampleAndUpdateMode::sample_clobber: return exec::SampleMode::Sample;
    case SampleAndUpdateMode::center_store:
    case SampleAndUpdateMode::center_clobber:
    case SampleAndUpdateMode::explicit_store:  // rejected when the program is loaded
    case SampleAndUpdateMode::retrieve: break;
    }
    return exec::SampleMode::Center;
}

/// The members by which VAR_TEX* differ from TEX_*: they have all four components, and as many
/// coordinates as the texture needs.
void complete_fused(const Instr& instr, exec::TextureMessage& message) {
    message.write_mask = 15;
    message.half = instr.get<VaryingTextureRegisterWidth>(Mod::vartex_register_width) ==
                   VaryingTextureRegisterWidth::n16;
    message.staging_count =
        static_cast<uint8_t>(message.dimension + 1U + message.array + message.shadow);
}

}  // namespace

exec::TextureMessage texture_message(const Instr& instr, exec::TextureOp op) {
    exec::TextureMessage message{};
    message.op = op;
    message.dimension = instr.mod(Mod::dimension);
    message.lod_mode = instr.get<exec::LodMode>(Mod::lod_mode);
    message.array = instr.mod(Mod::array_enable);
    message.offset = instr.mod(Mod::texel_offset);
    message.shadow = instr.mod(Mod::shadow);
    message.integer_coordinates = instr.mod(Mod::integer_coordinates);
    message.fetch_component = instr.mod(Mod::fetch_component);
    message.register_type = instr.mod(Mod::register_type);
    if (has_effect(instr.op, Effect::varying)) {
        complete_fused(instr, message);
        return message;
    }
    message.write_mask = instr.mod(Mod::write_mask);
    message.half = instr.get<RegisterWidth>(Mod::register_width) == RegisterWidth::n16;
    message.staging_count = instr.staging[1].count;
    return message;
}

exec::VaryingMessage
texture_varying(const Instr& instr, const exec::TextureMessage& texture, uint32_t offset) {
    const auto mode = instr.get<SampleAndUpdateMode>(Mod::sample_and_update);
    const auto count = std::min<uint8_t>(texture.staging_count, 4);
    return {offset, sample_of(mode), false, false, false, count};
}

exec::VaryingMessage buffer_varying(const Instr& instr, uint32_t offset) {
    const auto format = instr.get<SourceFormat>(Mod::source_format);
    const bool flat = format == SourceFormat::src_flat32 || format == SourceFormat::src_flat16;
    const bool source_half = format == SourceFormat::src_flat16 || format == SourceFormat::src_f16;
    const bool half = op_info(instr.op).type_size == 16;
    return {offset, sample_mode(instr), flat, half, source_half, components(instr)};
}

exec::VaryingMessage slot_varying(const Instr& instr, uint32_t slot) {
    using exec::RegisterFormat;
    const bool flat = !has_modifier(instr.op, Mod::sample);
    const RegisterFormat format = register_format(instr);
    const bool half = format == RegisterFormat::F16 || format == RegisterFormat::S16 ||
                      format == RegisterFormat::U16;
    const bool is_float = format == RegisterFormat::Auto || format == RegisterFormat::F32 ||
                          format == RegisterFormat::F16;
    const bool bits = flat || !is_float;
    const auto sample = flat ? exec::SampleMode::Center : sample_mode(instr);
    return {slot * kBytesPerSlot, sample, bits, half, half && bits, components(instr)};
}

bool reads_varying(Op op) {
    const OpInfo& info = op_info(op);
    return info.effects.any(Effect::varying) && info.unit == Unit::Varying &&
           op != Op::LD_VAR_SPECIAL;
}

bool reads_indexed_varying(Op op) {
    return reads_varying(op) && op_info(op).immediates.empty();
}

std::optional<exec::VaryingMessage> immediate_varying(const Instr& instr) {
    if (!reads_varying(instr.op) || reads_indexed_varying(instr.op))
        return std::nullopt;
    if (has_modifier(instr.op, Mod::source_format))
        return buffer_varying(instr, static_cast<uint32_t>(instr.imm[0]));
    return slot_varying(instr, static_cast<uint32_t>(instr.imm[1]));
}

}  // namespace valkyr::valhall

// Rejections: names the instructions that decode but have no meaning.
// SPDX-License-Identifier: MIT
#include "valhall/isa/executable.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace valkyr::valhall {

namespace {

bool always(const Instr&) {
    return true;
}
bool has_saturate(const Instr& i) {
    return i.mod(Mod::saturate);
}
bool tests_lowbits(const Instr& i) {
    return i.src[0].selector == static_cast<uint8_t>(Combine::lowbits);
}
bool is_relative(const Instr& i) {
    return !i.mod(Mod::absolute);
}
bool muxes_on_float_zero(const Instr& i) {
    return i.get<Mux>(Mod::mux) == Mux::fp_zero;
}
bool has_clamp(const Instr& i) {
    return i.get<Clamp>(Mod::clamp) != Clamp::none;
}
bool has_float_condition(const Instr& i) {
    const auto condition = i.get<Condition>(Mod::cmp);
    return condition == Condition::gtlt || condition == Condition::total;
}
bool has_seq(const Instr& i) {
    return i.mod(Mod::seq);
}
bool has_and_seq(const Instr& i) {
    return i.mod(Mod::seq) && i.mod(Mod::and_);
}
bool gives_u1(const Instr& i) {
    return i.get<ResultType>(Mod::result_type) == ResultType::u1;
}
bool gives_u1_without_seq(const Instr& i) {
    return gives_u1(i) && !i.mod(Mod::seq);
}
bool gives_f1(const Instr& i) {
    return i.get<ResultType>(Mod::result_type) == ResultType::f1;
}
bool has_sqrt_and_log(const Instr& i) {
    return i.mod(Mod::sqrt) && i.mod(Mod::log);
}
bool loads_odd_byte(const Instr& i) {
    const auto lane = i.get<LoadLane8Bit>(Mod::load_lane_8_bit);
    return lane == LoadLane8Bit::b1 || lane == LoadLane8Bit::b3;
}
bool exchanges(const Instr& i) {
    return i.get<AtomicOperation>(Mod::atom_opc) == AtomicOperation::axchg;
}
bool compares_without_exchange(const Instr& i) {
    return i.mod(Mod::compare) && !exchanges(i);
}
bool has_gradient_descriptor(const Instr& i) {
    return i.get<LodMode>(Mod::lod_mode) == LodMode::grdesc;
}
bool has_lod_operand(const Instr& i) {
    const auto mode = i.get<LodMode>(Mod::lod_mode);
    return mode != LodMode::zero && mode != LodMode::computed;
}
bool needs_saved_position(const Instr& i) {
    const auto mode = i.get<SampleAndUpdateMode>(Mod::sample_and_update);
    return mode == SampleAndUpdateMode::explicit_store || mode == SampleAndUpdateMode::retrieve;
}
bool has_two_widths(const Instr& i) {
    return i.mod(Mod::vartex_register_width) > 1;
}
bool is_flat32(const Instr& i) {
    return i.get<SourceFormat>(Mod::source_format) == SourceFormat::src_flat32;
}
bool is_flat16(const Instr& i) {
    return i.get<SourceFormat>(Mod::source_format) == SourceFormat::src_flat16;
}
bool has_unknown_special_index(const Instr& i) {
    return i.imm[0] != 0 && i.imm[0] != 2 && i.imm[0] != 3;
}

struct Rejection {
    Op op;
    bool (*applies)(const Instr&);
    std::string_view reason;
};

constexpr std::string_view kNoMeaning = "the instruction has no known meaning";
constexpr std::string_view kLowbits = "the combine mode lowbits has no known meaning";
constexpr std::string_view kWideSaturation = "64-bit results cannot saturate";
constexpr std::string_view kFloatCondition = "gtlt and total are conditions for floats only";
constexpr std::string_view kSeqWidth = "seq exists for 32-bit lanes only";
constexpr std::string_view kAndSeq = "and and seq exclude each other";
constexpr std::string_view kU1 = "the result type u1 needs ICMP.u32 with seq";
constexpr std::string_view kF1 = "the result type f1 needs lanes of 16 or 32 bits";
constexpr std::string_view kFrexp = "sqrt and log exclude each other";
constexpr std::string_view kCompare = "compare needs the operation axchg";
constexpr std::string_view kExchange = "axchg must return the old value";
constexpr std::string_view kGradient = "no instruction makes a gradient descriptor";
constexpr std::string_view kVarTexLod = "a fused varying and texture fetch has no LOD operand";
constexpr std::string_view kVarTexSample = "a fused varying and texture fetch has no position";
constexpr std::string_view kVarTexWidth = "only dual fetches have two register widths";

/// In no particular order; Index finds the rows of an Op.
constexpr auto kRejections = std::to_array<Rejection>({
    {Op::TEX_DUAL, always, kNoMeaning},
    {Op::VAR_TEX_DUAL, always, kNoMeaning},
    {Op::VAR_TEX_BUF_DUAL, always, kNoMeaning},
    {Op::VAR_TEX_GRADIENT, always, kNoMeaning},
    {Op::VAR_TEX_BUF_GRADIENT, always, kNoMeaning},
    {Op::FATAN_ASSIST_F32, always, kNoMeaning},
    {Op::FMA_RSCALE_SCALE16_F32, always, kNoMeaning},
    {Op::BRANCHZ, tests_lowbits, kLowbits},
    {Op::BRANCHZI, tests_lowbits, kLowbits},
    {Op::BRANCHZI, is_relative, "an indirect branch must be absolute"},
    {Op::FEXP_F32, has_clamp, "FEXP cannot clamp"},
    {Op::MUX_V4I8, muxes_on_float_zero, "bytes are no floats"},
    {Op::IADD_U64, has_saturate, kWideSaturation},
    {Op::IADD_S64, has_saturate, kWideSaturation},
    {Op::ISUB_U64, has_saturate, kWideSaturation},
    {Op::ISUB_S64, has_saturate, kWideSaturation},
    {Op::IMULD_U64, has_saturate, kWideSaturation},
    {Op::CSEL_U32, has_float_condition, kFloatCondition},
    {Op::CSEL_S32, has_float_condition, kFloatCondition},
    {Op::CSEL_V2U16, has_float_condition, kFloatCondition},
    {Op::CSEL_V2S16, has_float_condition, kFloatCondition},
    {Op::ICMP_U32, has_float_condition, kFloatCondition},
    {Op::ICMP_S32, has_float_condition, kFloatCondition},
    {Op::ICMP_V2U16, has_float_condition, kFloatCondition},
    {Op::ICMP_V2S16, has_float_condition, kFloatCondition},
    {Op::ICMP_V4U8, has_float_condition, kFloatCondition},
    {Op::ICMP_V4S8, has_float_condition, kFloatCondition},
    {Op::ICMP_U32, has_and_seq, kAndSeq},
    {Op::ICMP_S32, has_and_seq, kAndSeq},
    {Op::ICMP_V2U16, has_seq, kSeqWidth},
    {Op::ICMP_V2S16, has_seq, kSeqWidth},
    {Op::ICMP_V4U8, has_seq, kSeqWidth},
    {Op::ICMP_V4S8, has_seq, kSeqWidth},
    {Op::ICMP_U32, gives_u1_without_seq, kU1},
    {Op::ICMP_S32, gives_u1, kU1},
    {Op::ICMP_V2U16, gives_u1, kU1},
    {Op::ICMP_V2S16, gives_u1, kU1},
    {Op::ICMP_V4U8, gives_u1, kU1},
    {Op::ICMP_V4S8, gives_u1, kU1},
    {Op::ICMP_V4U8, gives_f1, kF1},
    {Op::ICMP_V4S8, gives_f1, kF1},
    {Op::FCMP_F32, gives_u1, kU1},
    {Op::FCMP_V2F16, gives_u1, kU1},
    {Op::FREXPM_F32, has_sqrt_and_log, kFrexp},
    {Op::FREXPM_V2F16, has_sqrt_and_log, kFrexp},
    {Op::FREXPE_F32, has_sqrt_and_log, kFrexp},
    {Op::FREXPE_V2F16, has_sqrt_and_log, kFrexp},
    {Op::LD_BUFFER_I8, loads_odd_byte, "LD_BUFFER cannot write bytes 1 and 3"},
    {Op::ATOM_I32, exchanges, kExchange},
    {Op::ATOM_I64, exchanges, kExchange},
    {Op::ATOM_RETURN_I32, compares_without_exchange, kCompare},
    {Op::ATOM_RETURN_I64, compares_without_exchange, kCompare},
    {Op::TEX_SINGLE, has_gradient_descriptor, kGradient},
    {Op::VAR_TEX_SINGLE, has_lod_operand, kVarTexLod},
    {Op::VAR_TEX_BUF_SINGLE, has_lod_operand, kVarTexLod},
    {Op::VAR_TEX_SINGLE, needs_saved_position, kVarTexSample},
    {Op::VAR_TEX_BUF_SINGLE, needs_saved_position, kVarTexSample},
    {Op::VAR_TEX_GATHER, needs_saved_position, kVarTexSample},
    {Op::VAR_TEX_BUF_GATHER, needs_saved_position, kVarTexSample},
    {Op::VAR_TEX_SINGLE, has_two_widths, kVarTexWidth},
    {Op::VAR_TEX_BUF_SINGLE, has_two_widths, kVarTexWidth},
    {Op::VAR_TEX_GATHER, has_two_widths, kVarTexWidth},
    {Op::VAR_TEX_BUF_GATHER, has_two_widths, kVarTexWidth},
    {Op::LD_VAR_BUF_F16, is_flat32, "src_flat32 needs 32-bit registers"},
    {Op::LD_VAR_BUF_IMM_F16, is_flat32, "src_flat32 needs 32-bit registers"},
    {Op::LD_VAR_BUF_F32, is_flat16, "src_flat16 needs 16-bit registers"},
    {Op::LD_VAR_BUF_IMM_F32, is_flat16, "src_flat16 needs 16-bit registers"},
    {Op::LD_VAR_SPECIAL, has_unknown_special_index, "there is no special varying of this index"},
});

/// First row of each Op in a copy of the table sorted by Op; row kOpCount ends the last.
struct Index {
    std::array<Rejection, kRejections.size()> rows{};
    std::array<uint16_t, kOpCount + 1> first{};
};

constexpr Index make_index() {
    Index index;
    uint16_t next = 0;
    for (unsigned op = 0; op < kOpCount; ++op) {
        index.first[op] = next;
        for (const Rejection& row : kRejections)
            if (row.op == static_cast<Op>(op))
                index.rows[next++] = row;
    }
    index.first[kOpCount] = next;
    return index;
}
constexpr Index kIndex = make_index();

}  // namespace

std::string_view reject_reason(const Instr& instr) {
    const auto op = static_cast<unsigned>(instr.op);
    if (op >= kOpCount)
        return kNoMeaning;
    const std::span rows(kIndex.rows.begin() + kIndex.first[op],
                         kIndex.rows.begin() + kIndex.first[op + 1]);
    const auto row =
        std::ranges::find_if(rows, [&](const Rejection& r) { return r.applies(instr); });
    return row == rows.end() ? std::string_view{} : row->reason;
}

}  // namespace valkyr::valhall

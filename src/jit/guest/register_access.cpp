// Register access: finds which registers an instruction reads and writes.
// SPDX-License-Identifier: MIT
#include "jit/guest/register_access.hpp"

#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "exec/thread_storage.hpp"

namespace valkyr::jit {

using valhall::Instr;
using valhall::Mod;
using valhall::Op;
using valhall::OpInfo;
using valhall::SelectorKind;
using valhall::Source;
using valhall::SourceKind;

namespace {

/// Whether a load writes only a part of a register: its lane number is a low one (see
/// load_lane_8_bit, load_lane_16_bit).
bool writes_part(const Instr& instr, unsigned type_size) {
    switch (type_size) {
    case 8:
        return instr.mod(Mod::load_lane_8_bit) <= static_cast<uint8_t>(valhall::LoadLane8Bit::h1);
    case 16:
        return instr.mod(Mod::load_lane_16_bit) <= static_cast<uint8_t>(valhall::LoadLane16Bit::h1);
    default: return false;
    }
}

void add_sources(const Instr& instr, const OpInfo& info, Access& access) {
    for (unsigned k = 0; k < info.sources.size(); ++k)
        if (instr.src[k].kind == SourceKind::Register)
            access.reads |= RegSet::run(instr.src[k].index, reads_pair(instr, k) ? 2 : 1);
}

void add_destination(const Instr& instr, const OpInfo& info, Access& access) {
    if (!info.has_dest)
        return;
    const RegSet dest = RegSet::run(instr.dest.reg, info.dest_is_pair ? 2 : 1);
    access.writes |= dest;
    if (instr.dest.mask != 3)
        access.reads |= dest;
}

void add_staging(const Instr& instr, const OpInfo& info, Access& access) {
    for (unsigned k = 0; k < info.staging.size(); ++k) {
        const RegSet run = RegSet::run(instr.staging[k].base, instr.staging[k].count);
        if (info.staging[k].read)
            access.reads |= run;
        if (info.staging[k].write)
            access.writes |= run;
        if (info.staging[k].need == valhall::StagingNeed::Loaded &&
            writes_part(instr, info.type_size))
            access.reads |= run;
    }
}

/// The second source of dual-source blending is in r4 to r7 and has no operand.
constexpr unsigned kSecondColor = exec::kSecondColorRegister;

}  // namespace

bool reads_second_color(const KernelKey& key) {
    if (!key.fragment)
        return false;
    for (const exec::BlendKey& b : key.fragment->blend)
        if (b.reads_second_color())
            return true;
    return false;
}

bool returns_registers(const valhall::Program& program, const KernelKey& key) {
    return program.info.stage == exec::Stage::Compute && key.returns_registers;
}

Access register_access(const Instr& instr, const valhall::Program& program, const KernelKey& key) {
    const OpInfo& info = valhall::op_info(instr.op);
    Access access;
    add_sources(instr, info, access);
    add_destination(instr, info, access);
    add_staging(instr, info, access);
    if (instr.op == Op::BLEND && reads_second_color(key))
        access.reads |= RegSet::run(kSecondColor, instr.staging[0].count);
    if (instr.flow == valhall::Flow::end && returns_registers(program, key))
        access.reads |= RegSet::run(0, 64);
    return access;
}

std::optional<uint32_t>
known_value(const valhall::Program& program, const Source& source, unsigned half) {
    switch (source.kind) {
    case SourceKind::Constant: return half ? 0 : valhall::immediate_table()[source.index % 32];
    case SourceKind::Uniform: {
        const size_t index = size_t{source.index} + half;
        if (index >= program.fau.size())
            return 0;
        const valhall::FauWord& word = program.fau[index];
        if (word.kind == valhall::FauKind::Immediate)
            return word.value;
        return std::nullopt;
    }
    case SourceKind::Special:
        if (source.index == exec::kThreadLocalPointer)
            return static_cast<uint32_t>(exec::kThreadLocalBase >> (32 * (source.word + half)));
        return std::nullopt;
    case SourceKind::Register: return std::nullopt;
    }
    return std::nullopt;
}

bool reads_pair(const Instr& instr, unsigned index) {
    const valhall::SourceInfo& info = valhall::op_info(instr.op).sources[index];
    if (info.size != 64)
        return false;
    return info.selector == SelectorKind::None || instr.src[index].selector == 0;
}

uint32_t combine_mask(uint8_t selector) {
    switch (static_cast<valhall::Combine>(selector)) {
    case valhall::Combine::h0: return 0x0000FFFF;
    case valhall::Combine::h1: return 0xFFFF0000;
    default: return 0xFFFFFFFF;
    }
}

BranchTest branch_test(const valhall::Program& program, const Instr& instr) {
    if (!valhall::has_effect(instr.op, valhall::Effect::branch))
        return BranchTest::Never;
    const auto value = known_value(program, instr.src[0]);
    if (!value)
        return BranchTest::Sometimes;
    const bool zero = (*value & combine_mask(instr.src[0].selector)) == 0;
    return zero == (instr.mod(Mod::eq) != 0) ? BranchTest::Always : BranchTest::Never;
}

}  // namespace valkyr::jit

// Register access: lists the registers that an instruction reads and writes, half by half.
// SPDX-License-Identifier: MIT
#include "valhall/isa/register_access.hpp"

#include "exec/entry_registers.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

constexpr uint8_t kLow = 1;
constexpr uint8_t kHigh = 2;
constexpr uint8_t kBoth = 3;

/// Halves by selector value, for each kind of selector.
constexpr uint8_t kSwizzle16[16] = {kLow, kBoth, kBoth, kHigh, kLow, kBoth, kBoth, kHigh,
                                    kLow, kBoth, kBoth, kHigh, kLow, kHigh, kBoth, kBoth};
constexpr uint8_t kSwizzle16LowLane[4] = {kLow, kHigh, kLow, kHigh};
constexpr uint8_t kSwizzle32[4] = {kBoth, kLow, kHigh, kBoth};
constexpr uint8_t kWiden[16] = {kBoth, kBoth, kLow,  kHigh, kLow,  kLow,  kHigh, kHigh,
                                kBoth, kBoth, kBoth, kBoth, kBoth, kBoth, kBoth, kBoth};
constexpr uint8_t kLanes[16] = {kBoth, kBoth, kBoth, kBoth, kLow,  kLow,  kHigh, kHigh,
                                kBoth, kBoth, kLow,  kHigh, kBoth, kBoth, kBoth, kBoth};
constexpr uint8_t kLane8[4] = {kLow, kLow, kHigh, kHigh};
constexpr uint8_t kLane16[2] = {kLow, kHigh};
constexpr uint8_t kCombine[8] = {kBoth, kLow, kHigh, kBoth, kBoth, kBoth, kBoth, kBoth};

/// Swizzles8Bit: b0101 b2323 b0000 b1111 b2222 b3333 b0011 b2233 stay in one half.
constexpr uint8_t kSwizzle8[16] = {kBoth, kBoth, kLow, kHigh, kLow,  kLow,  kHigh, kHigh,
                                   kBoth, kBoth, kLow, kHigh, kBoth, kBoth, kBoth, kBoth};

uint8_t halves_read(const SourceInfo& info, const Source& source) {
    const unsigned value = source.selector;
    switch (info.selector) {
    case SelectorKind::None: return kBoth;
    case SelectorKind::Swizzle16:
        return info.low_lane ? kSwizzle16LowLane[value & 3] : kSwizzle16[value & 15];
    case SelectorKind::Swizzle32: return kSwizzle32[value & 3];
    case SelectorKind::Widen8: return kSwizzle8[value & 15];
    case SelectorKind::Widen16: return kSwizzle16[value & 15];
    case SelectorKind::Widen32:
    case SelectorKind::Widen64: return kWiden[value & 15];
    case SelectorKind::Lanes: return kLanes[value & 15];
    case SelectorKind::HalfSwizzle: return kLane8[value & 3] | kLane8[value >> 2 & 3];
    case SelectorKind::Lane8: return kLane8[value & 3];
    case SelectorKind::Lane16: return kLane16[value & 1];
    case SelectorKind::Combine: return kCombine[value & 7];
    }
    return kBoth;
}

}  // namespace

RegisterAccesses::RegisterAccesses(const Instr& instr) {
    const OpInfo& info = op_info(instr.op);
    for (unsigned k = 0; k < info.sources.size(); ++k)
        add_source(instr, k);
    for (unsigned k = 0; k < info.staging.size(); ++k)
        if (info.staging[k].read)
            add_staging(instr, k, AccessKind::StagingRead);
    if (info.unit == Unit::VaryingTexture)
        add(exec::kSampleRegister, kBoth, AccessKind::Source);
    for (unsigned k = 0; k < info.staging.size(); ++k)
        if (info.staging[k].write)
            add_staging(instr, k, AccessKind::StagingWrite);
    if (info.has_dest) {
        add(instr.dest.reg, info.dest_is_pair ? kBoth : instr.dest.mask, AccessKind::Destination);
        if (info.dest_is_pair)
            add(instr.dest.reg + 1U, kBoth, AccessKind::Destination);
    }
}

void RegisterAccesses::add(unsigned reg, uint8_t halves, AccessKind kind, bool last_use) {
    if (count_ < list_.size())
        list_[count_++] = {static_cast<uint8_t>(reg & 63), halves, kind, last_use};
}

void RegisterAccesses::add_source(const Instr& instr, unsigned index) {
    const Source& source = instr.src[index];
    if (source.kind != SourceKind::Register)
        return;
    const SourceInfo& info = op_info(instr.op).sources[index];
    const bool wide = info.size == 64 && (info.selector == SelectorKind::None ||
                                          source.selector == info.selector_default);
    add(source.index, wide ? kBoth : halves_read(info, source), AccessKind::Source,
        source.last_use);
    if (wide)
        add(source.index + 1U, kBoth, AccessKind::Source, source.last_use);
}

void RegisterAccesses::add_staging(const Instr& instr, unsigned index, AccessKind kind) {
    const Staging& run = instr.staging[index];
    for (unsigned k = 0; k < run.count; ++k)
        add(run.base + k, kBoth, kind);
}

std::optional<uint8_t> message_slot(const Instr& instr) {
    if (is_alu(op_info(instr.op).unit))
        return std::nullopt;
    return has_modifier(instr.op, Mod::slot) ? instr.mod(Mod::slot) : uint8_t{0};
}

bool has_modifier(Op op, Mod mod) {
    return std::ranges::any_of(op_info(op).mods,
                               [mod](const ModInfo& info) { return info.mod == mod; });
}

}  // namespace valkyr::valhall

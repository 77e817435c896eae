// Compute lowering: sizes of work-groups, thread and block numbers, BARRIER.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/work_groups.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"

namespace valkyr::valhall::lower {
namespace {

void lower_barrier(Lowering& l, const Instruction&, const Rule&) {
    if (l.info().stage != exec::Stage::Compute)
        l.unsupported_here("waiting");
    l.b.emit_message(Spec(Op::BARRIER), {}, {});
}

constexpr Rule kComputeRules[] = {
    {Opcode::BARRIER, lower_barrier},
};

}  // namespace

std::span<const Rule> compute_rules() {
    return kComputeRules;
}

/// Facts that the properties state, and the size of shared memory, which stands beside the text.
void Lowering::read_compute_properties() {
    exec::ComputeInfo& compute = info().compute;
    const uint32_t block[3] = {shader_.property("CS_FIXED_BLOCK_WIDTH", 0),
                               shader_.property("CS_FIXED_BLOCK_HEIGHT", 0),
                               shader_.property("CS_FIXED_BLOCK_DEPTH", 0)};
    const bool fixed = block[0] != 0 && block[1] != 0 && block[2] != 0;
    if (fixed && exec::group_invocations(block) == 0)
        fail(Errc::OutOfRange, "a work-group of more than " +
                                   std::to_string(exec::kMaxGroupInvocations) + " invocations");
    if (options_.shared_bytes > exec::kMaxSharedBytes)
        fail(Errc::OutOfRange,
             "more than " + std::to_string(exec::kMaxSharedBytes) + " bytes of shared memory");
    for (unsigned k = 0; k < 3; ++k)
        compute.block[k] = fixed ? block[k] : 0;
    compute.shared_bytes = options_.shared_bytes;
}

/// Where a thread is in its block and the block in the grid (exec/entry_registers.hpp);
/// kind None for other semantics.
Operand Lowering::compute_value(tgsi::Semantic semantic, unsigned component) {
    constexpr exec::DriverValue kGrid[] = {
        exec::DriverValue::GridSizeX, exec::DriverValue::GridSizeY, exec::DriverValue::GridSizeZ};
    const bool outside = component > 2;
    switch (semantic) {
    case tgsi::Semantic::ThreadId:
        if (component == 1)
            return b.shift_right(preload(exec::kLocalIdRegister), literal(16));
        return outside ? literal(0)
                       : b.bit_and(preload(component == 0 ? exec::kLocalIdRegister
                                                          : exec::kLocalIdZRegister),
                                   literal(0xFFFF));
    case tgsi::Semantic::BlockId:
        return outside ? literal(0)
                       : preload(static_cast<uint8_t>(exec::kWorkgroupIdRegister + component));
    case tgsi::Semantic::GridSize: return outside ? literal(0) : driver_value(kGrid[component]);
    case tgsi::Semantic::BlockSize: {
        if (outside)
            return literal(0);
        const uint32_t size = info().compute.block[component];
        if (size == 0)
            unsupported_here("a block size that is not fixed");
        return literal(size);
    }
    default: return {};
    }
}

}  // namespace valkyr::valhall::lower

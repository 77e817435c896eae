// Idle IDs: find the entry registers of compute programs that no instruction reads or writes.
// SPDX-License-Identifier: MIT
#include "jit/guest/idle_ids.hpp"

#include "exec/entry_registers.hpp"

namespace valkyr::jit {

void find_idle_ids(GuestProgram& program, const KernelKey& key) {
    if (!returns_registers(*program.source, key))
        return;
    RegSet idle{exec::entry_registers(exec::Stage::Compute)};
    for (const Step& step : program.steps) {
        Step own = step;
        own.instr.flow = valhall::Flow::none;  // an end reads all registers, to return them
        const Access access = step_access(own, *program.source, key);
        idle = idle - access.reads - access.writes;
    }
    for (Step& step : program.steps)
        step.access.reads = step.access.reads - idle;
    program.idle_ids = idle;
}

}  // namespace valkyr::jit

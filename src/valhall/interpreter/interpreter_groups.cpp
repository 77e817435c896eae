// Work-groups: run the groups of compute calls, a warp at a time, in rounds between barriers.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "exec/work_groups.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/interpreter/interpreter_hazards.hpp"
#include "valhall/interpreter/interpreter_run.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <type_traits>

namespace valkyr::valhall {

namespace {

using interpret::CallContext;
using interpret::Hazards;
using interpret::WarpRun;

/// A warp of a group; it lies in the warp's exec::WarpContext from its start to the end of the
/// group.
struct GroupWarp {
    WarpState state;
    exec::Warp warp;
    CallContext call;
    Hazards hazards{exec::entry_registers(exec::Stage::Compute)};
    std::optional<WarpRun> run;
};
static_assert(sizeof(GroupWarp) <= sizeof(exec::WarpContext) &&
              alignof(GroupWarp) <= alignof(exec::WarpContext));
static_assert(std::is_trivially_destructible_v<GroupWarp>, "groups leave their warps as they are");

GroupWarp& warp_in(exec::WarpContext& context) {
    return *std::launder(reinterpret_cast<GroupWarp*>(&context));
}

/// Members of the interpreter that running a group needs.
struct GroupRun {
    std::span<const Instr> instrs;
    const InterpreterOptions& options;
    const exec::ComputeCall& call;
    CallContext context;  ///< of warp 0
    std::vector<RunFault>* faults;

    void start_warp(exec::WarpContext& memory, uint64_t group, uint32_t warp) const {
        GroupWarp& w = *new (&memory) GroupWarp;
        w.state.alive = w.state.live = exec::group_lanes(exec::group_invocations(call.block), warp);
        std::ranges::copy(exec::warp_ids(call, group, warp),
                          w.state.r.begin() + exec::kLocalIdRegister);
        w.warp.draw = call.draw;
        w.call = context;
        w.call.tls += uint64_t{warp} * exec::kLanes * context.tls_bytes;
        w.run.emplace(instrs, options, w.state, w.warp, w.call,
                      options.hazards ? &w.hazards : nullptr, faults);
    }

    void run_group(exec::WarpContext* memory, uint64_t group) const {
        const uint32_t warps = exec::warps_of(exec::group_invocations(call.block));
        for (uint32_t warp = 0; warp < warps; ++warp)
            start_warp(memory[warp], group, warp);
        exec::run_rounds(
            warps, [&](uint32_t warp) { return warp_in(memory[warp]).run->run_to_barrier(); });
        if (call.registers != nullptr)
            std::ranges::copy(warp_in(memory[warps - 1]).state.r, call.registers);
    }
};

}  // namespace

void Interpreter::run(exec::ComputeCall& call, std::vector<RunFault>* faults) const {
    const uint32_t invocations = exec::group_invocations(call.block);
    if (invocations == 0)
        return;
    exec::WarpContext own;
    exec::WarpContext* memory = call.contexts != nullptr ? call.contexts : &own;
    VALKYR_CHECK(invocations <= exec::kLanes || call.contexts != nullptr);
    const GroupRun run{instrs_,
                       options_,
                       call,
                       {{call.draw->fau, fau_words_},
                        call.tls,
                        info_.tls_bytes,
                        call.worker,
                        reinterpret_cast<uintptr_t>(call.shared),
                        call.records},
                       faults};
    exec::each_group(call, [&](uint64_t group) { run.run_group(memory, group); });
}

}  // namespace valkyr::valhall

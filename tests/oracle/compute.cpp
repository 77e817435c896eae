// Compute: runs the work-groups of a dispatch one after the other.
// SPDX-License-Identifier: MIT
#include "tests/oracle/compute.hpp"

#include "tests/oracle/linkage.hpp"
#include "tests/oracle/resources.hpp"
#include "tests/oracle/shader_runner.hpp"

#include <algorithm>

namespace valkyr::reference {
namespace {

using Sizes = std::array<uint32_t, 3>;
using tgsi::Semantic;

template <typename Visit>
void for_each_place(const Sizes& sizes, Visit visit) {
    for (uint32_t z = 0; z < sizes[2]; z++)
        for (uint32_t y = 0; y < sizes[1]; y++)
            for (uint32_t x = 0; x < sizes[0]; x++)
                visit(Sizes{x, y, z});
}

/// The work-groups of one dispatch.
struct Grid {
    std::vector<Port> system_values;
    Sizes block;
    Sizes groups;

    [[nodiscard]] Sizes value(Semantic semantic, const Sizes& group, const Sizes& thread) const {
        switch (semantic) {
        case Semantic::GridSize: return groups;
        case Semantic::BlockSize: return block;
        case Semantic::BlockId: return group;
        case Semantic::ThreadId: return thread;
        default: return {};
        }
    }
    /// The invocations of a work-group, x first.
    [[nodiscard]] std::vector<tgsi::Invocation> lanes(const Sizes& group) const {
        std::vector<tgsi::Invocation> list;
        for_each_place(block, [&](const Sizes& thread) {
            tgsi::Invocation& lane = list.emplace_back();
            lane.system_values.resize(register_count(system_values));
            for (const Port& port : system_values) {
                const Sizes is = value(port.semantic, group, thread);
                lane.system_values[port.reg] = {is[0], is[1], is[2], 0};
            }
        });
        return list;
    }
};

}  // namespace

Result<void> execute_dispatch(const raster::DispatchState& state, const Sizes& groups) {
    const auto* pipeline = dynamic_cast<const ReferenceComputePipeline*>(state.pipeline.get());
    if (pipeline == nullptr)
        return Error{Errc::InvalidState, {}, "a compute pipeline of another device"};
    const auto& shader = static_cast<const ReferenceShader&>(*pipeline->desc.shader).shader;
    const Grid grid{ports(shader, tgsi::File::SystemValue),
                    {shader.property("CS_FIXED_BLOCK_WIDTH", 1),
                     shader.property("CS_FIXED_BLOCK_HEIGHT", 1),
                     shader.property("CS_FIXED_BLOCK_DEPTH", 1)},
                    groups};
    VALKYR_TRY(runner, ShaderRunner::create(shader, state.resources));
    std::vector<uint8_t> shared(pipeline->desc.shared_bytes);
    for_each_place(groups, [&](const Sizes& group) {
        std::ranges::fill(shared, uint8_t{0});
        std::vector<tgsi::Invocation> lanes = grid.lanes(group);
        runner->run_group(lanes, shared);
    });
    if (runner->error())
        return *runner->error();
    return {};
}

}  // namespace valkyr::reference

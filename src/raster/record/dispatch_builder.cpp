// Dispatch builder: fills in the tables, uniforms, kernel and sizes of a dispatch.
// SPDX-License-Identifier: MIT
#include "raster/record/dispatch_builder.hpp"

#include "raster/messages/environment.hpp"
#include "raster/record/stage_handles.hpp"
#include "raster/record/stage_tables.hpp"
#include "raster/record/unit_keys.hpp"

#include <algorithm>
#include <new>

namespace valkyr::raster {
namespace {

/// Writes the clears of textures to memory, because shaders access texels in place.
void settle(const TextureRef& texture) {
    if (texture)
        static_cast<TextureImpl&>(*texture).settle_all();
}
void settle(const BufferRef& /*buffer*/) {}

exec::ComputeCall call_of(const exec::ProgramInfo& info, const std::array<uint32_t, 3>& groups) {
    exec::ComputeCall call;
    std::ranges::copy(info.compute.block, call.block);
    std::ranges::copy(groups, call.grid);
    call.group_count = uint64_t{groups[0]} * groups[1] * groups[2];
    call.shared_bytes = info.compute.shared_bytes;
    return call;
}

}  // namespace

Result<DispatchRecord> build_dispatch(const DispatchContext& context,
                                      const ComputePipelineImpl& pipeline,
                                      const StageResources& resources,
                                      const std::array<uint32_t, 3>& groups,
                                      Arena& arena) {
    const StageProgram& program = pipeline.program();
    BoundTables bound;
    VALKYR_TRY_VOID(make_unit_tables(resources, context.owner, arena, bound));
    if (program.reads_constant_table())
        make_constant_table(resources, arena, bound);
    visit_stage(resources, false, [](const auto& handle, bool) { settle(handle); });
    auto* key = new (arena.allocate(sizeof(exec::VertexKey))) exec::VertexKey{};
    add_units(bound.tables, program.info(), *key);
    VALKYR_TRY(kernel, program.kernel(*key));
    auto* draw = new (arena.allocate(sizeof(exec::DrawContext))) exec::DrawContext;
    draw->environment = &raster_environment();
    draw->key = key;
    draw->info = &program.info();
    draw->tables = bound.tables;
    draw->watch = context.watch;
    FauInputs numbers;
    numbers.grid = groups;
    numbers.tls = context.tls;
    fill_uniforms(program, resources, bound.buffers, numbers, arena, *draw);
    DispatchRecord record{std::move(kernel), call_of(program.info(), groups)};
    record.call.draw = draw;
    return record;
}

}  // namespace valkyr::raster

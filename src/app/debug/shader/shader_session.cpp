// Shader session: opens a session on a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#include "app/debug/shader/shader_session.hpp"

#include "app/debug/shader/shader_case.hpp"
#include "exec/work_groups.hpp"
#include "tgsi/names.hpp"
#include "valhall/compiler/ir/compiler.hpp"

namespace valkyr::debug {

namespace {

/// "COMP, 5 lanes", or "COMP, group 1,0,0 of 2,1,1: 20 invocations in 2 warps".
std::string describe_case(const WarpCase& warp, tgsi::Stage stage) {
    const std::string name(tgsi::name_of(stage));
    if (!warp.work_group)
        return name + ", " + std::to_string(warp.count) + " lanes";
    if (warp.patches)
        return name + ", a patch of " + std::to_string(warp.patches->vertices) +
               (warp.patches->vertices == 1 ? " vertex" : " vertices");
    const WorkGroup& group = *warp.work_group;
    const auto triple = [](const std::array<uint32_t, 3>& numbers) {
        return std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," +
               std::to_string(numbers[2]);
    };
    const uint32_t grid[3] = {group.grid[0], group.grid[1], group.grid[2]};
    const uint32_t count = group.invocations();
    return name + ", group " + triple(exec::place_of(group.number, grid)) + " of " +
           triple(group.grid) + ": " + std::to_string(count) + " invocations in " +
           std::to_string(warp.warps()) + (warp.warps() == 1 ? " warp" : " warps");
}

Result<void> run_prologue(const valhall::Program& program, exec::ComputeCall& call) {
    VALKYR_TRY(interpreter, valhall::Interpreter::create(program));
    interpreter.run(call);
    return {};
}

}  // namespace

Result<std::shared_ptr<const Session>> open_shader(ShaderRequest request) {
    auto session = std::make_shared<Session>();
    session->keeper =
        std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<const void>>>(
            std::move(request.memory), request.textures);
    session->constants = std::move(request.constants);
    request.group.constants.assign(session->constants.begin(), session->constants.end());
    auto info = std::make_shared<valhall::DebugInfo>();
    valhall::CompileOptions options;
    options.disabled_passes = std::move(request.disabled_passes);
    options.debug = info.get();
    options.shared_bytes = request.work_group ? request.work_group->shared_bytes : 0;
    VALKYR_TRY(program, valhall::compile(request.shader, options));
    program.source_name = request.name;
    VALKYR_TRY(warp, make_shader_case(request.shader,
                                      std::make_shared<const valhall::Program>(std::move(program)),
                                      request.group, run_prologue,
                                      request.work_group ? &*request.work_group : nullptr,
                                      request.textures.get()));
    session->shader = std::make_shared<const tgsi::Shader>(std::move(request.shader));
    session->info = std::move(info);
    session->warp = std::move(warp);
    session->title = request.name + ": " + describe_case(*session->warp, session->shader->stage);
    session->listing = make_listing(*session->warp, request.name, request.text, request.level);
    if (!request.glsl.glsl.empty())
        session->listing.glsl = make_glsl_listing({&request.glsl, 100, 0}, *session->shader);
    return std::shared_ptr<const Session>(std::move(session));
}

}  // namespace valkyr::debug

// Shader session: opens a session on a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#include "app/debug/session/shader_session.hpp"

#include "app/debug/session/shader_case.hpp"
#include "tgsi/names.hpp"
#include "valhall/compiler/ir/compiler.hpp"

namespace valkyr::debug {

namespace {

Result<void> run_prologue(const valhall::Program& program, exec::ComputeCall& call) {
    VALKYR_TRY(interpreter, valhall::Interpreter::create(program));
    interpreter.run(call);
    return {};
}

}  // namespace

Result<std::shared_ptr<const Session>> open_shader(ShaderRequest request) {
    auto session = std::make_shared<Session>();
    session->constants = std::move(request.constants);
    request.group.constants.assign(session->constants.begin(), session->constants.end());
    auto info = std::make_shared<valhall::DebugInfo>();
    valhall::CompileOptions options;
    options.disabled_passes = std::move(request.disabled_passes);
    options.debug = info.get();
    VALKYR_TRY(program, valhall::compile(request.shader, options));
    program.source_name = request.name;
    VALKYR_TRY(warp, make_shader_case(request.shader,
                                      std::make_shared<const valhall::Program>(std::move(program)),
                                      request.group, run_prologue));
    session->shader = std::make_shared<const tgsi::Shader>(std::move(request.shader));
    session->info = std::move(info);
    session->warp = std::move(warp);
    session->title = request.name + ": " + std::string(tgsi::name_of(session->shader->stage)) +
                     ", " + std::to_string(session->warp->count) + " lanes";
    session->listing = make_listing(*session->warp, request.name, request.text, request.level);
    return std::shared_ptr<const Session>(std::move(session));
}

}  // namespace valkyr::debug

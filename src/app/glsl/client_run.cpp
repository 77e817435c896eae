// Client run: runs a GLSL client under a server of its own and reads what became of the programs.
// SPDX-License-Identifier: MIT
#include "app/glsl/client_run.hpp"

#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/own_program.hpp"
#include "app/run/doctor/doctor.hpp"
#include "app/run/program_run.hpp"

namespace valkyr::app {

Result<GlslReply> link_programs(const std::string& folder,
                                GlslProfile profile,
                                const std::vector<GlslProgram>& programs) {
    VALKYR_TRY_VOID(write_programs(folder, programs));
    ProgramRun run;
    run.request.command = "glsl";
    run.request.options.quiet = true;
    run.request.options.shader_directory = folder;
    run.request.options.shader_listings = false;
    run.request.options.shader_repeats = true;
    run.request.server.device.threads = 1;  // nothing is drawn
    run.program = {own_program(), "glsl",         kClientOption,
                   folder,        kProfileOption, std::to_string(static_cast<int>(profile))};
    const int code = run_on_valkyr(std::move(run));
    auto reply = read_reply(folder);
    if (code != kExitOk && (!reply.has_value() || reply->programs.empty()))
        return Error{
            Errc::System, {}, "Mesa's client has ended, exit code " + std::to_string(code)};
    VALKYR_TRY(linked, std::move(reply));
    if (!linked.failure.empty())
        return Error{Errc::System,
                     {},
                     "Mesa has no context on Valkyr: " + linked.failure + "; " + kDoctorHint};
    return linked;
}

std::string
text_of_stage(const std::string& folder, const LinkedProgram& program, const GlslStage& stage) {
    for (size_t number = program.texts_end; number > program.texts_begin;) {
        const auto text = read_input(text_path(folder, --number));
        if (text.has_value() && text->starts_with(std::string(stage.processor) + "\n"))
            return text->substr(0, text->find_last_not_of('\n') + 1) + "\n";
    }
    return {};
}

GlslProfile profile_of(bool es, bool compatibility) {
    if (es)
        return GlslProfile::Es;
    return compatibility ? GlslProfile::Compatibility : GlslProfile::Core;
}

}  // namespace valkyr::app

// GLSL translation: has Mesa translate GLSL files, and keeps the TGSI text of one stage.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_translation.hpp"

#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/own_program.hpp"
#include "app/glsl/glsl_client.hpp"
#include "app/glsl/glsl_source.hpp"
#include "app/run/doctor/doctor.hpp"
#include "app/run/private_folder.hpp"
#include "app/run/program_run.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace valkyr::app {

namespace {

/// The files of a program: the wanted one is the first.
struct Sources {
    std::vector<std::string> paths;
    std::vector<std::string> names;  ///< in the private folder
    GlslProfile profile = GlslProfile::Core;
};

/// Reads a file and writes it, with the macros, into the folder.
Result<GlslVersion> copy_source(const std::string& path,
                                const std::string& copy,
                                const std::vector<std::string>& defines) {
    VALKYR_TRY(text, read_input(path));
    VALKYR_TRY(defined, with_defines(text, defines));
    VALKYR_TRY_VOID(write_output(copy, defined));
    return glsl_version(text);
}

Result<Sources>
copy_sources(const std::string& path, const GlslArguments& arguments, const std::string& folder) {
    Sources sources;
    sources.paths.push_back(path);
    sources.paths.insert(sources.paths.end(), arguments.links.begin(), arguments.links.end());
    for (const std::string& each : sources.paths) {
        const GlslStage* const stage = glsl_stage_of(each);
        if (stage == nullptr)
            return Error{
                Errc::Unsupported, {}, each + ": the name ends in none of " + glsl_endings()};
        sources.names.push_back(source_name(sources.names.size(), stage->ending));
        VALKYR_TRY(version,
                   copy_source(each, folder + "/" + sources.names.back(), arguments.defines));
        if (version.es)
            sources.profile = GlslProfile::Es;
        else if (version.compatibility && sources.profile == GlslProfile::Core)
            sources.profile = GlslProfile::Compatibility;
    }
    return sources;
}

/// Runs the client; returns its exit code. The texts of all shaders go into the folder.
int run_client(const Sources& sources, const std::string& folder) {
    ProgramRun run;
    run.request.command = "glsl";
    run.request.options.quiet = true;
    run.request.options.shader_directory = folder;
    run.request.options.shader_listings = false;
    run.request.server.device.threads = 1;  // nothing is drawn
    run.program = {own_program(),  "glsl",
                   kClientOption,  folder,
                   kProfileOption, std::to_string(static_cast<int>(sources.profile))};
    run.program.insert(run.program.end(), sources.names.begin(), sources.names.end());
    return run_on_valkyr(std::move(run));
}

/// The number at the beginning of a text, which loses it and the character `end` behind it; empty:
/// something else is there.
std::string take_number(std::string_view& text, char end) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<uint8_t>(c)) != 0; };
    const auto stop = std::find_if_not(text.begin(), text.end(), is_digit);
    const auto size = static_cast<size_t>(stop - text.begin());
    if (size == 0 || size == text.size() || *stop != end)
        return {};
    std::string number(text.substr(0, size));
    text.remove_prefix(size + 1);
    return number;
}

/// Mesa's "0:12(5): error: ..." as "FILE:12:5: error: ...". Another number in front, which the
/// directive #line has set, stays.
std::string message_line(std::string_view line, const std::string& path) {
    std::string_view rest = line;
    const std::string string = take_number(rest, ':');
    const std::string row = take_number(rest, '(');
    const std::string column = take_number(rest, ')');
    if (!string.empty() && !row.empty() && !column.empty())
        return (string == "0" ? path : string) + ":" + row + ":" + column + std::string(rest);
    return path + ": " + std::string(line);
}

std::string message_lines(const GlslReply& reply, const std::vector<std::string>& paths) {
    std::string text;
    for (const GlslMessages& messages : reply.messages) {
        std::istringstream lines(messages.text);
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && messages.file < paths.size())
                text += message_line(line, paths[messages.file]) + "\n";
    }
    return text;
}

/// The last text of the processor among those of the folder: what Mesa made of the program. Earlier
/// ones would be Mesa's own.
Result<std::string> text_of_stage(const std::string& folder, const GlslStage& stage) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".tgsi")
            files.push_back(entry.path().string());
    std::sort(files.rbegin(), files.rend());
    for (const std::string& file : files) {
        VALKYR_TRY(text, read_input(file));
        if (text.starts_with(std::string(stage.processor) + "\n"))
            return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
    }
    return Error{Errc::System, {}, "Mesa has sent no TGSI text of the shader"};
}

}  // namespace

Result<GlslTranslation> translate_glsl(const std::string& path, const GlslArguments& arguments) {
    const PrivateFolder folder;
    if (folder.path().empty())
        return Error{Errc::System,
                     {},
                     "no folder in " + PrivateFolder::base() + ": " + std::strerror(errno)};
    VALKYR_TRY(sources, copy_sources(path, arguments, folder.path()));
    const int code = run_client(sources, folder.path());
    if (code != kExitOk)
        return Error{
            Errc::System, {}, "Mesa's client has ended, exit code " + std::to_string(code)};
    VALKYR_TRY(reply, read_reply(folder.path()));
    if (!reply.failure.empty())
        return Error{Errc::System,
                     {},
                     "Mesa has no context on Valkyr: " + reply.failure + "; " + kDoctorHint};
    GlslTranslation translation;
    translation.messages = message_lines(reply, sources.paths);
    translation.good = reply.linked;
    if (reply.linked) {
        VALKYR_TRY(text, text_of_stage(folder.path(), *glsl_stage_of(path)));
        translation.text = std::move(text);
    }
    return translation;
}

}  // namespace valkyr::app

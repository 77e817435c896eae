// GLSL translation: has Mesa translate GLSL files, and keeps the TGSI text of one stage.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_translation.hpp"

#include "app/cli/file_io.hpp"
#include "app/glsl/client_run.hpp"
#include "app/glsl/glsl_source.hpp"
#include "app/glsl/register_names.hpp"
#include "app/run/private_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>
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
    bool es = false;
    bool compatibility = false;
    sources.paths.push_back(path);
    sources.paths.insert(sources.paths.end(), arguments.links.begin(), arguments.links.end());
    for (const std::string& each : sources.paths) {
        const GlslStage* const stage = glsl_stage_of(each);
        if (stage == nullptr)
            return Error{
                Errc::Unsupported, {}, each + ": the name ends in none of " + glsl_endings()};
        sources.names.push_back(source_name(0, sources.names.size(), stage->ending));
        VALKYR_TRY(version,
                   copy_source(each, folder + "/" + sources.names.back(), arguments.defines));
        es |= version.es;
        compatibility |= version.compatibility;
    }
    sources.profile = profile_of(es, compatibility);
    return sources;
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

std::string message_lines(const LinkedProgram& linked, const std::vector<std::string>& paths) {
    std::string text;
    for (const GlslMessages& messages : linked.messages) {
        std::istringstream lines(messages.text);
        for (std::string line; std::getline(lines, line);)
            if (!line.empty() && messages.source < paths.size())
                text += message_line(line, paths[messages.source]) + "\n";
    }
    return text;
}

}  // namespace

Result<GlslTranslation> translate_glsl(const std::string& path, const GlslArguments& arguments) {
    const PrivateFolder folder;
    if (folder.path().empty())
        return Error{Errc::System,
                     {},
                     "no folder in " + PrivateFolder::base() + ": " + std::strerror(errno)};
    VALKYR_TRY(sources, copy_sources(path, arguments, folder.path()));
    // A single stage is separable: Mesa keeps all its inputs and outputs.
    const GlslProgram program{sources.names.size() == 1, sources.names};
    VALKYR_TRY(reply, link_programs(folder.path(), sources.profile, {program}));
    if (reply.programs.empty())
        return Error{Errc::System, {}, "Mesa's client has linked nothing"};
    const LinkedProgram& linked = reply.programs.front();
    GlslTranslation translation;
    translation.messages = message_lines(linked, sources.paths);
    translation.good = linked.linked;
    if (!linked.linked)
        return translation;
    const GlslStage& stage = *glsl_stage_of(path);
    translation.text = text_of_stage(folder.path(), linked, stage);
    if (translation.text.empty())
        return Error{Errc::System, {}, "Mesa has sent no TGSI text of the shader"};
    VALKYR_TRY(source, read_input(folder.path() + "/" + sources.names.front()));
    translation.names = register_names(stage, linked.interface, source, translation.text);
    translation.source = std::move(source);
    return translation;
}

}  // namespace valkyr::app

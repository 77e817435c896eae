// GLSL file: lets commands that take TGSI text take GLSL files, too.
// SPDX-License-Identifier: MIT
#include "app/cli/glsl_file.hpp"

#include "app/cli/file_io.hpp"
#include "app/cli/own_program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace valkyr::app {

namespace {

constexpr GlslStage kStages[] = {
    {".vert", 0x8B31, "VERT"}, {".tesc", 0x8E88, "TESS_CTRL"}, {".tese", 0x8E87, "TESS_EVAL"},
    {".geom", 0x8DD9, "GEOM"}, {".frag", 0x8B30, "FRAG"},      {".comp", 0x91B9, "COMP"},
};

Error child_error(const char* what) {
    return Error{Errc::System, {}, std::string(what) + ": " + std::strerror(errno)};
}

/// The words of `valkyr glsl` for a file.
std::vector<std::string> command_for(const std::string& path, const GlslArguments& arguments) {
    std::vector<std::string> words = {own_program(), "glsl"};
    for (const std::string& define : arguments.defines)
        words.insert(words.end(), {"-D", define});
    for (const std::string& link : arguments.links)
        words.insert(words.end(), {"--link", link});
    words.insert(words.end(), {kPartsOption, "--", path});
    return words;
}

/// Starts a program whose standard output is the write end of a pipe.
Result<pid_t> start_into(std::vector<std::string> words, const int (&ends)[2]) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t child = 0;
    const int error = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return Error{Errc::System, {}, words[0] + ": " + std::strerror(error)};
    return child;
}

/// All bytes up to the end of a file, or as many as an input may have.
std::string read_all(int file) {
    std::string text;
    char chunk[4096];
    while (text.size() < kMaxInputBytes) {
        const ssize_t count = read(file, chunk, sizeof chunk);
        if (count > 0)
            text.append(chunk, static_cast<size_t>(count));
        else if (count == 0 || errno != EINTR)
            break;
    }
    return text;
}

/// Runs the program; returns its standard output.
/// errors  System: its exit code is not 0
Result<std::string> output_of_command(std::vector<std::string> words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return child_error("pipe");
    const auto child = start_into(std::move(words), ends);
    close(ends[1]);
    const std::string text = child.has_value() ? read_all(ends[0]) : "";
    close(ends[0]);
    if (!child.has_value())
        return child.error();
    int status = 0;
    while (waitpid(*child, &status, 0) < 0)
        if (errno != EINTR)
            return child_error("waitpid");
    if (status != 0)
        return Error{Errc::System, {}, "`valkyr glsl` has failed"};
    return text;
}

}  // namespace

const GlslStage* glsl_stage_of(std::string_view path) {
    for (const GlslStage& stage : kStages)
        if (path.ends_with(stage.ending))
            return &stage;
    return nullptr;
}

std::span<const GlslStage> glsl_stages() {
    return kStages;
}

std::string glsl_endings() {
    std::string text;
    for (const GlslStage& stage : kStages)
        text += (text.empty() ? "" : ", ") + std::string(stage.ending);
    return text;
}

void add_glsl_arguments(Command command, GlslArguments& arguments) {
    command
        .option("-D", arguments.defines,
                "Define a macro in the GLSL files, behind #version; without a value it is 1")
        .one_value_each()
        .value_name("NAME=VALUE");
    command
        .option("--link", arguments.links,
                "GLSL file of another stage of the same program; can be repeated")
        .one_value_each()
        .value_name("FILE");
}

Result<ShaderInput> read_shader(const std::string& path, const GlslArguments& arguments) {
    if (glsl_stage_of(path) == nullptr) {
        VALKYR_TRY(text, read_input(path));
        return ShaderInput{std::move(text), {}, {}};
    }
    VALKYR_TRY(all, output_of_command(command_for(path, arguments)));
    const size_t names = std::min(all.find(kPartsEnd), all.size());
    const size_t source = std::min(all.find(kPartsEnd, names + 1), all.size());
    ShaderInput input;
    input.text = all.substr(0, names);
    if (source < all.size()) {
        input.names = all.substr(names + 1, source - names - 1);
        input.glsl = all.substr(source + 1);
    }
    return input;
}

}  // namespace valkyr::app

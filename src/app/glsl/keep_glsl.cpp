// Keep GLSL: adds to a trace the GLSL of the recorded program, with what Mesa makes of it.
// SPDX-License-Identifier: MIT
#include "app/glsl/keep_glsl.hpp"

#include "app/cli/file_io.hpp"
#include "app/glsl/client_run.hpp"
#include "app/glsl/glsl_source.hpp"
#include "app/glsl/register_names.hpp"
#include "app/glsl/shader_test.hpp"
#include "app/run/private_folder.hpp"
#include "virgl/capture/trace.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace valkyr::app {

namespace {

constexpr size_t kMostPrograms = 4096;
constexpr size_t kMostBytes = size_t{64} << 20;  ///< of all sources

/// The programs of a recording, each once, in the order of their links.
struct Captured {
    std::vector<CapturedProgram> programs;
    size_t left_out = 0;
};

struct CaptureFile {
    std::filesystem::file_time_type time;
    std::string path;
    auto operator<=>(const CaptureFile&) const = default;
};

Captured read_captured(const std::string& folder) {
    std::vector<CaptureFile> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".shader_test")
            files.push_back({entry.last_write_time(error), entry.path().string()});
    std::ranges::sort(files);
    Captured captured;
    size_t bytes = 0;
    for (const CaptureFile& file : files) {
        const auto text = read_input(file.path);
        if (!text.has_value() || captured.programs.size() == kMostPrograms ||
            bytes + text->size() > kMostBytes) {
            ++captured.left_out;
            continue;
        }
        CapturedProgram program = parse_shader_test(*text);
        if (program.sources.empty() ||
            std::ranges::find(captured.programs, program) != captured.programs.end())
            continue;
        bytes += text->size();
        captured.programs.push_back(std::move(program));
    }
    return captured;
}

GlslProfile profile_of_program(const CapturedProgram& program) {
    bool es = program.es;
    bool compatibility = false;
    for (const CapturedProgram::Source& source : program.sources) {
        const GlslVersion version = glsl_version(source.text);
        es |= version.es;
        compatibility |= version.compatibility;
    }
    return profile_of(es, compatibility);
}

/// Links the programs of one profile and writes them to the trace.
class Keeper {
public:
    Keeper(const Captured& captured, virgl::TraceWriter& writer)
        : captured_(captured)
        , writer_(writer) {}

    /// Returns how many were kept.
    Result<size_t> keep(GlslProfile profile) {
        std::vector<size_t> wanted;
        for (size_t i = 0; i < captured_.programs.size(); ++i)
            if (profile_of_program(captured_.programs[i]) == profile)
                wanted.push_back(i);
        if (wanted.empty())
            return size_t{0};
        const PrivateFolder folder;
        if (folder.path().empty())
            return Error{Errc::System,
                         {},
                         "no folder in " + PrivateFolder::base() + ": " + std::strerror(errno)};
        std::vector<GlslProgram> programs;
        for (const size_t i : wanted) {
            VALKYR_TRY(program, write_sources(i, folder.path()));
            programs.push_back(std::move(program));
        }
        VALKYR_TRY(reply, link_programs(folder.path(), profile, programs));
        size_t kept = 0;
        for (size_t i = 0; i < std::min(reply.programs.size(), wanted.size()); ++i)
            if (reply.programs[i].linked)
                kept += write(wanted[i], reply.programs[i], folder.path()) ? 1 : 0;
        return kept;
    }

private:
    Result<GlslProgram> write_sources(size_t number, const std::string& folder) const {
        const CapturedProgram& captured = captured_.programs[number];
        GlslProgram program{captured.separable, {}};
        for (size_t i = 0; i < captured.sources.size(); ++i) {
            const CapturedProgram::Source& source = captured.sources[i];
            program.names.push_back(source_name(number, i, source.stage->ending));
            VALKYR_TRY_VOID(write_output(folder + "/" + program.names.back(), source.text));
        }
        return program;
    }

    /// Whether a stage was written.
    bool write(size_t number, const LinkedProgram& linked, const std::string& folder) {
        bool any = false;
        for (const CapturedProgram::Source& source : captured_.programs[number].sources) {
            // The driver sends no text that is equal to that of a shader which lives: one of the
            // same source.
            std::string& tgsi = texts_[{source.stage, source.text}];
            if (std::string text = text_of_stage(folder, linked, *source.stage); !text.empty())
                tgsi = std::move(text);
            if (tgsi.empty())
                continue;
            const std::string names =
                register_names(*source.stage, linked.interface, source.text, tgsi);
            writer_.glsl({static_cast<uint32_t>(number) + 1, glsl_stage_number(*source.stage),
                          source.text, tgsi, names});
            any = true;
        }
        return any;
    }

    const Captured& captured_;
    virgl::TraceWriter& writer_;
    std::map<std::pair<const GlslStage*, std::string>, std::string> texts_;  ///< by source
};

}  // namespace

Result<KeptGlsl> keep_glsl(const std::string& folder, const std::string& trace) {
    const Captured captured = read_captured(folder);
    KeptGlsl kept;
    if (captured.programs.empty())
        return KeptGlsl{0, captured.left_out};
    VALKYR_TRY(writer, virgl::TraceWriter::append_to(trace));
    Result<void> failed;
    for (const GlslProfile profile :
         {GlslProfile::Core, GlslProfile::Compatibility, GlslProfile::Es}) {
        const auto some = Keeper(captured, *writer).keep(profile);
        if (some.has_value())
            kept.programs += *some;
        else
            failed = some.error();
    }
    VALKYR_TRY_VOID(writer->finish());
    if (kept.programs == 0 && !failed.has_value())
        return failed.error();
    kept.left_out = captured.left_out + captured.programs.size() - kept.programs;
    return kept;
}

}  // namespace valkyr::app

// GLSL exchange: the files by which a GLSL client gets programs and gives back what became of them.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_exchange.hpp"

#include "app/cli/file_io.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

namespace valkyr::app {

namespace {

std::string programs_path(const std::string& folder) {
    return folder + "/programs";
}
std::string reply_path(const std::string& folder) {
    return folder + "/reply";
}

/// Reads as many bytes as the text says; false: they are not there.
bool read_bytes(std::istream& in, size_t most, std::string& bytes) {
    size_t size = 0;
    if (!(in >> size) || in.get() != '\n' || size > most)
        return false;
    bytes.assign(size, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    return static_cast<bool>(in);
}

/// The parts of a program's reply behind its first word.
bool read_linked(std::istream& in, size_t most, LinkedProgram& program) {
    size_t messages = 0;
    in >> program.linked >> program.texts_begin >> program.texts_end >> messages;
    for (; in && messages > 0; --messages) {
        GlslMessages each;
        in >> each.source;
        if (!read_bytes(in, most, each.text))
            return false;
        program.messages.push_back(std::move(each));
    }
    return in && read_bytes(in, most, program.interface);
}

}  // namespace

std::string source_name(size_t program, size_t position, std::string_view ending) {
    return std::to_string(program) + "-" + std::to_string(position) + std::string(ending);
}

std::string text_path(const std::string& folder, size_t number) {
    char name[32];
    std::snprintf(name, sizeof name, "/%04zu.tgsi", number);
    return folder + name;
}

Result<void> write_programs(const std::string& folder, const std::vector<GlslProgram>& programs) {
    std::string text;
    for (const GlslProgram& program : programs) {
        text += program.separable ? "separable" : "whole";
        for (const std::string& name : program.names)
            text += " " + name;
        text += "\n";
    }
    return write_output(programs_path(folder), text);
}

Result<std::vector<GlslProgram>> read_programs(const std::string& folder) {
    VALKYR_TRY(text, read_input(programs_path(folder)));
    std::vector<GlslProgram> programs;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        GlslProgram program;
        program.separable = word == "separable";
        while (words >> word)
            program.names.push_back(word);
        programs.push_back(std::move(program));
    }
    return programs;
}

Result<void> write_failure(const std::string& folder, const std::string& failure) {
    return write_output(reply_path(folder), "failed\n" + failure);
}

Result<void> add_linked(const std::string& folder, const LinkedProgram& program) {
    std::ofstream out(reply_path(folder), std::ios::binary | std::ios::app);
    out << "program " << program.linked << " " << program.texts_begin << " " << program.texts_end
        << " " << program.messages.size();
    for (const GlslMessages& each : program.messages)
        out << " " << each.source << " " << each.text.size() << "\n" << each.text;
    out << " " << program.interface.size() << "\n" << program.interface << "\n";
    out.flush();
    return out ? Result<void>()
               : Error{Errc::System, {}, reply_path(folder) + ": cannot be written"};
}

Result<GlslReply> read_reply(const std::string& folder) {
    VALKYR_TRY(text, read_input(reply_path(folder)));
    GlslReply reply;
    constexpr std::string_view kFailed = "failed\n";
    if (text.starts_with(kFailed)) {
        reply.failure = text.substr(kFailed.size());
        return reply;
    }
    std::istringstream in(text);
    for (std::string word; in >> word && word == "program";) {
        LinkedProgram program;
        if (!read_linked(in, text.size(), program))
            break;
        reply.programs.push_back(std::move(program));
    }
    return reply;
}

}  // namespace valkyr::app

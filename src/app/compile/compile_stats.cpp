// Compile stats: counts instructions, waits and registers of compiled shaders.
// SPDX-License-Identifier: MIT
#include "app/compile/compile_stats.hpp"

#include "app/cli/file_io.hpp"
#include "exec/entry_registers.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/register_access.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace valkyr::app {

namespace {

struct Column {
    const char* name;
    uint64_t ShaderStats::*value;
};
constexpr Column kColumns[] = {
    {"words", &ShaderStats::words},       {"fma", &ShaderStats::fma},
    {"cvt", &ShaderStats::cvt},           {"sfu", &ShaderStats::sfu},
    {"messages", &ShaderStats::messages}, {"waits", &ShaderStats::waits},
    {"hidden", &ShaderStats::hidden},     {"registers", &ShaderStats::registers},
    {"spills", &ShaderStats::spills},     {"uniforms", &ShaderStats::uniforms},
    {"loops", &ShaderStats::loops},       {"prologue", &ShaderStats::prologue},
};

void count_instruction(const valhall::Instr& instr, ShaderStats& stats) {
    switch (valhall::op_info(instr.op).unit) {
    case valhall::Unit::Fma: ++stats.fma; break;
    case valhall::Unit::Cvt: ++stats.cvt; break;
    case valhall::Unit::Sfu: ++stats.sfu; break;
    default: stats.messages += valhall::message_slot(instr).has_value() ? 1 : 0; break;
    }
    for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(instr))
        if (access.reg < exec::kHighRegister)
            stats.registers = std::max<uint64_t>(stats.registers, access.reg + 1U);
}

/// Counts waits, and the instructions between each message and the first wait for its slot. A
/// message without a wait counts nothing.
class WaitCounter {
public:
    explicit WaitCounter(ShaderStats& stats)
        : stats_(stats) {}

    void visit(const valhall::Instr& instr) {
        const auto slot = valhall::message_slot(instr);
        if (slot.has_value())
            sent_[*slot % kSlots].push_back(position_);
        const uint8_t waited = valhall::waited_slots(instr.flow);
        stats_.waits += waited != 0 ? 1 : 0;
        for (unsigned s = 0; s < kSlots; ++s) {
            if ((waited >> s & 1) == 0)
                continue;
            for (const uint64_t start : sent_[s])
                stats_.hidden += position_ - start;
            sent_[s].clear();
        }
        ++position_;
    }

private:
    static constexpr unsigned kSlots = 8;
    ShaderStats& stats_;
    std::array<std::vector<uint64_t>, kSlots> sent_;
    uint64_t position_ = 0;
};

std::string stats_row(const std::string& name, const ShaderStats& stats) {
    std::string row;
    for (const Column& column : kColumns)
        row += fmt::format("{:>9} ", stats.*column.value);
    return row + " " + name + "\n";
}

Result<ShaderStats> measure_file(const std::string& path, valhall::CompileOptions options) {
    VALKYR_TRY(text, read_input(path));
    tgsi::ParseResult parsed = tgsi::parse(text);
    if (parsed.ok())
        parsed.errors = tgsi::verify(parsed.shader);
    if (!parsed.ok())
        return std::move(parsed.errors.front());
    valhall::CompileStatistics compiled;
    options.statistics = &compiled;
    VALKYR_TRY(program, valhall::compile(parsed.shader, options));
    return measure(program, compiled);
}

Result<std::vector<std::string>> shader_files(const std::string& directory) {
    std::vector<std::string> files;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(directory, error);
    for (; !error && entry != std::filesystem::recursive_directory_iterator();
         entry.increment(error))
        if (entry->path().extension() == ".tgsi")
            files.push_back(entry->path().string());
    if (error)
        return Error{Errc::System, {}, "cannot read " + directory + ": " + error.message()};
    std::ranges::sort(files);
    return files;
}

}  // namespace

ShaderStats measure(const valhall::Program& program, const valhall::CompileStatistics& compiled) {
    ShaderStats stats;
    stats.words = program.words.size();
    stats.spills = compiled.spilled_values;
    stats.loops = compiled.loops;
    stats.uniforms = program.fau.size();
    stats.prologue = program.prologue ? program.prologue->words.size() : 0;
    WaitCounter waits(stats);
    for (const uint64_t word : program.words) {
        const auto instr = valhall::decode(word);
        if (!instr.has_value())
            continue;
        count_instruction(*instr, stats);
        waits.visit(*instr);
    }
    return stats;
}

Result<std::string> list_stats(const std::string& directory,
                               const valhall::CompileOptions& options) {
    VALKYR_TRY(files, shader_files(directory));
    std::string out;
    for (const Column& column : kColumns)
        out += fmt::format("{:>9} ", column.name);
    out += " shader\n";
    ShaderStats total;
    size_t compiled = 0;
    std::map<std::string, size_t> refused;
    for (const std::string& file : files) {
        const auto stats = measure_file(file, options);
        if (!stats.has_value()) {
            ++refused[stats.error().text];
            continue;
        }
        ++compiled;
        for (const Column& column : kColumns)
            total.*column.value += (*stats).*column.value;
        out += stats_row(std::filesystem::relative(file, directory).string(), *stats);
    }
    out += stats_row(fmt::format("total of {} shaders", compiled), total);
    for (const auto& [reason, count] : refused)
        out += fmt::format("{} not compiled: {}\n", count, reason);
    return out;
}

}  // namespace valkyr::app

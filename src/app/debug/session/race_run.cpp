// Race run: runs a work-group by the interpreter, looks for races, and describes them.
// SPDX-License-Identifier: MIT
#include "app/debug/session/race_run.hpp"

#include "app/debug/session/race_watch.hpp"
#include "valhall/text/disassemble.hpp"

namespace valkyr::debug {

namespace {

std::string_view verb(valhall::LaneAccess::Kind kind) {
    constexpr std::string_view kVerbs[] = {"reads", "writes", "updates by an atomic"};
    return kVerbs[static_cast<size_t>(kind)];
}

/// "    invocation (3,0,0) reads: line 14, word 9: LOAD.i32 ...".
std::string access_text(const SharedAccess& access, const RacePlace& place) {
    const valhall::Program& program = place.program;
    const uint32_t line =
        access.word < program.source_lines.size() ? program.source_lines[access.word] : 0;
    const auto word = valhall::disassemble(program.words[access.word]);
    return "    invocation " + invocation_name(place.block, access.invocation) + " " +
           std::string(verb(access.kind)) + ": " +
           (place.steps ? "step " + std::to_string(access.step) + ", " : std::string()) +
           (line != 0 ? place.name + ":" + std::to_string(line) + ", " : std::string()) + "word " +
           std::to_string(access.word) + ": " + (word ? *word : std::string()) + "\n";
}

std::string barriers_before(uint32_t phase) {
    if (phase == 0)
        return "before the first barrier";
    return "after " + std::to_string(phase) + (phase == 1 ? " barrier" : " barriers");
}

}  // namespace

Result<RaceRun> run_race_check(const WarpCase& warp, uint64_t step_limit) {
    RaceRun run;
    RaceWatch watch;
    VALKYR_TRY(interpreter, valhall::Interpreter::create(*warp.program, watch.options(step_limit)));
    RunOptions running;
    running.wrap = [&](const exec::DrawContext& draw, const RunMemory& memory) {
        watch.begin(memory.shared);
        return &draw;
    };
    run.result =
        run_warp(warp, interpreter_engine(interpreter, warp.stage(), &run.faults), running);
    run.races = watch.races();
    return run;
}

std::string race_text(const Race& race, const RacePlace& place) {
    std::string text = "  byte " + std::to_string(race.byte) + ", " + barriers_before(race.phase);
    if (race.times > 1)
        text += "; " + std::to_string(race.times) + " accesses in all";
    return text + "\n" + access_text(race.first, place) + access_text(race.second, place);
}

std::string
races_text(std::span<const Race> races, const WarpCase& warp, const std::string& name, bool steps) {
    if (races.empty())
        return "no races on shared memory\n";
    std::string text = "races on shared memory: " + std::to_string(races.size()) +
                       (races.size() == 1 ? " pair" : " pairs") + " of instructions\n";
    const RacePlace place{*warp.program, warp.work_group->block, name, steps};
    for (const Race& race : races)
        text += race_text(race, place);
    return text;
}

}  // namespace valkyr::debug

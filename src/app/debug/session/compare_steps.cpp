// Compare steps: compares recompiled code with the interpreter word by word, on cut programs.
// SPDX-License-Identifier: MIT
#include "app/debug/session/compare.hpp"
#include "exec/entry_registers.hpp"
#include "exec/thread_storage.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/program_graph.hpp"
#include "valhall/isa/register_access.hpp"
#include "valhall/text/assemble.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace valkyr::debug {

namespace {

/// Fills thread-local storage before anything is stored there.
constexpr uint8_t kFill = 0xA5;
/// The signed 16-bit offset of STORE reaches this far.
constexpr uint32_t kMaxTlsBytes = 0x7FF0;

/// Appends stores of r0 to r63 and the end. `.force` makes helper lanes store, too.
Result<void> append_dump(std::vector<uint64_t>& words, uint32_t offset) {
    for (unsigned reg = 0; reg < exec::kRegisters; reg += 4) {
        const bool last = reg + 4 == exec::kRegisters;
        std::string text = "STORE.i128.force.slot0";
        text += last ? ".end @" : " @";
        for (unsigned k = 0; k < 4; ++k)
            text += (k != 0 ? ":r" : "r") + std::to_string(reg + k);
        text += ", thread_local_pointer.w0, offset:" + std::to_string(offset + 4 * reg);
        VALKYR_TRY(word, valhall::assemble_line(text));
        words.push_back(word);
    }
    return {};
}

/// The word as the program cut behind `last` has it: branches that leave the cut program go to its
/// end.
Result<uint64_t> cut_word(uint64_t word, uint32_t index, uint32_t last) {
    VALKYR_TRY(instr, valhall::decode(word));
    const auto target = valhall::branch_target(instr, index);
    if (instr.op != valhall::Op::BRANCHZ || !target || *target <= int64_t{last} + 1)
        return word;
    instr.imm[0] = int64_t{last} - index;
    return valhall::encode(instr);
}

/// The lanes that have written each half of each register up to the cut.
class Written {
public:
    void note(const valhall::StepEvent& event) {
        if (std::exchange(first_, false))
            note_preloads(event.before);
        for (const valhall::RegisterAccess& access : valhall::RegisterAccesses(event.instr))
            for (unsigned half = 0; access.is_write() && half < 2; ++half)
                if ((access.halves >> half & 1) != 0)
                    lanes_[access.reg % exec::kRegisters][half] |= event.before.running;
    }
    /// The bits of a register that the lane has written.
    [[nodiscard]] uint32_t bits(unsigned lane, unsigned reg) const {
        return ((lanes_[reg][0] >> lane & 1) != 0 ? 0xFFFFU : 0U) |
               ((lanes_[reg][1] >> lane & 1) != 0 ? 0xFFFF0000U : 0U);
    }

private:
    /// The machine preloads some high registers: those that are not 0 at the start count as
    /// written.
    void note_preloads(const valhall::WarpState& start) {
        for (unsigned reg = kFirstPreload; reg < exec::kRegisters; ++reg)
            if (std::ranges::any_of(start.r[reg].v, [](uint32_t value) { return value != 0; }))
                lanes_[reg] = {0xFFFF, 0xFFFF};
    }
    static constexpr unsigned kFirstPreload = exec::kLocalIdRegister;
    std::array<std::array<uint16_t, 2>, exec::kRegisters> lanes_{};
    bool first_ = true;
};

/// A run whose lanes stored their registers in the last kDumpBytes of their thread-local storage.
struct Dump {
    WarpResult result;
    uint32_t stride = 0;

    /// Whether the lane reached the stores.
    [[nodiscard]] bool stored(unsigned lane) const {
        for (unsigned number = 0; number < exec::kRegisters; ++number)
            if (reg(lane, number) != kFill * 0x01010101U)
                return true;
        return false;
    }
    [[nodiscard]] uint32_t reg(unsigned lane, unsigned number) const {
        uint32_t value = 0;
        const size_t offset = size_t{stride} - kDumpBytes + size_t{4} * number;
        std::memcpy(&value, result.tls.data() + exec::thread_local_place(lane, offset),
                    sizeof value);
        return value;
    }
};

/// records  memory that all compared runs share, so that addresses in registers are equal
RunOptions dump_options(const valhall::Program& program, std::vector<uint8_t>& records) {
    RunOptions options;
    options.program = &program;
    options.records = &records;
    options.tls_fill = kFill;
    return options;
}

/// The first register that differs. Adds the compared registers to `compared`.
std::optional<Difference> compare_dumps(const Dump& expected,
                                        const Dump& actual,
                                        const Written& written,
                                        uint64_t& compared) {
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        if (!expected.stored(lane))
            continue;
        for (unsigned reg = 0; reg < exec::kRegisters; ++reg) {
            const uint32_t bits = written.bits(lane, reg);
            const uint32_t value = expected.reg(lane, reg);
            compared += bits != 0 ? 1 : 0;
            if (((value ^ actual.reg(lane, reg)) & bits) != 0)
                return Difference{"r" + std::to_string(reg), lane, 0, value, actual.reg(lane, reg)};
        }
    }
    return std::nullopt;
}

/// Compares the registers after one word.
Result<std::optional<Difference>>
compare_at(const WarpCase& warp, const HostEngine& engine, uint32_t word, uint64_t& compared) {
    VALKYR_TRY(program, cut_program(*warp.program, word));
    Written written;
    valhall::InterpreterOptions stepping;
    stepping.on_step = [&](const valhall::StepEvent& event) {
        if (event.word_index <= word)
            written.note(event);
    };
    VALKYR_TRY(interpreter, valhall::Interpreter::create(program, std::move(stepping)));
    std::vector<uint8_t> records;
    const RunOptions options = dump_options(program, records);
    Dump expected{run_warp(warp, interpreter_engine(interpreter, warp.stage(), nullptr), options),
                  program.info.tls_bytes};
    VALKYR_TRY(kernel, engine.make(program, warp));
    Dump actual{run_warp(warp, kernel_engine(kernel->entry()), options), program.info.tls_bytes};
    return compare_dumps(expected, actual, written, compared);
}

}  // namespace

Result<valhall::Program> cut_program(const valhall::Program& program, uint32_t word) {
    valhall::Program cut;
    cut.info = program.info;
    cut.fau = program.fau;
    cut.info.tls_bytes = program.info.tls_bytes + kDumpBytes;
    if (cut.info.tls_bytes > kMaxTlsBytes)
        return Error{Errc::OutOfRange, {}, "the program leaves no room in thread-local storage"};
    for (uint32_t i = 0; i <= word; ++i) {
        VALKYR_TRY(packed, cut_word(program.words[i], i, word));
        cut.words.push_back(packed);
    }
    VALKYR_TRY_VOID(append_dump(cut.words, program.info.tls_bytes));
    return cut;
}

Result<LockstepReport> compare_lockstep(const WarpCase& warp, const HostEngine& engine) {
    VALKYR_TRY_VOID(can_run_again(warp));
    if (warp.warps() > 1)
        return Error{Errc::Unsupported,
                     {},
                     "lockstep compares one warp, and the work-group has " +
                         std::to_string(warp.warps())};
    const std::vector<uint64_t>& words = warp.program->words;
    LockstepReport report;
    for (uint32_t word = 0; word < words.size() && words[word] != 0; ++word) {
        const auto difference = compare_at(warp, engine, word, report.registers);
        if (!difference && difference.error().code != Errc::Unsupported)
            return difference.error();
        if (!difference) {
            report.refusal = report.refused == 0 ? difference.error().text : report.refusal;
            ++report.refused;
            continue;
        }
        ++report.words;
        if (*difference) {
            report.difference = LockstepDifference{word, **difference};
            break;
        }
    }
    return report;
}

std::string lockstep_text(const HostEngine& engine,
                          const LockstepReport& report,
                          const std::vector<std::string>& words) {
    if (!report.difference)
        return engine.name + ": " + std::to_string(report.registers) +
               " registers of lanes equal, after each of " + std::to_string(report.words) +
               " words" +
               (report.refused == 0 ? "\n"
                                    : "; " + std::to_string(report.refused) +
                                          " not compared: " + report.refusal + "\n");
    const uint32_t word = report.difference->word;
    return engine.name + ": DIFFERENT after word " + std::to_string(word) + ": " +
           (word < words.size() ? words[word] : "") + "\n  " +
           describe(report.difference->difference) + "\n";
}

}  // namespace valkyr::debug

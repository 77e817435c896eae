// Wide doubles: find the doubles that only operations on doubles of their run of blocks read.
// SPDX-License-Identifier: MIT
#include "jit/guest/wide_doubles.hpp"

#include <array>

namespace valkyr::jit {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

/// The blocks that control enters from the block before them alone, with the lanes that it had.
std::vector<bool> find_continuations(const GuestProgram& program) {
    std::vector<uint8_t> ways(program.blocks.size());
    for (uint32_t b = 0; b < program.blocks.size(); ++b)
        program.each_successor(b, [&](uint32_t to) { ways[to] = ways[to] != 0 ? 2 : 1; });
    std::vector<bool> continues(program.blocks.size());
    for (uint32_t b = 1; b < program.blocks.size(); ++b) {
        const Exit before = program.blocks[b - 1].exit;
        continues[b] = ways[b] == 1 && !program.blocks[b].join &&
                       (before == Exit::FallThrough ||
                        (before == Exit::Branch && program.blocks[b - 1].target != b));
    }
    return continues;
}

class Finder {
public:
    explicit Finder(GuestProgram& program)
        : program_(program)
        , continues_(find_continuations(program)) {}

    /// First all doubles are wide; a reader of words takes that back. Then readers learn it.
    void find() {
        for (uint32_t b = 0; b < program_.blocks.size(); ++b) {
            begin(b);
            give_words(program_.blocks[b].waited_for);
            walk(b, [&](Step& step) {
                step.wide.result = makes_double(step) &&
                                   (program_.blocks[b].waited_for & step.access.writes).empty();
                give_words(word_reads(step));
            });
            give_words(read_elsewhere(b));
        }
        for (uint32_t b = 0; b < program_.blocks.size(); ++b) {
            begin(b);
            walk(b, [&](Step& step) { mark_sources(step); });
        }
    }

private:
    void begin(uint32_t b) {
        if (!continues_[b])
            writer_.fill(kNone);
    }

    template <typename F>
    void walk(uint32_t b, F f) {
        const Block& block = program_.blocks[b];
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            Step& step = program_.steps[k];
            f(step);
            step.access.writes.each([&](Reg r) { writer_[r] = k; });
        }
    }

    /// The registers that are read behind a block, other than by the block that continues it.
    [[nodiscard]] RegSet read_elsewhere(uint32_t b) const {
        const Block& block = program_.blocks[b];
        RegSet read;
        bool goes_on = false;
        program_.each_successor(b, [&](uint32_t to) {
            if (to == b + 1 && continues_[to])
                goes_on = true;
            else
                read |= program_.blocks[to].live_in;
        });
        return goes_on ? read : block.live_out;
    }

    static bool makes_double(const Step& step) {
        return step.doubles && valhall::double_op_info(step.doubles->op).result_words == 2;
    }

    /// The step whose result is the double in two registers; null if it is not known.
    [[nodiscard]] Step* maker(Reg low, Reg high) const {
        const uint32_t k = writer_[low];
        if (k == kNone || k != writer_[high])
            return nullptr;
        Step& step = program_.steps[k];
        const bool whole =
            makes_double(step) && step.doubles->result == low && register_behind(low, 1) == high;
        return whole ? &step : nullptr;
    }

    /// Calls f(number, low, high) for every double that a step reads.
    template <typename F>
    static void each_double(const Step& step, F f) {
        const unsigned count = valhall::double_op_info(step.doubles->op).source_words / 2;
        for (unsigned i = 0; i < count; ++i)
            f(i, step.doubles->sources[size_t{2} * i], step.doubles->sources[size_t{2} * i + 1]);
    }

    /// The registers that a step reads otherwise than as a double whose maker is known.
    [[nodiscard]] RegSet word_reads(const Step& step) const {
        if (!step.doubles)
            return step.access.reads;
        const unsigned words = valhall::double_op_info(step.doubles->op).source_words;
        RegSet read;
        if (words % 2 != 0)
            read = RegSet::one(step.doubles->sources[words - 1]);
        each_double(step, [&](unsigned, Reg low, Reg high) {
            if (maker(low, high) == nullptr)
                read |= RegSet::one(low) | RegSet::one(high);
        });
        return read;
    }

    void give_words(RegSet registers) {
        registers.each([&](Reg r) {
            if (writer_[r] != kNone)
                program_.steps[writer_[r]].wide.result = false;
        });
    }

    void mark_sources(Step& step) const {
        step.wide.sources = 0;
        if (!step.doubles)
            return;
        each_double(step, [&](unsigned i, Reg low, Reg high) {
            const Step* from = maker(low, high);
            if (from != nullptr && from->wide.result)
                step.wide.sources |= static_cast<uint8_t>(1U << i);
        });
    }

    GuestProgram& program_;
    const std::vector<bool> continues_;
    std::array<uint32_t, kRegCount> writer_{};  ///< by register: the last step that wrote it
};

}  // namespace

void find_wide_doubles(GuestProgram& program) {
    Finder(program).find();
}

}  // namespace valkyr::jit

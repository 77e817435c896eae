// Trap watch: finds where NaN and infinity come from in warps that an interpreter runs.
// SPDX-License-Identifier: MIT
//
// A line of the text makes a NaN if a word of it has a NaN result without having read one from
// outside of the line, and another line reads the result. Words of one line may make what the line
// does not: a square root of 0 is 0 times infinity, which a selection replaces. So a value that is
// made counts only where it leaves its line. An infinity is made if a result is infinite and
// nothing that was read is infinite or a NaN.
//
// Words of memory have no type. A NaN or an infinity that was loaded as such counts where an
// operation on floats first reads it.
#pragma once

#include "app/debug/trap/call_warps.hpp"
#include "app/debug/trap/trap_text.hpp"
#include "valhall/interpreter/interpreter.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

enum class Special : uint8_t { None, Nan, Infinity };

/// Where a value of a register comes from.
struct TrapMark {
    enum class Origin : uint8_t {
        None,   ///< it is a number, or what it is does not matter
        Made,   ///< a word of a line of floats made it
        Bits,   ///< of unknown type: loaded, or made of integers
        Known,  ///< counted already, or passed on
    };
    Special special{};
    Origin origin{};
    uint32_t word = 0;  ///< Made, Bits: of the program
};

/// A NaN or an infinity that was found.
struct TrapHit {
    Special special{};
    bool is_made = false;      ///< false: it came in by the word
    bool by_prologue = false;  ///< `word` is one of the uniform prologue
    uint32_t word = 0;         ///< that made or brought it
    unsigned lane = 0;
    uint32_t number = 0;  ///< of the warp since begin()
    const exec::Warp& warp;
    /// "0" or "1, -2": what the line of the word read; may be empty.
    const std::function<std::string()>& operands;
};

/// The results of a uniform prologue: marks of its registers, and their operands.
struct PrologueMarks {
    struct Result {
        TrapMark mark;
        uint32_t line = 0;
        std::string operands;
    };
    std::array<Result, exec::kRegisters> registers;
};

/// Watches the calls of one program, one after the other. It cannot be moved: the interpreter's
/// options refer to it.
class TrapWatch {
public:
    /// Called for each lane, live and not a helper, in which one is found, once a warp and line.
    using OnHit = std::function<void(const TrapHit& hit)>;

    /// program, text  must outlive the watch
    /// prologue       null: the program has none
    TrapWatch(const valhall::Program& program,
              const TrapText& text,
              std::shared_ptr<const PrologueMarks> prologue,
              OnHit on_hit);
    ~TrapWatch();
    TrapWatch(const TrapWatch&) = delete;
    TrapWatch& operator=(const TrapWatch&) = delete;

    /// Options for the interpreter that runs the calls, with observers.
    valhall::InterpreterOptions options();
    /// A call, or a work-group of one, will run next.
    void begin(const exec::DrawContext& draw, bool is_group);
    /// Copies the marks of the registers of the last warp, which has one lane.
    void take_results(PrologueMarks& marks) const;

private:
    struct WarpTrace;
    struct Reader;
    void step(const valhall::StepEvent& event);
    WarpTrace& trace_of(const valhall::StepEvent& event);
    void read_registers(const Reader& at);
    void read_one(const Reader& at, unsigned reg, bool as_float);
    void read_doubles(const Reader& at, const valhall::DoubleRange& range);
    void
    read_number(const Reader& at, unsigned lane, unsigned reg, Special special, TrapMark& found);
    void write_doubles(const Reader& at, const valhall::DoubleRange& range);
    void write_halves(const Reader& at);
    void write_word(const Reader& at);
    static bool reads_marked(const Reader& at);
    TrapMark result_mark(const Reader& at, unsigned lane, uint32_t bits);
    TrapMark mark_of_source(const Reader& at, unsigned source, unsigned lane, uint32_t bits);
    TrapMark mark_of_register(const Reader& at, unsigned reg, unsigned lane, Special result) const;
    TrapMark
    mark_of_uniform(const Reader& at, unsigned source, unsigned lane, Special result, bool copies);
    std::optional<TrapMark> mark_of_neighbour(const Reader& at, uint32_t bits) const;
    void write_staging(const Reader& at);
    void keep_operands(const Reader& at);
    void hit(const Reader& at, unsigned lane, const TrapMark& mark, bool is_made);
    void hit_prologue(const Reader& at, unsigned lane, uint32_t reg);
    void collect(const WarpTrace& trace,
                 uint32_t word,
                 unsigned lane,
                 std::set<uint32_t>& seen,
                 std::vector<std::string>& values) const;
    [[nodiscard]] std::string
    operands_of(const WarpTrace& trace, uint32_t word, unsigned lane) const;
    /// Whether both words belong to one execution of a line. A word that reads what a later word
    /// wrote reads the result of an earlier round of a loop.
    [[nodiscard]] bool one_line(uint32_t writer, uint32_t reader) const {
        return lines_[writer] == lines_[reader] && writer < reader;
    }
    /// Its place among the program's.
    [[nodiscard]] size_t number_of(const valhall::DoubleRange& range) const {
        return static_cast<size_t>(&range - program_.double_ranges.data());
    }
    /// Whether the word only carries values: where branches join, or to where they are expected.
    [[nodiscard]] bool is_carrier(uint32_t word) const;
    [[nodiscard]] bool makes_floats(uint32_t word) const;
    [[nodiscard]] bool reads_constant(uint32_t word, uint32_t bits) const;

    const valhall::Program& program_;
    const TrapText& text_;
    std::shared_ptr<const PrologueMarks> prologue_;
    OnHit on_hit_;
    std::vector<valhall::Instr> instrs_;
    /// By word. Messages and words of no line are lines of their own, from kOwnLine on.
    std::vector<uint32_t> lines_;
    std::vector<const valhall::DoubleRange*> ranges_;  ///< by word; null: in none
    std::vector<uint32_t> places_;                     ///< by word: the first one of its line
    std::span<const uint32_t> fau_;
    std::vector<std::unique_ptr<WarpTrace>> traces_;
    CallWarps warps_;
};

}  // namespace valkyr::debug

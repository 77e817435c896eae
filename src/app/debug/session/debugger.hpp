// Debugger: keeps a recording, a place in it, breakpoints and watches.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_listing.hpp"
#include "app/debug/session/compare.hpp"
#include "app/debug/session/watch.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// The compiled text, its Valhall words and its host code.
struct Listing {
    std::string source_name;
    std::vector<std::string> source;  ///< lines; line 1 is source[0]
    std::vector<std::string> words;   ///< mnemonics, by word
    std::vector<jit::HostLine> host;  ///< empty: no recompiler for this host
    std::string host_name;            ///< "avx512"
    GlslListing glsl;
};

/// The data of one session; shared and immutable.
struct Session {
    std::shared_ptr<void> keeper;  ///< owns the memory that the warp refers to; ends last
    std::shared_ptr<const tgsi::Shader> shader;
    std::shared_ptr<const valhall::DebugInfo> info;  ///< null: not known for this program
    std::unique_ptr<WarpCase> warp;
    std::string title;  ///< "demo:cube, draw 1, pixel 320,240: fragment shader lit.frag.tgsi"
    Listing listing;
    std::vector<std::vector<uint32_t>> constants;  ///< CONST[b] words
    std::vector<std::string> hits;  ///< scenes: one line for each warp that has the target
    unsigned lane = 0;              ///< of the target
};

/// The listing of a program, with host code for the state of the case.
Listing make_listing(const WarpCase& warp,
                     std::string source_name,
                     std::string_view source,
                     jit::HostLevel level);

enum class StopReason : uint8_t { Step, Breakpoint, Divergence, Place, End, Start };

struct Stop {
    StopReason reason = StopReason::Step;
    uint32_t breakpoint = 0;  ///< its number
};

struct Breakpoint {
    enum class Kind : uint8_t {
        Word,
        Line,     ///< the first word of a source line
        Barrier,  ///< where all warps of a work-group have reached a barrier
    };
    uint32_t number = 0;
    Kind kind = Kind::Word;
    uint32_t place = 0;  ///< line (1-based) or word
    std::optional<Condition> condition;
    std::string condition_text;
    uint32_t hits = 0;
};

/// "line 12", "word 3" or "barriers".
std::string place_text(const Breakpoint& breakpoint);

/// A warp of a work-group between two steps.
struct WarpPlace {
    enum class State : uint8_t { Ready, AtBarrier, Ended };
    State state = State::Ready;
    std::vector<uint32_t> barriers;  ///< lines of the barriers at which lanes wait
};

/// A word of a region of memory.
struct MemoryWord {
    uint32_t value = 0;
    bool changed = false;  ///< since the last stop
};

/// Walks through a recording. Of a work-group it shows one warp; the others run along in the order
/// of the recording.
class Debugger {
public:
    /// errors   those of Recording::make
    static Result<std::unique_ptr<Debugger>> create(std::shared_ptr<const Session> session,
                                                    const RecordOptions& options = {});

    [[nodiscard]] const Session& session() const { return *session_; }
    [[nodiscard]] const Recording& recording() const { return recording_; }
    [[nodiscard]] const Cursor& cursor() const { return *cursor_; }
    [[nodiscard]] const valhall::WarpState& state() const { return cursor_->state(); }
    [[nodiscard]] View view() const;

    /// Source line of a word, 0 if it has none.
    [[nodiscard]] uint32_t line_of(uint32_t word) const;
    /// Source line of the next instruction.
    [[nodiscard]] uint32_t line() const { return line_of(cursor_->word()); }
    /// The line of GLSL that the next instruction comes from.
    [[nodiscard]] GlslLine glsl_line() const { return session_->listing.glsl.line_of(line()); }
    /// Words that a line was compiled to.
    [[nodiscard]] std::vector<uint32_t> words_of(uint32_t line) const;

    [[nodiscard]] bool has_breakpoint(bool on_line, uint32_t place) const;

    // Work-groups.
    [[nodiscard]] uint32_t warp() const { return cursor_->warp(); }
    /// errors   OutOfRange: no such warp
    Result<void> show_warp(uint32_t warp);
    [[nodiscard]] WarpPlace warp_place(uint32_t warp) const;
    /// Lines of the barriers at which warps have waited until this place.
    [[nodiscard]] std::vector<uint32_t> passed_barriers() const;
    /// A region's words; Recording::regions() names the regions.
    [[nodiscard]] std::vector<MemoryWord> memory(uint32_t region) const;
    [[nodiscard]] size_t last_stop() const { return last_stop_; }

    // Moving. `back`: towards the beginning. Breakpoints count in every warp; all else is about
    // steps of the shown one.
    Stop step(uint64_t count = 1, bool back = false);
    /// Goes to the next source line, `count` times.
    Stop step_line(uint64_t count = 1, bool back = false);
    /// Goes behind the current basic block; back: to the block before it.
    Stop step_block(bool back = false);
    Stop resume(bool back = false);
    /// Goes on until the running lanes change.
    Stop next_divergence(bool back = false);
    Stop run_to_word(uint32_t word, bool back = false);
    Stop run_to_line(uint32_t line, bool back = false);
    Stop move_to(size_t position);

    /// errors   OutOfRange: no such word; Semantic: nothing was compiled from the line
    Result<uint32_t> add_breakpoint(bool on_line,
                                    uint32_t place,
                                    std::optional<Condition> condition = {},
                                    std::string condition_text = {});
    /// errors   Unsupported: the session has no work-group
    Result<uint32_t> add_barrier_breakpoint();
    bool remove_breakpoint(uint32_t number);
    [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }

private:
    Debugger(std::shared_ptr<const Session> session, Recording recording);
    template <typename Arrived>
    Stop run(bool back, Arrived&& arrived);
    Breakpoint* breakpoint_here();
    [[nodiscard]] bool is_here(const Breakpoint& breakpoint) const;
    [[nodiscard]] bool starts_line(uint32_t line) const;
    void add_barrier_lines(const Step& step, std::vector<uint32_t>& lines) const;

    std::shared_ptr<const Session> session_;
    Recording recording_;
    std::optional<Cursor> cursor_;
    std::vector<uint32_t> block_of_;  ///< by word
    std::vector<Breakpoint> breakpoints_;
    uint32_t next_breakpoint_ = 1;
    size_t last_stop_ = 0;  ///< place before the last movement
};

}  // namespace valkyr::debug

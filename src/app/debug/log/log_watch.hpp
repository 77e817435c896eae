// Log watch: follows warps that an interpreter runs, and makes the lines of log points.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/log/log_points.hpp"
#include "app/debug/session/debugger.hpp"
#include "app/debug/session/program_source.hpp"
#include "app/debug/trap/call_warps.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

/// A draw or dispatch that runs.
struct LogWork {
    bool is_draw = true;
    uint32_t number = 0;
    uint64_t frame = 0;  ///< 0: none
};

/// A call of a kernel, or a work-group of one.
struct LogCall {
    bool is_group = false;
    std::function<CallLane(const LanePlace& place)> lane;
    /// Makes the values that are not in registers, of a warp.
    /// number  of the warp, in the order of their starts
    std::function<std::unique_ptr<WarpCase>(uint32_t number)> make_case;
    bool case_per_warp = false;  ///< else all warps of the call share a case
    uint64_t tls = 0;            ///< base of thread-local storage
    /// The records of a control program's group, by Recording::regions(); empty: they do not
    /// change.
    std::vector<std::span<const uint8_t>> records;
};

/// Watches the calls of one program, one after the other. It cannot be moved: the interpreter's
/// options refer to it.
class LogWatch {
public:
    LogWatch(LogPoints& points, const valhall::Program& program)
        : points_(points)
        , program_(program) {}
    LogWatch(const LogWatch&) = delete;
    LogWatch& operator=(const LogWatch&) = delete;

    /// Chooses the log points for the calls of a draw or dispatch.
    /// returns  whether there are any
    bool begin_work(const LogWork& work,
                    LaneStage stage,
                    const std::string& shader_name,
                    const ProgramSource& source,
                    const std::vector<std::vector<uint32_t>>& constants);
    /// A call, or a work-group of one, will run next. It must outlive the run.
    void begin(const LogCall& call);
    /// Options for the interpreter that runs the calls, with an observer.
    valhall::InterpreterOptions options();

private:
    /// A log point in this program.
    struct Point {
        size_t number = 0;  ///< of the specification
        const LogSpec* spec = nullptr;
        /// By word: 0: it is not the point's; else the execution of the line that it belongs to,
        /// since a line of a subroutine is there once a call.
        std::vector<uint32_t> part;
        uint32_t parts = 0;
    };
    /// A warp that has not ended.
    struct WarpTrace {
        /// By point and part: the last word of it that each lane has executed, plus 1.
        std::vector<std::vector<std::array<uint32_t, exec::kLanes>>> last;
        std::vector<uint8_t> tls;  ///< before the next step
    };

    [[nodiscard]] Result<Point>
    make_point(size_t number, const LogSpec& spec, const ProgramSource& source) const;
    std::optional<Point> choose(size_t number,
                                LaneStage stage,
                                const std::string& shader_name,
                                const ProgramSource& source);
    void step(const valhall::StepEvent& event);
    void start_warp(WarpTrace& trace, const CallWarps::Place& place);
    static uint16_t starting_lanes(const Point& point,
                                   std::vector<std::array<uint32_t, exec::kLanes>>& last,
                                   const valhall::StepEvent& event);
    void print(const Point& point,
               const CallWarps::Place& place,
               const valhall::StepEvent& event,
               uint16_t lanes);
    uint16_t chosen_lanes(const Point& point, const View& view);
    [[nodiscard]] std::vector<std::vector<std::string>>
    values_of(const Point& point, const View& view, uint16_t lanes) const;
    [[nodiscard]] std::string text_of(const Point& point,
                                      const CallLane& lane,
                                      unsigned number,
                                      uint32_t word,
                                      const std::vector<std::string>& values) const;
    [[nodiscard]] std::string
    piece_text(const LogPiece& piece, const CallLane& lane, unsigned number, uint32_t word) const;
    [[nodiscard]] uint32_t line_of(uint32_t word) const {
        return word < program_.source_lines.size() ? program_.source_lines[word] : 0;
    }
    void note_stores(WarpTrace& trace, const CallWarps::Place& place);
    [[nodiscard]] std::string head_of(const CallLane& lane) const;

    LogPoints& points_;
    const valhall::Program& program_;
    LogWork work_;
    std::string shader_name_;
    std::vector<exec::VaryingSlot> input_slots_;
    std::vector<exec::VaryingSlot> output_slots_;
    Session session_;
    std::vector<Point> chosen_;
    const LogCall* call_ = nullptr;
    CallWarps warps_;
    std::vector<WarpTrace> traces_;             ///< by slot
    std::vector<std::vector<uint8_t>> memory_;  ///< before the next step
    bool has_case_ = false;
};

}  // namespace valkyr::debug

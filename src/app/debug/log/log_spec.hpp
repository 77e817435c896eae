// Log spec: reads what a log point prints, where, and of which lanes.
// SPDX-License-Identifier: MIT
//
// draw=12 stage=fragment pixel=150,97 line=7 if TEMP[0].x > 1: "x is {TEMP[3].xy} at {pixel}"
#pragma once

#include "app/debug/session/watch.hpp"
#include "app/debug/trap/call_lane.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace valkyr::debug {

/// "3", "2-5", "1,4-6": numbers; an empty list has all of them.
struct NumberFilter {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;  ///< first and last

    [[nodiscard]] bool is_set() const { return !ranges.empty(); }
    [[nodiscard]] bool has(uint64_t number) const;
    /// Whether a lane's number is among them; a lane without one is only if all are.
    [[nodiscard]] bool has(const std::optional<uint32_t>& number) const {
        return !is_set() || (number && has(*number));
    }
};

/// A rectangle, its corners included.
struct PixelFilter {
    std::pair<int32_t, int32_t> first;
    std::pair<int32_t, int32_t> last;
};

/// Text, or something in braces.
struct LogPiece {
    enum class Kind : uint8_t {
        Text,
        Value,
        Pixel,
        Vertex,
        Instance,
        Primitive,
        Patch,
        Invocation,
        Lane,
        Draw,
        Frame,
        Line,
    };
    Kind kind = Kind::Text;
    std::string text;  ///< Text
    Watch watch;       ///< Value
    NumberFormat format = NumberFormat::Float;
};

/// A log point.
struct LogSpec {
    std::string source;  ///< as written
    NumberFilter draws;
    NumberFilter dispatches;
    NumberFilter frames;
    NumberFilter vertices;
    NumberFilter primitives;
    NumberFilter patches;
    NumberFilter invocations;
    std::optional<PixelFilter> pixels;
    std::optional<LaneStage> stage;
    std::string shader;  ///< name; empty: all
    bool on_line = true;
    uint32_t place = 0;  ///< line, from 1, or word
    std::optional<Condition> condition;
    std::vector<LogPiece> pieces;

    /// errors  Syntax; the column of the place in the text
    static Result<LogSpec> parse(std::string_view text);

    /// Whether the filters allow a draw or dispatch of a frame; frame 0 is none.
    [[nodiscard]] bool allows_work(bool is_draw, uint64_t number, uint64_t frame) const;
    /// Whether they allow a shader.
    [[nodiscard]] bool allows_shader(LaneStage of_stage, std::string_view name) const {
        return (!stage || *stage == of_stage) && (shader.empty() || shader == name);
    }
    [[nodiscard]] bool allows_lane(const CallLane& lane) const;
    /// The names that the condition and the text read.
    [[nodiscard]] std::vector<const Watch*> watches() const;
};

}  // namespace valkyr::debug

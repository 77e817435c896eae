// Log watch: follows warps that an interpreter runs, and makes the lines of log points.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_watch.hpp"

#include "exec/thread_storage.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace valkyr::debug {

namespace {

using exec::kLanes;

std::string number_or_dash(const std::optional<uint32_t>& number) {
    return number ? std::to_string(*number) : "-";
}

/// The order of lanes within a draw: by stage and primitive.
std::array<uint64_t, 5> key_of(const CallLane& lane) {
    const auto stage = static_cast<uint64_t>(lane.stage);
    const auto number = [](const std::optional<uint32_t>& value) {
        return uint64_t{value.value_or(0)};
    };
    switch (lane.stage) {
    case LaneStage::Vertex: return {stage, lane.instance, number(lane.vertex)};
    case LaneStage::Control: return {stage, number(lane.patch), number(lane.invocation)};
    case LaneStage::Evaluation: return {stage, number(lane.patch)};
    case LaneStage::Geometry: return {stage, number(lane.primitive), number(lane.invocation)};
    case LaneStage::Fragment:
        return {stage, number(lane.primitive), static_cast<uint64_t>(lane.pixel->second),
                static_cast<uint64_t>(lane.pixel->first), number(lane.sample)};
    case LaneStage::Compute: break;
    }
    return {stage, lane.group[2], lane.group[1], lane.group[0], number(lane.invocation)};
}

}  // namespace

Result<LogWatch::Point>
LogWatch::make_point(size_t number, const LogSpec& spec, const ProgramSource& source) const {
    Point point;
    point.number = number;
    point.spec = &spec;
    const auto words = static_cast<uint32_t>(program_.words.size());
    point.part.assign(words, 0);
    std::map<uint32_t, uint32_t> parts;  // by point of the text
    for (uint32_t word = 0; word < words; ++word) {
        if (spec.on_line ? line_of(word) != spec.place : word != spec.place)
            continue;
        const uint32_t at = source.info ? source.info->point_of(word) : 0;
        point.part[word] =
            parts.try_emplace(at, static_cast<uint32_t>(parts.size() + 1)).first->second;
    }
    point.parts = static_cast<uint32_t>(parts.size());
    if (point.parts != 0)
        return point;
    const std::string place = std::to_string(spec.place);
    return Error{Errc::Semantic,
                 {},
                 spec.on_line ? "no instruction was made from line " + place + " alone"
                              : "the program ends with word " + std::to_string(words - 1)};
}

/// The log point if it is about the shader; else notes why it is not.
std::optional<LogWatch::Point> LogWatch::choose(size_t number,
                                                LaneStage stage,
                                                const std::string& shader_name,
                                                const ProgramSource& source) {
    using Reached = LogPoints::Reached;
    const LogSpec& spec = points_.specs()[number];
    if (!spec.allows_shader(stage, shader_name))
        return std::nullopt;
    const std::string in = " (shader \"" + shader_name + "\")";
    auto point = make_point(number, spec, source);
    if (!point.has_value()) {
        points_.note(number, Reached::Shader, point.error().text + in);
        return std::nullopt;
    }
    for (const Watch* watch : spec.watches()) {
        const auto declared = check_declared(*watch, *source.shader);
        if (!declared.has_value()) {
            points_.note(number, Reached::Names, declared.error().text + in);
            return std::nullopt;
        }
    }
    points_.note(number, Reached::Place);
    return *std::move(point);
}

bool LogWatch::begin_work(const LogWork& work,
                          LaneStage stage,
                          const std::string& shader_name,
                          const ProgramSource& source,
                          const std::vector<std::vector<uint32_t>>& constants) {
    chosen_.clear();
    for (size_t i = 0; i < points_.specs().size(); ++i)
        if (points_.specs()[i].allows_work(work.is_draw, work.number, work.frame))
            if (auto point = choose(i, stage, shader_name, source))
                chosen_.push_back(*std::move(point));
    if (chosen_.empty())
        return false;
    work_ = work;
    shader_name_ = shader_name;
    session_.shader = source.shader;
    session_.info = source.info;
    session_.constants = constants;
    input_slots_ = source.input_slots;
    output_slots_ = source.output_slots;
    return true;
}

void LogWatch::begin(const LogCall& call) {
    call_ = &call;
    warps_.begin(call.is_group);
    has_case_ = false;
}

valhall::InterpreterOptions LogWatch::options() {
    valhall::InterpreterOptions options;
    options.on_step = [this](const valhall::StepEvent& event) { step(event); };
    return options;
}

void LogWatch::step(const valhall::StepEvent& event) {
    const CallWarps::Place place = warps_.next(event);
    if (place.slot >= traces_.size())
        traces_.resize(place.slot + 1);
    WarpTrace& trace = traces_[place.slot];
    if (place.is_new)
        start_warp(trace, place);
    for (size_t i = 0; i < chosen_.size(); ++i) {
        const uint32_t part = chosen_[i].part[event.word_index];
        if (part == 0)
            continue;
        if (const uint16_t lanes = starting_lanes(chosen_[i], trace.last[i], event))
            print(chosen_[i], place, event, lanes);
    }
    if (has_effect(event.instr.op, valhall::Effect::store))
        note_stores(trace, place);
}

void LogWatch::start_warp(WarpTrace& trace, const CallWarps::Place& place) {
    trace.last.resize(chosen_.size());
    for (size_t i = 0; i < chosen_.size(); ++i)
        trace.last[i].assign(chosen_[i].parts, {});
    trace.tls.assign(size_t{program_.info.tls_bytes} * kLanes, 0);
    if (has_case_ && !call_->case_per_warp)
        return;
    session_.warp = call_->make_case(place.number);
    session_.warp->input_slots = input_slots_;
    session_.warp->output_slots = output_slots_;
    has_case_ = true;
    memory_.assign(1 + exec::kRecordTables, {});
    if (session_.warp->patches)
        std::ranges::copy(session_.warp->patches->records, memory_.begin() + 1);
}

/// The lanes that begin to execute the line. Its words may stand among those of other lines.
uint16_t LogWatch::starting_lanes(const Point& point,
                                  std::vector<std::array<uint32_t, kLanes>>& last,
                                  const valhall::StepEvent& event) {
    std::array<uint32_t, kLanes>& before = last[point.part[event.word_index] - 1];
    uint16_t lanes = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((event.before.running >> lane & 1) == 0)
            continue;
        if (before[lane] == 0 || event.word_index < before[lane])
            lanes |= static_cast<uint16_t>(1U << lane);
        before[lane] = event.word_index + 1;
    }
    return lanes & event.before.live;
}

void LogWatch::print(const Point& point,
                     const CallWarps::Place& place,
                     const valhall::StepEvent& event,
                     uint16_t lanes) {
    std::array<CallLane, kLanes> names;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((lanes >> lane & 1) == 0)
            continue;
        names[lane] = call_->lane({event.warp, place.number, lane});
        if (names[lane].is_padding || !point.spec->allows_lane(names[lane]))
            lanes &= static_cast<uint16_t>(~(1U << lane));
    }
    if (lanes == 0)
        return;
    const View view{session_,
                    event.before,
                    static_cast<uint32_t>(place.slot),
                    event.word_index,
                    traces_[place.slot].tls,
                    memory_};
    lanes &= chosen_lanes(point, view);
    if (lanes == 0)
        return;
    const auto values = values_of(point, view, lanes);
    for (unsigned lane = 0; lane < kLanes; ++lane)
        if ((lanes >> lane & 1) != 0)
            points_.add(point.number,
                        {key_of(names[lane]),
                         text_of(point, names[lane], lane, event.word_index, values[lane])});
}

/// The lanes in which the condition holds; notes why there are none.
uint16_t LogWatch::chosen_lanes(const Point& point, const View& view) {
    if (!point.spec->condition)
        return 0xFFFF;
    const Condition& condition = *point.spec->condition;
    const uint16_t lanes = lanes_where(view, condition);
    if (lanes != 0)
        return lanes;
    const bool is_known = read_watch(view, condition.watch, condition.watch.components[0]).known;
    points_.note(point.number, is_known ? LogPoints::Reached::False : LogPoints::Reached::NotLive,
                 is_known
                     ? "the condition holds in no lane that fits"
                     : "the condition never holds: " + condition.watch.text + " is not live there");
    return 0;
}

/// By lane, the values that the text names.
std::vector<std::vector<std::string>>
LogWatch::values_of(const Point& point, const View& view, uint16_t lanes) const {
    std::vector<std::vector<std::string>> texts(kLanes);
    for (const LogPiece& piece : point.spec->pieces) {
        if (piece.kind != LogPiece::Kind::Value)
            continue;
        std::array<std::string, kLanes> value;
        for (const uint8_t component : piece.watch.components) {
            const WatchValue read = read_watch(view, piece.watch, component);
            for (unsigned lane = 0; lane < kLanes; ++lane)
                if ((lanes >> lane & 1) != 0)
                    value[lane] += (value[lane].empty() ? "" : ", ") +
                                   ((read.known >> lane & 1) != 0
                                        ? format_number(read.lanes.v[lane], piece.format)
                                        : std::string("-"));
        }
        for (unsigned lane = 0; lane < kLanes; ++lane)
            texts[lane].push_back(std::move(value[lane]));
    }
    return texts;
}

std::string LogWatch::head_of(const CallLane& lane) const {
    return (work_.frame != 0 ? "frame " + std::to_string(work_.frame) + ", " : std::string()) +
           (work_.is_draw ? "draw " : "dispatch ") + std::to_string(work_.number) + ", " +
           std::string(stage_text(lane.stage)) + " shader \"" + shader_name_ + "\", " +
           lane_text(lane) + ": ";
}

std::string LogWatch::text_of(const Point& point,
                              const CallLane& lane,
                              unsigned number,
                              uint32_t word,
                              const std::vector<std::string>& values) const {
    std::string text = head_of(lane);
    size_t value = 0;
    for (const LogPiece& piece : point.spec->pieces)
        text += piece.kind == LogPiece::Kind::Value ? values[value++]
                                                    : piece_text(piece, lane, number, word);
    return text;
}

/// A piece that is no value.
std::string LogWatch::piece_text(const LogPiece& piece,
                                 const CallLane& lane,
                                 unsigned number,
                                 uint32_t word) const {
    using Kind = LogPiece::Kind;
    switch (piece.kind) {
    case Kind::Text:
    case Kind::Value: break;
    case Kind::Pixel: return pixel_text(lane);
    case Kind::Vertex: return number_or_dash(lane.vertex);
    case Kind::Instance: return lane.vertex ? std::to_string(lane.instance) : "-";
    case Kind::Primitive: return number_or_dash(lane.primitive);
    case Kind::Patch: return number_or_dash(lane.patch);
    case Kind::Invocation: return number_or_dash(lane.invocation);
    case Kind::Lane: return std::to_string(number);
    case Kind::Draw: return std::to_string(work_.number);
    case Kind::Frame: return std::to_string(work_.frame);
    case Kind::Line: return std::to_string(line_of(word));
    }
    return piece.text;
}

/// A step is observed when it has stored: the copies are those of the next one.
void LogWatch::note_stores(WarpTrace& trace, const CallWarps::Place& place) {
    if (!trace.tls.empty()) {
        const uint64_t tls = call_->tls + (call_->is_group ? place.slot * trace.tls.size() : 0);
        // NOLINTNEXTLINE: the base is a host address
        std::memcpy(trace.tls.data(), reinterpret_cast<const uint8_t*>(tls), trace.tls.size());
    }
    for (size_t region = 0; region < call_->records.size(); ++region)
        if (!call_->records[region].empty())
            std::ranges::copy(call_->records[region], memory_[region].begin());
}

}  // namespace valkyr::debug

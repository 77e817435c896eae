// Call lane: says which vertex, pixel, primitive, patch or invocation a lane of a kernel call is.
// SPDX-License-Identifier: MIT
#include "app/debug/trap/call_lane.hpp"

#include "exec/handle.hpp"
#include "exec/work_groups.hpp"

#include <cstdio>
#include <cstring>

namespace valkyr::debug {

namespace {

/// "(3,0,0)".
std::string triple(const std::array<uint32_t, 3>& numbers) {
    return "(" + std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," +
           std::to_string(numbers[2]) + ")";
}

std::string point_text(const exec::DomainPoint& point) {
    char text[80];
    std::snprintf(text, sizeof text, "%g,%g", static_cast<double>(point.u),
                  static_cast<double>(point.v));
    return text;
}

const uint8_t* record_of(const exec::ComputeCall& call, exec::ResourceTable table, uint64_t n) {
    const exec::RecordTable& records =
        call.records[static_cast<unsigned>(table) - exec::kFirstRecordTable];
    return records.first + records.stride * n;
}

/// A point of the call's group.
exec::DomainPoint point_of(const exec::ComputeCall& call, uint32_t invocation) {
    exec::DomainPoint point;
    std::memcpy(&point,
                record_of(call, exec::ResourceTable::DomainPoints,
                          call.first_group * exec::kLanes + invocation),
                sizeof point);
    return point;
}

}  // namespace

std::string numbered(const char* what, uint64_t number) {
    return what + std::to_string(number);
}

std::string pixel_text(const CallLane& lane) {
    if (!lane.pixel)
        return "-";
    return std::to_string(lane.pixel->first) + "," + std::to_string(lane.pixel->second);
}

std::string_view stage_text(LaneStage stage) {
    static constexpr std::array<std::string_view, 6> kTexts{
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment",
        "compute"};
    return kTexts[static_cast<size_t>(stage)];
}

std::string lane_text(const CallLane& lane) {
    switch (lane.stage) {
    case LaneStage::Vertex:
        return numbered("vertex ", *lane.vertex) + numbered(", instance ", lane.instance);
    case LaneStage::Control:
        return numbered("patch ", *lane.patch) + numbered(", invocation ", *lane.invocation);
    case LaneStage::Evaluation:
        return numbered("patch ", *lane.patch) + ", point " + point_text(lane.point);
    case LaneStage::Geometry:
        return numbered("primitive ", *lane.primitive) +
               numbered(", invocation ", *lane.invocation);
    case LaneStage::Fragment:
        return "pixel " + pixel_text(lane) +
               (lane.sample ? numbered(", sample ", *lane.sample) : "");
    case LaneStage::Compute: break;
    }
    return "group " + triple(lane.group) + ", invocation " + triple(lane.local);
}

std::string lane_target(const CallLane& lane) {
    switch (lane.stage) {
    case LaneStage::Vertex: return numbered("--vertex ", *lane.vertex);
    case LaneStage::Control:
    case LaneStage::Evaluation: return numbered("--patch ", *lane.patch);
    case LaneStage::Geometry: return numbered("--primitive ", *lane.primitive);
    case LaneStage::Fragment:
        return "--pixel " + pixel_text(lane) +
               (lane.sample ? numbered(" --sample ", *lane.sample) : "");
    case LaneStage::Compute: break;
    }
    return {};
}

CallLane lane_of(const exec::VertexCall& call, const LanePlace& place, bool /*is_draw*/) {
    CallLane lane;
    lane.vertex = call.vertex_ids[place.number * exec::kLanes + place.lane];
    lane.instance = call.instance_id;
    return lane;
}

CallLane lane_of(const exec::GeometryCall& call, const LanePlace& place, bool /*is_draw*/) {
    const uint32_t pair = place.number * exec::kLanes + place.lane;
    CallLane lane;
    lane.stage = LaneStage::Geometry;
    lane.primitive = call.primitive_ids[pair];
    lane.invocation = call.invocations[pair];
    return lane;
}

CallLane lane_of(const exec::FragmentCall& call, const LanePlace& place, bool /*is_draw*/) {
    CallLane lane;
    lane.stage = LaneStage::Fragment;
    lane.pixel = {place.warp.x + static_cast<int32_t>(exec::lane_x(place.lane)),
                  place.warp.y + static_cast<int32_t>(exec::lane_y(place.lane))};
    lane.primitive = call.primitive->primitive_id;
    const auto* key = static_cast<const exec::FragmentKey*>(call.draw->key);
    if (key != nullptr && key->per_sample)
        lane.sample = place.warp.sample_id;
    return lane;
}

CallLane lane_of(const exec::ComputeCall& call, const LanePlace& place, bool is_draw) {
    const uint32_t invocation = place.number * exec::kLanes + place.lane;
    CallLane lane;
    if (!is_draw) {
        lane.stage = LaneStage::Compute;
        lane.group = exec::place_of(call.first_group, call.grid);
        lane.local = exec::place_of(invocation, call.block);
        lane.invocation = invocation;
        return lane;
    }
    const exec::ProgramInfo& info = *call.draw->info;
    uint64_t patch = 0;
    if (info.patch.vertices != 0) {
        lane.stage = LaneStage::Control;
        lane.invocation = invocation % info.patch.vertices;
        patch = call.first_group * info.compute.block[1] + invocation / info.patch.vertices;
    } else {
        lane.stage = LaneStage::Evaluation;
        lane.point = point_of(call, invocation);
        if (invocation % exec::kLanes != 0) {
            const exec::DomainPoint before = point_of(call, invocation - 1);
            lane.is_padding = std::memcmp(&before, &lane.point, sizeof before) == 0;
        }
        patch = lane.point.patch;
    }
    exec::PatchRecord record;
    std::memcpy(&record, record_of(call, exec::ResourceTable::PatchRecords, patch), sizeof record);
    lane.patch = record.id;
    return lane;
}

}  // namespace valkyr::debug

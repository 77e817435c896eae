// Queries: translate kinds, and write results to guest storage.
// SPDX-License-Identifier: MIT
#include "virgl/state/query.hpp"

#include "virgl/state/exhausted.hpp"

#include <array>
#include <cstring>
#include <optional>

namespace valkyr::virgl {
namespace {

using raster::QueryKind;

/// Answer that the client reads: state 1 = done, bytes of the result, the result.
struct Answer {
    uint32_t state = 1;
    uint32_t size = 8;
    uint64_t value = 0;
};
static_assert(sizeof(Answer) == 16);

/// Queries that need no counting.
constexpr uint32_t kGpuFinished = 9;

/// By number; nothing for those that the device does not count.
constexpr std::array<std::optional<QueryKind>, 13> kKinds{
    QueryKind::SamplesPassed,     // occlusion counter
    QueryKind::AnySamplesPassed,  // occlusion predicate
    QueryKind::Timestamp,
    std::nullopt,  // timestamp disjoint
    QueryKind::TimeElapsed,
    QueryKind::PrimitivesGenerated,
    QueryKind::PrimitivesWritten,
    std::nullopt,  // stream output statistics
    QueryKind::StreamOverflow,
    std::nullopt,                 // GPU finished
    std::nullopt,                 // pipeline statistics
    QueryKind::AnySamplesPassed,  // the conservative predicate
    QueryKind::StreamOverflow,    // of any stream
};

}  // namespace

Result<QueryObject> make_query(raster::Device& device, const Words& words, ResourcePtr resource) {
    QueryObject object;
    object.type = words.bits(2, 0, 16);
    object.offset = words[3];
    if (object.type >= kKinds.size())
        return malformed("no query type " + std::to_string(object.type));
    if (uint64_t{object.offset} + sizeof(Answer) > resource->guest().size())
        return malformed("a query result outside its resource");
    object.resource = std::move(resource);
    if (const auto kind = kKinds[object.type]) {
        auto made = device.create_query(*kind, words.bits(2, 16, 2));
        if (made)
            object.query = *std::move(made);
        else
            end_if_exhausted(made.error());
    }
    return object;
}

Result<uint64_t> query_value(raster::Device& device, const QueryObject& query) {
    if (!query.query || !query.ended)
        return uint64_t{query.type == kGpuFinished};
    VALKYR_TRY(result, device.query_result(query.query, true));
    return result ? result->value : 0;
}

Result<void> write_answer(raster::Device& device, const QueryObject& query) {
    Answer answer;
    const auto value = query_value(device, query);
    if (value)
        answer.value = *value;
    std::memcpy(query.resource->guest().bytes().data() + query.offset, &answer, sizeof answer);
    return value ? Result<void>() : Result<void>(value.error());
}

}  // namespace valkyr::virgl

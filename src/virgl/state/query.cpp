// Queries: map query types to the device's, and write results to guest storage.
// SPDX-License-Identifier: MIT
#include "virgl/state/query.hpp"

#include "virgl/state/exhausted.hpp"

#include <array>
#include <cstring>
#include <optional>

namespace valkyr::virgl {
namespace {

using raster::QueryKind;

/// The answer that the client reads: state (1 = done), bytes of the result, result.
struct Answer {
    uint32_t state = 1;
    uint32_t size = 8;
    uint64_t value = 0;
};
static_assert(sizeof(Answer) == 16);

/// A query type that counts nothing: its answer is 1.
constexpr uint32_t kGpuFinished = 9;
/// A query type that ignores its index and counts in all streams.
constexpr uint32_t kOverflowAny = 12;

/// Kinds by the protocol's number; nullopt if the device does not count them.
constexpr std::array<std::optional<QueryKind>, 13> kQueryKinds{
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
    QueryKind::StreamOverflow,    // kOverflowAny
};

/// Creates a query of one stream; null if the device refuses it.
raster::QueryRef stream_query(raster::Device& device, QueryKind kind, uint32_t stream) {
    auto made = device.create_query(kind, stream);
    if (made)
        return *std::move(made);
    end_if_exhausted(made.error());
    return nullptr;
}

}  // namespace

Result<QueryObject> make_query(raster::Device& device, const Words& words, ResourcePtr resource) {
    QueryObject object;
    object.type = words.bits(2, 0, 16);
    object.offset = words[3];
    if (object.type >= kQueryKinds.size())
        return malformed("no query type " + std::to_string(object.type));
    if (uint64_t{object.offset} + sizeof(Answer) > resource->guest().size())
        return malformed("a query result outside its resource");
    object.resource = std::move(resource);
    const auto kind = kQueryKinds[object.type];
    if (!kind)
        return object;
    const bool any = object.type == kOverflowAny;
    object.query = stream_query(device, *kind, any ? 0 : words.bits(2, 16, 2));
    for (uint32_t stream = 1; any && stream < raster::kMaxStreamTargets; ++stream)
        if (auto made = stream_query(device, *kind, stream))
            object.more.push_back(std::move(made));
    return object;
}

Result<uint64_t> query_value(raster::Device& device, const QueryObject& query) {
    if (query.restored)
        return *query.restored;
    if (!query.query || !query.ended)
        return uint64_t{query.type == kGpuFinished};
    VALKYR_TRY(result, device.query_result(query.query, true));
    uint64_t value = result ? result->value : 0;
    for (const raster::QueryRef& other : query.more) {
        VALKYR_TRY(more, device.query_result(other, true));
        value |= more ? more->value : 0;
    }
    return value;
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

// Tessellation cache: looks up divided domains, and cuts new ones into pieces.
// SPDX-License-Identifier: MIT
#include "raster/tessellation/tessellation_cache.hpp"

#include "raster/data/batch.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

uint32_t hash_of(const TessellationKey& key) {
    uint32_t hash = key.plain ? 1 : 0;
    for (const uint32_t level : key.outer)
        hash = (hash ^ level) * 0x9E3779B1U;
    for (const uint32_t level : key.inner)
        hash = (hash ^ level) * 0x9E3779B1U;
    return hash;
}

constexpr uint16_t kAbsent = 0xFFFF;

exec::DomainPoint point_at(const DomainPlace& place, bool triangles) {
    constexpr float kUnit = 1.0F / kDomainOne;
    // All three are exact.
    const float w = triangles ? static_cast<float>(kDomainOne - place.u - place.v) * kUnit : 0.0F;
    return {static_cast<float>(place.u) * kUnit, static_cast<float>(place.v) * kUnit, w, 0};
}

/// Returns numbers, which are below `limit`, in the order of their first use, and appends the place
/// of each in that order to `renumbered`. `places` is memory.
std::vector<uint32_t> renumber(std::span<const uint16_t> numbers,
                               size_t limit,
                               std::vector<uint16_t>& places,
                               std::vector<uint16_t>& renumbered) {
    std::vector<uint32_t> order;
    places.assign(limit, kAbsent);
    for (const uint16_t number : numbers) {
        uint16_t& place = places[number];
        if (place == kAbsent) {
            place = static_cast<uint16_t>(order.size());
            order.push_back(number);
        }
        renumbered.push_back(place);
    }
    return order;
}

/// Cuts `whole` into pieces. `places` is memory.
TessellationPieces cut_pieces(const exec::TessellationInfo& info,
                              const Tessellation& whole,
                              std::vector<uint16_t>& places) {
    TessellationPieces made;
    const bool triangles = info.domain == exec::TessellationDomain::Triangles;
    std::vector<uint16_t> corners;
    for (const uint32_t point : renumber(whole.corners, whole.points.size(), places, corners))
        made.points.push_back(point_at(whole.points[point], triangles));
    const size_t most = size_t{kChunkPrimitives} * whole.vertices;
    for (size_t begin = 0; begin < corners.size(); begin += most) {
        TessellationPiece& piece = made.pieces.emplace_back();
        piece.vertices = whole.vertices;
        const auto some = std::span<const uint16_t>(corners).subspan(
            begin, std::min(most, corners.size() - begin));
        piece.points = renumber(some, made.points.size(), places, piece.corners);
        piece.point_count = static_cast<uint32_t>(piece.points.size());
        piece.points.insert(piece.points.end(), exec::kLanes, piece.points.back());
    }
    return made;
}

}  // namespace

std::span<TessellationCache::Entry, TessellationCache::kWays>
TessellationCache::places_of(const TessellationKey& key) {
    if (entries_.empty())
        entries_.resize(kWays << kSetBits);
    const size_t set = hash_of(key) >> (32 - kSetBits);
    return std::span<Entry, kWays>(&entries_[set * kWays], kWays);
}

const TessellationPieces& TessellationCache::find(const exec::TessellationInfo& info,
                                                  const TessellationKey& key) {
    const std::span<Entry, kWays> places = places_of(key);
    ++uses_;
    for (Entry& entry : places)
        if (entry.key == key && entry.info == info && !entry.domain.pieces.empty()) {
            entry.last_use = uses_;
            return entry.domain;
        }
    Entry& entry = *std::ranges::min_element(places, {}, &Entry::last_use);
    tessellate(info, key, whole_);
    entry = {info, key, cut_pieces(info, whole_, places_), uses_};
    return entry.domain;
}

}  // namespace valkyr::raster

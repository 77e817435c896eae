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

/// Cuts `whole` into pieces. `places` is memory.
std::vector<TessellationPiece> cut_pieces(const exec::TessellationInfo& info,
                                          const Tessellation& whole,
                                          std::vector<uint16_t>& places) {
    std::vector<TessellationPiece> pieces;
    const bool triangles = info.domain == exec::TessellationDomain::Triangles;
    const size_t most = size_t{kChunkPrimitives} * whole.vertices;
    for (size_t begin = 0; begin < whole.corners.size(); begin += most) {
        TessellationPiece& piece = pieces.emplace_back();
        piece.vertices = whole.vertices;
        places.assign(whole.points.size(), kAbsent);
        const size_t end = std::min(begin + most, whole.corners.size());
        for (size_t at = begin; at < end; ++at) {
            uint16_t& place = places[whole.corners[at]];
            if (place == kAbsent) {
                place = static_cast<uint16_t>(piece.points.size());
                piece.points.push_back(point_at(whole.points[whole.corners[at]], triangles));
            }
            piece.corners.push_back(place);
        }
    }
    return pieces;
}

}  // namespace

std::span<TessellationCache::Entry, TessellationCache::kWays>
TessellationCache::places_of(const TessellationKey& key) {
    if (entries_.empty())
        entries_.resize(kWays << kSetBits);
    const size_t set = hash_of(key) >> (32 - kSetBits);
    return std::span<Entry, kWays>(&entries_[set * kWays], kWays);
}

const std::vector<TessellationPiece>& TessellationCache::find(const exec::TessellationInfo& info,
                                                              const TessellationKey& key) {
    const std::span<Entry, kWays> places = places_of(key);
    ++uses_;
    for (Entry& entry : places)
        if (entry.key == key && entry.info == info && !entry.pieces.empty()) {
            entry.last_use = uses_;
            return entry.pieces;
        }
    Entry& entry = *std::ranges::min_element(places, {}, &Entry::last_use);
    tessellate(info, key, whole_);
    entry = {info, key, cut_pieces(info, whole_, places_), uses_};
    return entry.pieces;
}

}  // namespace valkyr::raster

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
    return hash >> 26;
}

constexpr uint16_t kAbsent = 0xFFFF;

/// Cuts `whole` into pieces. `places` is memory.
void cut_pieces(const Tessellation& whole,
                std::vector<uint16_t>& places,
                std::vector<TessellationPiece>& pieces) {
    pieces.clear();
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
                piece.points.push_back(whole.points[whole.corners[at]]);
            }
            piece.corners.push_back(place);
        }
    }
}

}  // namespace

const std::vector<TessellationPiece>& TessellationCache::find(const exec::TessellationInfo& info,
                                                              const TessellationKey& key) {
    if (entries_.empty())
        entries_.resize(kEntries);
    Entry& entry = entries_[hash_of(key)];
    if (!entry.pieces.empty() && entry.key == key && entry.info == info)
        return entry.pieces;
    tessellate(info, key, whole_);
    entry.pieces.clear();  // unused, should memory run out
    cut_pieces(whole_, places_, entry.pieces);
    entry.info = info;
    entry.key = key;
    return entry.pieces;
}

}  // namespace valkyr::raster

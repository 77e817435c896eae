// Tessellation cache: keeps divided domains in pieces that fit in a chunk.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"
#include "exec/vertex_record.hpp"
#include "raster/tessellation/tessellator.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// Consecutive primitives of a divided domain, and the points that they use.
struct TessellationPiece {
    /// Numbers of the domain's points; behind them the last one fills a warp.
    std::vector<uint32_t> points;
    uint32_t point_count = 0;       ///< without the filling
    std::vector<uint16_t> corners;  ///< numbers of `points`
    uint32_t vertices = 3;          ///< of a primitive

    [[nodiscard]] uint32_t primitives() const {
        return static_cast<uint32_t>(corners.size()) / vertices;
    }
};

/// A divided domain. If there is one piece, its points are those of the domain in order.
struct TessellationPieces {
    std::vector<exec::DomainPoint> points;  ///< of patch 0; at most kMaxDomainPoints
    std::vector<TessellationPiece> pieces;
};

/// Patches often have equal levels: each set of levels is divided once. Some sets share kWays
/// places; a new one takes the place that was used longest ago.
class TessellationCache {
public:
    /// Returns the pieces of a domain; the result is valid until the next call.
    const TessellationPieces& find(const exec::TessellationInfo& info, const TessellationKey& key);

private:
    struct Entry {
        exec::TessellationInfo info;
        TessellationKey key;
        TessellationPieces domain;  ///< without pieces the entry is unused
        uint64_t last_use = 0;      ///< counts calls of find()
    };
    static constexpr size_t kWays = 4;
    static constexpr unsigned kSetBits = 5;

    [[nodiscard]] std::span<Entry, kWays> places_of(const TessellationKey& key);

    std::vector<Entry> entries_;
    uint64_t uses_ = 0;
    Tessellation whole_;
    std::vector<uint16_t> places_;  ///< of points in the domain or piece that is being made
};

}  // namespace valkyr::raster

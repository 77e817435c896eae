// Tessellation cache: keeps divided domains in pieces that fit in a chunk.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"
#include "raster/tessellation/tessellator.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// Consecutive primitives of a divided domain, and the points that they use.
struct TessellationPiece {
    std::vector<DomainPlace> points;
    std::vector<uint16_t> corners;  ///< numbers of `points`
    uint32_t vertices = 3;          ///< of a primitive

    [[nodiscard]] uint32_t primitives() const {
        return static_cast<uint32_t>(corners.size()) / vertices;
    }
};

/// Patches often have equal levels: each set is divided once. Two sets may share a place; the later
/// one takes it.
class TessellationCache {
public:
    /// Returns the pieces of a domain; the result is valid until the next call.
    const std::vector<TessellationPiece>& find(const exec::TessellationInfo& info,
                                               const TessellationKey& key);

private:
    struct Entry {
        exec::TessellationInfo info;
        TessellationKey key;
        std::vector<TessellationPiece> pieces;  ///< empty: the entry is unused
    };
    static constexpr size_t kEntries = 64;

    std::vector<Entry> entries_;
    Tessellation whole_;
    std::vector<uint16_t> places_;  ///< of the points in the piece that is being cut
};

}  // namespace valkyr::raster

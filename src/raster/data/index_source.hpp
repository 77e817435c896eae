// Index source: names the indices of a draw and reads one of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <cstdint>
#include <span>

namespace valkyr::raster {

/// The bound range of an index buffer.
struct IndexSource {
    const uint8_t* data = nullptr;
    uint64_t count = 0;  ///< indices in the bound range; beyond them an index reads as 0
    IndexType type = IndexType::None;
    friend bool operator==(const IndexSource&, const IndexSource&) = default;
};

/// Returns index `position` of a draw: 0 beyond the bound range, `position` itself without indices.
uint32_t fetch_index(const IndexSource& source, uint64_t position) noexcept;
/// Does fetch_index() for consecutive positions from `first` on.
void fetch_indices(const IndexSource& source, uint64_t first, std::span<uint32_t> indices) noexcept;

}  // namespace valkyr::raster

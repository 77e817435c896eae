// Depth rows: convert between texels of surfaces and a tile's depth codes and stencil bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Splits `count` texels of a depth/stencil format, a multiple of 16 (whole blocks), into the codes
/// of load_depth_stencil(); `stencil` may be null. Does nothing for other formats.
void split_depth_stencil(exec::Format format,
                         const uint8_t* texels,
                         size_t count,
                         uint32_t* depth,
                         uint8_t* stencil) noexcept;

enum class MergeTo : uint8_t {
    Caches,
    Memory,  ///< past the caches (stream.hpp)
};

/// Merges `count` texels of a depth/stencil format, a multiple of 16, at an address that is one.
/// Unused bits become 0; without `stencil`, stencil bits too.
void merge_depth_stencil(exec::Format format,
                         const uint32_t* depth,
                         const uint8_t* stencil,
                         size_t count,
                         uint8_t* texels,
                         MergeTo to) noexcept;

}  // namespace valkyr::raster

// Byte moves: copy, clear and repeat many bytes, and end early when the device is cancelled.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"

#include <cstddef>
#include <span>

namespace valkyr::raster {

/// Copies `size` bytes; the two ranges may overlap. watch: ends the copy when cancelled; null:
/// never.
void copy_bytes(void* to, const void* from, size_t size, const exec::LoopWatch* watch) noexcept;

/// Sets `size` bytes to 0.
void clear_bytes(void* to, size_t size, const exec::LoopWatch* watch) noexcept;

/// Repeats `pattern`, which is not empty, over `size` bytes; the last one may be cut.
void repeat_bytes(void* to,
                  size_t size,
                  std::span<const std::byte> pattern,
                  const exec::LoopWatch* watch) noexcept;

}  // namespace valkyr::raster

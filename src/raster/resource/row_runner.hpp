// Row runner: runs ranges of rows, perhaps on several threads.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <functional>

namespace valkyr::raster {

/// Calls rows(first, end) for ranges that together are 0..count - 1, perhaps on several threads.
/// errors  those of the threads
using RowRunner = std::function<Result<void>(uint32_t count,
                                             const std::function<void(uint32_t, uint32_t)>& rows)>;
inline Result<void> run_on_this_thread(uint32_t count,
                                       const std::function<void(uint32_t, uint32_t)>& rows) {
    rows(0, count);
    return {};
}

}  // namespace valkyr::raster

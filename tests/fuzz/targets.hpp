// Fuzz targets: declares them. Each accepts any bytes, and aborts if a property is violated.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace valkyr::fuzz {

#define VALKYR_FUZZ_TARGET(name) void name(std::span<const uint8_t> bytes);
#include "tests/fuzz/targets.inc"
#undef VALKYR_FUZZ_TARGET

}  // namespace valkyr::fuzz

// Host levels: detect the instruction sets that the processor and the operating system support.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace valkyr {

/// Instruction sets that recompiled code and the rasterizer's loops are made for.
enum class HostLevel : uint8_t {
    None,    ///< none of the others
    Avx2,    ///< AVX2, FMA, F16C and BMI2: 8 lanes a register
    Avx512,  ///< Avx2 and AVX-512 F, BW, DQ, VL and CD: 16 lanes a register
    Neon,    ///< AArch64: 4 lanes a register
};

/// How recompiled code loads words from an address of each lane. Results are the same.
enum class GatherMethod : uint8_t {
    Auto,     ///< what fast_gather_method() says
    Gathers,  ///< gather instructions; a texel of four words is a load for each lane
    Loads,    ///< a load for each lane; a texel of several words is one load
};

/// The faster method on this processor: AMD's processors up to Zen 5 run gathers as microcode.
VALKYR_API GatherMethod fast_gather_method();
/// "auto", "gathers", "loads".
VALKYR_API std::string_view gather_method_name(GatherMethod method);

/// The best level of the processor this runs on.
VALKYR_API HostLevel best_host_level();
/// Whether this processor can run code of that level.
VALKYR_API bool host_supports(HostLevel level);
/// Whether this processor has VPERMI2B (AVX512_VBMI), which HostLevel::Avx512 does not ask for.
VALKYR_API bool host_permutes_bytes();
/// "none", "avx2", "avx512", "neon".
VALKYR_API std::string_view host_level_name(HostLevel level);
VALKYR_API std::optional<HostLevel> parse_host_level(std::string_view name);
/// One line for people: the features of this processor that levels ask for or use.
VALKYR_API std::string host_features();

}  // namespace valkyr

// Host instruction-set levels that recompiled code can use.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace valkyr::jit {

enum class HostLevel : uint8_t {
    None,    ///< no recompiler on this host: the Valhall interpreter runs everything
    Avx2,    ///< AVX2 + FMA + F16C, 8 lanes a register
    Avx512,  ///< AVX-512 F, BW, DQ, VL, 16 lanes a register
    Neon,    ///< AArch64, 4 lanes a register
};

/// The best level of the processor this runs on.
HostLevel best_host_level();
/// Whether this processor can run code of that level.
bool host_supports(HostLevel level);
/// "none", "avx2", "avx512", "neon".
std::string_view host_level_name(HostLevel level);
std::optional<HostLevel> parse_host_level(std::string_view name);
/// One line for people: processor features that matter here.
std::string host_features();
/// Version of asmjit, e.g. "1.9.0".
std::string asmjit_version();

}  // namespace valkyr::jit

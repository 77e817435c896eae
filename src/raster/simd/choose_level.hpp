// Level choice: picks one host level's version of something that is compiled for each of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/host_level.hpp"
#include "raster/state.hpp"

#include <cstddef>

/// Calls X(namespace, HostLevel) for each level of this architecture, the best one last.
#if defined(__x86_64__)
#define VALKYR_HOST_LEVELS(X) X(generic, None) X(avx2, Avx2) X(avx512, Avx512)
#elif defined(__aarch64__)
#define VALKYR_HOST_LEVELS(X) X(generic, None) X(neon, Neon)
#else
#define VALKYR_HOST_LEVELS(X) X(generic, None)
#endif

namespace valkyr::raster {

/// One level's version.
template <typename T>
struct LevelVersion {
    HostLevel level;
    const T& version;
};

/// Whether a level serves a host: all do for Auto, otherwise the host's own and lower ones.
constexpr bool serves(HostLevel level, Host host) {
    switch (level) {
    case HostLevel::None: return true;
    case HostLevel::Avx2: return host != Host::Neon;
    case HostLevel::Avx512: return host == Host::Auto || host == Host::Avx512;
    case HostLevel::Neon: return host == Host::Auto || host == Host::Neon;
    }
    return false;
}

/// The best version that serves the host and that the processor can run.
/// versions  by VALKYR_HOST_LEVELS; the first one serves every host
template <typename T, size_t kCount>
const T& choose_level(const LevelVersion<T> (&versions)[kCount], Host host) {
    size_t best = 0;
    for (size_t i = 1; i < kCount; ++i)
        if (host_supports(versions[i].level) && serves(versions[i].level, host))
            best = i;
    return versions[best].version;
}

}  // namespace valkyr::raster

// Loops: choose the host level of the rasterizer's own loops.
// SPDX-License-Identifier: MIT
#include "raster/loops/level.hpp"

#include "base/host_level.hpp"

namespace valkyr::raster {

namespace generic {
extern const HostLoops kOps;
}
#if defined(__x86_64__)
namespace avx2 {
extern const HostLoops kOps;
}
namespace avx512 {
extern const HostLoops kOps;
}
#elif defined(__aarch64__)
namespace neon {
extern const HostLoops kOps;
}
#endif

const HostLoops& host_loops(Host host) {
#if defined(__x86_64__)
    if (host_supports(HostLevel::Avx512) && (host == Host::Auto || host == Host::Avx512))
        return avx512::kOps;
    if (host_supports(HostLevel::Avx2) && host != Host::Neon)
        return avx2::kOps;
#elif defined(__aarch64__)
    if (host_supports(HostLevel::Neon) && (host == Host::Auto || host == Host::Neon))
        return neon::kOps;
#else
    static_cast<void>(host);
#endif
    return generic::kOps;
}

}  // namespace valkyr::raster

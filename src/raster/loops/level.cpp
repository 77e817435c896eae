// Chooses the host level of the rasterizer's own loops.
// SPDX-License-Identifier: MIT
#include "raster/loops/level.hpp"

namespace valkyr::raster {

namespace generic {
extern const LevelOps kOps;
}
#if defined(__x86_64__)
namespace avx2 {
extern const LevelOps kOps;
}
namespace avx512 {
extern const LevelOps kOps;
}
#endif

const LevelOps& level_ops(Host host) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    const bool has_avx512 =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    if (has_avx512 && (host == Host::Auto || host == Host::Avx512))
        return avx512::kOps;
    if (has_avx2 && host != Host::Neon)
        return avx2::kOps;
#else
    static_cast<void>(host);
#endif
    return generic::kOps;
}

}  // namespace valkyr::raster

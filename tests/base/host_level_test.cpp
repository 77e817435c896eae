// Host level test: checks names, and that each level includes the lower ones.
// SPDX-License-Identifier: MIT
#include "base/host_level.hpp"

#include <doctest/doctest.h>

using namespace valkyr;

TEST_CASE("host levels have names") {
    for (const HostLevel level :
         {HostLevel::None, HostLevel::Avx2, HostLevel::Avx512, HostLevel::Neon})
        CHECK(parse_host_level(host_level_name(level)) == level);
    CHECK_FALSE(parse_host_level("sse").has_value());
}

TEST_CASE("the best host level is one that the host supports") {
    CHECK(host_supports(HostLevel::None));
    CHECK(host_supports(best_host_level()));
    CHECK((!host_supports(HostLevel::Avx512) || host_supports(HostLevel::Avx2)));
    CHECK_FALSE((host_supports(HostLevel::Neon) && host_supports(HostLevel::Avx2)));
}

#if defined(__x86_64__)
TEST_CASE("host levels agree with the compiler's own detection") {
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    const bool avx512 =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    CHECK(host_supports(HostLevel::Avx2) == avx2);
    CHECK(host_supports(HostLevel::Avx512) == avx512);
}
#endif

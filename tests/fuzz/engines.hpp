// Engines: checks that shaders do the same on every device.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/check.hpp"
#include "gpu/create_device.hpp"
#include "tests/oracle/reference_device.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace valkyr::fuzz {

template <typename T>
T must(Result<T> result) {
    if (!result)
        std::fprintf(stderr, "%s\n", result.error().format("").c_str());
    VALKYR_CHECK(result.has_value());
    return std::move(*result);
}

/// Checks that run(device) returns the same on the reference device, the interpreter and recompiled
/// code. If not, the shaders are printed.
template <typename Run>
void check_engines(const std::string& shaders, const Run& run) {
    const auto expected = run(*reference::create_reference_device());
    const auto check = [&](raster::Device& device) {
        const bool equal = run(device) == expected;
        if (!equal)
            std::fprintf(stderr, "%s\n", shaders.c_str());
        VALKYR_CHECK(equal);
    };
    raster::DeviceOptions options;
    options.engine = raster::Engine::Valhall;
    options.threads = 1;
    check(*must(gpu::create_device(options)));
    options.engine = raster::Engine::Jit;
    options.threads = 2;
    check(*must(gpu::create_device(options)));
    options.host = raster::Host::Avx2;
    if (const auto device = gpu::create_device(options))  // other hosts lack this level
        check(**device);
}

}  // namespace valkyr::fuzz

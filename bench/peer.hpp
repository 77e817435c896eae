// Peer: times the OpenGL programs of the comparison in a process of their own.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace valkyr::bench {

struct PeerOptions {
    std::string program;  ///< path of a peer_gl: prints CSV, scene,frames,median,min,cpu ms,hash
    uint32_t size = 1024;
    unsigned threads = 1;  ///< 1: Mesa's llvmpipe without rasterizer threads, else with so many
    double milliseconds = 700;
};

struct PeerTimes {
    double median_ms = 0;
    double min_ms = 0;
    double cpu_ms = 0;  ///< a frame
};

/// errors  System: it cannot be started; Syntax: it prints something else
Result<PeerTimes> run_peer(const PeerOptions& options, std::string_view scene);

}  // namespace valkyr::bench

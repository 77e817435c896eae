// Peer: times the compared OpenGL programs in a process of their own.
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
    unsigned threads = 1;  ///< rasterizer threads of llvmpipe; 1: none besides the application's
    double milliseconds = 700;
};

struct PeerTimes {
    double median_ms = 0;
    double min_ms = 0;
    double cpu_ms = 0;  ///< a frame
};

/// errors  System: the program cannot be started; Syntax: its output is not the expected CSV
Result<PeerTimes> run_peer(const PeerOptions& options, std::string_view scene);

}  // namespace valkyr::bench

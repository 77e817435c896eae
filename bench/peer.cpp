// Peer: times the compared OpenGL programs in a process of their own.
// SPDX-License-Identifier: MIT
#include "bench/peer.hpp"

#include <cstdio>
#include <memory>

namespace valkyr::bench {
namespace {

/// Quotes a word for the shell.
std::string quoted(std::string_view word) {
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

struct ClosePipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

}  // namespace

Result<PeerTimes> run_peer(const PeerOptions& options, std::string_view scene) {
    const unsigned threads = options.threads == 1 ? 0 : options.threads;
    const std::string command =
        "MESA_SHADER_CACHE_DISABLE=true LP_NUM_THREADS=" + std::to_string(threads) + " " +
        quoted(options.program) + " --scene " + quoted(scene) + " --size " +
        std::to_string(options.size) + " --ms " + std::to_string(options.milliseconds);
    const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
    if (!pipe)
        return Error{Errc::System, {}, "starting " + options.program};
    PeerTimes times;
    bool found = false;
    char line[256];
    const std::string format = std::string(scene) + ",%*d,%lf,%lf,%lf";
    while (std::fgets(line, sizeof line, pipe.get()) != nullptr)
        if (std::sscanf(line, format.c_str(), &times.median_ms, &times.min_ms, &times.cpu_ms) == 3)
            found = true;
    if (!found)
        return Error{
            Errc::Syntax, {}, options.program + " prints no times of scene " + std::string(scene)};
    return times;
}

}  // namespace valkyr::bench

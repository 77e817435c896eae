// Replayed frame: replays a trace file with one frame, for tests of recording.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/virgl/fake_client.hpp"
#include "virgl/capture/replay.hpp"
#include "virgl/capture/trace.hpp"

#include <cstddef>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace valkyr::test {

/// Replays the trace in a file on one thread and removes the file. Returns its only frame, as the
/// observer gets it.
inline auto replayed_frame(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    std::filesystem::remove(path);
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    const auto trace = virgl::Trace::parse(std::move(bytes));
    REQUIRE(trace.has_value());
    RecordingObserver observer;
    raster::DeviceOptions options;
    options.threads = 1;
    virgl::Replay replay(*trace, options, observer);
    REQUIRE(replay.run().has_value());
    REQUIRE(observer.frames.size() == 1);
    return observer.frames[0].rgba;
}

}  // namespace valkyr::test

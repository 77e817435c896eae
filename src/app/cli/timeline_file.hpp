// Timeline file: writes the timelines of clients and threads as JSON that Perfetto shows.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/timeline.hpp"

#include <cstdio>
#include <deque>
#include <memory>
#include <string>

namespace valkyr::app {

/// A file in Chrome's Trace Event Format: a client is a process; each of its threads has a track,
/// and its frames have one. Not thread-safe.
class TimelineFile {
public:
    /// Opens the file at once, so that an unwritable path fails before anything runs.
    /// errors  System: it cannot be opened
    static Result<std::unique_ptr<TimelineFile>> create(const std::string& path,
                                                        raster::FrameRange frames = {});

    /// A timeline for another client. The file owns it.
    raster::Timeline& add();
    /// Writes all timelines. No thread may add events any more.
    /// errors  System: the file cannot be written
    Result<void> write();
    /// Number of events that were dropped because a timeline was full.
    [[nodiscard]] uint64_t left_out() const;

private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    TimelineFile(std::FILE* file, std::string path, raster::FrameRange frames)
        : file_(file)
        , path_(std::move(path))
        , frames_(frames) {}

    std::unique_ptr<std::FILE, Closer> file_;
    std::string path_;
    raster::FrameRange frames_;
    std::deque<raster::Timeline> timelines_;
};

}  // namespace valkyr::app

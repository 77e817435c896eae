// Timeline file: writes what clients and threads did as a trace that Perfetto shows.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/timeline.hpp"

#include <cstdio>
#include <deque>
#include <memory>
#include <string>

namespace valkyr::app {

/// JSON in Chrome's trace event format: a process a client, a track a thread and one for frames.
/// Used by one thread at a time.
class TimelineFile {
public:
    /// Opens the file, so that nothing runs for a file that cannot be written.
    /// errors  System: it cannot be opened
    static Result<std::unique_ptr<TimelineFile>> create(const std::string& path,
                                                        raster::FrameRange frames = {});

    /// A timeline for another client; lives as long as the file.
    raster::Timeline& add();
    /// Writes all of them; nobody adds events any more.
    /// errors  System: the file cannot be written
    Result<void> write();
    /// Events that there was no room for.
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

// Timeline file: writes the timelines of clients and threads as JSON that Perfetto shows.
// SPDX-License-Identifier: MIT
#include "app/cli/timeline_file.hpp"

#include "app/cli/json_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <system_error>

namespace valkyr::app {

namespace {

/// Writes events with commas between them.
class EventWriter {
public:
    EventWriter(std::FILE* file, uint64_t begin_ns)
        : file_(file)
        , begin_ns_(begin_ns) {
        fmt::print(file_, "{{\"traceEvents\": [");
    }
    void finish() { fmt::print(file_, "\n]}}\n"); }

    /// A complete event ("X"), in microseconds from the first one.
    void event(size_t process, size_t track, const raster::TimelineEvent& e) {
        separate();
        fmt::print(file_,
                   "{{\"name\": {}, \"ph\": \"X\", \"pid\": {}, \"tid\": {}, \"ts\": {:.3f}, "
                   "\"dur\": {:.3f}, \"args\": {{\"number\": {}}}}}",
                   json_quoted(e.name), process, track, microseconds(begin_ns_, e.begin_ns),
                   microseconds(e.begin_ns, e.end_ns), e.number);
    }
    /// Names a process or a track ("M").
    void label(const char* kind, size_t process, size_t track, const std::string& text) {
        separate();
        fmt::print(file_,
                   "{{\"name\": \"{}\", \"ph\": \"M\", \"pid\": {}, \"tid\": {}, \"args\": "
                   "{{\"name\": {}}}}}",
                   kind, process, track, json_quoted(text));
    }

private:
    static double microseconds(uint64_t begin_ns, uint64_t end_ns) {
        return static_cast<double>(end_ns - begin_ns) * 1e-3;
    }
    void separate() {
        std::fputs(first_ ? "\n" : ",\n", file_);
        first_ = false;
    }

    std::FILE* file_;
    uint64_t begin_ns_;
    bool first_ = true;
};

/// Frames are on track 0, workers on the tracks after it.
void write_client(EventWriter& out, size_t process, const raster::Timeline& timeline) {
    out.label("process_name", process, 0, timeline.program.empty() ? "client" : timeline.program);
    out.label("thread_name", process, 0, "frames");
    for (const raster::TimelineEvent& frame : timeline.frames())
        out.event(process, 0, frame);
    const auto& workers = timeline.events();
    for (size_t i = 0; i < workers.size(); ++i) {
        out.label("thread_name", process, i + 1,
                  i == 0 ? "commands, worker 0" : fmt::format("worker {}", i));
        for (const raster::TimelineEvent& event : workers[i])
            out.event(process, i + 1, event);
    }
}

uint64_t first_begin(const std::deque<raster::Timeline>& timelines) {
    uint64_t first = UINT64_MAX;
    const auto look = [&](const std::vector<raster::TimelineEvent>& events) {
        for (const raster::TimelineEvent& event : events)
            first = std::min(first, event.begin_ns);
    };
    for (const raster::Timeline& timeline : timelines) {
        look(timeline.frames());
        for (const auto& worker : timeline.events())
            look(worker);
    }
    return first;
}

Error failed(const std::string& path) {
    return Error{Errc::System, {}, path + ": " + std::strerror(errno)};
}

}  // namespace

Result<std::unique_ptr<TimelineFile>> TimelineFile::create(const std::string& path,
                                                           raster::FrameRange frames) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr)
        return failed(path);
    return std::unique_ptr<TimelineFile>(new TimelineFile(file, path, frames));
}

raster::Timeline& TimelineFile::add() {
    return timelines_.emplace_back(frames_);
}

Result<void> TimelineFile::write() try {
    EventWriter out(file_.get(), first_begin(timelines_));
    size_t process = 0;
    for (const raster::Timeline& timeline : timelines_)
        write_client(out, ++process, timeline);
    out.finish();
    if (std::fflush(file_.get()) != 0)
        return failed(path_);
    return {};
} catch (const std::system_error& error) {  // of fmt
    return Error{Errc::System, {}, path_ + ": " + error.what()};
}

uint64_t TimelineFile::left_out() const {
    uint64_t sum = 0;
    for (const raster::Timeline& timeline : timelines_)
        sum += timeline.left_out();
    return sum;
}

}  // namespace valkyr::app

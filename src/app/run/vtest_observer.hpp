// Vtest observer: prints and records the server's events for `valkyr vtest` and `run`.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/cli/timeline_file.hpp"
#include "app/debug/trap/trap_log.hpp"
#include "app/run/figures_text.hpp"
#include "examples/image_io.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/observe/observer.hpp"
#include "virgl/protocol/capabilities.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace valkyr::app {

struct VtestOptions {
    virgl::GlLevel level = virgl::GlLevel::Gl43;
    bool stats = false;
    bool quiet = false;       ///< no messages of clients
    debug::TrapOptions trap;  ///< set: all shaders run in the interpreter, findings are reported
    bool race_check = false;  ///< compute shaders run in the interpreter, races are reported
    std::string shader_directory;   ///< empty: none
    bool shader_listings = true;    ///< listings of Valhall and host code beside the texts
    bool shader_repeats = false;    ///< texts that have come before are written again
    uint64_t screenshot_frame = 0;  ///< 0: none
    std::string screenshot_file;
    std::string trace_file;     ///< empty: nothing is recorded
    uint64_t trace_frames = 0;  ///< of a client; 0: all
    std::string timeline_file;  ///< empty: none
    raster::FrameRange timeline_frames;
};

/// Adds --timeline and --timeline-frames; `options` must outlive the parsing.
void add_timeline_arguments(Command command, VtestOptions& options);

/// Adds --race-check, and --trap with --trap-count; `options` must outlive the parsing.
std::vector<Option> add_check_arguments(Command command, VtestOptions& options);

/// Adds --gl, --stats, --quiet, --dump-shaders, --screenshot, --record and --record-frames;
/// `options` must outlive the parsing.
void add_vtest_arguments(Command command, VtestOptions& options);

/// Creates the trace of --record; null without that option.
Result<std::unique_ptr<virgl::TraceWriter>> create_trace(const VtestOptions& options);
/// The frame as a window shows it: opaque.
examples::Image frame_picture(const virgl::FramePixels& pixels);
/// Writes frame_picture() to a picture file.
/// errors  System: the file cannot be written
Result<void> write_frame(const std::string& path, const virgl::FramePixels& pixels);

class VtestObserver : public virgl::Observer {
public:
    VtestObserver(VtestOptions options, const char* command)
        : options_(std::move(options))
        , command_(command) {}

    void log(std::string_view client, std::string_view line) override;
    void shader(std::string_view client, std::string_view text) override;
    bool wants_frame(uint64_t number) override;
    void frame(uint64_t number, const virgl::FramePixels& pixels) override;
    void finished(std::string_view client, const virgl::Figures& figures) override;
    raster::Timeline* timeline() override;

    /// The log that counts frames, with those of all clients; null: none.
    void set_trap(debug::TrapLog* log) { trap_log_ = log; }

    /// Opens the file of --timeline, if given. Call it before the first client connects.
    /// errors  System: it cannot be written
    Result<void> open_timeline();
    /// Writes the timeline of all clients, after they have disconnected.
    /// errors  System
    Result<void> write_timeline();

    /// Prints the figures of all clients if --stats is given.
    void print_figures();
    /// The figures of the clients that have disconnected.
    ClientFigures figures();
    /// Returns false, with a message, if a requested screenshot was not taken.
    bool check_screenshot();

private:
    VtestOptions options_;
    const char* command_;
    std::mutex mutex_;
    ClientFigures figures_;
    std::unordered_set<std::string> dumped_;
    size_t dumps_ = 0;
    bool has_screenshot_ = false;
    debug::TrapLog* trap_log_ = nullptr;
    uint64_t frames_ = 0;  ///< of all clients
    std::unique_ptr<TimelineFile> timeline_;
};

}  // namespace valkyr::app

// Vtest observer: prints and records the server's events for `valkyr vtest` and `run`.
// SPDX-License-Identifier: MIT
#include "app/run/vtest_observer.hpp"

#include "app/cli/file_io.hpp"
#include "app/compile/compile_listing.hpp"
#include "app/debug/trap/trap_argument.hpp"
#include "examples/image_io.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace valkyr::app {

namespace {

constexpr std::array<Choice<virgl::GlLevel>, 6> kLevels = {{
    {"2.1", virgl::GlLevel::Gl21},
    {"3.0", virgl::GlLevel::Gl30},
    {"3.1", virgl::GlLevel::Gl31},
    {"3.3", virgl::GlLevel::Gl33},
    {"es3.1", virgl::GlLevel::Es31},
    {"4.3", virgl::GlLevel::Gl43},
}};

/// The three columns of a shader's listing, or the error.
std::string listing_of(std::string_view text) {
    const auto list = [&]() -> Result<std::string> {
        const auto parsed = tgsi::parse(text);
        if (!parsed.ok())
            return parsed.errors.front();
        VALKYR_TRY(program, valhall::compile(parsed.shader, {}));
        VALKYR_TRY(level, host_level_option("auto"));
        VALKYR_TRY(lines, recompile_for_listing(program, level));
        return list_side_by_side(program, lines, text);
    };
    const auto listing = list();
    return listing.has_value() ? *listing : listing.error().format("text") + "\n";
}

}  // namespace

void add_vtest_arguments(Command command, VtestOptions& options) {
    command
        .choice("--gl", options.level, kLevels,
                "OpenGL version to offer: 2.1, 3.0, 3.1, 3.3, 3.3 with OpenGL ES 3.1 (es3.1), 4.3")
        .value_name("VERSION");
    command.flag("--stats", options.stats, "Print figures at the end");
    command.flag("--quiet", options.quiet, "No messages about clients");
    command.option("--dump-shaders", options.shader_directory,
                   "Write TGSI text, Valhall and host listing of every shader here");
    command
        .option(
            "--screenshot",
            [&options](const std::string& number, const std::string& file) -> Result<void> {
                options.screenshot_frame = std::strtoull(number.c_str(), nullptr, 10);
                options.screenshot_file = file;
                if (options.screenshot_frame == 0)
                    return Error{Errc::OutOfRange, {}, "frames count from 1"};
                if (!examples::is_image_path(file))
                    return Error{Errc::Unsupported,
                                 {},
                                 file + " does not end with " + examples::kImageEndings};
                return {};
            },
            "Write frame N (from 1) of the first client that has so many as a picture file")
        .value_name("N FILE");
    command.option("--record", options.trace_file,
                   "Write a trace for `valkyr replay`: all that the clients send");
    command
        .option("--record-frames", options.trace_frames,
                "Record so many frames of each client only")
        .positive();
    add_timeline_arguments(command, options);
}

std::vector<Option> add_check_arguments(Command command, VtestOptions& options) {
    const Option races = command.flag(
        "--race-check", options.race_check,
        "Report races on shared memory of compute shaders, which run in the interpreter");
    const Option trap = add_trap_arguments(command, options.trap).excludes(races);
    return {races, trap};
}

void add_timeline_arguments(Command command, VtestOptions& options) {
    command.option("--timeline", options.timeline_file,
                   "Write what the client and every thread did when, for ui.perfetto.dev");
    command
        .option(
            "--timeline-frames",
            [&options](uint64_t first, uint64_t last) -> Result<void> {
                options.timeline_frames = {first, last};
                if (first > last)
                    return Error{Errc::OutOfRange, {}, "FIRST is behind LAST"};
                return {};
            },
            "Frames of the timeline, from 1 (default: all, as long as there is room)")
        .positive()
        .value_name("FIRST LAST");
}

Result<std::unique_ptr<virgl::TraceWriter>> create_trace(const VtestOptions& options) {
    if (options.trace_file.empty())
        return std::unique_ptr<virgl::TraceWriter>();
    return virgl::TraceWriter::create(options.trace_file, options.level, options.trace_frames);
}

examples::Image frame_picture(const virgl::FramePixels& pixels) {
    examples::Image image;
    image.width = pixels.width;
    image.height = pixels.height;
    image.rgba.resize(pixels.rgba.size());
    std::memcpy(image.rgba.data(), pixels.rgba.data(), pixels.rgba.size());
    for (size_t i = 3; i < image.rgba.size(); i += 4)
        image.rgba[i] = 255;
    return image;
}

Result<void> write_frame(const std::string& path, const virgl::FramePixels& pixels) {
    return examples::write_image(path, frame_picture(pixels));
}

void VtestObserver::log(std::string_view client, std::string_view line) {
    if (options_.quiet)
        return;
    const std::lock_guard lock(mutex_);
    std::fprintf(stderr, "valkyr %s: %.*s: %.*s\n", command_, static_cast<int>(client.size()),
                 client.data(), static_cast<int>(line.size()), line.data());
}

void VtestObserver::shader(std::string_view /*client*/, std::string_view text) {
    if (options_.shader_directory.empty())
        return;
    const std::lock_guard lock(mutex_);
    if (!options_.shader_repeats && !dumped_.insert(std::string(text)).second)
        return;
    char name[32];
    std::snprintf(name, sizeof name, "/%04zu", ++dumps_);
    const std::string path = options_.shader_directory + name;
    auto written = write_output(path + ".tgsi", std::string(text) + "\n");
    if (written.has_value() && options_.shader_listings)
        written = write_output(path + ".txt", listing_of(text));
    if (!written.has_value())
        std::fprintf(stderr, "%s\n", written.error().format(path).c_str());
}

bool VtestObserver::wants_frame(uint64_t number) {
    const std::lock_guard lock(mutex_);
    // The frame that was numbered is complete.
    if (trap_log_ != nullptr)
        trap_log_->start_frame(++frames_ + 1);
    return number == options_.screenshot_frame && !has_screenshot_;
}

void VtestObserver::frame(uint64_t /*number*/, const virgl::FramePixels& pixels) {
    const std::lock_guard lock(mutex_);
    if (has_screenshot_)
        return;
    const auto written = write_frame(options_.screenshot_file, pixels);
    has_screenshot_ = written.has_value();
    if (!written.has_value())
        std::fprintf(stderr, "%s\n", written.error().format(options_.screenshot_file).c_str());
}

void VtestObserver::finished(std::string_view /*client*/, const virgl::Figures& figures) {
    const std::lock_guard lock(mutex_);
    figures_.sum += figures;
    ++figures_.clients;
}

void VtestObserver::print_figures() {
    if (options_.stats)
        std::fputs(figures_text(figures()).c_str(), stderr);
}

ClientFigures VtestObserver::figures() {
    const std::lock_guard lock(mutex_);
    return figures_;
}

raster::Timeline* VtestObserver::timeline() {
    const std::lock_guard lock(mutex_);
    return timeline_ ? &timeline_->add() : nullptr;
}

Result<void> VtestObserver::open_timeline() {
    if (options_.timeline_file.empty())
        return {};
    VALKYR_TRY(file, TimelineFile::create(options_.timeline_file, options_.timeline_frames));
    timeline_ = std::move(file);
    return {};
}

Result<void> VtestObserver::write_timeline() {
    if (!timeline_)
        return {};
    if (timeline_->left_out() != 0)
        std::fprintf(stderr, "valkyr %s: the timeline has no room for %llu events\n", command_,
                     static_cast<unsigned long long>(timeline_->left_out()));
    return timeline_->write();
}

bool VtestObserver::check_screenshot() {
    const std::lock_guard lock(mutex_);
    if (options_.screenshot_frame == 0 || has_screenshot_)
        return true;
    std::fprintf(stderr, "valkyr %s: no client came to frame %llu\n", command_,
                 static_cast<unsigned long long>(options_.screenshot_frame));
    return false;
}

}  // namespace valkyr::app

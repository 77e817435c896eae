// Command replay: renders a recorded OpenGL program, without Mesa and the program.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/device_arguments.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"
#include "app/cli/simulation_argument.hpp"
#include "app/commands.hpp"
#include "app/debug/log/log_argument.hpp"
#include "app/debug/log/log_device.hpp"
#include "app/debug/session/race_tap.hpp"
#include "app/debug/trap/trap_argument.hpp"
#include "app/debug/trap/trap_device.hpp"
#include "app/image/fingerprint.hpp"
#include "app/run/replay_report.hpp"
#include "app/run/replay_simulation.hpp"
#include "app/run/vtest_observer.hpp"
#include "examples/image_io.hpp"
#include "virgl/capture/replay.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

namespace valkyr::app {

namespace {

struct ReplayCommand {
    std::string file;
    uint64_t frame = 0;  ///< 0: the last one
    uint64_t loops = 1;
    std::vector<unsigned> simulated_threads;  ///< empty: nothing is simulated
    std::string output;
    std::string json;
    ColorChoice color = ColorChoice::Auto;
    raster::DeviceOptions device;
    VtestOptions options;
    LogOptions log;
    debug::TrapLog* trap_log = nullptr;      ///< null: there is no trap
    debug::LogPoints* log_points = nullptr;  ///< null: there are none

    /// Whether text goes to standard output; with `--json -` the report does.
    [[nodiscard]] bool prints_text() const { return json != "-"; }
};

/// Counts frames over all clients, keeps the requested frame, and takes fingerprints for reports.
class ReplayObserver final : public VtestObserver {
public:
    explicit ReplayObserver(const ReplayCommand& command)
        : VtestObserver(command.options, "replay")
        , command_(command)
        , bar_(command.options.quiet ? ProgressOutput() : progress_on_stderr()) {}

    void restart() {
        frames_ = 0;
        ++loop_;
    }
    bool wants_frame(uint64_t /*number*/) override {
        ++frames_;
        return is_for_picture() || is_for_report();
    }
    void frame(uint64_t /*number*/, const virgl::FramePixels& pixels) override {
        if (is_for_picture())
            pixels_ = pixels;
        if (is_for_report())
            fingerprints_.push_back(
                {pixels.width, pixels.height, fingerprint(frame_picture(pixels))});
    }
    void log(std::string_view client, std::string_view line) override {
        bar_.clear();
        VtestObserver::log(client, line);
    }
    /// Shows that `part` (0..1) of this loop is done.
    void show(double part) {
        const auto loops = static_cast<double>(command_.loops);
        bar_.show("frame " + std::to_string(frames_ + 1),
                  (static_cast<double>(loop_ - 1) + part) / loops);
    }
    void clear_bar() { bar_.clear(); }
    [[nodiscard]] uint64_t frames() const { return frames_; }
    [[nodiscard]] const virgl::FramePixels& pixels() const { return pixels_; }
    [[nodiscard]] const std::vector<ReplayReport::Frame>& fingerprints() const {
        return fingerprints_;
    }

private:
    [[nodiscard]] bool is_for_picture() const {
        return !command_.output.empty() && (command_.frame == 0 || command_.frame == frames_);
    }
    /// Only the first loop takes fingerprints: reading frames would slow the later loops.
    [[nodiscard]] bool is_for_report() const { return !command_.json.empty() && loop_ == 1; }

    const ReplayCommand& command_;
    uint64_t loop_ = 0;
    uint64_t frames_ = 0;
    virgl::FramePixels pixels_;
    std::vector<ReplayReport::Frame> fingerprints_;
    ProgressBar bar_;
};

int replay_fails(const ReplayCommand& command, const Error& error, const std::string& file) {
    return fail(error, "valkyr replay: " + file, command.color);
}

/// For errors whose text names the file.
int replay_fails(const ReplayCommand& command, const Error& error) {
    return fail(error, "valkyr replay", command.color);
}

/// Tells what watches the draws that they belong to another frame now.
void start_frame(const ReplayCommand& command, uint64_t number) {
    if (command.trap_log != nullptr)
        command.trap_log->start_frame(number);
    if (command.log_points != nullptr)
        command.log_points->work.start_frame(number);
}

/// The makers of the devices that render, those of a trap or of log points if there are any.
virgl::Replay
make_replay(const virgl::Trace& trace, const ReplayCommand& command, ReplayObserver& observer) {
    virgl::Replay::DeviceMaker make;
    if (command.trap_log != nullptr)
        make = [&command] { return debug::TrapDevice::create(*command.trap_log, command.device); };
    else if (command.log_points != nullptr && !command.log_points->paused)
        make = [&command] { return debug::LogDevice::create(*command.log_points, command.device); };
    start_frame(command, 1);
    return make ? virgl::Replay(trace, std::move(make), observer)
                : virgl::Replay(trace, command.device, observer);
}

/// Replays the trace once, up to the requested frame.
Result<void>
play(const virgl::Trace& trace, const ReplayCommand& command, ReplayObserver& observer) {
    virgl::Replay replay = make_replay(trace, command, observer);
    observer.restart();
    const auto chunks = static_cast<double>(trace.chunks().size());
    uint64_t shown = UINT64_MAX;
    for (double done = 0; command.frame == 0 || replay.frames() < command.frame; ++done) {
        if (shown != replay.frames()) {
            observer.show(done / chunks);
            start_frame(command, replay.frames() + 1);
        }
        shown = replay.frames();
        VALKYR_TRY(more, replay.step());
        if (!more)
            break;
    }
    if (command.frame > replay.frames())
        return Error{Errc::OutOfRange,
                     {},
                     "no frame " + std::to_string(command.frame) + "; the trace has " +
                         std::to_string(replay.frames())};
    return {};
}

/// Replays the trace --loops times; prints the time of each loop.
Result<std::vector<ReplayReport::Loop>>
play_loops(const virgl::Trace& trace, const ReplayCommand& command, ReplayObserver& observer) {
    std::vector<ReplayReport::Loop> loops;
    for (uint64_t loop = 1; loop <= command.loops; ++loop) {
        const auto begin = std::chrono::steady_clock::now();
        const auto done = play(trace, command, observer);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        observer.clear_bar();
        if (!done.has_value())
            return done.error();
        if (command.log_points != nullptr)
            command.log_points->paused = true;  // later loops draw the same
        loops.push_back({observer.frames(), time.count()});
        if (command.prints_text())
            std::printf("%llu frames in %.3f s: %.1f frames/s\n",
                        static_cast<unsigned long long>(observer.frames()), time.count(),
                        static_cast<double>(observer.frames()) / time.count());
    }
    return loops;
}

/// Writes the requested files; reports which one failed.
int write_results(const ReplayCommand& command,
                  std::vector<ReplayReport::Loop> loops,
                  ReplayObserver& observer) {
    if (const auto written = observer.write_timeline(); !written.has_value())
        return replay_fails(command, written.error());
    if (!command.json.empty()) {
        const ReplayReport report{command.file, std::move(loops), observer.fingerprints(),
                                  observer.figures()};
        const auto written = write_output(command.json, replay_json(report));
        if (!written.has_value())
            return replay_fails(command, written.error());
    }
    if (command.output.empty())
        return kExitOk;
    if (observer.pixels().width == 0)
        return replay_fails(command, Error{Errc::OutOfRange, {}, "the trace shows no frame"},
                            command.file);
    const auto written = write_frame(command.output, observer.pixels());
    return written.has_value() ? kExitOk : replay_fails(command, written.error(), command.output);
}

/// Renders the trace, and writes what was asked for.
int render(const virgl::Trace& trace, const ReplayCommand& command) {
    ReplayObserver observer(command);
    if (const auto opened = observer.open_timeline(); !opened.has_value())
        return replay_fails(command, opened.error());
    auto loops = play_loops(trace, command, observer);
    if (!loops.has_value())
        return replay_fails(command, loops.error(), command.file);
    observer.print_figures();
    return write_results(command, std::move(*loops), observer);
}

/// As render(); reports races at the end, which are a failure.
int render_checked(const virgl::Trace& trace, ReplayCommand command) {
    std::string texts;
    debug::RaceTap races([&texts](const std::string& text) { texts += "valkyr replay: " + text; });
    command.device.kernel_tap = &races;
    const int code = render(trace, command);
    std::fputs(texts.c_str(), stderr);
    if (races.exhausted())
        return replay_fails(
            command, Error{Errc::OutOfMemory, {}, "no memory to check all work-groups for races"});
    return races.pairs() != 0 ? kExitError : code;
}

/// As render(); reports what the trap has found at the end, which is a failure.
int render_trapped(const virgl::Trace& trace, ReplayCommand command) {
    debug::TrapLog log(command.options.trap);
    command.trap_log = &log;
    const int code = render(trace, command);
    const bool found =
        print_findings(log, "valkyr replay", [&command](const debug::TrapFinding& finding) {
            return "valkyr debug " + command.file + " --frame " + std::to_string(finding.frame);
        });
    return found ? kExitError : code;
}

/// As render(); prints the lines of log points.
int render_logged(const virgl::Trace& trace, ReplayCommand command, debug::LogPoints points) {
    const debug::LogPoints::Print print = [&command](const std::string& text) {
        std::fputs(text.c_str(), command.prints_text() ? stdout : stderr);
    };
    points.set_print(print);
    command.log_points = &points;
    const int code = render(trace, command);
    end_log(points, "valkyr replay", print);
    return code;
}

int replay_trace(const ReplayCommand& command) {
    auto points = make_log(command.log, "valkyr replay");
    if (!points)
        return kExitUsage;
    const auto trace = virgl::Trace::load(command.file);
    if (!trace.has_value())
        return replay_fails(command, trace.error(), command.file);
    if (!command.simulated_threads.empty()) {
        const auto done = print_simulation(*trace, command.device, command.simulated_threads);
        return done.has_value() ? kExitOk : replay_fails(command, done.error(), command.file);
    }
    if (command.options.trap.is_set())
        return render_trapped(*trace, command);
    if (command.log.is_set())
        return render_logged(*trace, command, *std::move(points));
    return command.options.race_check ? render_checked(*trace, command) : render(*trace, command);
}

}  // namespace

void add_replay_command(CommandLine& line) {
    const Command command =
        line.subcommand("replay", "Render a trace of run --record or vtest --record");
    auto options = std::make_shared<ReplayCommand>();
    command.option("TRACE", options->file, "The trace").required();
    command.option("--frame", options->frame, "Stop after frame N, from 1").positive("POSITIVE");
    command
        .option("-o,--output", options->output,
                "Write that frame, or the last one, to this picture file (.png, .ppm or .qoi)")
        .ending(examples::is_image_path, examples::kImageEndings);
    command.option("--loops", options->loops, "Render the trace so often").positive("POSITIVE");
    command.flag("--stats", options->options.stats, "Print figures at the end");
    add_simulation_argument(command, options->simulated_threads);
    add_timeline_arguments(command, options->options);
    const Option log = add_log_arguments(command, options->log);
    for (const Option& check : add_check_arguments(command, options->options))
        log.excludes(check);
    command.flag("--quiet", options->options.quiet, "No messages about clients");
    add_device_arguments(command, options->device);
    command.option("--json", options->json,
                   "Write times, figures and fingerprints of frames as JSON to this file, - for "
                   "standard output instead of text");
    add_color_argument(command, options->color);
    command.runs([options] { return replay_trace(*options); });
}

}  // namespace valkyr::app

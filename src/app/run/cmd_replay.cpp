// Command replay: renders a recorded OpenGL program, without Mesa and the program.
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"
#include "app/cli/simulation_argument.hpp"
#include "app/commands.hpp"
#include "app/run/replay_simulation.hpp"
#include "app/run/vtest_observer.hpp"
#include "virgl/capture/replay.hpp"

#include <chrono>
#include <cstdio>

namespace valkyr::app {

namespace {

struct ReplayCommand {
    std::string file;
    uint64_t frame = 0;  ///< 0: the last one
    uint64_t loops = 1;
    std::vector<unsigned> simulated_threads;  ///< empty: nothing is simulated
    std::string output;
    raster::DeviceOptions device;
    VtestOptions options;
};

/// Counts frames over all clients and keeps the one that is wanted.
class ReplayObserver final : public VtestObserver {
public:
    explicit ReplayObserver(const ReplayCommand& command)
        : VtestObserver(command.options, "replay")
        , command_(command) {}

    void restart() { frames_ = 0; }
    bool wants_frame(uint64_t /*number*/) override {
        ++frames_;
        return !command_.output.empty() && (command_.frame == 0 || command_.frame == frames_);
    }
    void frame(uint64_t /*number*/, const virgl::FramePixels& pixels) override { pixels_ = pixels; }
    [[nodiscard]] uint64_t frames() const { return frames_; }
    [[nodiscard]] const virgl::FramePixels& pixels() const { return pixels_; }

private:
    const ReplayCommand& command_;
    uint64_t frames_ = 0;
    virgl::FramePixels pixels_;
};

int replay_fails(const Error& error, const std::string& file) {
    std::fprintf(stderr, "valkyr replay: %s\n", error.format(file).c_str());
    return kExitError;
}

/// For errors whose text names the file.
int replay_fails(const Error& error) {
    std::fprintf(stderr, "valkyr replay: %s\n", error.text.c_str());
    return kExitError;
}

/// The trace once, up to the frame that is asked for.
Result<void>
play(const virgl::Trace& trace, const ReplayCommand& command, ReplayObserver& observer) {
    virgl::Replay replay(trace, command.device, observer);
    observer.restart();
    while (command.frame == 0 || replay.frames() < command.frame) {
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

int replay_trace(const ReplayCommand& command) {
    const auto trace = virgl::Trace::load(command.file);
    if (!trace.has_value())
        return replay_fails(trace.error(), command.file);
    if (!command.simulated_threads.empty()) {
        const auto done = print_simulation(*trace, command.device, command.simulated_threads);
        return done.has_value() ? kExitOk : replay_fails(done.error(), command.file);
    }
    ReplayObserver observer(command);
    if (const auto opened = observer.open_timeline(); !opened.has_value())
        return replay_fails(opened.error());
    for (uint64_t loop = 1; loop <= command.loops; ++loop) {
        const auto begin = std::chrono::steady_clock::now();
        if (const auto done = play(*trace, command, observer); !done.has_value())
            return replay_fails(done.error(), command.file);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        std::printf("%llu frames in %.3f s: %.1f frames/s\n",
                    static_cast<unsigned long long>(observer.frames()), time.count(),
                    static_cast<double>(observer.frames()) / time.count());
    }
    observer.print_figures();
    if (const auto written = observer.write_timeline(); !written.has_value())
        return replay_fails(written.error());
    if (command.output.empty())
        return kExitOk;
    if (observer.pixels().width == 0)
        return replay_fails(Error{Errc::OutOfRange, {}, "the trace shows no frame"}, command.file);
    const auto written = write_frame(command.output, observer.pixels());
    return written.has_value() ? kExitOk : replay_fails(written.error(), command.output);
}

}  // namespace

void add_replay_command(CommandLine& line) {
    const Command command =
        line.subcommand("replay", "Render a trace of run --record or vtest --record");
    auto options = std::make_shared<ReplayCommand>();
    command.option("TRACE", options->file, "The trace").required();
    command.option("--frame", options->frame, "Stop after frame N, from 1").positive("POSITIVE");
    command.option("-o,--output", options->output, "Write that frame, or the last one, as a PNG");
    command.option("--loops", options->loops, "Render the trace so often").positive("POSITIVE");
    command.flag("--stats", options->options.stats, "Print figures at the end");
    add_simulation_argument(command, options->simulated_threads);
    add_timeline_arguments(command, options->options);
    command.flag("--quiet", options->options.quiet, "No messages about clients");
    add_device_arguments(command, options->device);
    command.runs([options] { return replay_trace(*options); });
}

}  // namespace valkyr::app

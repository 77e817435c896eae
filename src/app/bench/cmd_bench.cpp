// Command bench: times the benchmark scenes, beside another renderer if wanted.
// SPDX-License-Identifier: MIT
#include "app/bench/bench_report.hpp"
#include "app/bench/bench_simulation.hpp"
#include "app/bench/bench_timeline.hpp"
#include "app/cli/color_argument.hpp"
#include "app/cli/device_arguments.hpp"
#include "app/cli/interpreter_note.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"
#include "app/cli/simulation_argument.hpp"
#include "app/cli/timeline_file.hpp"
#include "app/commands.hpp"
#include "bench/bench_target.hpp"
#include "bench/peer.hpp"
#include "examples/image_io.hpp"
#include "raster/device/record_timeline.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace valkyr::app {

namespace {

struct BenchOptions {
    std::vector<std::string> scenes;
    bool list = false;
    std::string json;
    std::string pictures;
    bool stats = false;
    std::string timeline;
    std::vector<unsigned> simulated_threads;  ///< empty: nothing is simulated
    bool no_hierarchical_z = false;
    bool no_fast_clear = false;
    unsigned rounds = 0;  ///< 0 = 1, or 5 beside a peer
    bench::TargetOptions target;
    bench::Duration duration;
    bench::PeerOptions peer;
    ColorChoice color = ColorChoice::Auto;
};

/// Counts rounds on a bar, which is touched between measurements only.
struct BenchProgress {
    explicit BenchProgress(const BenchOptions& options)
        : rounds_of_scene(options.rounds)
        , rounds(uint64_t{options.scenes.size()} * options.rounds) {}

    void show(const std::string& scene) { bar.show(scene, done++, rounds); }

    uint64_t rounds_of_scene;
    uint64_t rounds;
    uint64_t done = 0;
    ProgressBar bar{progress_on_stderr()};
};

int list_scenes() {
    for (const bench::BenchSceneInfo& info : bench::bench_scenes())
        std::printf("%-16s %s\n", std::string(info.name).c_str(), std::string(info.title).c_str());
    return kExitOk;
}

/// Rows of the target start at the bottom of the picture, those of a PNG at the top.
Result<void>
write_picture(const std::string& path, const std::vector<uint8_t>& rows, uint32_t size) {
    examples::Image image{size, size, rows};
    const size_t stride = size_t{4} * size;
    for (uint32_t y = 0; y < size; ++y)
        std::memcpy(image.rgba.data() + y * stride, rows.data() + (size - 1 - y) * stride, stride);
    return examples::write_image(path, image);
}

/// Measures one round of Valkyr and, if there is a peer, one of the peer.
Result<void>
run_round(bench::BenchTarget& target, const BenchOptions& options, SceneReport& report) {
    VALKYR_TRY(times, bench::measure(target, options.duration));
    const auto frames = static_cast<double>(times.wall_ms.size());
    report.frames += static_cast<uint32_t>(times.wall_ms.size());
    report.cpu_ms.push_back(times.cpu_ms / frames);
    report.median_ms.push_back(median(times.wall_ms));
    report.min_ms.push_back(*std::min_element(times.wall_ms.begin(), times.wall_ms.end()));
    if (options.peer.program.empty())
        return {};
    VALKYR_TRY(peer, bench::run_peer(options.peer, report.name));
    report.peer_cpu_ms.push_back(peer.cpu_ms);
    report.peer_min_ms.push_back(peer.min_ms);
    return {};
}

/// Draws one more frame and records its counters and timeline.
Result<FrameProfile>
profile_frame(bench::BenchTarget& target, const BenchOptions& options, raster::Timeline& timeline) {
    FrameProfile profile;
    profile.pixels = uint64_t{options.target.size} * options.target.size;
    raster::Device& device = target.device();
    if (const std::string note = interpreter_note(device.take_statistics()); !note.empty())
        std::fprintf(stderr, "note: %s\n", note.c_str());
    VALKYR_TRY_VOID(raster::record_timeline(device, &timeline));
    profile.begin_ns = raster::timeline_clock_ns();
    VALKYR_TRY_VOID(target.record(0));
    profile.recorded_ns = raster::timeline_clock_ns();
    VALKYR_TRY_VOID(target.finish());
    profile.end_ns = raster::timeline_clock_ns();
    profile.statistics = device.take_statistics();
    VALKYR_TRY_VOID(raster::record_timeline(device, nullptr));
    add_frame(timeline, profile);
    return profile;
}

/// Samples that early tests kill in a frame. It draws on a target of its own, since counting takes
/// time.
Result<uint64_t> killed_samples(const bench::BenchSceneInfo& info, BenchOptions options) {
    options.target.device.count_killed = true;
    VALKYR_TRY(target, bench::BenchTarget::create(info, options.target));
    raster::Timeline timeline;
    VALKYR_TRY(profile, profile_frame(*target, options, timeline));
    return profile.statistics.samples_killed;
}

/// Whether text goes to standard output; with `--json -` the report does.
bool prints_text(const BenchOptions& options) {
    return options.json != "-";
}

Result<SceneReport>
run_scene(const bench::BenchSceneInfo& info, const BenchOptions& options, BenchProgress& progress) {
    VALKYR_TRY(target, bench::BenchTarget::create(info, options.target));
    SceneReport report;
    report.name = info.name;
    report.threads = target->device().options().threads;
    report.limit = info.limit[report.threads == 1 ? 0 : 1];
    for (unsigned i = 0; i < options.rounds; ++i) {
        progress.show(report.name);
        VALKYR_TRY_VOID(run_round(*target, options, report));
    }
    progress.bar.clear();
    raster::Timeline unseen;
    std::unique_ptr<TimelineFile> file;
    if (!options.timeline.empty()) {
        VALKYR_TRY(opened, TimelineFile::create(options.timeline));
        file = std::move(opened);
    }
    raster::Timeline& timeline = file ? file->add() : unseen;
    timeline.program = report.name;
    VALKYR_TRY(profile, profile_frame(*target, options, timeline));
    if (options.stats) {
        VALKYR_TRY(killed, killed_samples(info, options));
        profile.statistics.samples_killed = killed;
    }
    if (file)
        VALKYR_TRY_VOID(file->write());
    VALKYR_TRY(image, target->image());
    report.hash = bench::picture_hash(image);
    if (prints_text(options)) {
        print_row(report);
        if (options.stats)
            print_profile(profile, timeline);
    }
    if (!options.pictures.empty())
        VALKYR_TRY_VOID(write_picture(options.pictures + "/" + report.name + ".png", image,
                                      options.target.size));
    return report;
}

int scene_fails(const std::string& name, const Error& error, const BenchOptions& options) {
    return fail({error.code, {}, name + ": " + error.text}, "valkyr bench", options.color);
}

/// Prints simulated frames instead of measuring real ones (--simulate-threads).
int simulate_scenes(const BenchOptions& options) {
    int exit_code = kExitOk;
    for (const std::string& name : options.scenes) {
        const auto done = print_simulation(*bench::find_bench_scene(name), options.target,
                                           options.duration, options.simulated_threads);
        if (!done.has_value())
            exit_code = scene_fails(name, done.error(), options);
    }
    return exit_code;
}

int measure_scenes(const BenchOptions& options) {
    std::vector<SceneReport> reports;
    if (prints_text(options))
        print_header(!options.peer.program.empty());
    BenchProgress progress(options);
    int exit_code = kExitOk;
    for (const std::string& name : options.scenes) {
        auto report = run_scene(*bench::find_bench_scene(name), options, progress);
        if (!report.has_value()) {
            progress.bar.clear();
            exit_code = scene_fails(name, report.error(), options);
            continue;
        }
        reports.push_back(std::move(*report));
    }
    if (!options.json.empty()) {
        const auto written = write_json(options.json, reports, options.target.size);
        if (!written.has_value())
            return fail(written.error(), "valkyr bench", options.color);
    }
    return exit_code;
}

int run_bench(BenchOptions options) {
    if (options.list)
        return list_scenes();
    raster::DeviceOptions& device = options.target.device;
    device.hierarchical_z = !options.no_hierarchical_z;
    device.fast_clear = !options.no_fast_clear;
    options.peer.size = options.target.size;
    options.peer.threads = device.threads == 0 ? 2 : device.threads;
    options.peer.milliseconds = options.duration.milliseconds;
    if (options.scenes.empty())
        for (const bench::BenchSceneInfo& info : bench::bench_scenes())
            options.scenes.emplace_back(info.name);
    if (options.rounds == 0)
        options.rounds = options.peer.program.empty() ? 1 : 5;
    if (!options.simulated_threads.empty())
        return simulate_scenes(options);
    return measure_scenes(options);
}

void add_measurement_options(Command command, BenchOptions& options) {
    command.option("--ms", options.duration.milliseconds, "Least time of a round")
        .range(0.0, 1e6)
        .shows_default();
    command.option("--frames", options.duration.frames, "Most frames of a round")
        .range(1, 1000000)
        .shows_default();
    command.option("--warm", options.duration.warm, "Frames before each round").shows_default();
    command.option("--rounds", options.rounds, "Rounds a scene (default 1; with --peer 5)");
    command.option("--peer", options.peer.program,
                   "A peer_gl program to run after each round, on Mesa's llvmpipe");
}

void add_target_options(Command command, BenchOptions& options) {
    add_device_arguments(command, options.target.device);
    command.option("--size", options.target.size, "Pixels a side").range(16, 8192).shows_default();
    command.flag("--no-hierarchical-z", options.no_hierarchical_z, "Test every pixel's depth");
    command.flag("--no-fast-clear", options.no_fast_clear, "Clear by writing every texel");
    command.flag("--linear", options.target.linear,
                 "Copy colour and depth to linear rows in every frame");
}

}  // namespace

void add_bench_command(CommandLine& line) {
    const Command command =
        line.subcommand("bench", "Time the benchmark scenes, beside another renderer if wanted");
    auto options = std::make_shared<BenchOptions>();
    std::vector<std::string> names;
    for (const bench::BenchSceneInfo& info : bench::bench_scenes())
        names.emplace_back(info.name);
    command.option("SCENE", options->scenes, "Scenes, default all").one_of(names);
    command.flag("--list", options->list, "Name the scenes");
    command.option("--json", options->json,
                   "Write the figures as JSON to this file, - for standard output instead of text");
    add_color_argument(command, options->color);
    command.flag("--stats", options->stats, "Counters and time per stage of a frame");
    add_simulation_argument(command, options->simulated_threads);
    command.option("--timeline,--trace", options->timeline,
                   "File for a timeline of one frame (of the last scene), for Perfetto or Chrome");
    command.option("-o,--output", options->pictures,
                   "Existing folder for SCENE.png of the last frame");
    add_target_options(command, *options);
    add_measurement_options(command, *options);
    command.runs([options] { return run_bench(*options); });
}

}  // namespace valkyr::app

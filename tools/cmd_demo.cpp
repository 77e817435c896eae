// valkyr demo: draws a demo scene in a window, or without one into a PNG file.
// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "demo_window.hpp"
#include "device_arguments.hpp"
#include "image_io.hpp"
#include "report.hpp"
#include "scene.hpp"

#include <chrono>
#include <cstdio>
#include <string>

namespace valkyr::tools {

namespace {

struct DemoOptions {
    std::string scene = "cube";
    bool headless = false;
    bool list = false;
    uint32_t frames = 0;  ///< 0 = until the window closes; headless: 1
    std::string size = "640x480";
    raster::DeviceOptions device;
    std::string output;
};

/// "WxH", both 1..8192.
Result<std::pair<uint32_t, uint32_t>> parse_size(const std::string& text) {
    unsigned width = 0;
    unsigned height = 0;
    char end = 0;
    if (std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &end) != 2 || width < 1 ||
        width > 8192 || height < 1 || height > 8192)
        return Error{
            Errc::OutOfRange, {}, "size '" + text + "' is not WIDTHxHEIGHT with 1 to 8192 each"};
    return std::pair{width, height};
}

/// Scene time advances by a fixed step, so that frame n is the same picture in every run.
constexpr double kSecondsPerFrame = 1.0 / 60;

Result<void> run_headless(DemoTarget& target, uint32_t frames, const std::string& path) {
    const auto start = std::chrono::steady_clock::now();
    for (uint32_t frame = 0; frame < frames; ++frame)
        VALKYR_TRY_VOID(target.render(frame * kSecondsPerFrame));
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    VALKYR_TRY_VOID(examples::write_png(path, target.image()));
    std::printf("%s: %ux%u, %u frame%s, %.2f ms a frame\n", path.c_str(), target.image().width,
                target.image().height, frames, frames == 1 ? "" : "s", elapsed.count() / frames);
    return {};
}

int run_demo(const DemoOptions& options) {
    if (options.list) {
        for (const examples::SceneInfo& info : examples::scenes())
            std::printf("%-10s %s\n", std::string(info.name).c_str(),
                        std::string(info.title).c_str());
        return kExitOk;
    }
    auto size = parse_size(options.size);
    if (!size.has_value()) {
        std::fprintf(stderr, "%s\n", size.error().format("valkyr demo").c_str());
        return kExitUsage;
    }
    const examples::SceneInfo* scene = examples::find_scene(options.scene);
    const bool headless = options.headless || !options.output.empty();
    if (!headless) {
        const auto shown = run_window({scene, options.device, size->first, size->second},
                                      kSecondsPerFrame, options.frames);
        return shown.has_value() ? kExitOk : fail(shown.error(), "valkyr demo");
    }
    auto target = DemoTarget::create(*scene, options.device, size->first, size->second);
    if (!target.has_value())
        return fail(target.error(), "valkyr demo");
    const auto result =
        run_headless(**target, options.frames == 0 ? 1 : options.frames,
                     options.output.empty() ? options.scene + ".png" : options.output);
    return result.has_value() ? kExitOk : fail(result.error(), "valkyr demo");
}

}  // namespace

void add_demo_command(CLI::App& app, Run& run) {
    auto* command = app.add_subcommand("demo", "Draw a demo scene in a window, or into a PNG file");
    auto options = std::make_shared<DemoOptions>();
    std::vector<std::string> names;
    std::string list;
    for (const examples::SceneInfo& info : examples::scenes()) {
        names.emplace_back(info.name);
        list += "\n  " + std::string(info.name) + "  " + std::string(info.title);
    }
    command->footer("Scenes:" + list + "\n\nKeys of the window:\n" + std::string(window_keys()));
    command->add_flag("--list", options->list, "Print the names of the scenes");
    command->add_option("SCENE", options->scene, "Scene to draw")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    command->add_flag("--headless", options->headless,
                      "No window: write the last frame to a PNG file");
    command
        ->add_option("--frames,--frame", options->frames,
                     "Frames to draw (window: until closed; headless: 1)")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--size", options->size, "Picture size, WIDTHxHEIGHT")
        ->capture_default_str();
    add_device_arguments(*command, options->device);
    command->add_option("-o,--output", options->output,
                        "PNG file to write; implies --headless (default SCENE.png)");
    command->callback([options, &run] { run = [options] { return run_demo(*options); }; });
}

}  // namespace valkyr::tools

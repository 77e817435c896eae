// Scene check: draws a scene on every engine and compares it with the reference renderer.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/scene_check.hpp"

#include "gpu/create_device.hpp"
#include "tests/oracle/reference_device.hpp"
#include "tests/support/picture_diff.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <optional>
#include <sstream>

namespace valkyr::scenes {
namespace {

using raster::DeviceOptions;
using raster::Engine;
using raster::Host;

std::vector<Shot> draw_on(raster::Device& device, const SceneFunction& scene) {
    SceneKit kit(device);
    scene(kit);
    return kit.shots();
}

/// Writes the reference's pictures to the directory that VALKYR_SCENE_PICTURES names.
void show(const std::string& name, const std::vector<Shot>& shots) {
    const char* directory = std::getenv("VALKYR_SCENE_PICTURES");
    if (directory == nullptr)
        return;
    for (const Shot& shot : shots)
        write_picture(std::string(directory) + "/" + name + "-" + shot.name + ".png", shot);
}

/// The device, or nothing if this host cannot run the engine.
std::unique_ptr<raster::Device> open_device(const EngineConfig& config) {
    Result<std::unique_ptr<raster::Device>> device = gpu::create_device(config.options);
    if (device)
        return std::move(*device);
    if (device.error().code != Errc::Unsupported)
        throw SceneError(device.error().format(config.name));
    return nullptr;
}

DeviceOptions with(unsigned threads, Engine engine, Host host) {
    DeviceOptions options;
    options.threads = threads;
    options.engine = engine;
    options.host = host;
    return options;
}

/// A line of known_failures.txt.
struct KnownFailure {
    bool skip = false;
    std::string prefix;
};

std::vector<KnownFailure> read_known_failures() {
    std::vector<KnownFailure> list;
    std::ifstream file("tests/pictures/scenes/known_failures.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        KnownFailure known;
        if (line.empty() || line[0] == '#' || !(words >> kind >> known.prefix))
            continue;
        known.skip = kind == "skip";
        list.push_back(known);
    }
    return list;
}

/// The row of the scene, or null.
const KnownFailure* known_failure(const std::string& name) {
    static const std::vector<KnownFailure> list = read_known_failures();
    const auto found = std::find_if(list.begin(), list.end(), [&](const KnownFailure& known) {
        return name.compare(0, known.prefix.size(), known.prefix) == 0;
    });
    return found == list.end() ? nullptr : &*found;
}

/// Describes how a device's picture differs; empty if it does not. Writes pictures of every
/// difference.
std::string compare_engine(const std::string& name,
                           raster::Device& device,
                           const SceneFunction& scene,
                           const std::vector<Shot>& expected,
                           int tolerance) {
    std::string problem;
    try {
        const std::vector<Shot> actual = draw_on(device, scene);
        for (size_t i = 0; i < expected.size(); i++) {
            const std::optional<std::string> difference =
                first_difference(expected[i], actual.at(i), tolerance);
            if (!difference)
                continue;
            const std::string file = name + "-" + expected[i].name;
            write_difference(file, expected[i], actual[i]);
            problem += file + ": " + *difference + "\n";
        }
    } catch (const SceneError& error) {
        problem += name + ": " + error.what() + "\n";
    }
    return problem;
}

}  // namespace

const std::vector<EngineConfig>& engine_configs() {
    static const std::vector<EngineConfig> configs = [] {
        std::vector<EngineConfig> list{
            {"valhall", with(1, Engine::Valhall, Host::Auto)},
            {"jit-avx2", with(1, Engine::Jit, Host::Avx2)},
            {"jit-avx512", with(1, Engine::Jit, Host::Avx512)},
            {"jit-neon", with(1, Engine::Jit, Host::Neon)},
            {"jit-2-threads", with(2, Engine::Jit, Host::Auto)},
        };
        EngineConfig plain{"jit-plain", with(2, Engine::Jit, Host::Auto)};
        plain.options.hierarchical_z = false;
        plain.options.fast_clear = false;
        list.push_back(plain);
        EngineConfig copies{"jit-copies", with(1, Engine::Jit, Host::Auto)};
        copies.options.filter_copies = raster::FilterCopies::Always;
        list.push_back(copies);
        return list;
    }();
    return configs;
}

std::vector<Shot> check_scene(const std::string& name, const SceneFunction& scene, int tolerance) {
    CAPTURE(name);
    std::vector<Shot> expected = draw_on(*reference::create_reference_device(), scene);
    show(name, expected);
    const KnownFailure* known = known_failure(name);
    if (known != nullptr && known->skip)
        return expected;
    bool agrees = true;
    for (const EngineConfig& config : engine_configs()) {
        const std::unique_ptr<raster::Device> device = open_device(config);
        if (device == nullptr)
            continue;
        const std::string problem =
            compare_engine(name + "-" + config.name, *device, scene, expected, tolerance);
        agrees = agrees && problem.empty();
        if (known == nullptr)
            CHECK_MESSAGE(problem.empty(), problem);
    }
    if (known != nullptr && agrees)
        MESSAGE(name << " agrees now: take it off tests/pictures/scenes/known_failures.txt");
    return expected;
}

}  // namespace valkyr::scenes

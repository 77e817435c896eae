// Command memory test: refuses memory to the compiler and to a conformance scene.
// SPDX-License-Identifier: MIT
#include "app/conform/parser.hpp"
#include "app/conform/player.hpp"
#include "base/caught_error.hpp"
#include "gpu/create_device.hpp"
#include "tests/memory/sweep.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::test {
namespace {

namespace fs = std::filesystem;

/// A default run takes every 16th scene.
constexpr size_t kSceneStride = 16;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Turns exceptions into errors at the end of a command, as the subcommands do.
template <typename Value, typename Work>
Result<Value> command(Work&& work) try {
    return work();
} catch (...) {
    return caught_error();
}

Result<std::vector<uint64_t>> compile(const std::string& text) {
    const tgsi::ParseResult parsed = tgsi::parse(text);
    if (!parsed.ok())
        return parsed.errors.front();
    if (const auto errors = tgsi::verify(parsed.shader); !errors.empty())
        return errors.front();
    VALKYR_TRY(program, valhall::compile(parsed.shader, {}));
    return program.words;
}

/// Text of the shader files of the suite by their paths in it.
using Shaders = std::map<std::string, std::string>;

Result<std::vector<uint8_t>> play(const std::string& text, const Shaders& shaders) {
    const auto load = [&](const std::string& path) -> Result<std::string> {
        const auto place = shaders.find(path);
        if (place == shaders.end())
            return Error{Errc::System, {}, path};
        return place->second;
    };
    const conform::ParsedCase parsed = conform::parse_case(text, load);
    if (!parsed.ok())
        return parsed.errors.front();
    raster::DeviceOptions options;
    options.threads = 1;
    VALKYR_TRY(device, gpu::create_device(options));
    VALKYR_TRY(picture, conform::play(parsed.scene, *device));
    return std::move(picture.rgba);
}

template <typename Value, typename Work>
void sweep_command(uint64_t runs, Work&& work) {
    std::optional<Value> expected;
    sweep_memory(runs, [&](uint64_t first, uint64_t count) {
        std::optional<Result<Value>> done;
        uint64_t requests = 0;
        {
            const FailingMemory failing(first, count);
            done.emplace(command<Value>(work));
            requests = FailingMemory::requests();
        }
        if (!expected) {
            REQUIRE(done->has_value());
            expected = **done;
        }
        if (*done) {
            CHECK(**done == *expected);
        } else {
            CAPTURE(done->error().text);
            CHECK(done->error().code == Errc::OutOfMemory);
        }
        return requests;
    });
}

}  // namespace

TEST_CASE("compiling a text without memory is an error, or the same program") {
    for (const auto& entry : fs::directory_iterator("examples/shaders")) {
        const std::string text = text_of(entry.path());
        CAPTURE(entry.path().string());
        sweep_command<std::vector<uint64_t>>(200, [&] { return compile(text); });
    }
}

TEST_CASE("playing the conformance scenes without memory is an error, or the same picture") {
    const fs::path root = "tests/pictures/conformance";
    Shaders shaders;
    std::vector<fs::path> scenes;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path& path = entry.path();
        if (path.extension() == ".tgsi")
            shaders[path.lexically_relative(root).string()] = text_of(path);
        if (path.extension() == ".scene")
            scenes.push_back(path);
    }
    REQUIRE(!scenes.empty());
    std::sort(scenes.begin(), scenes.end());
    const size_t step = memory_stride() == 0 ? kSceneStride : 1;
    for (size_t i = 0; i < scenes.size(); i += step) {
        CAPTURE(scenes[i].string());
        const std::string text = text_of(scenes[i]);
        sweep_command<std::vector<uint8_t>>(8, [&] { return play(text, shaders); });
    }
}

}  // namespace valkyr::test

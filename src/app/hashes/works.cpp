// Hash works: list all that can be drawn and hashed.
// SPDX-License-Identifier: MIT
#include "app/hashes/works.hpp"

#include "app/conform/player.hpp"
#include "app/conform/suite.hpp"
#include "base/fnv1a.hpp"
#include "bench/bench_scene.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"
#include "virgl/capture/replay.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

namespace valkyr::hashes {

namespace {

using raster::Device;

Result<uint64_t> hash_demo(const examples::SceneInfo& info, const DeviceMaker& make_device) {
    constexpr uint32_t width = 200;
    constexpr uint32_t height = 150;
    constexpr std::array seconds{0.0, 2.5};
    VALKYR_TRY(device, make_device());
    VALKYR_TRY(scene, info.create(*device));
    VALKYR_TRY(target,
               examples::PictureTarget::create(*device, width, height, info.samples, info.depth));
    Fnv1a hash;
    for (const double at : seconds) {
        VALKYR_TRY_VOID(scene->draw(target.framebuffer(), width, height, at));
        examples::Image image;
        VALKYR_TRY_VOID(target.read(*device, image));
        hash.add(std::as_bytes(std::span(image.rgba)));
    }
    return hash.value();
}

Result<uint64_t> hash_bench(const bench::BenchSceneInfo& info, const DeviceMaker& make_device) {
    constexpr uint32_t size = 200;
    constexpr uint32_t frames = 2;
    VALKYR_TRY(device, make_device());
    VALKYR_TRY(target, examples::PictureTarget::create(*device, size, size, info.samples,
                                                       raster::Format::D24_UNORM_S8_UINT));
    VALKYR_TRY(scene, info.create(*device, size));
    for (uint32_t frame = 0; frame < frames; ++frame)
        VALKYR_TRY_VOID(scene->frame(target.framebuffer(), frame));
    VALKYR_TRY_VOID(scene->show(target.framebuffer()));
    examples::Image image;
    VALKYR_TRY_VOID(target.read(*device, image));
    Fnv1a hash;
    hash.add(std::as_bytes(std::span(image.rgba)));
    return hash.value();
}

/// Hashes the frames that the clients of a trace show.
class FrameHash final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view /*line*/) override {}
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return true; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& pixels) override {
        hash_.add_number(pixels.width, sizeof(pixels.width));
        hash_.add_number(pixels.height, sizeof(pixels.height));
        hash_.add(pixels.rgba);
    }
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
    [[nodiscard]] uint64_t value() const { return hash_.value(); }

private:
    Fnv1a hash_;
};

Result<uint64_t> hash_trace(const virgl::Trace& trace, const DeviceMaker& make_device) {
    FrameHash frames;
    VALKYR_TRY_VOID(virgl::Replay(trace, make_device, frames).run());
    return frames.value();
}

Result<uint64_t>
hash_scene(const std::string& root, const conform::CaseFile& file, const DeviceMaker& make_device) {
    VALKYR_TRY(scene, conform::load_case(root, file));
    VALKYR_TRY(device, make_device());
    return conform::hash_of(scene, *device);
}

Result<void> add_scenes(const std::string& root, std::vector<Work>& works) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(root, ignored))
        return {};
    VALKYR_TRY(files, conform::find_cases(root, {}));
    for (conform::CaseFile& file : files) {
        std::string name = "scene/" + file.name;
        works.push_back({std::move(name), [root, file = std::move(file)](const DeviceMaker& make) {
                             return hash_scene(root, file, make);
                         }});
    }
    return {};
}

Result<void> add_traces(const std::vector<std::string>& files, std::vector<Work>& works) {
    for (const std::string& file : files) {
        auto loaded = virgl::Trace::load(file);
        if (!loaded)
            return Error{loaded.error().code, {}, file + ": " + loaded.error().text};
        const auto trace = std::make_shared<const virgl::Trace>(std::move(*loaded));
        works.push_back({"trace/" + std::filesystem::path(file).stem().string(),
                         [trace](const DeviceMaker& make) { return hash_trace(*trace, make); }});
    }
    return {};
}

bool is_chosen(const std::string& name, const std::vector<std::string>& filters) {
    const std::string kind = name.substr(0, name.find('/'));
    return filters.empty() || std::ranges::any_of(filters, [&](const std::string& filter) {
               return conform::fits(filter, name) || conform::fits(filter, kind);
           });
}

}  // namespace

Result<std::vector<Work>> find_works(const WorkSources& sources) {
    std::vector<Work> works;
    for (const examples::SceneInfo& info : examples::scenes())
        works.push_back({"demo/" + std::string(info.name),
                         [&info](const DeviceMaker& make) { return hash_demo(info, make); }});
    for (const bench::BenchSceneInfo& info : bench::bench_scenes())
        works.push_back({"bench/" + std::string(info.name),
                         [&info](const DeviceMaker& make) { return hash_bench(info, make); }});
    VALKYR_TRY_VOID(add_scenes(sources.root, works));
    VALKYR_TRY_VOID(add_traces(sources.traces, works));
    std::erase_if(works, [&](const Work& work) { return !is_chosen(work.name, sources.filters); });
    std::ranges::sort(works, {}, &Work::name);
    return works;
}

}  // namespace valkyr::hashes

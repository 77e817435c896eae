// Scene session: plays demos and conformance scenes for the debugger.
// SPDX-License-Identifier: MIT
#include "app/debug/session/scene_session.hpp"

#include "app/conform/player.hpp"
#include "app/conform/suite.hpp"
#include "app/debug/session/counting_device.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"

#include <filesystem>

namespace valkyr::debug {

namespace {

constexpr std::string_view kDemo = "demo:";

/// A device and the scene that is drawn on it.
struct PlayedScene {
    std::unique_ptr<raster::Device> device;
    std::unique_ptr<examples::Scene> scene;  ///< ends before the device
};

Result<void> play_demo(const SceneRequest& request, PlayedScene& stage, const DrawLog& log) {
    const std::string name = request.scene.substr(kDemo.size());
    const examples::SceneInfo* info = examples::find_scene(name);
    if (info == nullptr)
        return Error{
            Errc::OutOfRange, {}, "no demo '" + name + "' (valkyr demo --list names them)"};
    VALKYR_TRY(target, examples::PictureTarget::create(*stage.device, request.width, request.height,
                                                       info->samples, info->depth));
    VALKYR_TRY(scene, info->create(*stage.device));
    stage.scene = std::move(scene);
    do {
        log.frame_begins(true);
        VALKYR_TRY_VOID(stage.scene->draw(target.framebuffer(), request.width, request.height,
                                          request.seconds));
        VALKYR_TRY_VOID(stage.device->finish());
    } while (log.frame_ends());
    examples::Image picture;
    return target.read(*stage.device, picture);
}

/// Paths of shader files are relative to the folder that contains the topics.
Result<void> play_file(const SceneRequest& request, PlayedScene& stage, DrawLog& log) {
    const std::filesystem::path path(request.scene);
    conform::CaseFile file;
    file.name = path.stem().string();
    file.scene_path = request.scene;
    const std::filesystem::path root = path.parent_path() / "..";
    VALKYR_TRY(scene, conform::load_case(root.lexically_normal().string(), file));
    log.name_texture = [&scene](const raster::Texture& /*texture*/, uint32_t number) {
        return "texture " + scene.textures[number].name;  // the player creates them in this order
    };
    do {
        log.frame_begins(true);
        VALKYR_TRY_VOID(conform::play(scene, *stage.device));
    } while (log.frame_ends());
    return {};
}

Result<std::shared_ptr<void>> play(const SceneRequest& request, DrawLog& log) {
    auto stage = std::make_shared<PlayedScene>();
    VALKYR_TRY(device, CountingDevice::create(log));
    stage->device = std::move(device);
    VALKYR_TRY_VOID(request.scene.starts_with(kDemo) ? play_demo(request, *stage, log)
                                                     : play_file(request, *stage, log));
    log.name_texture = nullptr;
    VALKYR_TRY_VOID(stage->device->finish());
    return std::shared_ptr<void>(std::move(stage));
}

}  // namespace

bool is_scene(std::string_view name) {
    return name.starts_with(kDemo) || name.ends_with(".scene");
}

Player scene_player(SceneRequest request) {
    return [request = std::move(request)](DrawLog& log) { return play(request, log); };
}

}  // namespace valkyr::debug

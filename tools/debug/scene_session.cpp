// A session about one pixel or vertex of a draw in a scene.
// SPDX-License-Identifier: MIT
#include "debug/scene_session.hpp"

#include "conform/player.hpp"
#include "conform/suite.hpp"
#include "debug/counting_device.hpp"
#include "picture_target.hpp"
#include "scene.hpp"
#include "tgsi/parser.hpp"
#include "valhall/compiler/compiler.hpp"

#include <algorithm>
#include <filesystem>

namespace valkyr::debug {

namespace {

constexpr std::string_view kDemo = "demo:";
constexpr std::string_view kEmptyFragment = "FRAG\n  0: END\n";

/// A device with what was drawn on it.
struct Stage {
    std::unique_ptr<SceneCapture> capture;
    std::unique_ptr<CountingDevice> device;
    std::unique_ptr<examples::Scene> scene;  ///< ends before the device
};

Result<void> play_demo(const SceneRequest& request, Stage& stage) {
    const std::string name = request.scene.substr(kDemo.size());
    const examples::SceneInfo* info = examples::find_scene(name);
    if (info == nullptr)
        return Error{
            Errc::OutOfRange, {}, "no demo '" + name + "' (valkyr demo --list names them)"};
    VALKYR_TRY(target, examples::PictureTarget::create(*stage.device, request.width, request.height,
                                                       info->samples, info->depth));
    VALKYR_TRY(scene, info->create(*stage.device));
    stage.scene = std::move(scene);
    return stage.scene->draw(target.framebuffer(), request.width, request.height, request.seconds);
}

/// Shader files of a scene are found from the folder above its topic's.
Result<void> play_file(const SceneRequest& request, Stage& stage) {
    const std::filesystem::path path(request.scene);
    conform::CaseFile file;
    file.name = path.stem().string();
    file.scene_path = request.scene;
    const std::filesystem::path root = path.parent_path() / "..";
    VALKYR_TRY(scene, conform::load_case(root.lexically_normal().string(), file));
    VALKYR_TRY_VOID(conform::play(scene, *stage.device));
    return {};
}

/// Draws the scene up to draw number `last`, catching what `request` looks for.
Result<Stage> play(const SceneRequest& request, uint32_t last) {
    Stage stage;
    stage.capture = std::make_unique<SceneCapture>(request.target);
    raster::DeviceOptions options;
    options.threads = 1;
    options.hierarchical_z = false;  // what is hidden is looked at, too
    options.kernel_tap = stage.capture.get();
    VALKYR_TRY(inside, raster::Device::create(options));
    stage.device = std::make_unique<CountingDevice>(std::move(inside), *stage.capture, last);
    const Result<void> played =
        request.scene.starts_with(kDemo) ? play_demo(request, stage) : play_file(request, stage);
    if (!played)
        return played.error();
    VALKYR_TRY_VOID(stage.device->finish());
    return stage;
}

/// What became of the lane.
std::string fate(const Hit& hit, uint32_t sample) {
    const auto recording = Recording::make(*hit.warp, {.sample = sample});
    if (!recording)
        return recording.error().code == Errc::InvalidState ? "rejected before shading"
                                                            : recording.error().text;
    if (hit.warp->stage() != exec::Stage::Fragment)
        return "shaded";
    if ((recording->start().live >> hit.lane & 1) == 0)
        return "rejected before shading";
    for (const Message& message : recording->messages())
        if (message.has_coverage && message.kind != MessageKind::EarlyZs &&
            message.coverage_after.v[hit.lane] == 0 && (message.lanes >> hit.lane & 1) != 0)
            return "taken away by " + std::string(message_name(message.kind));
    for (const Message& message : recording->messages())
        if (message.kind == MessageKind::Blend && (message.lanes >> hit.lane & 1) != 0)
            return "written";
    return "discarded";
}

std::string describe_hit(const Hit& hit, const std::string& what) {
    const WarpCase& warp = *hit.warp;
    std::string text = "draw " + std::to_string(hit.draw) + ", ";
    if (warp.stage() == exec::Stage::Vertex)
        return text + "instance " + std::to_string(warp.instance_id) + ": " + what;
    return text + "primitive " + std::to_string(warp.primitive.primitive_id) +
           ((warp.primitive.flags & 1) != 0 ? ", back" : ", front") + " facing: " + what;
}

struct Choice {
    uint32_t draw = 0;
    uint32_t hit = 0;  ///< of the draw
    std::vector<std::string> all;
};

std::string target_name(const Target& target) {
    if (target.pixel)
        return "pixel " + std::to_string(target.pixel->first) + "," +
               std::to_string(target.pixel->second);
    return "vertex " + std::to_string(*target.vertex);
}

Error nothing_found(const SceneRequest& request, const CountingDevice& device) {
    const std::string where =
        request.draw ? "draw " + std::to_string(*request.draw) : std::string("no draw");
    const std::string what = target_name(request.target);
    if (request.target.vertex)
        return {Errc::InvalidState,
                {},
                where + (request.draw ? " does not shade " : " shades ") + what};
    const auto outside = [&](const CountingDevice::Draw& draw) {
        return request.target.pixel->first >= static_cast<int32_t>(draw.width) ||
               request.target.pixel->second >= static_cast<int32_t>(draw.height);
    };
    const auto& draws = device.draws();
    if (std::ranges::all_of(draws, outside) && !draws.empty())
        return {Errc::OutOfRange,
                {},
                what + " is outside of the framebuffer, " + std::to_string(draws.back().width) +
                    "x" + std::to_string(draws.back().height) + " pixels"};
    return {Errc::InvalidState,
            {},
            where +
                (request.draw ? " does not cover "
                              : " of " + std::to_string(draws.size()) + " covers ") +
                what};
}

/// The hit to debug, and a line on each.
Result<Choice> choose(const SceneRequest& request, Stage& stage) {
    const size_t draws = stage.device->draws().size();
    if (request.draw && *request.draw >= draws)
        return Error{Errc::OutOfRange,
                     {},
                     "no draw " + std::to_string(*request.draw) + ": the scene has " +
                         std::to_string(draws) + ", counted from 0"};
    Choice choice;
    std::vector<std::pair<uint32_t, uint32_t>> places;  // draw, hit
    bool chosen = false;
    for (const Hit& hit : stage.capture->hits()) {
        const uint32_t number =
            !places.empty() && places.back().first == hit.draw ? places.back().second + 1 : 0;
        places.emplace_back(hit.draw, number);
        const std::string what = fate(hit, request.sample);
        choice.all.push_back(describe_hit(hit, what) + " (--draw " + std::to_string(hit.draw) +
                             " --hit " + std::to_string(number) + ")");
        const bool fits = (!request.draw || hit.draw == *request.draw) &&
                          (!request.hit || number == *request.hit);
        const bool runs = what != "rejected before shading";
        if (fits && (runs || !chosen)) {
            choice.draw = hit.draw;
            choice.hit = number;
            chosen = true;
        }
    }
    if (chosen)
        return choice;
    if (request.hit && !choice.all.empty()) {
        std::string text = "no hit " + std::to_string(*request.hit) + "; there are:";
        for (const std::string& line : choice.all)
            text += "\n  " + line;
        return Error{Errc::OutOfRange, {}, std::move(text)};
    }
    return nothing_found(request, *stage.device);
}

/// Compiles the text again as the device did, to know where registers are. Null if that gives other
/// words: the device compiles some pipelines with additions.
std::shared_ptr<const valhall::DebugInfo> find_info(const tgsi::Shader& shader,
                                                    const tgsi::Shader& vertex,
                                                    const tgsi::Shader& fragment,
                                                    const WarpCase& warp) {
    const auto layout = valhall::link_varyings(vertex, fragment);
    if (!layout)
        return nullptr;
    for (uint8_t targets = 1; targets <= exec::kMaxRenderTargets; ++targets) {
        auto info = std::make_shared<valhall::DebugInfo>();
        valhall::CompileOptions options;
        options.varyings = &*layout;
        options.color_targets = targets;
        options.debug = info.get();
        const auto program = valhall::compile(shader, options);
        if (program && program->words == warp.program->words)
            return info;
        if (shader.property("FS_COLOR0_WRITES_ALL_CBUFS", 0) == 0)
            break;
    }
    return nullptr;
}

std::shared_ptr<const tgsi::Shader> parsed(const std::string& text) {
    return std::make_shared<const tgsi::Shader>(tgsi::parse(text).shader);
}

CountingDevice::Text text_of(const CountingDevice& device, const raster::ShaderRef& shader) {
    const CountingDevice::Text* text = device.text_of(shader);
    return text != nullptr ? *text : CountingDevice::Text{"empty", std::string(kEmptyFragment)};
}

/// What the warp's program was made of: text, constants, listings, places of registers.
void add_texts(Session& session,
               const CountingDevice& device,
               uint32_t draw_number,
               jit::HostLevel level) {
    const CountingDevice::Draw& draw = device.draws()[draw_number];
    const raster::PipelineDesc* desc = device.desc_of(draw.pipeline);
    const CountingDevice::Text vertex = text_of(device, desc ? desc->vertex : nullptr);
    const CountingDevice::Text fragment = text_of(device, desc ? desc->fragment : nullptr);
    const bool is_vertex = session.warp->stage() == exec::Stage::Vertex;
    const CountingDevice::Text& text = is_vertex ? vertex : fragment;
    const auto vertex_shader = parsed(vertex.text);
    const auto fragment_shader = parsed(fragment.text);
    session.shader = is_vertex ? vertex_shader : fragment_shader;
    session.info = find_info(*session.shader, *vertex_shader, *fragment_shader, *session.warp);
    session.constants = is_vertex ? draw.vertex_constants : draw.fragment_constants;
    session.title += ": " + text.name;
    session.listing = make_listing(*session.warp, text.name, text.text, level);
}

}  // namespace

bool is_scene(std::string_view name) {
    return name.starts_with(kDemo) || name.ends_with(".scene");
}

Result<std::shared_ptr<const Session>> open_scene(const SceneRequest& request) {
    VALKYR_TRY(all, play(request, request.draw.value_or(0xFFFFFFFE)));
    VALKYR_TRY(choice, choose(request, all));
    // Again, up to the draw: textures are as it found them.
    VALKYR_TRY(played, play(request, choice.draw));
    auto stage = std::make_shared<Stage>(std::move(played));
    std::vector<Hit>& hits = stage->capture->hits();
    std::erase_if(hits, [&](const Hit& hit) { return hit.draw != choice.draw; });
    if (choice.hit >= hits.size())
        return Error{Errc::InvalidState, {}, "the scene drew something else the second time"};
    auto session = std::make_shared<Session>();
    session->hits = std::move(choice.all);
    session->title = request.scene + ", draw " + std::to_string(choice.draw) + ", " +
                     target_name(request.target) + ", hit " + std::to_string(choice.hit) + " of " +
                     std::to_string(hits.size());
    session->lane = hits[choice.hit].lane;
    session->warp = std::move(hits[choice.hit].warp);
    hits.clear();
    add_texts(*session, *stage->device, choice.draw, request.level);
    session->keeper = std::move(stage);
    return std::shared_ptr<const Session>(std::move(session));
}

}  // namespace valkyr::debug

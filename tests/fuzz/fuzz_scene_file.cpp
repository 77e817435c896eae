// Fuzz target: reads bytes as a conformance scene, and draws it if it is small.
// SPDX-License-Identifier: MIT
#include "app/conform/parser.hpp"
#include "app/conform/player.hpp"
#include "base/check.hpp"
#include "gpu/create_device.hpp"
#include "tests/fuzz/error_check.hpp"
#include "tests/fuzz/null_device.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <string_view>

namespace valkyr::fuzz {

using namespace conform;

namespace {

constexpr char kVertexShader[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                                 "  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr char kFragmentShader[] = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.5, 0.25, 1.0}\n"
                                   "  0: MOV OUT[0], IMM[0]\n  1: END\n";

Result<std::string> shader_file(const std::string& path) {
    VALKYR_CHECK(!path.empty() && path.front() != '/' && path.find("..") == std::string::npos);
    if (path.ends_with(".vert.tgsi"))
        return std::string(kVertexShader);
    if (path.ends_with(".frag.tgsi"))
        return std::string(kFragmentShader);
    return Error{Errc::System, {}, "refused"};
}

uint64_t texels_of(const Case& scene) {
    uint64_t texels = 0;
    for (const TextureResource& texture : scene.textures) {
        const raster::TextureDesc& desc = texture.desc;
        texels += uint64_t{desc.width} * desc.height * std::max(1U, desc.depth) *
                  std::max(1U, desc.layers) * std::max(1U, desc.samples);
    }
    return texels;
}

uint64_t vertices_of(const Case& scene) {
    uint64_t vertices = 0;
    for (const Command& command : scene.commands)
        if (const auto* draw = std::get_if<std::shared_ptr<const DrawCommand>>(&command.what))
            vertices += uint64_t{(*draw)->info.count} * (*draw)->info.instance_count;
    return vertices;
}

bool has_loops(const Case& scene) {
    return std::any_of(scene.shaders.begin(), scene.shaders.end(), [](const ShaderText& shader) {
        return shader.text.find("BGNLOOP") != std::string::npos;
    });
}

/// Whether all commands have the work in the file: no work-groups, no draws by a buffer.
bool is_direct(const Case& scene) {
    return std::ranges::all_of(scene.commands, [](const Command& command) {
        const auto* draw = std::get_if<std::shared_ptr<const DrawCommand>>(&command.what);
        return !std::holds_alternative<std::shared_ptr<const DispatchCommand>>(command.what) &&
               (draw == nullptr || (*draw)->indirect.buffer == conform::kNone);
    });
}

bool is_small(const Case& scene) {
    return texels_of(scene) <= 4096 && vertices_of(scene) <= 64 && scene.commands.size() <= 16 &&
           !has_loops(scene) && is_direct(scene);
}

void draw(const Case& scene, raster::Device& device) {
    const auto picture = play(scene, device);
    VALKYR_CHECK(picture.has_value() || !picture.error().text.empty());
    if (picture.has_value())
        VALKYR_CHECK(picture->rgba.size() == size_t{4} * picture->width * picture->height);
}

}  // namespace

void scene_file(std::span<const uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const ParsedCase parsed = parse_case(text, shader_file);
    check_errors(parsed.errors, text, 0);
    if (!parsed.ok() || texels_of(parsed.scene) > 65536)
        return;
    NullDevice nothing;
    draw(parsed.scene, nothing);
    if (!is_small(parsed.scene))
        return;
    raster::DeviceOptions options;
    options.threads = 1;
    options.engine = raster::Engine::Valhall;
    const auto device = gpu::create_device(options);
    VALKYR_CHECK(device.has_value());
    draw(parsed.scene, **device);
}

}  // namespace valkyr::fuzz

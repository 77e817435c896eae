// Override device: draws a scene as wireframe, or counts its fragments.
// SPDX-License-Identifier: MIT
//
// It replaces pipelines by ones with other state or another fragment shader. Scenes need no change.
#pragma once

#include "app/cli/forwarding_device.hpp"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace valkyr::app {

struct Overrides {
    /// Draws the edges of triangles (PolygonMode::Line, no culling). Pipelines without vertex
    /// attributes (they fill the target) and without fragment shader (shadow maps) stay unchanged.
    bool wireframe = false;
    /// Every fragment adds 1 / kOverdrawSteps to the picture instead of its colour. Depth, stencil
    /// and alpha tests, discards, depth outputs and coverage stay. Draws to other colour targets of
    /// the picture's size and samples are counted, too, with their own depth buffers.
    bool overdraw = false;
};

/// A fragment adds 255 / 15 = 17 to each 8-bit channel, so that 15 fragments fill it.
inline constexpr unsigned kOverdrawSteps = 15;

/// Changes a fragment shader so that it writes 1 / kOverdrawSteps to r, g and b of its first
/// colour. A text that is not a fragment shader, has errors or writes no colour is returned
/// unchanged.
std::string counting_shader(std::string_view tgsi_text);

/// Figures of a shader that the scene created, for display.
struct ShaderNote {
    std::string name;
    size_t tgsi_instructions = 0;
    size_t valhall_words = 0;  ///< 0: the compiler refused it
};

class OverrideDevice final : public ForwardingDevice {
public:
    OverrideDevice(std::unique_ptr<raster::Device> inner, const Overrides& overrides)
        : ForwardingDevice(std::move(inner))
        , overrides_(overrides) {}

    /// Sets the framebuffer of the picture, and clears it if fragments are counted. Call it before
    /// every frame.
    Result<void> begin_picture(const raster::Framebuffer& picture);
    /// Called before the first draw or clear of a frame that goes to the picture.
    std::function<Result<void>()> on_picture;

    [[nodiscard]] const std::vector<ShaderNote>& shaders() const { return shaders_; }

    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override;
    Result<void> clear(const raster::Framebuffer& framebuffer,
                       const raster::ClearInfo& info) override;
    Result<void> draw(const raster::DrawState& state, const raster::DrawInfo& info) override;
    Result<void> draw_indirect(const raster::DrawState& state,
                               const raster::IndirectInfo& info) override;

private:
    /// The replacement of a pipeline. It keeps the original alive, since the map's key is its
    /// address.
    struct Replaced {
        raster::PipelineRef original;
        raster::PipelineRef counting;
    };

    [[nodiscard]] bool is_picture(const raster::Framebuffer& framebuffer) const;
    [[nodiscard]] bool is_counted(const raster::DrawState& state) const;
    /// The state to draw with instead of `state`.
    [[nodiscard]] raster::DrawState overridden(const raster::DrawState& state) const;
    Result<void> reach_picture(const raster::Framebuffer& framebuffer);
    Result<raster::PipelineRef> make_counting(raster::PipelineDesc desc);

    Overrides overrides_;
    raster::Framebuffer picture_;
    bool reached_ = false;
    std::vector<ShaderNote> shaders_;
    std::unordered_map<const raster::Shader*, raster::ShaderRef> counting_shaders_;
    std::vector<raster::ShaderRef> kept_;  ///< keys of counting_shaders_
    std::unordered_map<const raster::Pipeline*, Replaced> replaced_;
};

}  // namespace valkyr::app

// Shader texts: remember what the shaders and pipelines of a device were made from.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace valkyr::debug {

struct ShaderText {
    std::string name;
    std::string text;
};

/// By DrawStage; null: none.
using StageTexts = std::array<std::shared_ptr<const ShaderText>, raster::kDrawStages>;

/// They keep the shaders and pipelines alive.
class ShaderTexts {
public:
    void add(const raster::ShaderRef& shader, std::string name, std::string_view text);
    void add(const raster::PipelineRef& pipeline, const raster::PipelineDesc& desc) {
        descs_[pipeline] = desc;
    }

    /// An empty fragment shader if the shader is not known.
    [[nodiscard]] std::shared_ptr<const ShaderText> of(const raster::ShaderRef& shader) const;
    /// The description of a pipeline; an empty one if it is not known.
    [[nodiscard]] const raster::PipelineDesc& desc_of(const raster::PipelineRef& pipeline) const;
    [[nodiscard]] StageTexts of(const raster::PipelineRef& pipeline) const;

private:
    std::map<raster::ShaderRef, std::shared_ptr<const ShaderText>> texts_;
    std::map<raster::PipelineRef, raster::PipelineDesc> descs_;
};

}  // namespace valkyr::debug

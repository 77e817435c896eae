// Pipelines: makes shaders and pipelines, and finds them again by text or by ids of parts.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/observe/observer.hpp"
#include "virgl/state/objects.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace valkyr::virgl {

/// Parts of a pipeline. An absent part has the id 0 and the device's default state.
struct PipelineParts {
    Ref<ShaderObject> vertex;
    Ref<ShaderObject> tess_control;  ///< without an evaluation shader it has no effect
    Ref<ShaderObject> tess_evaluation;
    Ref<ShaderObject> geometry;
    Ref<ShaderObject> fragment;
    Ref<ElementsObject> elements;
    Ref<BlendObject> blend;
    Ref<DepthStencilObject> depth_stencil;
    Ref<RasterizerObject> rasterizer;
    raster::Primitive primitive = raster::Primitive::Triangles;
    bool captures = false;        ///< stream output is on
    bool sample_shading = false;  ///< the shader runs once a sample
    std::array<uint32_t, kMaxSlots> strides{};

    /// The last shader before rasterization and stream output.
    [[nodiscard]] const Ref<ShaderObject>& last_vertex_stage() const {
        if (geometry)
            return geometry;
        return tess_evaluation ? tess_evaluation : vertex;
    }
};

class PipelineCache {
public:
    PipelineCache(raster::Device& device, Figures& figures)
        : device_(device)
        , figures_(figures) {}

    /// Finds or makes the shader of a text. Refused texts are kept, too.
    struct Shader {
        Result<raster::ShaderRef> shader;
        uint64_t id = 0;
        bool is_new = false;
    };
    Shader shader(const std::string& text);

    /// Finds or makes a pipeline. Refused ones are kept, too.
    const Result<raster::PipelineRef>& pipeline(const PipelineParts& parts);

    /// Finds or makes the pipeline of a complete compute shader. Refused ones are kept, too.
    const Result<raster::ComputePipelineRef>& compute_pipeline(const ShaderObject& shader);

private:
    struct Key {
        std::array<uint64_t, 10> ids{};
        std::array<uint32_t, kMaxSlots> strides{};
        uint32_t primitive = 0;
        uint32_t switches = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        size_t operator()(const Key& key) const noexcept;
    };
    static Key key_of(const PipelineParts& parts);
    /// The fragment shader; if the rasterizer state asks for it, with inputs interpolated at
    /// samples.
    Result<raster::ShaderRef> fragment_of(const PipelineParts& parts);
    Result<raster::PipelineRef> make(const PipelineParts& parts);

    raster::Device& device_;
    Figures& figures_;
    std::unordered_map<std::string, Shader> shaders_;
    std::unordered_map<Key, Result<raster::PipelineRef>, Hash> pipelines_;
    /// By the shader's id and its bytes of shared memory, which the text does not say.
    std::map<std::pair<uint64_t, uint32_t>, Result<raster::ComputePipelineRef>> compute_pipelines_;
    uint64_t next_shader_ = 1;
};

}  // namespace valkyr::virgl

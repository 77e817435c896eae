// Objects: hold the state that a command stream makes once and binds by handle.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/protocol/words.hpp"
#include "virgl/state/resource.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace valkyr::virgl {

// `id` is the same for equal contents, so that pipelines are found by ids.

struct BlendObject {
    raster::BlendState state;
    uint64_t id = 0;
};
struct RasterizerObject {
    raster::RasterizerState state;
    bool interpolates_at_samples = false;  ///< if samples are shaded, all varyings are theirs
    uint64_t id = 0;
};
struct DepthStencilObject {
    raster::DepthStencilState state;
    float alpha_reference = 0;  ///< not part of the id
    uint64_t id = 0;
};
struct ElementsObject {
    std::vector<raster::VertexElement> elements;
    uint32_t buffers = 0;  ///< one more than the highest buffer slot
    uint64_t id = 0;
};
struct ShaderObject {
    ShaderStage stage = ShaderStage::Vertex;
    std::string text;                ///< grows until `missing` is 0; then kept of FRAG only
    std::unique_ptr<Charge> charge;  ///< for text and shader
    uint32_t missing = 0;            ///< bytes that have not arrived
    raster::ShaderRef shader;        ///< null: not complete, or refused
    raster::StreamOutputState stream_output;
    bool chooses_viewport = false;  ///< it has an output VIEWPORT_INDEX
    uint64_t id = 0;                ///< of the text
    uint64_t stream_id = 0;         ///< of the stream output
};
struct ViewObject {
    ResourcePtr resource;
    raster::TextureView view;  ///< a buffer's view is without the buffer itself
};
struct SamplerObject {
    raster::SamplerState state;
};
struct SurfaceObject {
    ResourcePtr resource;
    raster::Format format = raster::Format::None;
    uint32_t level = 0;
    uint32_t first_layer = 0;
    uint32_t last_layer = 0;
};
/// Format that a surface is drawn as; None for the texture's own.
raster::Format drawn_format(const SurfaceObject& surface);

struct QueryObject {
    raster::QueryRef query;              ///< null: a kind that is answered with 0
    std::vector<raster::QueryRef> more;  ///< its value is not 0 if one of theirs is not
    uint32_t type = 0;
    uint32_t offset = 0;  ///< place of the result in the resource's guest storage
    ResourcePtr resource;
    bool ended = false;
};
struct StreamTargetObject {
    ResourcePtr resource;
    raster::StreamTargetRef target;
    uint32_t size = 0;          ///< bytes
    uint32_t vertex_bytes = 0;  ///< of the last draw that was captured
    uint64_t released = 0;      ///< when it was bound last: later ones have greater numbers
};

template <typename T>
using Ref = std::shared_ptr<T>;
using Object = std::variant<std::monostate,
                            Ref<BlendObject>,
                            Ref<RasterizerObject>,
                            Ref<DepthStencilObject>,
                            Ref<ShaderObject>,
                            Ref<ElementsObject>,
                            Ref<ViewObject>,
                            Ref<SamplerObject>,
                            Ref<SurfaceObject>,
                            Ref<QueryObject>,
                            Ref<StreamTargetObject>>;

// Payload of CREATE_OBJECT -> state. errors  malformed: numbers that stand for nothing

Result<BlendObject> decode_blend(const Words& words);
Result<RasterizerObject> decode_rasterizer(const Words& words);
Result<DepthStencilObject> decode_depth_stencil(const Words& words);
Result<ElementsObject> decode_elements(const Words& words);
Result<SamplerObject> decode_sampler(const Words& words);
/// Everything of a view but its resource, which it is checked against.
Result<raster::TextureView> decode_view(const Words& words, const ResourceDesc& resource);
/// Everything of a surface but its resource.
Result<SurfaceObject> decode_surface(const Words& words, const ResourceDesc& resource);
/// The `outputs` pairs from [10] on and the strides in [6] to [9].
Result<raster::StreamOutputState> decode_stream_output(const Words& words, uint32_t outputs);

}  // namespace valkyr::virgl

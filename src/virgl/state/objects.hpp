// Objects: hold the state that a command stream creates and binds by handle.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "virgl/protocol/words.hpp"
#include "virgl/state/resource.hpp"
#include "virgl/state/shader_text.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace valkyr::virgl {

// Objects with equal contents have equal `id`s, by which pipelines are found.

struct BlendObject {
    raster::BlendState state;
    uint64_t id = 0;
};
struct RasterizerObject {
    raster::RasterizerState state;
    bool interpolates_at_samples = false;  ///< of all varyings, with sample shading
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
    std::string text;  ///< grows until `missing` is 0; then kept for fragment shaders only
    std::unique_ptr<Charge> charge;  ///< for text and shader
    uint32_t missing = 0;            ///< bytes that have not arrived
    raster::ShaderRef shader;        ///< null: incomplete or refused
    raster::StreamOutputState stream_output;
    bool chooses_viewport = false;  ///< the text names VIEWPORT_INDEX
    DeclaredImages images;
    // Compute shaders only.
    uint32_t shared_bytes = 0;             ///< that the invocations of a work-group share
    std::array<uint32_t, 3> group_size{};  ///< invocations in x, y, z
    uint64_t id = 0;                       ///< id of the text
    uint64_t stream_id = 0;                ///< id of the stream output
};
struct ViewObject {
    ResourcePtr resource;
    raster::TextureView view;  ///< for a buffer, without the BufferRef: draws look it up
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
/// The format that a surface is drawn as; None: the texture's own.
raster::Format drawn_format(const SurfaceObject& surface);

struct QueryObject {
    raster::QueryRef query;              ///< null: the answer is always 0 (kGpuFinished: 1)
    std::vector<raster::QueryRef> more;  ///< the answer combines their values by a bitwise or
    uint32_t type = 0;
    uint32_t offset = 0;  ///< offset of the answer in the resource's guest storage
    ResourcePtr resource;
    bool ended = false;
    std::optional<uint64_t> restored;  ///< the answer of an ended query of a cut trace
};
struct StreamTargetObject {
    ResourcePtr resource;
    raster::StreamTargetRef target;
    uint32_t size = 0;          ///< bytes
    uint32_t vertex_bytes = 0;  ///< bytes a vertex in the last captured draw
    uint64_t released = 0;      ///< when it was last bound: a later time is greater
};

/// An image of SET_SHADER_IMAGES. It is no object, but bound by value.
struct ImageBinding {
    ResourcePtr resource;    ///< null: none
    raster::ImageView view;  ///< without a kind, which the shader decides, and without a BufferRef

    explicit operator bool() const { return resource != nullptr; }
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

// These functions decode the payload of CREATE_OBJECT. errors  malformed: numbers without a meaning

Result<BlendObject> decode_blend(const Words& words);
Result<RasterizerObject> decode_rasterizer(const Words& words);
Result<DepthStencilObject> decode_depth_stencil(const Words& words);
Result<ElementsObject> decode_elements(const Words& words);
Result<SamplerObject> decode_sampler(const Words& words);
/// Decodes a view without its texture; checks it against `resource`.
Result<raster::TextureView> decode_view(const Words& words, const ResourceDesc& resource);
/// Decodes a surface without its texture; checks it against `resource`.
Result<SurfaceObject> decode_surface(const Words& words, const ResourceDesc& resource);
/// Decodes the first four words of an image, from `at` on.
Result<ImageBinding> decode_image(const Words& words, size_t at, ResourcePtr resource);
/// Decodes the strides in [6] to [9] and the `outputs` pairs of words from [10] on.
Result<raster::StreamOutputState> decode_stream_output(const Words& words, uint32_t outputs);

}  // namespace valkyr::virgl

// Device: declares the rasterizer's API: explicit resources, plain state, deferred tile rendering.
// SPDX-License-Identifier: MIT
//
// Thread-compatible: one thread at a time uses a Device, which runs its own workers. Errors are
// found when an object is made or a draw is validated; rendering itself fails only when memory runs
// out. A call that returns OutOfMemory had no effect, except that the bytes it was writing are
// undefined; the device stays usable.
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "raster/message_calls.hpp"
#include "raster/state.hpp"
#include "raster/state_groups.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::raster {

/// Identifies the device that made a handle, independently of the handle's type.
class Handle {
public:
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    virtual ~Handle() = default;
    /// The mark of the device that made the handle, or null: a Device recognises its handles by it.
    [[nodiscard]] const void* maker() const noexcept { return maker_; }

protected:
    explicit Handle(const void* maker = nullptr) noexcept
        : maker_(maker) {}

private:
    const void* maker_;
};

/// Handles. Their contents belong to the Device implementation that made them (raster's own, or the
/// tests' reference renderer); other Devices refuse them with InvalidState.
class Buffer : public Handle {
public:
    using Handle::Handle;
    [[nodiscard]] virtual uint64_t size() const noexcept = 0;
};
class Texture : public Handle {
public:
    using Handle::Handle;
    [[nodiscard]] virtual const TextureDesc& desc() const noexcept = 0;
};
class Shader {
public:
    virtual ~Shader() = default;
};
/// A range of a buffer that stream output appends to.
class StreamTarget {
public:
    virtual ~StreamTarget() = default;
    /// Position given by set_stream_position() plus the bytes written since. Always up to date:
    /// captured vertices (position / stride of them) can be drawn at once.
    [[nodiscard]] virtual uint64_t position() const noexcept = 0;
};
class Query {
public:
    virtual ~Query() = default;
    [[nodiscard]] virtual QueryKind kind() const noexcept = 0;
};
/// A place in the order of all calls.
class Fence {
public:
    virtual ~Fence() = default;
};
class Pipeline : public Handle {
public:
    using Handle::Handle;
};
class ComputePipeline : public Handle {
public:
    using Handle::Handle;
};
using BufferRef = std::shared_ptr<Buffer>;
using TextureRef = std::shared_ptr<Texture>;
using ShaderRef = std::shared_ptr<const Shader>;
using PipelineRef = std::shared_ptr<const Pipeline>;
using ComputePipelineRef = std::shared_ptr<const ComputePipeline>;
using StreamTargetRef = std::shared_ptr<StreamTarget>;
using QueryRef = std::shared_ptr<Query>;
using FenceRef = std::shared_ptr<const Fence>;

/// Shaders and the state that their kernels are specialised for.
struct PipelineDesc {
    ShaderRef vertex;
    ShaderRef tess_control;     ///< null: none; only with tess_evaluation
    ShaderRef tess_evaluation;  ///< null: none; exactly if the primitive is Primitive::Patches
    ShaderRef geometry;         ///< null: none
    ShaderRef fragment;         ///< null only with rasterizer_discard or without colour targets
    std::vector<VertexElement> elements;
    std::vector<uint32_t> strides;  ///< by vertex buffer slot, bytes
    BlendState blend;
    DepthStencilState depth_stencil;
    RasterizerState rasterizer;
    StreamOutputState stream_output;
    /// Primitives that assembly makes. A geometry shader must accept them: one for lines accepts
    /// lines, strips and loops, one for triangles accepts all triangles, and one for adjacency its
    /// own kind only.
    Primitive primitive = Primitive::Triangles;
};

/// A compute shader; its text fixes the size of its work-groups.
struct ComputePipelineDesc {
    ShaderRef shader;
    /// Bytes that the invocations of a work-group share (MEMORY[0], SHARED), at most
    /// exec::kMaxSharedBytes; the text does not say it. Each group finds them as zeros.
    uint32_t shared_bytes = 0;
};

/// A level and layer of a texture, as an attachment.
struct Surface {
    TextureRef texture;
    uint32_t level = 0;
    uint32_t layer = 0;
    /// Layers (slices, faces) from `layer` on, of which vertex shaders choose one by LAYER; clamped
    /// to the texture. A framebuffer has as many as its attachment with the fewest.
    uint32_t layer_count = 1;
    /// Format that the texels are drawn as, of equal texel size (docs/rules/raster-rules.md
    /// "Views"); None = the texture's own.
    Format format = Format::None;
};

struct Framebuffer {
    std::vector<Surface> color;  ///< at most kMaxRenderTargets; a null texture leaves a gap
    Surface depth_stencil;       ///< null texture: none
    // Size and samples of a framebuffer without attachments (OpenGL 4.6 section 9.2.1).
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t samples = 1;
    uint32_t layers = 1;
};

struct BufferRange {
    BufferRef buffer;
    uint64_t offset = 0;
    uint64_t size = UINT64_MAX;  ///< clamped to the buffer
};

struct TextureView {
    TextureRef texture;
    /// Kind that shaders see; it has the texture's number of dimensions and samples: a layer of an
    /// array may be 2D, an array may be cubes. Buffer (the default) = the texture's own.
    TextureKind kind = TextureKind::Buffer;
    Format format = Format::None;  ///< None = the texture's own
    uint8_t first_level = 0;
    uint8_t level_count = 255;  ///< clamped to the texture's levels
    uint32_t first_layer = 0;
    uint32_t layer_count = 0xFFFFFFFF;
    std::array<Swizzle, 4> swizzle{Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
    /// Without a texture, the view is a buffer texture (OpenGL 4.6 section 8.9): the whole texels
    /// of `format` in the range, tightly packed, at most kMaxBufferTexels. The offset is a multiple
    /// of the texel's size; for three components, of the component's size.
    BufferRange buffer = {};
};

/// Texels that shaders load, store and change by atomics (OpenGL 4.6 section 8.26): layers of one
/// level of a texture, or a range of a buffer as texels.
struct ImageView {
    TextureRef texture;
    /// As TextureView::kind; in addition, one slice of a 3D texture can be 2D.
    TextureKind kind = TextureKind::Buffer;
    /// A format of colour targets with the texture's texel size; None = the texture's own.
    Format format = Format::None;
    uint8_t level = 0;
    uint32_t first_layer = 0;
    uint32_t layer_count = 0xFFFFFFFF;  ///< clamped to the texture; 3D: slices
    BufferRange buffer = {};            ///< without a texture, as TextureView::buffer
};

/// Bindings of one shader stage. Shaders may write to images, storage buffers and counters: a draw
/// or dispatch sees the writes of all earlier calls, and later calls see its writes;
/// docs/rules/raster-rules.md defines the order within it.
struct StageResources {
    /// By constant buffer; the words are copied when the draw is recorded.
    std::vector<std::vector<uint32_t>> constants;
    std::vector<TextureView> textures;
    std::vector<SamplerState> samplers;
    std::vector<ImageView> images;      ///< IMAGE[i], at most kMaxImages
    std::vector<BufferRange> storage;   ///< BUFFER[i], at most kMaxStorageBuffers; offset % 4 == 0
    std::vector<BufferRange> counters;  ///< HWATOMIC[..][i], with the limits of `storage`
};

/// Everything that a draw reads. The caller owns it and may change it between draws.
struct DrawState {
    PipelineRef pipeline;
    Framebuffer framebuffer;
    std::vector<BufferRange> vertex_buffers;
    BufferRange index_buffer;
    IndexType index_type = IndexType::None;
    std::array<StageResources, kDrawStages> stages;  ///< by DrawStage
    Viewport viewport;
    Rect scissor;
    /// If not empty: viewports instead of `viewport`, of which vertex or geometry shaders choose
    /// one by VIEWPORT_INDEX, at most kMaxViewports; scissor_array then has one scissor for each.
    /// The provoking vertex chooses; numbers beyond the last viewport mean 0.
    std::vector<Viewport> viewport_array;
    std::vector<Rect> scissor_array;
    std::array<float, 4> blend_color{};
    std::array<uint8_t, 2> stencil_reference{};
    float alpha_reference = 0;
    uint32_t sample_mask = 0xFFFFFFFF;
    /// With RasterizerState::polygon_stipple, filled triangles keep the pixels whose bit is 1: row
    /// y mod 32, bit 31 - x mod 32.
    std::array<uint32_t, 32> polygon_stipple{};
    std::array<std::array<float, 4>, 8> clip_planes{};
    /// Tessellation levels of patches without a control shader (OpenGL 4.6 section 11.2.2).
    std::array<float, 4> outer_levels{1, 1, 1, 1};
    std::array<float, 2> inner_levels{1, 1};
    /// By slot; each slot that the pipeline captures to needs a target. Draws append to them.
    std::vector<StreamTargetRef> stream_targets;

    [[nodiscard]] StageResources& stage(DrawStage which) {
        return stages[static_cast<size_t>(which)];
    }
    [[nodiscard]] const StageResources& stage(DrawStage which) const {
        return stages[static_cast<size_t>(which)];
    }
    [[nodiscard]] StageResources& vertex() { return stage(DrawStage::Vertex); }
    [[nodiscard]] const StageResources& vertex() const { return stage(DrawStage::Vertex); }
    [[nodiscard]] StageResources& geometry() { return stage(DrawStage::Geometry); }
    [[nodiscard]] const StageResources& geometry() const { return stage(DrawStage::Geometry); }
    [[nodiscard]] StageResources& fragment() { return stage(DrawStage::Fragment); }
    [[nodiscard]] const StageResources& fragment() const { return stage(DrawStage::Fragment); }
};

/// Everything that a dispatch reads. The caller owns it and may change it between dispatches.
struct DispatchState {
    ComputePipelineRef pipeline;
    StageResources resources;
};

struct DrawInfo {
    uint32_t first = 0;  ///< first vertex, or first index
    uint32_t count = 0;
    int32_t base_vertex = 0;  ///< added to indices; draws without them ignore it, BASEVERTEX is 0
    uint32_t first_instance = 0;
    uint32_t instance_count = 1;
    bool primitive_restart = false;
    uint32_t restart_index = 0xFFFFFFFF;
    uint32_t draw_id = 0;  ///< gl_DrawID
    /// Vertices of a patch, 1 to exec::kMaxPatchVertices; a rest of the count is ignored.
    uint32_t patch_vertices = 3;
    friend bool operator==(const DrawInfo&, const DrawInfo&) = default;
};

/// Draws whose parameters lie in a buffer, as IndirectWords says.
struct IndirectInfo {
    BufferRef buffer;
    uint64_t offset = 0;  ///< bytes, a multiple of 4
    uint32_t draw_count = 1;
    uint32_t stride = 0;  ///< bytes from one draw to the next, a multiple of 4; 0 = tight
    /// If set, the number of draws is the minimum of draw_count and the word here.
    BufferRef count_buffer;
    uint64_t count_offset = 0;
    bool primitive_restart = false;
    uint32_t restart_index = 0xFFFFFFFF;
    uint32_t patch_vertices = 3;  ///< DrawInfo::patch_vertices
};

/// Parameters of draws as they lie in an indirect buffer (OpenGL 4.6 section 10.4): 32-bit words in
/// the order of the places below. Only draws with indices have a base_vertex.
struct IndirectWords {
    static constexpr uint32_t kCount = 0, kInstanceCount = 1, kFirst = 2, kBaseVertex = 3;
    /// Returns the place of first_instance, the last word of a draw.
    static constexpr uint32_t first_instance(bool indexed) { return indexed ? 4 : 3; }
    /// Returns the words of a draw.
    static constexpr uint32_t size(bool indexed) { return first_instance(indexed) + 1; }

    const uint32_t* words = nullptr;  ///< the first draw's
    size_t stride = 0;                ///< words from one draw to the next
    uint32_t count = 0;               ///< draws
    bool indexed = false;

    /// Returns the draws from number `first` on; there is at least one.
    [[nodiscard]] IndirectWords from(uint32_t first) const {
        return {words + first * stride, stride, count - first, indexed};
    }
};

/// Attachments to clear and their values; colours are f32 or, for integer targets, integers stored
/// in these words.
struct ClearInfo {
    uint32_t color_targets = 0;  ///< bit mask
    std::array<std::array<uint32_t, 4>, exec::kMaxRenderTargets> color{};
    bool depth = false;
    bool stencil = false;
    float depth_value = 1;
    uint8_t stencil_value = 0;
    std::optional<Rect> rect;  ///< clears only these pixels

    /// Adds a colour target, by its place in Framebuffer::color, and its value: red, green, blue,
    /// alpha. Places beyond the framebuffer are ignored. Not for integer targets.
    ClearInfo& set_color(uint32_t target, const std::array<float, 4>& rgba) {
        if (target < color.size()) {
            color_targets |= 1U << target;
            color[target] = std::bit_cast<std::array<uint32_t, 4>>(rgba);
        }
        return *this;
    }
};

/// One side of a blit: a box of a level. A negative width, height or depth runs backwards from the
/// texel before x, y or z.
struct BlitRegion {
    TextureRef texture;
    uint32_t level = 0;
    int32_t x = 0, y = 0, z = 0;
    int32_t width = 0, height = 0, depth = 1;
    /// Texels are read and written as this format of equal texel size; None = the texture's own.
    Format format = Format::None;
};

/// Copies texels with conversion, scaling and mirroring (OpenGL 4.6 section 18.3.2).
struct BlitInfo {
    BlitRegion source;
    BlitRegion destination;
    Filter filter = Filter::Nearest;
    uint8_t color_mask = 0xF;  ///< components to write; depth/stencil: `depth`, `stencil`
    bool depth = true;
    bool stencil = true;
    std::optional<Rect> scissor;  ///< in destination coordinates
};

/// Counters since the last call of take_statistics().
struct Statistics {
    uint64_t draws = 0;
    uint64_t dispatches = 0;  ///< that had work-groups to run
    uint64_t passes = 0;      ///< times that recorded draws were rendered
    /// Bytes written to buffers as copies, because recorded draws still read the old bytes.
    uint64_t late_bytes = 0;
    uint64_t vertices = 0;
    uint64_t triangles_in = 0;
    uint64_t triangles_culled = 0;
    uint64_t triangles_binned = 0;
    /// Triangles that hierarchical depth skipped, counted per tile.
    uint64_t triangles_hidden = 0;
    uint64_t blocks_shaded = 0;
    uint64_t pixels_covered = 0;
    /// Covered samples that depth and stencil tests before shading removed; 0 unless
    /// DeviceOptions::count_killed asks for it.
    uint64_t samples_killed = 0;
    uint64_t kernels_compiled = 0;
    uint64_t kernel_cache_hits = 0;
    /// Kernels that the interpreter runs although Engine::Jit was asked for.
    uint64_t kernels_interpreted = 0;
    /// Calls of message routines: a high count shows work that host code leaves to a routine.
    MessageCalls message_calls{};
    /// Reason for the first kernel that is interpreted: no host level for this processor, no
    /// executable memory, or a program that the recompiler refuses. Empty if there is none.
    std::string interpreter_reason;
};

/// The interface of a renderer. Scenes are written against it; gpu::create_device() makes the
/// rasterizer's own device.
class VALKYR_API Device {
public:
    virtual ~Device() = default;

    /// errors  OutOfRange: larger than the documented limits (config.hpp)
    virtual Result<BufferRef> create_buffer(uint64_t size_bytes,
                                            std::span<const std::byte> data = {}) = 0;
    virtual Result<void>
    write_buffer(const BufferRef& buffer, uint64_t offset, std::span<const std::byte> data) = 0;
    virtual Result<TextureRef> create_texture(const TextureDesc& desc) = 0;
    /// Writes texels of a box, with rows `stride_bytes` and slices `slice_bytes` apart, in the
    /// texture's format.
    virtual Result<void> write_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       std::span<const std::byte> data,
                                       size_t stride_bytes,
                                       size_t slice_bytes = 0) = 0;
    /// Reads texels of a box in write_texture()'s layout; waits for pending rendering. Compressed
    /// textures return the blocks that were written.
    virtual Result<void> read_texture(const TextureRef& texture,
                                      uint32_t level,
                                      const Box& box,
                                      std::span<std::byte> data,
                                      size_t stride_bytes,
                                      size_t slice_bytes = 0) = 0;

    /// Parses, verifies and keeps TGSI text. Errors carry line and column of the text.
    virtual Result<ShaderRef> create_shader(std::string_view tgsi_text, std::string name = {}) = 0;
    /// Links, compiles and recompiles. Kernels depend on framebuffer formats: missing kernels for
    /// new formats are made when a draw is recorded.
    virtual Result<PipelineRef> create_pipeline(const PipelineDesc& desc) = 0;

    virtual Result<void> clear(const Framebuffer& framebuffer, const ClearInfo& info) = 0;
    virtual Result<void> draw(const DrawState& state, const DrawInfo& info) = 0;
    /// Draws as draw() does, at less cost: `changed` names at least all groups in which `state`
    /// differs from that of the preceding draw() or redraw(), even a failed one. For the first
    /// draw, all groups count as changed.
    virtual Result<void> redraw(const DrawState& state, const DrawInfo& info, StateGroups changed);
    /// Reads the parameters of draws from a buffer and makes the draws.
    /// errors  OutOfRange: parameters outside the buffer; the errors of draw()
    virtual Result<void> draw_indirect(const DrawState& state, const IndirectInfo& info);

    // The following calls are optional: the defaults report Unsupported.

    /// Reads bytes of a buffer, after all recorded calls.
    virtual Result<void>
    read_buffer(const BufferRef& buffer, uint64_t offset, std::span<std::byte> data);
    /// Compiles and recompiles a compute shader.
    /// errors  InvalidState: no compute shader of this device; OutOfRange: too much shared memory;
    ///         Unsupported: no fixed block size; errors of the compiler
    virtual Result<ComputePipelineRef> create_compute_pipeline(const ComputePipelineDesc& desc);
    /// Runs a grid of work-groups; a size of 0 runs nothing. Groups run in any order.
    /// groups  work-groups in x, y, z
    /// errors  InvalidState: no pipeline, or bindings that draws refuse, too; OutOfRange: a size
    ///         beyond kMaxGroups (config.hpp)
    virtual Result<void> dispatch(const DispatchState& state,
                                  const std::array<uint32_t, 3>& groups);
    /// Runs a grid whose size lies in a buffer, as three 32-bit words (OpenGL 4.6 section 19), when
    /// all earlier calls have written it.
    /// offset  bytes, a multiple of 4
    /// errors  OutOfRange: words outside the buffer; the errors of dispatch()
    virtual Result<void>
    dispatch_indirect(const DispatchState& state, const BufferRef& buffer, uint64_t offset);

    /// Ranges of one buffer may overlap.
    virtual Result<void> copy_buffer(const BufferRef& to,
                                     uint64_t to_offset,
                                     const BufferRef& from,
                                     uint64_t from_offset,
                                     uint64_t size);
    /// Repeats `pattern` (1 to 16 bytes) over the range; the last copy may be partial.
    virtual Result<void> fill_buffer(const BufferRef& buffer,
                                     uint64_t offset,
                                     uint64_t size,
                                     std::span<const std::byte> pattern);

    /// Copies texels bit by bit: `box` of one level to (x, y, z) of another, every sample. A block
    /// of a compressed format counts as a texel of the other format, of as many bytes; `box` is in
    /// texels of `from`. Compressed boxes are whole blocks.
    /// errors  OutOfRange: outside; InvalidState: unlike texel sizes or sample counts
    virtual Result<void> copy_texture(const TextureRef& to,
                                      uint32_t to_level,
                                      uint32_t x,
                                      uint32_t y,
                                      uint32_t z,
                                      const TextureRef& from,
                                      uint32_t from_level,
                                      const Box& box);
    /// Sets a box to one value: r, g, b, a (f32 or integers as the format says); for depth/stencil
    /// formats the depth (f32) and the stencil value.
    virtual Result<void> clear_texture(const TextureRef& texture,
                                       uint32_t level,
                                       const Box& box,
                                       const std::array<uint32_t, 4>& value);
    /// errors  OutOfRange: a destination or source outside; InvalidState: incompatible formats or
    ///         samples (integer with non-integer, depth/stencil with colour)
    virtual Result<void> blit(const BlitInfo& info);

    /// Creates a stream target; the range is clamped to the buffer, offset and size are multiples
    /// of 4.
    virtual Result<StreamTargetRef> create_stream_target(const BufferRange& range);
    /// Sets the byte in the range that the next vertex is written to.
    virtual Result<void> set_stream_position(const StreamTargetRef& target, uint64_t position);

    /// stream  0 to 3, of a geometry shader: PrimitivesGenerated, PrimitivesWritten and
    ///         StreamOverflow count that stream; draws without a geometry shader emit to stream 0
    virtual Result<QueryRef> create_query(QueryKind kind, uint32_t stream = 0);
    /// Starts from 0. Any number of queries may be open. Timestamp has no beginning.
    /// errors  InvalidState: open already
    virtual Result<void> begin_query(const QueryRef& query);
    virtual Result<void> end_query(const QueryRef& query);
    /// Returns the result of an ended query. `wait` renders the draws that it counts; without
    /// `wait`, there is a result only if they have been rendered.
    virtual Result<std::optional<QueryResult>> query_result(const QueryRef& query, bool wait);

    /// Writes the texels that clear() only noted. Calls that need them do this on their own; a
    /// caller may want it at a certain time.
    /// errors  InvalidState: no texture, or not one of this device; OutOfMemory
    virtual Result<void> eliminate_fast_clears(const TextureRef& texture);

    virtual Result<FenceRef> insert_fence();
    /// Returns whether all calls before the fence are done; with `wait`, renders them first.
    virtual Result<bool> check_fence(const FenceRef& fence, bool wait);

    /// Executes all recorded calls and waits for them.
    /// errors  InvalidState: a shader looped for longer than DeviceOptions::loop_limit, or work
    ///         took longer than draw_budget_ms; OutOfMemory: memory ran out while rendering. In all
    ///         cases, pixels drawn since the last finish() are undefined. Until finish() has
    ///         reported the error, reads of textures, buffers and query results report it too
    virtual Result<void> finish() = 0;
    /// Gives up all work, for good, so that every call returns soon. Any thread may call it. From
    /// now on draws do nothing, shaders and pipelines are refused with Cancelled, and the contents
    /// of buffers, textures and read results are undefined.
    virtual void cancel() noexcept {}
    /// Returns whether cancel() was called.
    [[nodiscard]] virtual bool cancelled() const noexcept { return false; }

    [[nodiscard]] virtual Statistics take_statistics() = 0;
    [[nodiscard]] virtual const DeviceOptions& options() const noexcept = 0;

protected:
    /// Returns words of a buffer, after all recorded calls: in `room`, or the buffer's own, which
    /// stay where they are while the caller draws.
    /// offset  bytes, a multiple of 4
    /// errors  those of read_buffer()
    [[nodiscard]] virtual Result<const uint32_t*>
    buffer_words(const BufferRef& buffer, uint64_t offset, std::span<uint32_t> room);
    /// Appends the elements of following draws to those of `draw`, as long as they may be drawn as
    /// one. Returns how many it took.
    /// draw  a draw of the same indirect call
    [[nodiscard]] virtual uint32_t
    join_draws(const DrawState& state, DrawInfo& draw, const IndirectWords& next) const;
};

}  // namespace valkyr::raster

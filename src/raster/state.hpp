// State: declares the plain structs of the rasterizer's API.
// SPDX-License-Identifier: MIT
//
// All are values with defaults; compare with ==. Convention: window y counts rows in memory order,
// row 0 first; the caller decides whether row 0 is the top or the bottom of the picture.
#pragma once

#include "base/host_level.hpp"
#include "exec/abi.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::raster {

using exec::BlendFactor;
using exec::BlendFunc;
using exec::CompareFunc;
using exec::Filter;
using exec::Format;
using exec::LogicOp;
using exec::MipFilter;
using exec::StencilOp;
using exec::Swizzle;
using exec::TextureKind;
using exec::Wrap;

/// Engine that executes Valhall words.
enum class Engine : uint8_t {
    Jit,      ///< recompiled host code
    Valhall,  ///< the Valhall interpreter
};
/// Host level of recompiled code; Auto = the best level that this processor has.
enum class Host : uint8_t { Auto, Avx2, Avx512, Neon };

class KernelTap;
class Timeline;

/// Which devices keep copies of textures for filters.
enum class FilterCopies : uint8_t {
    Auto,  ///< those with recompiled code, of the kinds that its filters gain by
    Never,
    Always,
};

struct DeviceOptions {
    unsigned threads = 0;  ///< workers, the submitting thread included; 0 = one for each processor
    Engine engine = Engine::Jit;
    Host host = Host::Auto;
    GatherMethod gather_method = GatherMethod::Auto;  ///< of recompiled code; pictures are the same
    // Switches for tests: they do not change pictures.
    unsigned plan_threads = 0;   ///< split work as if for this many workers; 0 = the actual number
    bool hierarchical_z = true;  ///< skip primitives hidden by depth or by opaque primitives
    bool fast_clear = true;      ///< clears set states of tiles instead of writing texels
    /// Keep copies of textures for filters (resource/filter_copy.hpp).
    FilterCopies filter_copies = FilterCopies::Auto;
    /// Recompiled code makes the interpreter's NaN (0x7FC00000, f16: 0x7E00). Otherwise sign and
    /// payload of a computed NaN are the host's; only shaders that read the bits can observe it.
    bool strict_nan = false;
    /// File that gets a line for every kernel, in perf's map format (perf reads /tmp/perf-PID.map).
    /// Empty: none.
    std::string perf_map;
    bool count_killed = false;        ///< fill in Statistics::samples_killed
    KernelTap* kernel_tap = nullptr;  ///< for debuggers (kernel_tap.hpp); outlives the device
    Timeline* timeline = nullptr;     ///< gets worker events (timeline.hpp); outlives the device
    /// Loop iterations after which a warp is ended, rounded up to 65536 and one more; 0: no limit.
    /// The picture of such a warp is incomplete, and Device::finish() reports it.
    uint64_t loop_limit = 0;
    /// Milliseconds that one piece of work may take: rendering the draws recorded for one
    /// framebuffer, capturing a draw's vertices, or one dispatch, copy, blit, clear or transfer; 0:
    /// no limit. Longer work is ended with incomplete contents, and Device::finish() reports it.
    uint32_t draw_budget_ms = 0;
};

enum class Primitive : uint8_t {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
    Quads,
    QuadStrip,
    Polygon,
    LinesAdjacency,
    LineStripAdjacency,
    TrianglesAdjacency,
    TriangleStripAdjacency,
    Patches,  ///< of DrawInfo::patch_vertices vertices, for tessellation
};
enum class IndexType : uint8_t { None, U8, U16, U32 };
enum class CullFace : uint8_t { None, Front, Back, FrontAndBack };
enum class PolygonMode : uint8_t { Fill, Line, Point };

struct VertexElement {
    uint32_t buffer = 0;   ///< vertex buffer slot
    uint32_t offset = 0;   ///< bytes
    uint32_t divisor = 0;  ///< 0 = per vertex, n = advances every n instances
    Format format = Format::None;
    friend bool operator==(const VertexElement&, const VertexElement&) = default;
};

using BlendTarget = exec::BlendEquation;

struct BlendState {
    std::array<BlendTarget, exec::kMaxRenderTargets> targets;
    bool independent = false;  ///< false: targets[0] applies to all targets
    bool logic_op_enable = false;
    LogicOp logic_op = LogicOp::Copy;
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
    friend bool operator==(const BlendState&, const BlendState&) = default;
};

using StencilFace = exec::StencilFace;

struct DepthStencilState {
    bool depth_test = false;
    bool depth_write = false;
    CompareFunc depth_func = CompareFunc::Less;
    std::array<StencilFace, 2> stencil;  ///< front, back (back.enable false: front serves both)
    bool alpha_test = false;
    CompareFunc alpha_func = CompareFunc::Always;
    friend bool operator==(const DepthStencilState&, const DepthStencilState&) = default;
};

struct RasterizerState {
    CullFace cull = CullFace::None;
    bool front_ccw = true;  ///< front: counter-clockwise as seen with row 0 at the top
    PolygonMode fill_front = PolygonMode::Fill;
    PolygonMode fill_back = PolygonMode::Fill;
    bool flat_shade = false;
    bool flat_shade_first = false;  ///< the provoking vertex is the first one, else the last
    bool two_sided_color = false;
    bool scissor = false;
    bool depth_clip = true;   ///< false: depth clamp
    bool clip_halfz = false;  ///< true: clip z in [0, w]; false: [-w, w]
    bool half_pixel_center = true;
    bool bottom_edge_rule = false;  ///< a horizontal edge belongs to the larger row (GL windows)
    bool multisample = false;
    /// The fragment shader runs once for each covered sample, even if it does not ask for that
    /// (OpenGL 4.6 section 14.3.1.1); only with `multisample` and more than one sample. Varyings
    /// keep the locations that their declarations give.
    bool sample_shading = false;
    bool rasterizer_discard = false;
    bool offset_fill = false;
    bool offset_line = false;
    bool offset_point = false;
    float offset_units = 0;
    float offset_scale = 0;
    float offset_clamp = 0;
    float line_width = 1;
    float point_size = 1;
    bool point_size_per_vertex = false;
    /// Sizes of points are rounded to whole pixels, unless the points are multisampled or smooth
    /// (OpenGL 4.6 compatibility, section 14.4.1: points that are no sprites).
    bool whole_point_size = false;
    bool point_sprite = false;
    bool sprite_origin_lower_left = false;
    bool line_smooth = false;  ///< coverage multiplies alpha; multisampled lines ignore it
    bool line_last_pixel = false;
    /// Points are discs whose coverage multiplies alpha; multisampled points and point sprites
    /// ignore it.
    bool point_smooth = false;
    bool polygon_stipple = false;  ///< filled triangles have holes: DrawState::polygon_stipple
    bool line_stipple = false;
    uint16_t line_stipple_pattern = 0xFFFF;  ///< pattern, lowest bit first
    uint16_t line_stipple_factor = 1;        ///< pixels for each bit, 1..256
    uint32_t sprite_texcoords =
        0;  ///< bit i: TEXCOORD/GENERIC i is replaced by the point coordinate
    uint8_t clip_plane_enable = 0;  ///< user clip planes
    friend bool operator==(const RasterizerState&, const RasterizerState&) = default;
};

/// Window = clip/w * scale + translate.
struct Viewport {
    float scale[3] = {1, 1, 0.5F};
    float translate[3] = {0, 0, 0.5F};

    /// Maps clip space to a window rectangle: clip -1 is at column x and row y, 1 at x + width and
    /// y + height (a negative size mirrors the picture); clip z from -1 to 1 becomes depth from
    /// `near_depth` to `far_depth`.
    static constexpr Viewport
    over(float x, float y, float width, float height, float near_depth = 0, float far_depth = 1) {
        return {{width / 2, height / 2, (far_depth - near_depth) / 2},
                {x + width / 2, y + height / 2, (far_depth + near_depth) / 2}};
    }
    /// Maps clip space to a whole picture of this size with row 0 on top: x to the right, y
    /// upwards, depth from 0 to 1.
    static constexpr Viewport of(uint32_t width, uint32_t height) {
        const auto rows = static_cast<float>(height);
        return over(0, rows, static_cast<float>(width), -rows);
    }
    friend bool operator==(const Viewport&, const Viewport&) = default;
};
/// Half-open window rectangle.
struct Rect {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const Rect&, const Rect&) = default;
};

struct SamplerState : exec::SamplerModes {
    SamplerState() { min_filter = mag_filter = Filter::Linear; }
    float lod_bias = 0;
    float min_lod = 0;
    float max_lod = 1000;
    std::array<uint32_t, 4> border{};
    friend bool operator==(const SamplerState&, const SamplerState&) = default;
};

struct TextureDesc {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;
    uint32_t width = 1;
    uint32_t height = 1;
    uint32_t depth = 1;   ///< 3D
    uint32_t layers = 1;  ///< arrays; cubes: 6 * cubes
    uint32_t levels = 1;
    uint32_t samples = 1;
    bool render_target = false;
    friend bool operator==(const TextureDesc&, const TextureDesc&) = default;
};

/// Components of a vertex output that stream output appends to a buffer (OpenGL 4.6 section
/// 11.1.2.1, gallium pipe_stream_output).
struct StreamOutputElement {
    uint8_t output = 0;           ///< OUT[output] of the vertex or geometry shader
    uint8_t first_component = 0;  ///< first_component + components <= 4
    uint8_t components = 4;
    uint8_t buffer = 0;         ///< stream target slot
    uint16_t offset_words = 0;  ///< within the target's stride
    uint8_t stream = 0;         ///< stream of a geometry shader; a target takes one stream only
    friend bool operator==(const StreamOutputElement&, const StreamOutputElement&) = default;
};
inline constexpr uint32_t kMaxStreamTargets = 4;
/// Captured outputs; no elements: nothing is captured.
struct StreamOutputState {
    std::vector<StreamOutputElement> elements;
    std::array<uint32_t, kMaxStreamTargets> stride_words{};  ///< from vertex to vertex, by target
    friend bool operator==(const StreamOutputState&, const StreamOutputState&) = default;
};

/// Quantity that a query counts or measures over the draws between begin_query and end_query.
enum class QueryKind : uint8_t {
    SamplesPassed,        ///< samples that pass all tests (OpenGL 4.6 section 17.3.5)
    AnySamplesPassed,     ///< 1 if there is one, else 0
    PrimitivesGenerated,  ///< points, lines and triangles that assembly makes
    PrimitivesWritten,    ///< primitives that stream output had room for
    StreamOverflow,       ///< 1 if stream output had no room for a primitive, else 0
    PipelineStatistics,   ///< QueryResult::statistics
    Timestamp,            ///< ns of a steady clock when all calls before end_query are done
    TimeElapsed,          ///< ns from begin_query to end_query
};

/// Counters of GL_ARB_pipeline_statistics_query that apply to vertex and fragment shaders.
struct PipelineStatistics {
    uint64_t input_vertices = 0;    ///< without restart indices
    uint64_t input_primitives = 0;  ///< points, lines and triangles, incomplete ones left out
    uint64_t vertex_invocations = 0;
    uint64_t clip_input = 0;   ///< primitives that reach clipping: 0 with rasterizer discard
    uint64_t clip_output = 0;  ///< those of clip_input that are not wholly outside one plane
    uint64_t fragment_invocations = 0;  ///< covered pixels of blocks that are shaded, or samples
    friend bool operator==(const PipelineStatistics&, const PipelineStatistics&) = default;
};

struct QueryResult {
    uint64_t value = 0;  ///< result of all kinds except PipelineStatistics
    PipelineStatistics statistics;
};

/// A box of texels in one level; z counts slices (depth or layers).
struct Box {
    uint32_t x = 0, y = 0, z = 0;
    uint32_t width = 0, height = 1, depth = 1;
    [[nodiscard]] bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
    friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace valkyr::raster

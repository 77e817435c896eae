// Draw record: describes a draw to the workers; everything is resolved, validated and plain data.
// SPDX-License-Identifier: MIT
//
// Draw records and their parts live in the pass's arena, and the pass keeps alive the objects that
// they point to. A function takes only the part that it reads.
#pragma once

#include "exec/abi.hpp"
#include "raster/config.hpp"
#include "raster/data/index_source.hpp"
#include "raster/state.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Bits of a vertex's clip code: the vertex is outside that plane (docs/rules/raster-rules.md).
enum ClipBit : uint32_t {
    kClipNear = 1U << 0,  ///< planes apply in the order of the bits
    kClipFar = 1U << 1,
    kClipW = 1U << 2,
    kClipLeft = 1U << 3,
    kClipRight = 1U << 4,
    kClipTop = 1U << 5,
    kClipBottom = 1U << 6,
    kClipUser0 = 1U << 8,   ///< 8 bits: user planes or clip distances
    kCullUser0 = 1U << 16,  ///< 8 bits: cull distances; all vertices must have the bit
};
inline constexpr uint32_t kClipAny = 0xFFFF;

/// The smallest w that a division accepts. It is positive and normal, so 1/w is finite.
inline constexpr float kMinimumW = 0x1p-64F;

/// A clip or cull distance of a vertex: a float of its record, or a plane times a position.
struct DistanceSource {
    uint32_t offset = 0;  ///< record bytes of the distance or of the position
    bool plane = false;
    float equation[4] = {};
    friend bool operator==(const DistanceSource&, const DistanceSource&) = default;
};

/// Viewport, clip planes and distances of a draw.
struct ClipState {
    float scale[3] = {};
    float translate[3] = {};
    bool near_far = true;
    bool halfz = false;
    uint8_t user_count = 0;
    uint8_t cull_count = 0;
    float center_shift = 0;  ///< pixels added to window x and y: 0.5 if pixel centres are integers
    uint32_t planes = 0;     ///< all planes that clipping applies, as ClipBits
    DistanceSource user[8];
    DistanceSource cull[8];
    friend bool operator==(const ClipState&, const ClipState&) = default;
};

/// Half-open pixel rectangle: intersection of scissor and framebuffer.
struct PixelRect {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const PixelRect&, const PixelRect&) = default;
};

/// Rule by which set-up computes the three values of a varying slot.
enum class SlotKind : uint8_t { Zero, Flat, Linear, Perspective, PointCoord };
struct SlotSource {
    SlotKind kind = SlotKind::Zero;
    uint8_t slot = 0;      ///< slot of the fragment stage (PrimitiveSetup::slots)
    uint16_t offset[2]{};  ///< bytes in the vertex record, by facing (front, back)
    friend bool operator==(const SlotSource&, const SlotSource&) = default;
};

/// Polygon offset of one draw; see docs/rules/raster-rules.md.
struct DepthOffset {
    bool enabled = false;
    bool float_depth = false;  ///< the unit depends on the depths of each primitive
    float unit = 0;            ///< unit of fixed-point depth, times offset_units
    float units = 0;
    float scale = 0;
    float clamp = 0;
    friend bool operator==(const DepthOffset&, const DepthOffset&) = default;
};

/// Depth test of hierarchical depth: primitives that fail it everywhere may be skipped.
enum class DepthCull : uint8_t { None, Less, LessEqual, Greater, GreaterEqual };

/// A slot of eight binary16 numbers, which are widened after vertex shading: numbers 0 to 3 in
/// place, 4 to 7 at an offset of the record behind the slots that the program knows.
struct HalfSlot {
    uint16_t offset = 0;
    uint16_t high_offset = 0;
    friend bool operator==(const HalfSlot&, const HalfSlot&) = default;
};

/// Primitives of a draw that are antialiased; lines take precedence over points.
enum class SmoothShape : uint8_t { None, Lines, Points };

struct DrawCounters;

/// The geometry stage of a draw.
struct GeometryDraw {
    exec::Kernel kernel;
    const exec::DrawContext* context = nullptr;
    exec::GeometryInfo info;
    uint32_t input_stride = 0;  ///< bytes of the records that the vertex program writes
};

/// The tessellation stages of a draw.
struct PatchDraw {
    exec::Kernel control_kernel;
    const exec::DrawContext* control = nullptr;  ///< null: none
    exec::PatchInfo control_info;
    uint32_t control_stride = 0;  ///< bytes of the vertex records that the control program writes
    exec::Kernel evaluation_kernel;
    const exec::DrawContext* evaluation = nullptr;
    exec::TessellationInfo tessellation;
    uint32_t input_stride = 0;   ///< bytes of the records that the vertex program writes
    uint32_t patch_stride = 0;   ///< bytes of patch records
    uint32_t output_stride = 0;  ///< bytes of the records that the evaluation program writes
    std::array<float, 4> outer_levels{};  ///< without a control program
    std::array<float, 2> inner_levels{};
};

/// Elements of a draw and the rule that assembles primitives from them; made for every draw.
struct AssemblyState {
    IndexSource indices;
    Primitive primitive = Primitive::Triangles;  ///< primitive that assembly makes
    uint32_t first = 0;
    uint32_t count = 0;
    int32_t base_vertex = 0;
    uint32_t first_instance = 0;
    uint32_t instance_count = 1;
    uint32_t restart_index = 0;
    uint32_t patch_vertices = 1;  ///< Primitive::Patches
    bool restart = false;
    bool provoking_first = false;
    friend bool operator==(const AssemblyState&, const AssemblyState&) = default;
};

/// Shapes of a draw: vertex records, clipping, culling, and conversion of primitives on their way
/// to the tiles. Tile loops also read it to find the pixels of a shape.
struct ShapeState {
    Primitive drawn = Primitive::Triangles;  ///< AssemblyState::primitive without later stages
    bool rasterize = true;                   ///< false: rasterizer discard
    bool shapes = false;                     ///< batches may hold points and lines
    /// Primitives are points, one sample a pixel: each is the rectangle that its first three
    /// corners span, without a second triangle.
    bool quads = false;
    /// Two filled triangles that form a rectangle may become one primitive (Batch::quads).
    bool merges = false;
    bool multisample = false;  ///< several samples at different positions
    bool bottom_edge_rule = false;
    bool cull_positive = false;  ///< positive area: clockwise as seen with row 0 at the top
    bool cull_negative = false;
    bool front_positive = false;  ///< positive area is front facing
    PixelRect rect;
    int32_t cover_low = 127;   ///< first column or row that can be covered: (min + low) >> 8
    int32_t cover_high = 128;  ///< last one: (max - high) >> 8; both 0 when multisampled

    uint32_t record_stride = 0;        ///< bytes of the records that are drawn
    const HalfSlot* halves = nullptr;  ///< at most exec::kMaxVaryingSlots
    uint32_t half_count = 0;
    uint32_t viewport_count = 1;
    uint32_t layers = 1;  ///< layers that the vertex program can choose

    float point_size = 1;
    bool point_size_per_vertex = false;
    bool whole_point_size = false;  ///< sizes of points are rounded
    bool line_last_pixel = false;
    bool rectangular_lines = false;  ///< lines are rectangles: multisampled
    bool line_stipple = false;
    float line_width = 1;
    uint16_t stipple_pattern = 0xFFFF;  ///< pattern of lines
    uint16_t stipple_factor = 1;
    SmoothShape smooth = SmoothShape::None;
    PolygonMode fill[2] = {PolygonMode::Fill, PolygonMode::Fill};  ///< front, back
    bool offset_shape[2] = {false, false};  ///< polygon offset of triangles as lines, as points
    uint16_t coverage_offset = 0;           ///< record bytes of the inputs of smooth coverage
    uint16_t edge_flag_offset = 0;          ///< in the record; 0: every edge of a polygon is drawn
    ClipState clip;

    /// Returns whether vertices choose viewports or layers.
    [[nodiscard]] bool selects() const { return viewport_count > 1 || layers > 1; }
    friend bool operator==(const ShapeState&, const ShapeState&) = default;
};

/// Tile state of a draw: data of set-up and coverage besides the shapes.
struct TileState {
    const SlotSource* slots = nullptr;  ///< at most 2 * exec::kMaxVaryingSlots
    uint32_t slot_count = 0;
    uint32_t sample_mask = 0xFFFFFFFF;  ///< samples that may be covered, if multisampled
    float depth_min = 0;
    float depth_max = 1;
    /// Pixels that filled triangles keep, as lanes of 8x8 blocks that repeat; null: all pixels.
    const uint16_t* polygon_stipple = nullptr;
    DepthOffset offset;
    bool sprite_lower_left = false;  ///< point coordinate t grows towards row 0
    friend bool operator==(const TileState&, const TileState&) = default;
};

/// Hidden work of a draw that may be skipped (record/hidden.hpp).
struct HiddenState {
    bool replaces = false;       ///< covered pixels lose all colours that they had
    bool lasting = false;        ///< has effects besides colours: is drawn even if hidden
    bool depth_written = false;  ///< depth is written, and tracked by DepthBounds
    bool depth_lowers = false;   ///< written codes are never greater than the old codes
    bool depth_raises = false;   ///< written codes are never less than the old codes
    DepthCull depth_cull = DepthCull::None;
    float depth_scale = 0;  ///< scale of fixed-point codes; 0: codes are the bits of floats
    friend bool operator==(const HiddenState&, const HiddenState&) = default;
};

/// A draw: programs of its stages, its elements, and three parts that draws of a pipeline share
/// while the state that the parts are made of is unchanged (record/record_parts.hpp).
struct DrawRecord {
    DrawCounters* counters = nullptr;  ///< by worker, if queries are open (draw_counters.hpp)
    AssemblyState assembly;
    const ShapeState* shape = nullptr;
    const TileState* tile = nullptr;
    const HiddenState* hidden = nullptr;

    // Contexts hold constants, so they change from draw to draw.
    exec::Kernel vertex_kernel;
    const exec::DrawContext* vertex = nullptr;
    const PatchDraw* patches = nullptr;      ///< null: no tessellation
    const GeometryDraw* geometry = nullptr;  ///< null: none
    exec::Kernel fragment_kernel[2];  ///< [1]: all three q are equal (FragmentKey::constant_w)
    const exec::DrawContext* fragment[2] = {};
    bool per_sample = false;     ///< the fragment kernel runs once for each sample
    bool counts_killed = false;  ///< the fragment kernel tests first and counts samples that pass

    /// Returns whether programs make primitives of those that assembly makes.
    [[nodiscard]] bool makes_primitives() const {
        return patches != nullptr || geometry != nullptr;
    }
    /// A draw that gives the tile loops equal data (share_tiles()): the first one, or this one.
    const DrawRecord* alike = nullptr;
    /// Copies of this draw by viewport index; null if the vertex program does not choose one.
    const DrawRecord* viewports = nullptr;
};

}  // namespace valkyr::raster

// Kernel calls: hand a draw, vertices, primitives and blocks to a kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/state_keys.hpp"
#include "exec/vertex_record.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace valkyr::exec {

struct Environment;

/// Ends warps that loop for ever, and work that was cancelled. Engines look at it when a warp
/// branches backwards for the first time and then at every kLoopRound-th backward branch: the warp
/// ends there if `cancelled` is set or if it has used up its rounds. In very long code they look at
/// `cancelled` more often. Writes that come later in the warp are lost.
struct LoopWatch {
    std::atomic<uint32_t> runaway{0};  ///< set by engines: a warp used up its rounds
    /// CancelReason bits; the work ends if any is set.
    std::atomic<uint32_t> cancelled{0};
    uint32_t most_rounds = 0;  ///< times that one warp may look at the watch; 0: any number
    uint32_t reserved = 0;
};
inline constexpr uint32_t kLoopRound = 65536;

/// Bits of LoopWatch::cancelled.
enum CancelReason : uint32_t {
    kCancelledFromOutside = 1,  ///< by the caller, for good
    kOutOfTime = 2,             ///< until the work that took too long has ended
};

/// Whether the work under this watch is cancelled; without a watch it never is.
inline bool is_cancelled(const LoopWatch* watch) noexcept {
    return watch != nullptr && watch->cancelled.load(std::memory_order_relaxed) != 0;
}

/// FAU specials that a draw has. Those of page 3 (lane_id, core_id, program_counter) are made by
/// the engine; unnamed ones beyond these pages are 0.
inline constexpr unsigned kDrawSpecials = 32;

/// Everything that stays the same over the kernel calls of one draw and one stage.
struct alignas(64) DrawContext {
    const uint32_t* fau = nullptr;  ///< FAU words u0.., as many as the program asks for (even)
    const Environment* environment = nullptr;
    const void* key = nullptr;  ///< FragmentKey or VertexKey of the bound kernel
    const ProgramInfo* info = nullptr;
    ResourceTables tables;
    uint64_t special[kDrawSpecials] = {};   ///< FAU specials of pages 0 and 1, but for those that
                                            ///< the engine makes: thread_local_pointer and, in
                                            ///< compute programs, workgroup_local_pointer
    float blend_constant[4] = {};           ///< as set
    uint8_t blend_constant_unorm8[4] = {};  ///< clamped and encoded
    uint8_t stencil_reference[2] = {};      ///< front, back
    uint8_t reserved[2] = {};
    LoopWatch* watch = nullptr;  ///< null: loops may go on for ever
};

/// A vertex kernel call: vertices vertex_ids[0..count), results in records
/// first_record .. first_record + count - 1. Arrays and records are padded to whole warps, so that
/// the lanes past `count` may read vertex_ids and write their (unused) records.
struct VertexCall {
    const DrawContext* draw = nullptr;
    const uint32_t* vertex_ids = nullptr;  ///< kVertexIdRegister of each vertex
    uint8_t* records = nullptr;            ///< arena; record n at records + n * record_stride
    uint32_t record_stride = 0;            ///< bytes
    uint32_t first_record = 0;             ///< kRecordNumberRegister of lane 0
    uint32_t count = 0;                    ///< vertices, > 0
    uint32_t instance_id = 0;              ///< kInstanceIdRegister
    uint64_t tls = 0;                      ///< base of 16 * tls_bytes (thread_storage.hpp)
    uint32_t worker = 0;
    uint32_t reserved = 0;
    /// Counts the calls of message routines, by member of Environment; null: no counting.
    uint64_t* message_calls = nullptr;
};

/// A geometry kernel call: each lane is a pair of an input primitive and an invocation. Vertex k of
/// pair n is the input record vertices[k][n]; pair n writes records from n *
/// emission_records(max_vertices) on. Arrays and records are padded to whole warps.
struct GeometryCall {
    /// Output records; `first_record` is 0, `count` the number of pairs, and there are no
    /// vertex_ids.
    VertexCall out;
    const uint32_t* vertices[kMaxInputVertices] = {};  ///< as many as the input primitive has
    const uint32_t* primitive_ids = nullptr;           ///< kPrimitiveIdRegister of each pair
    const uint32_t* invocations = nullptr;             ///< kInvocationRegister of each pair
    const uint8_t* inputs = nullptr;  ///< vertex record n at inputs + n * input_stride
    uint32_t input_stride = 0;        ///< bytes
    uint32_t reserved = 0;
};

/// value(dx, dy): see docs/rules/isa-notes.md "Interpolation".
struct Plane {
    float a;   ///< value at the anchor vertex
    float cx;  ///< gradient per pixel in x
    float cy;
    float pad;
};

/// Planes of one varying slot, four components each.
struct SlotPlanes {
    float a[4];
    float cx[4];
    float cy[4];
};

/// One primitive ready for shading, anchored at the vertex with the smallest q.
struct alignas(16) PrimitiveSetup {
    float anchor_x = 0;  ///< window pixels, multiples of 1/256
    float anchor_y = 0;
    uint32_t primitive_id = 0;
    uint32_t flags = 0;  ///< kPrimitiveFlagsRegister: bit 0 back facing
    Plane z;
    Plane q;        ///< 1/w
    Plane point_s;  ///< point coordinate
    Plane point_t;
    float depth_min = 0;  ///< clamp range of the depth test
    float depth_max = 1;
    uint32_t layer = 0;
    uint32_t viewport = 0;
    /// By varying slot; a flat slot uses `a` alone. Planes of a slot with VaryingSlot::half are
    /// those of its numbers 0 to 3; entry kMaxVaryingSlots + slot has 4 to 7.
    const SlotPlanes* slots = nullptr;
    uint64_t reserved[3] = {};
};

/// A block to shade: its index in the tile (row-major, 16 a row) and its covered pixels. In calls
/// of several primitives (FragmentCall::primitive_count) the upper byte of `block` is the number of
/// the primitive.
struct BlockRef {
    uint16_t block = 0;
    uint16_t mask = 0;
};
/// BlockRef::block has the number of the primitive from this bit on.
inline constexpr unsigned kPrimitiveShift = 8;

/// Varying slots that a draw may have if its primitives share kernel calls.
inline constexpr unsigned kMaxBatchSlots = 8;
/// A primitive of a call with several: `setup.slots` is `planes`.
struct alignas(64) BatchPrimitive {
    PrimitiveSetup setup;
    SlotPlanes planes[kMaxBatchSlots];
};

/// Where a quad lies, and whose it is.
struct QuadPlace {
    uint32_t pixel = 0;      ///< byte offset of its first pixel in a tile of 4 bytes a pixel
    uint32_t primitive = 0;  ///< byte offset from the call's first BatchPrimitive
    uint64_t reserved = 0;
};
/// A warp of four pixel quads that may belong to different blocks and primitives. The quads of a
/// warp differ. If it has fewer than four, the others are copies of quad 0 without pixels.
struct alignas(16) QuadWarp {
    /// By lane: x | y << kQuadYShift of the quad's first pixel in the tile, equal in a quad.
    uint32_t corner[kLanes];
    QuadPlace quads[kLanes / 4];
    uint32_t mask;  ///< covered pixels, by lane
    uint32_t reserved[3];
};
inline constexpr unsigned kQuadYShift = 6;
inline constexpr unsigned kTileQuads = kTileSize * kTileSize / 4;

/// The input of a fragment kernel in calls of several primitives.
enum class Batching : uint8_t {
    None,    ///< there are no such calls
    Blocks,  ///< FragmentCall::blocks, which name primitives, in their order
    Quads,   ///< FragmentCall::quad_warps; each pixel gets the primitives in their order
};

/// A fragment kernel call: some blocks of one primitive in one tile, or pixels of several
/// primitives of one draw, as Kernel::batching says.
struct FragmentCall {
    const DrawContext* draw = nullptr;
    const PrimitiveSetup* primitive = nullptr;  ///< the first one; of a BatchPrimitive if there are
                                                ///< several
    const BlockRef* blocks = nullptr;
    uint32_t block_count = 0;
    int32_t tile_x = 0;  ///< window pixel of the tile's corner
    int32_t tile_y = 0;
    uint32_t worker = 0;
    const uint16_t* sample_masks = nullptr;  ///< samples > 1: lane mask of sample s of blocks[i] at
                                             ///< [i * samples + s]; else null. blocks[i].mask is
                                             ///< their union
    uint8_t* color[kMaxRenderTargets] = {};  ///< tile of each target: block b, sample s at
                                             ///< ((b * samples) + s) * 16 * bytes, in lane order
    uint32_t* depth = nullptr;               ///< codes, 16 a block and sample
    uint8_t* stencil = nullptr;              ///< 16 a block and sample
    uint64_t tls = 0;                        ///< base of 16 * tls_bytes (thread_storage.hpp)
    uint64_t samples_passed = 0;             ///< counts if zs.count_samples
    uint32_t primitive_count = 1;            ///< more than one only with Kernel::batching; all
                                             ///< have the same depth_min and depth_max
    uint32_t layer = 0;                      ///< of the framebuffer that the tile belongs to
    uint64_t* message_calls = nullptr;       ///< as in VertexCall
    const QuadWarp* quad_warps = nullptr;    ///< with Batching::Quads and several primitives
    uint64_t quad_warp_count = 0;            ///< at least 1
};

/// Memory that an engine keeps one warp in while it waits at a BARRIER. Only the engine knows what
/// is in it. Its size is an odd number of cache lines, so that equal places of the warps of a group
/// are in different sets of the cache.
struct alignas(64) WarpContext {
    uint8_t bytes[97 * 64];
};

/// Records of one kind, which LEA_BUF_IMM finds by number.
struct RecordTable {
    uint8_t* first = nullptr;  ///< null: none; the address of every record is 0
    uint32_t stride = 0;       ///< bytes
    uint32_t reserved = 0;
};
inline constexpr unsigned kRecordTables = 4;

/// A compute call: some work-groups of a grid, one after the other. Invocation x + y * block[0] + z
/// * block[0] * block[1] of a group is lane n % kLanes of warp n / kLanes (work_groups.hpp). The
/// defaults are those of a uniform prologue: one lane, results in `registers`.
struct ComputeCall {
    const DrawContext* draw = nullptr;
    Lanes* registers = nullptr;  ///< r0..r63 of the last warp on exit if not null
    /// Invocations of a group in x, y, z: as the program says, if it does; at most
    /// kMaxGroupInvocations together.
    uint32_t block[3] = {1, 1, 1};
    uint32_t worker = 0;
    uint64_t tls = 0;          ///< base of 16 * tls_bytes for each warp of a group
    uint64_t first_group = 0;  ///< x first, then y, then z
    uint64_t group_count = 1;
    uint32_t grid[3] = {1, 1, 1};  ///< groups in x, y, z; at least 1 each
    uint32_t shared_bytes = 0;     ///< as the program says, at most kMaxSharedBytes
    /// Memory of a group, 16-byte aligned; engines fill it with zeros for each group.
    uint8_t* shared = nullptr;
    /// One for each warp of a group; null only if groups have one warp.
    WarpContext* contexts = nullptr;
    /// Tessellation programs: by ResourceTable, from kFirstRecordTable on.
    RecordTable records[kRecordTables] = {};
};

/// A kernel of either engine: call entry(self, call) with the call struct of its stage. noexcept;
/// returns when every warp has ended.
using KernelEntry = void (*)(const void* self, void* call) noexcept;
struct Kernel {
    KernelEntry entry = nullptr;
    const void* self = nullptr;
    Batching batching = Batching::None;  ///< fragment
    void operator()(VertexCall& call) const { entry(self, &call); }
    void operator()(GeometryCall& call) const { entry(self, &call); }
    void operator()(FragmentCall& call) const { entry(self, &call); }
    void operator()(ComputeCall& call) const { entry(self, &call); }
};

static_assert(sizeof(LoopWatch) == 16 && offsetof(LoopWatch, cancelled) == 4,
              "recompiled code reads both flags at once");
static_assert(offsetof(GeometryCall, out) == 0, "vertex and geometry kernels share code");
static_assert(sizeof(Plane) == 16);
static_assert(sizeof(SlotPlanes) == 48);
static_assert(sizeof(PrimitiveSetup) == 128);
static_assert(sizeof(BlockRef) == 4);
static_assert(sizeof(QuadPlace) == 4 * sizeof(uint32_t), "addresses count the words of lanes");
static_assert(offsetof(BatchPrimitive, setup) == 0 && sizeof(BatchPrimitive) == 512);
static_assert(offsetof(PrimitiveSetup, z) == 16);
static_assert(offsetof(PrimitiveSetup, q) == 32);
static_assert(offsetof(PrimitiveSetup, slots) == 96);

}  // namespace valkyr::exec

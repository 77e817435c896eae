// The contract between generated code and its callers: registers, records, descriptors, state keys,
// calls and the environment of message routines.
// SPDX-License-Identifier: MIT
//
// Everything is standard layout; offsets that recompiled code uses are asserted at the end.
// Float environment on entry to a kernel: round to nearest even, no flush to zero (MXCSR 0x1F80,
// FPCR 0). Callers set it once a thread (exec_float_env.hpp), kernels do not touch it.
//
// Lanes: 16 a warp. A fragment warp is the 4x4 block at pixel (4i, 4j) of the target; lane bits
// 0,1,2,3 are x0,y0,x1,y1 (Z order): lane_x, lane_y below. Vertex warps are consecutive vertices.
#pragma once

#include "valhall/isa/exec_format.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::exec {

inline constexpr unsigned kLanes = 16;
inline constexpr unsigned kRegisters = 64;
inline constexpr unsigned kTileSize = 64;  ///< pixels a side; kTileSize / 4 blocks a row
inline constexpr unsigned kBlocksPerRow = kTileSize / 4;
inline constexpr unsigned kMaxRenderTargets = 8;
inline constexpr unsigned kMaxVaryingSlots = 32;
inline constexpr unsigned kMaxAttributes = 32;
inline constexpr unsigned kMaxTextureUnits = 32;
inline constexpr unsigned kMaxImages = 16;
inline constexpr unsigned kMaxConstantBuffers = 16;
inline constexpr unsigned kMaxSamples = 16;
inline constexpr unsigned kMaxClipDistances = 8;

/// Pixel offset of a lane inside its 4x4 block.
constexpr unsigned lane_x(unsigned lane) {
    return (lane & 1) | (lane >> 1 & 2);
}
constexpr unsigned lane_y(unsigned lane) {
    return (lane >> 1 & 1) | (lane >> 2 & 2);
}
/// The lane at a pixel offset (x, y in 0..3).
constexpr unsigned lane_at(unsigned x, unsigned y) {
    return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

/// One 32-bit value for each lane of a warp.
struct alignas(64) Lanes {
    uint32_t v[kLanes];
};

// ---------------------------------------------------------------------------------------------
// What a program is, as far as its callers care (part of valhall::Program).

enum class Stage : uint8_t { Vertex, Fragment, Compute, Blend };

/// Names by which the stages of a pipeline find each other's varyings (tgsi.rst semantics).
enum class VaryingName : uint8_t {
    Generic,
    Color,
    BackColor,
    TexCoord,
    Fog,
    PointCoord,
    ClipDistance,
    ClipVertex,
    PrimitiveId,
    Layer,
    ViewportIndex,
};

enum class Interpolation : uint8_t {
    Flat,    ///< bits of the provoking vertex
    Linear,  ///< in window space (noperspective)
    Perspective,
    Color,  ///< Perspective, or Flat when the rasterizer's flat-shade state is on
};

/// One 16-byte slot of the varying part of the vertex record.
struct VaryingSlot {
    VaryingName name = VaryingName::Generic;
    uint8_t index = 0;  ///< semantic index
    Interpolation interpolation = Interpolation::Perspective;
    uint8_t components = 0xF;  ///< which of x,y,z,w the fragment stage reads
    bool written = true;       ///< false: no vertex output; reads as 0
    friend bool operator==(const VaryingSlot&, const VaryingSlot&) = default;
};

/// Driver values that the FAU recipe may ask for.
enum class DriverValue : uint8_t {
    BaseVertex,
    BaseInstance,
    DrawId,
    TextureWidth,
    TextureHeight,
    TextureDepth,  ///< of the view's level 0; unit in FauWord::buffer;
    TextureLevels,
    TextureSamples,  ///< depth = layers for arrays
    BufferAddressLow,
    BufferAddressHigh,
    BufferSize,
    ImageWidth,
    ImageHeight,
    ImageDepth,
    TargetHeight,  ///< of the framebuffer, as f32
    SampleCount,
    GridSizeX,
    GridSizeY,
    GridSizeZ,
    ViewportScaleX,
    ViewportScaleY,
    ImageSamples,
    CounterAddressLow,  ///< atomic counter buffers; unit in FauWord::buffer
    CounterAddressHigh,
    CounterSize,
};

struct ProgramInfo {
    Stage stage = Stage::Vertex;
    uint8_t reserved0[3] = {};
    uint32_t tls_bytes = 0;        ///< thread-local storage a lane needs, multiple of 16
    uint32_t attributes_read = 0;  ///< bit i: LD_ATTR of attribute i
    uint32_t textures_read = 0;    ///< bit i: texture i
    uint32_t samplers_read = 0;
    uint32_t images_used = 0;
    uint32_t constant_buffers_read = 0;  ///< by LD_BUFFER (FAU words come on top)
    uint32_t varying_slot_count = 0;     ///< slots of the vertex record
    VaryingSlot varyings[kMaxVaryingSlots];

    // Vertex.
    bool writes_point_size = false;
    bool writes_layer = false;
    bool writes_viewport_index = false;
    bool window_space_position = false;
    uint8_t clip_distances = 0;  ///< mask of written clip distances (slots named ClipDistance)
    uint8_t cull_distances = 0;  ///< mask; these follow the clip distances
    // Fragment.
    uint8_t color_outputs = 0;       ///< bit i: BLEND to render target i
    bool color0_writes_all = false;  ///< colour 0 goes to every bound target
    bool writes_depth = false;
    bool writes_stencil = false;
    bool writes_sample_mask = false;
    bool uses_discard = false;
    bool has_side_effects = false;  ///< stores or atomics
    bool early_fragment_tests = false;
    bool per_sample = false;  ///< reads sample ID/position, or SAMPLE interpolation
    bool reads_tile = false;  ///< framebuffer fetch
};

/// Bytes of a vertex record: 32 + 16 * slots. Layout: 0 clip position x,y,z,w (f32); 16 point size
/// (f32); 20 layer, 22 viewport index (u16); 24 reserved; 32 + 16*s varying slot s.
constexpr uint32_t record_stride(uint32_t slots) {
    return 32 + 16 * slots;
}
inline constexpr uint32_t kRecordVaryings = 32;

// ---------------------------------------------------------------------------------------------
// Descriptors (table numbers: 0 constant buffers, 1 attributes, 2 vertex buffers, 3 samplers,
// 4 textures, 5 images; a resource handle is table << 24 | index).

struct BufferDescriptor {
    uint8_t* address = nullptr;
    uint64_t size = 0;  ///< bytes; reads at or past it give 0
};

/// Vertex element i: where LD_ATTR finds component data.
struct AttributeDescriptor {
    const uint8_t* address = nullptr;  ///< of element 0, offset included
    uint64_t size = 0;                 ///< bytes readable from address; 0 = nothing bound
    uint32_t stride = 0;               ///< bytes
    uint32_t divisor = 0;              ///< 0: by vertex ID; n: by instance ID / n
    Format format = Format::None;
    uint8_t reserved[7] = {};
};

enum class Wrap : uint8_t {
    Repeat,
    ClampToEdge,
    ClampToBorder,
    MirrorRepeat,
    MirrorClampToEdge,
    MirrorClampToBorder,
    Clamp,
    MirrorClamp,  ///< GL_CLAMP: to the edge for nearest, half border for linear
};
enum class Filter : uint8_t { Nearest, Linear };
enum class MipFilter : uint8_t { None, Nearest, Linear };
enum class CompareFunc : uint8_t {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always
};

struct SamplerDescriptor {
    Wrap wrap_s = Wrap::Repeat;
    Wrap wrap_t = Wrap::Repeat;
    Wrap wrap_r = Wrap::Repeat;
    Filter min_filter = Filter::Nearest;
    Filter mag_filter = Filter::Nearest;
    MipFilter mip_filter = MipFilter::None;
    bool compare_enable = false;
    CompareFunc compare = CompareFunc::LessEqual;
    bool seamless_cube = true;
    bool normalized = true;
    uint8_t max_anisotropy = 1;  ///< 1 = off, at most 16
    uint8_t reserved = 0;
    int16_t lod_bias = 0;       ///< signed 8.8
    uint16_t min_lod = 0;       ///< unsigned 5.8
    uint16_t max_lod = 0x1FFF;  ///< unsigned 5.8
    uint16_t reserved1 = 0;
    uint32_t border[4] = {};  ///< f32 bits, or integers for integer textures
};

enum class TextureKind : uint8_t {
    Buffer,
    Tex1D,
    Tex2D,
    Tex3D,
    Cube,
    Rect,
    Tex1DArray,
    Tex2DArray,
    CubeArray,
    Tex2DMs,
    Tex2DMsArray
};

inline constexpr unsigned kMaxLevels = 15;

/// One mip level. Texels lie in 4x4 tiles in lane order (the block shape of render targets): the
/// texel (x, y) of a slice is element (y/4 * tiles_per_row + x/4) * 16 + lane_at(x&3, y&3).
/// TextureKind::Buffer has texel x at element x.
/// Multisampled textures keep `samples` planes of 16 elements a tile, as the tile buffers do:
/// element ((y/4 * tiles_per_row + x/4) * samples + s) * 16 + lane_at(x&3, y&3).
/// Compressed formats are kept decoded to a plain format of the same values. At least 64 bytes past
/// the last texel of a texture are readable.
struct TextureLevel {
    const uint8_t* data = nullptr;
    uint32_t width = 0;  ///< texels
    uint32_t height = 0;
    uint32_t depth = 0;  ///< slices: depth, layers, or 6 * cubes
    uint32_t tiles_per_row = 0;
    uint64_t slice_bytes = 0;
};

struct TextureDescriptor {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;  ///< of the stored texels
    Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z,
                          Swizzle::W};  ///< view over format swizzle, combined
    uint8_t first_level = 0;            ///< index into levels of the view's level 0
    uint8_t level_count = 0;            ///< 0 = nothing bound: reads give 0,0,0,1
    uint8_t samples = 1;
    bool power_of_two = false;  ///< width and height of level 0
    uint32_t first_layer = 0;
    uint32_t layer_count = 1;
    TextureLevel levels[kMaxLevels];  ///< levels[first_level + l]
};

/// One level of a texture that shaders load from and store to; texels lie as in TextureLevel.
struct ImageDescriptor {
    uint8_t* data = nullptr;
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;
    uint8_t samples = 1;
    uint8_t reserved = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t depth = 0;
    uint32_t tiles_per_row = 0;
    uint64_t slice_bytes = 0;
};

struct ResourceTables {
    const BufferDescriptor* constant_buffers = nullptr;
    const AttributeDescriptor* attributes = nullptr;
    const BufferDescriptor* vertex_buffers = nullptr;
    const SamplerDescriptor* samplers = nullptr;
    const TextureDescriptor* textures = nullptr;
    const ImageDescriptor* images = nullptr;
    uint32_t constant_buffer_count = 0;
    uint32_t attribute_count = 0;
    uint32_t vertex_buffer_count = 0;
    uint32_t sampler_count = 0;
    uint32_t texture_count = 0;
    uint32_t image_count = 0;
};

// ---------------------------------------------------------------------------------------------
// State keys: what is decided when a kernel is made. Zero-filled padding, compared bytewise.

enum class BlendFactor : uint8_t {
    Zero,
    One,
    SrcColor,
    SrcAlpha,
    DstColor,
    DstAlpha,
    InvSrcColor,
    InvSrcAlpha,
    InvDstColor,
    InvDstAlpha,
    ConstColor,
    ConstAlpha,
    InvConstColor,
    InvConstAlpha,
    SrcAlphaSaturate,
    Src1Color,
    Src1Alpha,
    InvSrc1Color,
    InvSrc1Alpha,
};
enum class BlendFunc : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
enum class LogicOp : uint8_t {
    Clear,
    Nor,
    AndInverted,
    CopyInverted,
    AndReverse,
    Invert,
    Xor,
    Nand,
    And,
    Equiv,
    Noop,
    OrInverted,
    Copy,
    OrReverse,
    Or,
    Set,
};
enum class StencilOp : uint8_t {
    Keep,
    Zero,
    Replace,
    IncrementClamp,
    DecrementClamp,
    IncrementWrap,
    DecrementWrap,
    Invert
};

/// Blending of one render target.
struct BlendKey {
    bool enable = false;
    BlendFunc rgb_func = BlendFunc::Add;
    BlendFactor rgb_src = BlendFactor::One;
    BlendFactor rgb_dst = BlendFactor::Zero;
    BlendFunc alpha_func = BlendFunc::Add;
    BlendFactor alpha_src = BlendFactor::One;
    BlendFactor alpha_dst = BlendFactor::Zero;
    uint8_t write_mask = 0xF;  ///< bit 0 red .. bit 3 alpha
    bool logic_op_enable = false;
    LogicOp logic_op = LogicOp::Copy;
    Format format = Format::None;  ///< of the target; None = no target bound
    uint8_t reserved = 0;
    friend bool operator==(const BlendKey&, const BlendKey&) = default;
};

struct StencilFaceKey {
    CompareFunc func = CompareFunc::Always;
    StencilOp fail = StencilOp::Keep;
    StencilOp depth_fail = StencilOp::Keep;
    StencilOp pass = StencilOp::Keep;
    uint8_t read_mask = 0xFF;
    uint8_t write_mask = 0xFF;
    friend bool operator==(const StencilFaceKey&, const StencilFaceKey&) = default;
};

/// Depth and stencil. The tile keeps depth as 32-bit codes whose integer order is the depth order:
/// D16 and D24 the unorm code, D32F the bits of the (non-negative) float.
struct DepthStencilKey {
    Format format = Format::None;  ///< None = no buffer: every test passes, nothing is written
    bool depth_test = false;
    bool depth_write = false;
    CompareFunc depth_func = CompareFunc::Less;
    bool stencil_test = false;
    bool early = false;  ///< test and update before shading, in the kernel's first lines
    bool count_samples =
        false;  ///< an occlusion query is open: add passing samples to FragmentCall::samples_passed
    uint8_t reserved = 0;
    StencilFaceKey stencil[2];  ///< front, back
    friend bool operator==(const DepthStencilKey&, const DepthStencilKey&) = default;
};

/// A texture unit as the fragment or vertex program uses it.
struct TextureKey {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;
    Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z, Swizzle::W};
    bool power_of_two = false;
    bool single_level = false;  ///< level_count == 1
    /// All slices that layers and faces can name exist, and element numbers of whole levels are
    /// below 2^29.
    bool plain_slices = false;
    friend bool operator==(const TextureKey&, const TextureKey&) = default;
};
struct SamplerKey {
    Wrap wrap_s = Wrap::Repeat;
    Wrap wrap_t = Wrap::Repeat;
    Wrap wrap_r = Wrap::Repeat;
    Filter min_filter = Filter::Nearest;
    Filter mag_filter = Filter::Nearest;
    MipFilter mip_filter = MipFilter::None;
    bool compare_enable = false;
    CompareFunc compare = CompareFunc::LessEqual;
    bool seamless_cube = true;
    bool normalized = true;
    uint8_t max_anisotropy = 1;
    uint8_t reserved = 0;
    friend bool operator==(const SamplerKey&, const SamplerKey&) = default;
};

/// State that a fragment kernel is specialised for.
struct FragmentKey {
    BlendKey blend[kMaxRenderTargets];
    DepthStencilKey zs;
    uint8_t samples = 1;
    bool per_sample = false;
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
    CompareFunc alpha_func = CompareFunc::Always;
    bool constant_w = false;  ///< all three q are equal: PERSPECTIVE varyings are linear
    bool flat_shade = false;  ///< Interpolation::Color means Flat
    bool strict_nan = false;
    uint8_t texture_units = 0;  ///< how many entries below count
    uint8_t sampler_units = 0;
    bool centered_samples = false;  ///< multisample state off: all samples lie in the pixel centre
    uint8_t reserved = 0;
    uint32_t linear_slots = 0;  ///< bit s: varying slot s is LINEAR
    TextureKey textures[kMaxTextureUnits];
    SamplerKey samplers[kMaxTextureUnits];
    friend bool operator==(const FragmentKey&, const FragmentKey&) = default;
};

/// State that a vertex kernel is specialised for.
struct VertexKey {
    Format attribute_format[kMaxAttributes] = {};
    uint32_t instanced = 0;  ///< bit i: attribute i has a divisor
    bool strict_nan = false;
    uint8_t texture_units = 0;
    uint8_t sampler_units = 0;
    uint8_t reserved = 0;
    TextureKey textures[kMaxTextureUnits];
    SamplerKey samplers[kMaxTextureUnits];
    friend bool operator==(const VertexKey&, const VertexKey&) = default;
};

// ---------------------------------------------------------------------------------------------
// Calls.

struct Environment;

/// Everything that stays the same over the kernel calls of one draw and one stage.
struct alignas(64) DrawContext {
    const uint32_t* fau = nullptr;  ///< FAU words u0.., as many as the program asks for (even)
    const Environment* environment = nullptr;
    const void* key = nullptr;  ///< FragmentKey or VertexKey of the bound kernel
    const ProgramInfo* info = nullptr;
    ResourceTables tables;
    uint64_t special[4][16] = {};  ///< FAU specials by page and number (lane_id, core_id,
                                   ///< program_counter and thread_local_pointer are made by the
                                   ///< engine)
    float blend_constant[4] = {};  ///< as set
    uint8_t blend_constant_unorm8[4] = {};  ///< clamped and encoded
    uint8_t stencil_reference[2] = {};      ///< front, back
    uint8_t reserved[2] = {};
};

/// A vertex kernel call: vertices vertex_ids[0..count), results in records
/// first_record .. first_record + count - 1. Arrays and records are padded to whole warps, so that
/// the lanes past `count` may read vertex_ids and write their (unused) records.
struct VertexCall {
    const DrawContext* draw = nullptr;
    const uint32_t* vertex_ids = nullptr;  ///< r60 (base vertex included)
    uint8_t* records = nullptr;            ///< arena; record n at records + n * record_stride
    uint32_t record_stride = 0;            ///< bytes
    uint32_t first_record = 0;             ///< r59 of lane 0
    uint32_t count = 0;                    ///< vertices, > 0
    uint32_t instance_id = 0;              ///< r61
    uint64_t tls = 0;                      ///< base of 16 * tls_bytes, lane-major
    uint32_t worker = 0;
    uint32_t reserved = 0;
};

/// value(dx, dy): see docs/isa-notes.md "Interpolation".
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
    uint32_t flags = 0;  ///< r58: 0 = front facing, bit 0 = back facing
    Plane z;
    Plane q;        ///< 1/w
    Plane point_s;  ///< point coordinate
    Plane point_t;
    float depth_min = 0;  ///< clamp range of the depth test
    float depth_max = 1;
    uint32_t layer = 0;
    uint32_t viewport = 0;
    const SlotPlanes* slots = nullptr;  ///< by varying slot; a flat slot uses `a` alone
    uint64_t reserved = 0;
};

/// A block to shade: its index in the tile (row-major, 16 a row) and its covered pixels.
struct BlockRef {
    uint16_t block = 0;
    uint16_t mask = 0;
};

/// A fragment kernel call: some blocks of one primitive in one tile.
struct FragmentCall {
    const DrawContext* draw = nullptr;
    const PrimitiveSetup* primitive = nullptr;
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
    uint64_t tls = 0;                        ///< base of 16 * tls_bytes, lane-major
    uint64_t samples_passed = 0;             ///< counts if zs.count_samples
};

/// A compute call: one warp of `count` lanes; used for uniform prologues (one lane, results r0.. in
/// `registers`).
struct ComputeCall {
    const DrawContext* draw = nullptr;
    Lanes* registers = nullptr;  ///< r0..r63 on exit if not null
    uint32_t count = 1;
    uint32_t worker = 0;
    uint64_t tls = 0;
};

/// A kernel, whoever made it: call entry(self, call) with the call struct of its stage.
/// noexcept; returns when every warp has ended.
using KernelEntry = void (*)(const void* self, void* call) noexcept;
struct Kernel {
    KernelEntry entry = nullptr;
    const void* self = nullptr;
    void operator()(VertexCall& call) const { entry(self, &call); }
    void operator()(FragmentCall& call) const { entry(self, &call); }
    void operator()(ComputeCall& call) const { entry(self, &call); }
};

// ---------------------------------------------------------------------------------------------
// The environment: message routines. The interpreter always calls them, recompiled code for states
// that it does not expand inline. They never throw and never fail: bad handles read as 0.

/// What a routine may know of the warp that sends the message.
struct Warp {
    const DrawContext* draw = nullptr;
    FragmentCall* fragment = nullptr;  ///< fragment stage only
    VertexCall* vertex = nullptr;      ///< vertex stage only
    uint32_t block = 0;                ///< fragment: block of the tile
    int32_t x = 0;                     ///< fragment: window pixel of lane 0
    int32_t y = 0;
    uint32_t sample_id = 0;  ///< per-sample shading
    uint16_t running = 0;    ///< lanes that send this message (of the running group)
    uint16_t live = 0;       ///< lanes that are not helpers (not demoted)
    uint16_t reserved[2] = {};
};

/// Register format of messages (valhall.xml register_format).
enum class RegisterFormat : uint8_t { Auto, Reserved, F32, F16, S32, S16, U32, U16 };

struct AttributeMessage {
    uint32_t index;  ///< attribute
    RegisterFormat format;
    uint8_t components;  ///< 1..4
};

enum class SampleMode : uint8_t { Center, Centroid, Sample, Explicit };
struct VaryingMessage {
    uint32_t offset;  ///< bytes from record byte 32
    SampleMode sample;
    bool flat;           ///< src_flat32 / src_flat16: uninterpreted bits
    bool half;           ///< 16-bit result registers, two components each
    bool source_half;    ///< 16-bit memory format
    uint8_t components;  ///< 1..4
};

enum class TextureOp : uint8_t { Sample, Fetch, Gather };
enum class LodMode : uint8_t {
    Zero,
    Computed,
    Reserved2,
    Reserved3,
    Explicit,
    ComputedBias,
    GradientDescriptor
};
struct TextureMessage {
    TextureOp op;
    uint8_t dimension;  ///< coordinates: 0 1d, 1 2d, 2 3d, 3 cube
    LodMode lod_mode;
    bool array;
    bool offset;
    bool shadow;
    bool integer_coordinates;
    uint8_t fetch_component;  ///< gather: 0..3
    uint8_t write_mask;       ///< components, results without gaps
    uint8_t register_type;    ///< 1 float, 2 unsigned, 3 signed
    bool half;                ///< 16-bit results, two a register
    uint8_t staging_count;    ///< source registers
    uint32_t texture;         ///< handle
    uint32_t sampler;         ///< handle
};

struct ImageMessage {
    uint32_t handle;
    RegisterFormat format;
    uint8_t components;
};

struct BlendMessage {
    uint32_t target;  ///< render target of the blend descriptor
    RegisterFormat format;
    uint8_t components;  ///< always 4
};

struct TileMessage {
    RegisterFormat format;
    uint8_t components;
    uint32_t conversion;  ///< conversion descriptor word
};

/// Message routines. In `in`/`out` arrays element k is the k-th staging register of the run.
/// Only lanes in warp.running are read or written, except that implicit derivatives look at
/// running quad neighbours.
struct Environment {
    void (*attribute)(const Warp&,
                      const AttributeMessage&,
                      const Lanes& vertex_id,
                      const Lanes& instance_id,
                      Lanes* out) noexcept;
    /// coverage: bits 15..0 of `position`, the samples that a centroid chooses from.
    void (*varying)(const Warp&,
                    const VaryingMessage&,
                    const Lanes& coverage,
                    const Lanes& position,
                    Lanes* out) noexcept;
    /// index: 0 point coordinate (2 registers), 2 fragment w, 3 fragment z.
    void (*varying_special)(
        const Warp&, uint32_t index, SampleMode sample, const Lanes& position, Lanes* out) noexcept;
    void (*texture)(const Warp&, const TextureMessage&, const Lanes* in, Lanes* out) noexcept;
    void (*image_load)(
        const Warp&, const ImageMessage&, const Lanes& xy, const Lanes& zw, Lanes* out) noexcept;
    /// LEA_TEX: out[0], out[1] address, out[2] conversion descriptor (format in bits 0-21).
    void (*image_address)(
        const Warp&, const ImageMessage&, const Lanes& xy, const Lanes& zw, Lanes* out) noexcept;
    /// ST_CVT: in = data registers.
    void (*convert_store)(const Warp&,
                          RegisterFormat format,
                          uint8_t components,
                          const Lanes& address_low,
                          const Lanes& address_high,
                          uint32_t offset,
                          const Lanes& conversion,
                          const Lanes* in) noexcept;
    /// Early depth/stencil: takes and returns per-lane sample coverage (also counts samples).
    void (*early_zs)(const Warp&, Lanes& coverage) noexcept;
    void (*atest)(const Warp&,
                  const Lanes& coverage,
                  const Lanes& alpha,
                  uint64_t datum,
                  Lanes* out) noexcept;
    /// depth or stencil may be null: not supplied.
    void (*zs_emit)(const Warp&,
                    const Lanes* depth,
                    const Lanes* stencil,
                    const Lanes& coverage,
                    Lanes* out) noexcept;
    /// in: source colour registers; in1: second source (r4..) or null.
    void (*blend)(const Warp&,
                  const BlendMessage&,
                  uint64_t descriptor,
                  const Lanes& coverage,
                  const Lanes* in,
                  const Lanes* in1) noexcept;
    void (*tile_load)(const Warp&,
                      const TileMessage&,
                      const Lanes& indices,
                      const Lanes& coverage,
                      Lanes* out) noexcept;
    void (*tile_store)(const Warp&,
                       const TileMessage&,
                       const Lanes& indices,
                       const Lanes& coverage,
                       const Lanes* in) noexcept;
};

static_assert(sizeof(Lanes) == 64);
static_assert(sizeof(Plane) == 16);
static_assert(sizeof(SlotPlanes) == 48);
static_assert(sizeof(BlockRef) == 4);
static_assert(offsetof(PrimitiveSetup, z) == 16);
static_assert(offsetof(PrimitiveSetup, q) == 32);
static_assert(offsetof(PrimitiveSetup, slots) == 96);

}  // namespace valkyr::exec

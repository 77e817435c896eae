// Environment: declares the message routines that programs call.
// SPDX-License-Identifier: MIT
//
// The interpreter always calls them, recompiled code for states that it does not expand inline.
// They never throw and never fail: bad handles read as 0.
#pragma once

#include "exec/calls.hpp"

#include <cstdint>

namespace valkyr::exec {

/// The warp that sends a message, as its routine sees it.
struct Warp {
    const DrawContext* draw = nullptr;
    FragmentCall* fragment = nullptr;  ///< fragment stage only
    VertexCall* vertex = nullptr;      ///< vertex stage; geometry stage: GeometryCall::out
    uint32_t block = 0;                ///< fragment: block of the tile
    int32_t x = 0;                     ///< fragment: window pixel of lane 0
    int32_t y = 0;
    uint32_t sample_id = 0;  ///< per-sample shading
    uint16_t running = 0;    ///< lanes that send this message (of the running group)
    uint16_t live = 0;       ///< lanes that are not helpers (not demoted)
    bool geometry = false;   ///< `vertex` belongs to a GeometryCall; only the interpreter says so
    uint8_t reserved[3] = {};
};

/// Register format of messages (valhall.xml register_format).
enum class RegisterFormat : uint8_t { Auto, Reserved, F32, F16, S32, S16, U32, U16 };

// Messages. They have no padding but name their unused bytes: kernels keep copies, which must be
// the same whenever a program is recompiled.

struct AttributeMessage {
    uint32_t index;  ///< attribute
    RegisterFormat format;
    uint8_t components;  ///< 1..4
    uint8_t reserved[2] = {};
};

enum class SampleMode : uint8_t { Center, Centroid, Sample, Explicit };
struct VaryingMessage {
    uint32_t offset;  ///< bytes from record byte 32
    SampleMode sample;
    bool flat;           ///< src_flat32 / src_flat16: uninterpreted bits
    bool half;           ///< 16-bit result registers, two components each
    bool source_half;    ///< 16-bit memory format
    uint8_t components;  ///< 1..4
    uint8_t reserved[3] = {};
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
    uint8_t reserved[2] = {};
};

struct BlendMessage {
    uint32_t target;  ///< render target of the blend descriptor
    RegisterFormat format;
    uint8_t components;  ///< always 4
    uint8_t reserved[2] = {};
};

struct TileMessage {
    RegisterFormat format;
    uint8_t components;
    uint8_t reserved[2] = {};
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

}  // namespace valkyr::exec

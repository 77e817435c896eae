// Descriptors: say where buffers, attributes, samplers, textures and images lie, table by table.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"

#include <array>
#include <cstdint>

namespace valkyr::exec {

/// A range of memory that programs load from and store to.
struct BufferDescriptor {
    uint8_t* address = nullptr;  ///< not null unless size is 0
    uint64_t size = 0;           ///< bytes; reads at or past it give 0
};

/// Vertex element i: where LD_ATTR finds component data.
struct AttributeDescriptor {
    const uint8_t* address = nullptr;  ///< element 0, offset included
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
/// Whether linear filters read the texels of footprints (TextureDescriptor::footprints) along an
/// axis: the one behind the last texel is the first, or it has no weight.
constexpr bool reads_footprints(Wrap wrap) noexcept {
    return wrap == Wrap::Repeat || wrap == Wrap::ClampToEdge;
}
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

/// Modes of a sampler: part of the API's state, of descriptors and of keys.
struct SamplerModes {
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
    friend bool operator==(const SamplerModes&, const SamplerModes&) = default;
};

/// State of a sampler, as texture messages read it.
struct SamplerDescriptor {
    SamplerModes modes;
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

/// The coordinate fields that an image of a kind has besides x. y is the upper half of the first
/// word of a message, the layer that of the second; depth and sample are its lower half.
struct ImageFields {
    bool y, depth, layer, sample;
    [[nodiscard]] constexpr bool slice() const { return depth || layer; }
};
/// Indexed by TextureKind. Cubes are addressed as arrays of faces.
inline constexpr std::array<ImageFields, 11> kImageFields{{
    {false, false, false, false},  // Buffer
    {false, false, false, false},  // Tex1D
    {true, false, false, false},   // Tex2D
    {true, true, false, false},    // Tex3D
    {true, false, true, false},    // Cube
    {true, false, false, false},   // Rect
    {false, false, true, false},   // Tex1DArray
    {true, false, true, false},    // Tex2DArray
    {true, false, true, false},    // CubeArray
    {true, false, false, true},    // Tex2DMs
    {true, false, true, true},     // Tex2DMsArray
}};

inline constexpr unsigned kMaxLevels = 15;

/// One mip level. Texels lie in 4x4 tiles in lane order (the block shape of render targets): the
/// texel (x, y) of a slice is element (y/4 * tiles_per_row + x/4) * 16 + lane_at(x&3, y&3).
/// TextureKind::Buffer has texel x at element x.
/// Multisampled textures keep `samples` planes of 16 elements a tile, as the tile buffers do:
/// element ((y/4 * tiles_per_row + x/4) * samples + s) * 16 + lane_at(x&3, y&3).
/// Compressed formats are kept decoded to a plain format of the same values. read_slack() bytes
/// past the last tile of a texture are readable.
struct TextureLevel {
    const uint8_t* data = nullptr;
    uint32_t width = 0;  ///< texels
    uint32_t height = 0;
    uint32_t depth = 0;  ///< slices: depth, layers, or 6 * cubes
    uint32_t tiles_per_row = 0;
    uint64_t slice_bytes = 0;
    // Recompiled filters read these.
    uint32_t last_column = 0;  ///< column_element(width - 1)
    uint32_t last_row = 0;     ///< row_element(height - 1, tiles_per_row)
    float width_256 = 0;       ///< 256 * width
    float height_256 = 0;
};

/// The elements of texel (x, 0) and (0, y) of a slice with one sample; their sum is that of (x, y).
constexpr uint32_t column_element(uint32_t x) noexcept {
    return 4 * (x & ~3U) + 2 * (x & 2) + (x & 1);
}
constexpr uint32_t row_element(uint32_t y, uint32_t tiles_per_row) noexcept {
    return 4 * (y & ~3U) * tiles_per_row + 4 * (y & 2) + 2 * (y & 1);
}

/// Sets width and height, which must be at least 1, and all that follows from them.
constexpr void set_size(TextureLevel& level, uint32_t width, uint32_t height) noexcept {
    level.width = width;
    level.height = height;
    level.tiles_per_row = (width + 3) / 4;
    level.last_column = column_element(width - 1);
    level.last_row = row_element(height - 1, level.tiles_per_row);
    level.width_256 = 256 * static_cast<float>(width);
    level.height_256 = 256 * static_cast<float>(height);
}

/// Bytes past the last tile of a texture whose largest level is given: filters load a tile, the one
/// to its right and the two below these, even past the edges of the level.
constexpr uint64_t read_slack(const TextureLevel& level, uint32_t texel_bytes) noexcept {
    constexpr uint64_t gathered = 64;
    return gathered + uint64_t{16} * texel_bytes * (level.tiles_per_row + uint64_t{1});
}

/// A view of a texture.
struct TextureDescriptor {
    TextureKind kind = TextureKind::Tex2D;
    Format format = Format::None;  ///< format of the stored texels
    Swizzle swizzle[4] = {Swizzle::X, Swizzle::Y, Swizzle::Z,
                          Swizzle::W};  ///< view over format swizzle, combined
    uint8_t first_level = 0;            ///< index into levels of the view's level 0
    uint8_t level_count = 0;            ///< 0 = nothing bound: reads give 0,0,0,1
    uint8_t samples = 1;
    bool power_of_two = false;  ///< width and height of level 0
    uint32_t first_layer = 0;   ///< 0 for kinds without layers: their levels begin at it
    uint32_t layer_count = 1;
    /// Not 0: the texels, of four bytes each, have a copy of footprints. That of the texel at
    /// address a is at 4 a + footprints (modulo 2^64). Its 16 bytes are those of the texel, of its
    /// right neighbour, of its lower one and of that one's right one, first all bytes 0, each less
    /// 128. Behind the last column comes the first one, and behind the last row the first row.
    uint64_t footprints = 0;
    TextureLevel levels[kMaxLevels];  ///< levels[first_level + l]
};

/// One level of a texture that shaders load from and store to; texels lie as in TextureLevel.
struct ImageDescriptor {
    uint8_t* data = nullptr;  ///< aligned to a tile's texels, 64 bytes at most; Buffer: to a texel
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

/// The tables of one stage; handle.hpp numbers them.
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

}  // namespace valkyr::exec

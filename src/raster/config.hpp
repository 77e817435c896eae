// Limits: bound the values that callers may ask for, and size data that rooms share.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

// Limits of the API; larger values are refused with Errc::OutOfRange.
inline constexpr uint32_t kMaxThreads = 64;
inline constexpr uint32_t kMaxTextureSize = 16384;      ///< texels a side; also the guard band
inline constexpr uint32_t kMaxBufferTexels = 1U << 27;  ///< texels of a buffer texture or image
inline constexpr uint32_t kMaxTextureDepth = 2048;      ///< slices of 3D textures
inline constexpr uint32_t kMaxTextureLayers = 2048 * 6;
inline constexpr uint64_t kMaxTextureBytes = uint64_t{4} << 30;
inline constexpr uint64_t kMaxBufferBytes = uint64_t{4} << 30;
inline constexpr uint32_t kMaxVertexBuffers = 32;
inline constexpr uint32_t kMaxVertexStride = 1U << 16;
inline constexpr uint32_t kMaxConstantBufferWords = 1U << 16;
inline constexpr uint32_t kMaxViewports = 16;
/// Limit of tiles times layers, for a framebuffer whose layers are chosen by shaders.
inline constexpr uint64_t kMaxLayeredTiles = uint64_t{1} << 17;
inline constexpr uint32_t kMaxStorageBuffers = 32;  ///< per stage; also limits counter buffers
inline constexpr size_t kMaxStreamElements = size_t{64} * 4;
inline constexpr uint64_t kMaxDrawVertices = uint64_t{1} << 32;  ///< vertices times instances
inline constexpr uint32_t kMaxGroups = 65535;  ///< work-groups of a dispatch in each dimension
inline constexpr size_t kMaxShaderBytes = size_t{1} << 22;

// Fixed point (docs/rules/raster-rules.md): window coordinates have 8 sub-pixel bits and stay
// inside the guard band, so that |coordinate| <= 2^22 and edge deltas are at most 2^23.
inline constexpr int kSubpixelBits = 8;
inline constexpr int kSubpixels = 1 << kSubpixelBits;
inline constexpr float kGuardBand = 16384.0F;  ///< pixels around the origin

// Points and lines (docs/rules/raster-rules.md).
inline constexpr float kMinimumPointSize = 1;
inline constexpr float kMaximumPointSize = 2048;
inline constexpr float kMaximumLineWidth = 255;
inline constexpr unsigned kMaxStippleFactor = 256;
/// Primitives after which a chain of stippled lines is cut: a chain lies in one segment.
inline constexpr uint32_t kStippleChain = 65536;

// The front end shades and culls this many primitives at a time; their vertices stay in L2.
inline constexpr unsigned kChunkPrimitives = 256;
inline constexpr unsigned kChunkVertices = 3 * kChunkPrimitives;
/// Primitives of an indexed mesh that share shaded vertices.
inline constexpr unsigned kMeshPrimitives = 32 * kChunkPrimitives;

/// Vertex memory of a pass after which the device renders the waiting primitives.
inline constexpr uint64_t kPassVertexBytes = uint64_t{192} << 20;
/// Memory for uniforms, descriptors and contexts after which the device renders the recorded draws.
inline constexpr uint64_t kPassRecordBytes = uint64_t{64} << 20;

inline constexpr unsigned kTileBlocks = exec::kBlocksPerRow * exec::kBlocksPerRow;
inline constexpr unsigned kTilePixels = exec::kTileSize * exec::kTileSize;

/// Bytes that generated code may read past the end of a buffer.
inline constexpr size_t kReadSlack = 64;

}  // namespace valkyr::raster

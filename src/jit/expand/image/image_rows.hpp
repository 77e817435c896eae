// Image rows: load and store texels whose pixels lie as the lanes of a warp do.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/image/image_place.hpp"

namespace valkyr::jit {

/// Temporaries that load_row() takes.
inline constexpr unsigned kRowTemporaries = 3;

/// Texels of a row or column of a tile.
inline constexpr uint32_t kTileSide = 4;
inline constexpr int32_t kTileBytes = kTileSide * kTileSide * sizeof(uint32_t);

/// Separates the coordinates of lane 0. Jumps if not all pixels of the lanes are inside.
/// table  image_descriptors()
void find_pixel(
    EmitContext& c, const ImageUnit& unit, Gp table, Gp first, Gp column, Gp row, Label otherwise);

/// tile = the address of a tile.
/// table  image_descriptors()
/// row    of the pixel
/// tile   the number of the tile in its row of tiles
void find_tile(EmitContext& c, const ImageUnit& unit, Gp table, Gp row, Gp tile);

/// Texel numbers by the row in a tile: 16 for each, those of 16 pixels in four tiles. They count
/// from the first of the two tiles, or from the third.
Address tile_orders(EmitContext& c);

/// Whether the unit has texels of one word, in two dimensions.
bool has_flat_words(const ImageUnit& unit);
/// Whether load_row() exists for the unit: it has_flat_words(), and the host can permute them.
bool has_rows(const EmitContext& c, const ImageUnit& unit);

/// Loads the texels of the part's lanes: in fragment kernels of an aligned block of 4x4 pixels,
/// elsewhere of pixels that follow each other in a row. Jumps if the running lanes have other
/// coordinates, or if a pixel is outside. `texels` may be changed even then.
/// coordinates  source 0 of the message
void load_row(EmitContext& c, const ImageUnit& unit, Vec coordinates, Vec texels, Label otherwise);

/// The addresses of the texels that store_row() takes, if has_rows(), and their note
/// (noted_row.hpp). Jumps if the running lanes have other coordinates, or if a pixel is outside:
/// then nothing is noted, and `low` and `high` may be changed.
/// coordinates  source 0 of the message
void find_row(EmitContext& c,
              const ImageUnit& unit,
              Vec coordinates,
              const VecPair& address,
              Label otherwise);

/// Whether store_row() exists for the message and texels of this format.
bool stores_rows(const EmitContext& c, const exec::FormatInfo& info);

/// Stores the texels of the part's lanes: in fragment kernels those of a tile, elsewhere of pixels
/// that follow each other in a row from the first column of a tile on. Jumps if no row is noted, or
/// if not all lanes store.
void store_row(EmitContext& c, Vec texels, Label otherwise);

}  // namespace valkyr::jit

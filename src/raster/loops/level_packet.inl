// Set-up results: hold edges, anchors and gradients of up to sixteen primitives in one tile.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level.

/// Sixteen triangles in one tile. Pixel positions are relative to the tile's first pixel centre.
struct alignas(64) SetupPacket {
    int32_t a[3][16];                     ///< change of edge i per pixel in x
    int32_t b[3][16];                     ///< change per pixel in y
    int32_t c[exec::kMaxSamples][3][16];  ///< value at sample s of the first pixel
    int32_t block_x0[16], block_y0[16], block_x1[16], block_y1[16];  ///< inclusive, inside the tile
    int32_t corner[3][16];  ///< value of edge i at the first pixel of the box, one sample
    float anchor_x[16], anchor_y[16];
    float e1x[16], e1y[16], e2x[16], e2y[16];  ///< edges from the anchor, pixels
    float r[16];                               ///< 1 / area
    float z[3][16], q[3][16];                  ///< at anchor and the next two vertices
    float zx[16], zy[16], qx[16], qy[16];      ///< gradients
    int32_t anchor[16];                        ///< number of the anchor vertex
    float line_place[2][16];                   ///< lines only: LineRow::place
    uint32_t line_moved[2];                    ///< lines only: lanes whose end was moved there
    uint32_t back_facing = 0;
    uint32_t constant_q = 0;
    bool cut = false;     ///< the border of the draw's rectangle crosses the tile
    bool masked = false;  ///< the sample mask leaves out samples
};

struct Corners {
    I32 x[3], y[3];
    F32 z[3], q[3];
};

// Late set-up: edge functions, plane anchors and gradients of sixteen triangles at a time.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Rules: docs/rules/raster-rules.md.
// The order of float operations is part of the definition of interpolation.

inline void gather_corners(const TileEntry* entries, uint32_t count, Corners& corners) {
    const WindowRow* rows[3][16];
    for (uint32_t i = 0; i < 16; ++i) {
        const TileEntry& e = entries[i < count ? i : 0];
        const WindowRow* first = e.batch->rows;
        const PrimitiveRef& p = *e.primitive;
        rows[0][i] = first + p.v[0];
        rows[1][i] = first + p.v[1];
        rows[2][i] = first + p.v[2];
    }
    for (int k = 0; k < 3; ++k)
        gather_rows([&](int i) { return rows[k][i]; }, corners.x[k], corners.y[k], corners.z[k],
                    corners.q[k]);
}

inline void setup_edges(const TileWalk& walk,
                        const ShapeState& shape,
                        const Corners& p,
                        uint32_t negative_area,
                        SetupPacket& packet) {
    for (int i = 0; i < 3; ++i) {
        const Edge edge = edge_of(p.x, p.y, i, negative_area, shape.bottom_edge_rule);
        edge.a.store(packet.a[i]);
        edge.b.store(packet.b[i]);
        for (uint32_t s = 0; s < walk.samples; ++s) {
            const int32_t x = walk.call.tile_x * kSubpixels +
                              (shape.multisample ? walk.sample_x[s] : kSubpixels / 2);
            const int32_t y = walk.call.tile_y * kSubpixels +
                              (shape.multisample ? walk.sample_y[s] : kSubpixels / 2);
            edge_constant(edge.a, edge.b, I32::set1(x) - p.x[i], I32::set1(y) - p.y[i], edge.bias)
                .store(packet.c[s][i]);
        }
    }
}

/// Computes the first and last block of the tile that the bounding boxes touch.
inline void
setup_boxes(const TileWalk& walk, const ShapeState& shape, const Corners& p, SetupPacket& packet) {
    PixelBoxes box;
    const int32_t tx = walk.call.tile_x;
    const int32_t ty = walk.call.tile_y;
    const auto size = static_cast<int32_t>(exec::kTileSize);
    const int32_t x0 = shape.rect.x0 > tx ? shape.rect.x0 : tx;
    const int32_t y0 = shape.rect.y0 > ty ? shape.rect.y0 : ty;
    const int32_t x1 = shape.rect.x1 < tx + size ? shape.rect.x1 : tx + size;
    const int32_t y1 = shape.rect.y1 < ty + size ? shape.rect.y1 : ty + size;
    pixel_range(shape, p.x, x0, x1, box.x0, box.x1);
    pixel_range(shape, p.y, y0, y1, box.y0, box.y1);
    shift_right<2>(box.x0 - I32::set1(tx)).store(packet.block_x0);
    shift_right<2>(box.y0 - I32::set1(ty)).store(packet.block_y0);
    shift_right<2>(box.x1 - I32::set1(tx)).store(packet.block_x1);
    shift_right<2>(box.y1 - I32::set1(ty)).store(packet.block_y1);
    const I32 x = shift_left<2>(I32::load(packet.block_x0));
    const I32 y = shift_left<2>(I32::load(packet.block_y0));
    for (int i = 0; i < 3; ++i)
        (I32::load(packet.c[0][i]) + (I32::load(packet.a[i]) * x + I32::load(packet.b[i]) * y))
            .store(packet.corner[i]);
}

template <typename V>
inline V
pick(uint32_t first, uint32_t second, const V& none, const V& at_first, const V& at_second) {
    return select(second, select(first, none, at_first), at_second);
}

/// Chooses the anchor (smallest q, the first on a tie) and rotates the corners to start there.
inline void rotate_to_anchor(Corners& p, SetupPacket& packet) {
    const uint32_t q1 = less(p.q[1], p.q[0]);
    const F32 smaller = select(q1, p.q[0], p.q[1]);
    const uint32_t second = less(p.q[2], smaller);
    const uint32_t first = q1 & ~second;
    Corners r;
    for (int k = 0; k < 3; ++k) {
        const int b = (k + 1) % 3;
        const int c = (k + 2) % 3;
        r.x[k] = pick(first, second, p.x[k], p.x[b], p.x[c]);
        r.y[k] = pick(first, second, p.y[k], p.y[b], p.y[c]);
        r.z[k] = pick(first, second, p.z[k], p.z[b], p.z[c]);
        r.q[k] = pick(first, second, p.q[k], p.q[b], p.q[c]);
    }
    pick(first, second, I32::set1(0), I32::set1(1), I32::set1(2)).store(packet.anchor);
    p = r;
}

/// Computes the gradients of a quantity with differences d1, d2 at the second and third vertex.
inline void gradients(
    const F32& d1, const F32& d2, const SetupPacket& packet, float* gradient_x, float* gradient_y) {
    const F32 e1x = F32::load(packet.e1x);
    const F32 e1y = F32::load(packet.e1y);
    const F32 e2x = F32::load(packet.e2x);
    const F32 e2y = F32::load(packet.e2y);
    const F32 r = F32::load(packet.r);
    (fma(d1, e2y, negate(d2 * e1y)) * r).store(gradient_x);
    (fma(d2, e1x, negate(d1 * e2x)) * r).store(gradient_y);
}

/// Computes the exact area and the anchored planes of z and q.
inline void setup_planes(const Corners& p, SetupPacket& packet) {
    const F32 pixel = F32::set1(1.0F / kSubpixels);
    const I32 ax = p.x[1] - p.x[0];
    const I32 ay = p.y[1] - p.y[0];
    const I32 bx = p.x[2] - p.x[0];
    const I32 by = p.y[2] - p.y[0];
    (to_float(p.x[0]) * pixel).store(packet.anchor_x);
    (to_float(p.y[0]) * pixel).store(packet.anchor_y);
    (to_float(ax) * pixel).store(packet.e1x);
    (to_float(ay) * pixel).store(packet.e1y);
    (to_float(bx) * pixel).store(packet.e2x);
    (to_float(by) * pixel).store(packet.e2y);
    const F32 area = cross(ax, ay, bx, by) * (pixel * pixel);
    (F32::set1(1) / area).store(packet.r);
    for (int k = 0; k < 3; ++k) {
        p.z[k].store(packet.z[k]);
        p.q[k].store(packet.q[k]);
    }
    gradients(p.z[1] - p.z[0], p.z[2] - p.z[0], packet, packet.zx, packet.zy);
    gradients(p.q[1] - p.q[0], p.q[2] - p.q[0], packet, packet.qx, packet.qy);
    packet.constant_q = equal(p.q[0], p.q[1]) & equal(p.q[0], p.q[2]);
}

/// Sets the facing of points, lines and triangles drawn as such to the one that the front end
/// found.
inline void force_facing(const TileEntry* entries, uint32_t count, SetupPacket& packet) {
    for (uint32_t i = 0; i < count; ++i) {
        if (entries[i].batch->facing == Facing::Front)
            packet.back_facing &= ~(1U << i);
        if (entries[i].batch->facing == Facing::Back)
            packet.back_facing |= 1U << i;
    }
}

/// Sets up `count` primitives; `reach` may be null.
inline void setup_packet(const TileWalk& walk,
                         const DrawRecord& draw,
                         const TileEntry* entries,
                         uint32_t count,
                         SetupPacket& packet,
                         DepthReach* reach) {
    const ShapeState& shape = *draw.shape;
    Corners p;
    gather_corners(entries, count, p);
    const F32 area = cross(p.x[1] - p.x[0], p.y[1] - p.y[0], p.x[2] - p.x[0], p.y[2] - p.y[0]);
    const uint32_t negative_area = less(area, F32::set1(0));
    packet.back_facing = shape.front_positive ? negative_area : ~negative_area;
    if (shape.shapes)
        force_facing(entries, count, packet);
    setup_edges(walk, shape, p, negative_area, packet);
    setup_boxes(walk, shape, p, packet);
    rotate_to_anchor(p, packet);
    setup_planes(p, packet);
    if (reach != nullptr)
        setup_reach(*draw.tile, *draw.hidden, p, packet, *reach);
}

/// Returns the polygon offset (OpenGL 4.6 section 14.6.5), which is added to the depth at the
/// anchor.
inline float depth_offset(const DepthOffset& offset, const SetupPacket& packet, uint32_t i) {
    const float gx = __builtin_fabsf(packet.zx[i]);
    const float gy = __builtin_fabsf(packet.zy[i]);
    const float slope = gx > gy ? gx : gy;
    float unit = offset.unit;
    if (offset.float_depth) {
        float largest = 0;
        for (int k = 0; k < 3; ++k) {
            const float z = __builtin_fabsf(packet.z[k][i]);
            largest = z > largest ? z : largest;
        }
        uint32_t word;
        __builtin_memcpy(&word, &largest, sizeof(word));
        // 2^(exponent - 23); results below the smallest normal number count as 0.
        const uint32_t exponent = word >> 23;
        word = exponent > 23 ? (exponent - 23) << 23 : 0;
        __builtin_memcpy(&unit, &word, sizeof(unit));
    }
    float result = __builtin_fmaf(slope, offset.scale, unit * offset.units);
    if (offset.clamp > 0)
        result = result < offset.clamp ? result : offset.clamp;
    else if (offset.clamp < 0)
        result = result > offset.clamp ? result : offset.clamp;
    return result;
}

/// Returns the record of a primitive's vertex.
inline const uint8_t* record_at(const TileEntry& entry, uint32_t vertex) {
    const Batch& batch = *entry.batch;
    return batch.row_records != nullptr ? batch.row_records[vertex]
                                        : batch.records + size_t{vertex} * batch.record_stride;
}

/// Returns gl_PrimitiveID of a primitive.
inline uint32_t primitive_id(const TileEntry& entry) {
    return entry.batch->first_id + entry.primitive->id;
}

/// Returns the line that a primitive of Batch::lines stands for.
inline const LineRow& line_of(const TileEntry& entry) {
    return entry.batch->lines[entry.primitive->v[0] / 4];
}

/// Returns the record of an end of a thin line.
inline const uint8_t* line_record(const TileEntry& entry, unsigned end) {
    return entry.batch->plain_lines ? record_at(entry, entry.primitive->v[end])
                                    : line_of(entry).records[end];
}

/// Returns four components of an end of line i.
inline F4 line_value(
    const TileEntry& entry, const SetupPacket& packet, uint32_t i, unsigned end, uint32_t offset) {
    const F4 value = F4::load(line_record(entry, end) + offset);
    if ((packet.line_moved[end] >> i & 1) == 0)
        return value;
    const F4 first = F4::load(line_record(entry, 0) + offset);
    const F4 last = F4::load(line_record(entry, 1) + offset);
    return fma(F4::set1(packet.line_place[end][i]), last - first, first);
}

/// Returns four components of a corner of primitive i.
inline F4 corner_value(const TileEntry& entry,
                       const SetupPacket& packet,
                       uint32_t i,
                       unsigned corner,
                       uint32_t offset) {
    if (entry.batch->has_lines())
        return line_value(entry, packet, i, corner != 0 ? 1 : 0, offset);
    return F4::load(record_at(entry, entry.primitive->v[corner]) + offset);
}

/// Returns the record that has a primitive's flat values.
inline const uint8_t* provoking_record(const TileEntry& entry) {
    return entry.batch->lines != nullptr ? line_of(entry).provoking
                                         : record_at(entry, entry.primitive->provoking);
}

/// Returns the number of a corner of a primitive in the quad of a point or line.
inline uint32_t quad_corner(const TileEntry& entry, unsigned corner) {
    return entry.batch->plain_lines ? corner : entry.primitive->v[corner] & 3U;
}

/// Returns the point coordinate (s, t, 0, 1) of a corner of a point's quad.
inline F4 corner_coordinate(uint32_t corner, bool lower_left) {
    const bool bottom = corner >= 2;
    const float value[4] = {corner == 1 || corner == 2 ? 1.0F : 0.0F,
                            bottom != lower_left ? 1.0F : 0.0F, 0, 1};
    return F4::load(value);
}

/// Values of a varying slot at the anchor and the next two vertices.
struct SlotValues {
    F4 a, b, c;
};

inline void store_planes(const SlotValues& v,
                         const F4& d1,
                         const F4& d2,
                         const SetupPacket& packet,
                         uint32_t i,
                         exec::SlotPlanes& planes) {
    const F4 r = F4::set1(packet.r[i]);
    v.a.store(planes.a);
    (difference_of_products(d1, F4::set1(packet.e2y[i]), d2, F4::set1(packet.e1y[i])) * r)
        .store(planes.cx);
    (difference_of_products(d2, F4::set1(packet.e1x[i]), d1, F4::set1(packet.e2x[i])) * r)
        .store(planes.cy);
}

/// Corners of a primitive: the anchor and the next two.
struct Order {
    unsigned a, b, c;
};
inline Order anchored_order(const SetupPacket& packet, uint32_t i) {
    const auto a = static_cast<unsigned>(packet.anchor[i]);
    const unsigned b = a == 2 ? 0 : a + 1;
    const unsigned c = b == 2 ? 0 : b + 1;
    return {a, b, c};
}

inline void setup_point_coordinate(const TileState& tile,
                                   const TileEntry& entry,
                                   const SetupPacket& packet,
                                   uint32_t i,
                                   exec::SlotPlanes& planes) {
    const Order order = anchored_order(packet, i);
    const auto value = [&](unsigned corner) {
        return corner_coordinate(quad_corner(entry, corner), tile.sprite_lower_left);
    };
    const SlotValues v{value(order.a), value(order.b), value(order.c)};
    store_planes(v, v.b - v.a, v.c - v.a, packet, i, planes);
}

/// Computes the planes of one varying slot (valkyr interpolation rules 3 to 5).
inline void setup_slot(const TileState& tile,
                       const SlotSource& source,
                       const TileEntry& entry,
                       const SetupPacket& packet,
                       uint32_t i,
                       exec::SlotPlanes& planes) {
    const uint32_t offset = source.offset[packet.back_facing >> i & 1];
    if (source.kind == SlotKind::PointCoord) {
        setup_point_coordinate(tile, entry, packet, i, planes);
        return;
    }
    if (source.kind == SlotKind::Zero || source.kind == SlotKind::Flat) {
        const F4 value = source.kind == SlotKind::Zero ? F4::set1(0)
                                                       : F4::load(provoking_record(entry) + offset);
        value.store(planes.a);
        F4::set1(0).store(planes.cx);
        F4::set1(0).store(planes.cy);
        return;
    }
    const Order order = anchored_order(packet, i);
    const auto value = [&](unsigned corner) {
        return corner_value(entry, packet, i, corner, offset);
    };
    const SlotValues v{value(order.a), value(order.b), value(order.c)};
    F4 d1 = v.b - v.a;
    F4 d2 = v.c - v.a;
    if (source.kind == SlotKind::Perspective && (packet.constant_q >> i & 1) == 0) {
        d1 = d1 * F4::set1(packet.q[1][i]);
        d2 = d2 * F4::set1(packet.q[2][i]);
    }
    store_planes(v, d1, d2, packet, i, planes);
}

/// Computes the planes of gl_PointCoord; meaningful for points only.
inline void setup_point_planes(const TileState& tile,
                               const TileEntry& entry,
                               const SetupPacket& packet,
                               uint32_t i,
                               exec::PrimitiveSetup& setup) {
    exec::SlotPlanes planes;
    setup_point_coordinate(tile, entry, packet, i, planes);
    setup.point_s = {planes.a[0], planes.cx[0], planes.cy[0], 0};
    setup.point_t = {planes.a[1], planes.cx[1], planes.cy[1], 0};
}

/// Sets up all inputs of the fragment kernel for primitive i.
inline void setup_primitive(TileWalk& walk,
                            const DrawRecord& draw,
                            const TileEntry& entry,
                            const SetupPacket& packet,
                            uint32_t i) {
    const TileState& tile = *draw.tile;
    exec::PrimitiveSetup& s = walk.setup;
    s.anchor_x = packet.anchor_x[i];
    s.anchor_y = packet.anchor_y[i];
    s.primitive_id = primitive_id(entry);
    s.flags = packet.back_facing >> i & 1;
    s.z = {packet.z[0][i], packet.zx[i], packet.zy[i], 0};
    s.q = {packet.q[0][i], packet.qx[i], packet.qy[i], 0};
    if (tile.offset.enabled && entry.batch->facing == Facing::ByArea)
        s.z.a += depth_offset(tile.offset, packet, i);
    if (draw.shape->shapes)
        setup_point_planes(tile, entry, packet, i, s);
    for (uint32_t k = 0; k < tile.slot_count; ++k)
        setup_slot(tile, tile.slots[k], entry, packet, i, walk.planes[tile.slots[k].slot]);
}

// Varying slots: compute the planes of sixteen primitives at a time.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. The operations are those of
// setup_slot().

/// Vertex records of sixteen primitives, corner by corner; of lines, end by end.
struct RecordRows {
    const uint8_t* at[3][16];
};
inline void find_records(const TileEntry* entries, uint32_t count, RecordRows& rows) {
    for (uint32_t i = 0; i < 16; ++i) {
        const TileEntry& entry = entries[i < count ? i : 0];
        const uint16_t* v = entry.primitive->v;
        for (int k = 0; k < 3; ++k)
            rows.at[k][i] = record_at(entry, v[k]);
    }
}
inline void find_line_records(const TileEntry* entries, uint32_t count, RecordRows& rows) {
    for (uint32_t i = 0; i < 16; ++i) {
        const TileEntry& entry = entries[i < count ? i : 0];
        for (unsigned k = 0; k < 2; ++k)
            rows.at[k][i] = line_record(entry, k);
    }
}

/// A varying slot of sixteen primitives, component by component.
struct ComponentLanes {
    F32 of[4];
};
inline ComponentLanes gather_components(const uint8_t* const* rows, uint32_t offset) {
    I32 x, y;
    ComponentLanes c;
    gather_rows([&](int i) { return rows[i] + offset; }, x, y, c.of[2], c.of[3]);
    c.of[0] = as_float(x);
    c.of[1] = as_float(y);
    return c;
}
inline void scatter_components(const ComponentLanes& c, float* first) {
    store_rows(first, sizeof(exec::BatchPrimitive), as_int(c.of[0]), as_int(c.of[1]), c.of[2],
               c.of[3]);
}

/// Components of the three corners of sixteen primitives.
struct CornerComponents {
    ComponentLanes of[3];
};
inline CornerComponents corner_components(const RecordRows& rows, uint32_t offset) {
    return {{gather_components(rows.at[0], offset), gather_components(rows.at[1], offset),
             gather_components(rows.at[2], offset)}};
}
/// Gathers the ends of lines: the first corner is the first end, the others the last, as in
/// line_value().
inline CornerComponents
line_components(const SetupPacket& packet, const RecordRows& rows, uint32_t offset) {
    const F32 place[2] = {F32::load(packet.line_place[0]), F32::load(packet.line_place[1])};
    const uint32_t* const moved = packet.line_moved;
    const ComponentLanes first = gather_components(rows.at[0], offset);
    const ComponentLanes last = gather_components(rows.at[1], offset);
    CornerComponents c;
    for (int k = 0; k < 4; ++k) {
        const F32 difference = last.of[k] - first.of[k];
        c.of[0].of[k] = select(moved[0], first.of[k], fma(place[0], difference, first.of[k]));
        c.of[1].of[k] = select(moved[1], last.of[k], fma(place[1], difference, first.of[k]));
        c.of[2].of[k] = c.of[1].of[k];
    }
    return c;
}

/// Does setup_slot() for sixteen primitives, for interpolated slots that all have one offset.
inline void setup_slots(const SlotSource& source,
                        const SetupPacket& packet,
                        const CornerComponents& corners,
                        exec::SlotPlanes& first) {
    const I32 anchor = I32::load(packet.anchor);
    const uint32_t second = equal(anchor, I32::set1(1));
    const uint32_t third = equal(anchor, I32::set1(2));
    const auto& [v0, v1, v2] = corners.of;
    ComponentLanes a;
    const F32 e1x = F32::load(packet.e1x);
    const F32 e1y = F32::load(packet.e1y);
    const F32 e2x = F32::load(packet.e2x);
    const F32 e2y = F32::load(packet.e2y);
    const F32 r = F32::load(packet.r);
    const bool divides = source.kind == SlotKind::Perspective;
    ComponentLanes cx, cy;
    for (int k = 0; k < 4; ++k) {
        a.of[k] = pick(second, third, v0.of[k], v1.of[k], v2.of[k]);
        F32 d1 = pick(second, third, v1.of[k], v2.of[k], v0.of[k]) - a.of[k];
        F32 d2 = pick(second, third, v2.of[k], v0.of[k], v1.of[k]) - a.of[k];
        if (divides) {
            d1 = select(packet.constant_q, d1 * F32::load(packet.q[1]), d1);
            d2 = select(packet.constant_q, d2 * F32::load(packet.q[2]), d2);
        }
        cx.of[k] = difference_of_products(d1, e2y, d2, e1y) * r;
        cy.of[k] = difference_of_products(d2, e1x, d1, e2x) * r;
    }
    scatter_components(a, first.a);
    scatter_components(cx, first.cx);
    scatter_components(cy, first.cy);
}

/// Computes the varying slots of the primitives that cover pixels, if enough of them do and all
/// slots are of the common kind; returns whether it did.
/// covering  lanes that cover pixels
[[gnu::always_inline]] inline bool setup_common_slots(TileWalk& walk,
                                                      const TileState& tile,
                                                      const TileEntry* entries,
                                                      uint32_t count,
                                                      const SetupPacket& packet,
                                                      uint32_t covering) {
    constexpr int kWorth = 5;
    if (__builtin_popcount(covering) < kWorth)
        return false;
    for (uint32_t k = 0; k < tile.slot_count; ++k) {
        const SlotSource& source = tile.slots[k];
        if ((source.kind != SlotKind::Perspective && source.kind != SlotKind::Linear) ||
            source.offset[0] != source.offset[1])
            return false;
    }
    if (tile.slot_count == 0)
        return true;
    const bool lines = entries[0].batch->has_lines();
    RecordRows rows;
    if (lines)
        find_line_records(entries, count, rows);
    else
        find_records(entries, count, rows);
    for (uint32_t k = 0; k < tile.slot_count; ++k) {
        const uint32_t offset = tile.slots[k].offset[0];
        exec::SlotPlanes& planes = walk.batch[0].planes[tile.slots[k].slot];
        if (lines) {
            const RecordRows* found = &rows;
            // GCC 12 would copy all pointers to other places of the stack before the loop.
            asm volatile("" : "+r"(found));
            setup_slots(tile.slots[k], packet, line_components(packet, *found, offset), planes);
        } else {
            setup_slots(tile.slots[k], packet, corner_components(rows, offset), planes);
        }
    }
    return true;
}

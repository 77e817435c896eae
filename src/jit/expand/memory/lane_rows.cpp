// Lane rows: transpose rows of 16 bytes, one a lane, into registers and back.
// SPDX-License-Identifier: MIT
//
// Register k first holds the rows of lanes k, 4 + k, 8 + k ..; a 4x4 transpose in each quad then
// makes lane order.
#include "jit/expand/memory/lane_rows.hpp"

namespace valkyr::jit {

namespace {

/// The first half of a 4x4 transpose in each quad: interleaves the words of rows 0 and 1, and of
/// rows 2 and 3.
FourVecs interleaved(EmitContext& c, const FourVecs& v) {
    HostAssembler& h = c.h;
    FourVecs t{c.scratch(), c.scratch(), c.scratch(), c.scratch()};
    h.op(Binary::UnpackLow32, t[0], v[0], v[1]);
    h.op(Binary::UnpackHigh32, t[1], v[0], v[1]);
    h.op(Binary::UnpackLow32, t[2], v[2], v[3]);
    h.op(Binary::UnpackHigh32, t[3], v[2], v[3]);
    return t;
}

/// Transposes the 4x4 words of four registers in each quad. Frees `used` half-way, after the last
/// read of its words.
FourVecs transposed(EmitContext& c, const FourVecs& v, FourVecs* used = nullptr) {
    HostAssembler& h = c.h;
    FourVecs t = interleaved(c, v);
    if (used)
        *used = {};
    Temp first = c.scratch();
    h.op(Binary::UnpackLow64, first, t[0], t[2]);
    h.op(Binary::UnpackHigh64, t[0], t[0], t[2]);
    h.op(Binary::UnpackLow64, t[2], t[1], t[3]);
    h.op(Binary::UnpackHigh64, t[1], t[1], t[3]);
    return {std::move(first), std::move(t[0]), std::move(t[2]), std::move(t[1])};
}

/// Calls f(k, quad, address) for the row of every lane 4 * quad + k.
template <typename F>
void each_row(EmitContext& c, const RowPlace& rows, F f) {
    HostAssembler& h = c.h;
    const Scalar three_strides = c.scalar();
    h.load_address(three_strides, {rows.stride, 0, rows.stride, 1});
    const unsigned quads = h.traits().lanes / 4;
    for (unsigned quad = 0; quad < quads; ++quad) {
        const Gp b = rows.base;
        f(0U, quad, Address{b, rows.offset});
        f(1U, quad, Address{b, rows.offset, rows.stride, 0});
        f(2U, quad, Address{b, rows.offset, rows.stride, 1});
        f(3U, quad, Address{b, rows.offset, three_strides, 0});
        if (quad + 1 < quads)
            h.load_address(b, {b, 0, rows.stride, 2});
    }
}

}  // namespace

namespace {

/// Register k gets the rows of lanes k, 4 + k, 8 + k ..
void load_quads(EmitContext& c, const RowPlace& rows, const FourVecs& v) {
    each_row(c, rows, [&](unsigned k, unsigned quad, Address place) {
        if (quad == 0)
            c.h.load_quad(v[k], place);
        else
            c.h.insert_quad(v[k], quad, place);
    });
}

}  // namespace

FourVecs load_rows(EmitContext& c, const RowPlace& rows) {
    FourVecs v{c.scratch(), c.scratch(), c.scratch(), c.scratch()};
    load_quads(c, rows, v);
    return transposed(c, v, &v);
}

void load_rows_to(EmitContext& c, const RowPlace& rows, const FourVecs& words) {
    load_quads(c, rows, words);
    transpose_rows(c, words);
}

void transpose_rows(EmitContext& c, const FourVecs& rows) {
    HostAssembler& h = c.h;
    const FourVecs t = interleaved(c, rows);
    h.op(Binary::UnpackLow64, rows[0], t[0], t[2]);
    h.op(Binary::UnpackHigh64, rows[1], t[0], t[2]);
    h.op(Binary::UnpackLow64, rows[2], t[1], t[3]);
    h.op(Binary::UnpackHigh64, rows[3], t[1], t[3]);
}

void store_rows(EmitContext& c, const RowPlace& rows, const FourVecs& words) {
    const FourVecs v = transposed(c, words);
    each_row(c, rows,
             [&](unsigned k, unsigned quad, Address place) { c.h.store_quad(place, quad, v[k]); });
}

}  // namespace valkyr::jit

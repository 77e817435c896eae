// Clipping: runs Sutherland-Hodgman over whole vertex records.
// SPDX-License-Identifier: MIT
#include "raster/front/clip.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace valkyr::raster {
namespace {

float user_distance(const DistanceSource& source, const uint8_t* record) {
    std::array<float, 4> p{};
    if (!source.plane) {
        std::memcpy(p.data(), record + source.offset, sizeof(float));
        return p[0];
    }
    std::memcpy(p.data(), record + source.offset, sizeof(p));
    float d = source.equation[0] * p[0];
    for (size_t i = 1; i < 4; ++i)
        d = std::fma(source.equation[i], p[i], d);
    return d;
}

int32_t snap(float window) {
    const float clamped = std::fmin(std::fmax(window, -kGuardBand), kGuardBand);
    return static_cast<int32_t>(std::rint(clamped * kSubpixels));
}

}  // namespace

float plane_distance(const ClipState& clip, uint32_t bit, const uint8_t* record) {
    std::array<float, 4> p;
    std::memcpy(p.data(), record, sizeof(p));
    const auto [x, y, z, w] = p;
    switch (bit) {
    case kClipNear: return clip.halfz ? z : z + w;
    case kClipFar: return w - z;
    case kClipW: return w - kMinimumW;
    case kClipLeft: return std::fma(clip.scale[0], x, (clip.translate[0] + kGuardBand) * w);
    case kClipRight: return std::fma(-clip.scale[0], x, (kGuardBand - clip.translate[0]) * w);
    case kClipTop: return std::fma(clip.scale[1], y, (clip.translate[1] + kGuardBand) * w);
    case kClipBottom: return std::fma(-clip.scale[1], y, (kGuardBand - clip.translate[1]) * w);
    default: return user_distance(clip.user[std::countr_zero(bit / kClipUser0)], record);
    }
}

void set_linear_varyings(
    const TileState& tile, const uint8_t* in, const uint8_t* out, float t, uint8_t* record) {
    const auto number = [](const uint8_t* bytes, size_t at) {
        float value;
        std::memcpy(&value, bytes + at, sizeof(value));
        return value;
    };
    constexpr size_t kW = 3 * sizeof(float);
    const float s = t * number(out, kW) / number(record, kW);
    if (!std::isfinite(s))
        return;
    for (uint32_t k = 0; k < tile.slot_count; ++k) {
        if (tile.slots[k].kind != SlotKind::Linear)
            continue;
        for (const uint16_t offset : tile.slots[k].offset)
            for (size_t at = offset; at < offset + 4 * sizeof(float); at += sizeof(float)) {
                const float i = number(in, at);
                const float value = std::fma(s, number(out, at) - i, i);
                std::memcpy(record + at, &value, sizeof(value));
            }
    }
}

bool window_row(const ClipState& clip, const uint8_t* record, WindowRow& row) {
    std::array<float, 4> p;
    std::memcpy(p.data(), record, sizeof(p));
    const float q = 1.0F / p[3];
    const float x = std::fma(p[0] * q, clip.scale[0], clip.translate[0]);
    const float y = std::fma(p[1] * q, clip.scale[1], clip.translate[1]);
    const float z = std::fma(p[2] * q, clip.scale[2], clip.translate[2]);
    if (!(p[3] > 0) || !std::isfinite(q) || std::isnan(x) || std::isnan(y) || std::isnan(z))
        return false;
    row = {snap(x + clip.center_shift), snap(y + clip.center_shift), z, q};
    return true;
}

void Clipper::begin(const DrawRecord& draw, const uint8_t* const* records, uint32_t count) {
    shape_ = draw.shape;
    tile_ = draw.tile;
    const uint32_t stride = draw.shape->record_stride;
    floats_ = stride / sizeof(float);
    current_ = 0;
    count_ = count;
    for (uint32_t i = 0; i < count; ++i)
        std::memcpy(vertices_[0][i].data(), records[i], stride);
}

uint32_t Clipper::clip() {
    for (uint32_t rest = shape_->clip.planes; rest != 0 && count_ != 0; rest &= rest - 1)
        clip_plane(rest & -rest);
    return count_;
}

void Clipper::emit(const Vertex& vertex) {
    if (next_count_ == kMaxVertices)
        return;  // a polygon with more vertices is not convex, which only rounding can cause
    std::memcpy(vertices_[1 - current_][next_count_++].data(), vertex.data(),
                floats_ * sizeof(float));
}

void Clipper::emit_crossing(const Vertex& in, float d_in, const Vertex& out, float d_out) {
    if (next_count_ == kMaxVertices)
        return;
    Vertex& vertex = vertices_[1 - current_][next_count_++];
    const float t = d_in / (d_in - d_out);
    for (uint32_t i = 0; i < floats_; ++i)
        vertex[i] = std::fma(t, out[i] - in[i], in[i]);
    // Layer and viewport index are integers.
    std::memcpy(&vertex[5], &in[5], sizeof(float));
    const auto bytes = [](const Vertex& v) { return reinterpret_cast<const uint8_t*>(v.data()); };
    set_linear_varyings(*tile_, bytes(in), bytes(out), t,
                        reinterpret_cast<uint8_t*>(vertex.data()));
}

void Clipper::clip_plane(uint32_t bit) {
    std::array<float, kMaxVertices> distance{};
    for (uint32_t i = 0; i < count_; ++i)
        distance[i] = plane_distance(shape_->clip, bit, record(i));
    next_count_ = 0;
    for (uint32_t i = 0; i < count_; ++i) {
        const uint32_t j = i + 1 == count_ ? 0 : i + 1;
        const Vertex& a = vertices_[current_][i];
        const Vertex& b = vertices_[current_][j];
        const bool a_inside = distance[i] >= 0;
        const bool b_inside = distance[j] >= 0;
        if (a_inside)
            emit(a);
        if (a_inside && !b_inside)
            emit_crossing(a, distance[i], b, distance[j]);
        else if (!a_inside && b_inside)
            emit_crossing(b, distance[j], a, distance[i]);
    }
    current_ = 1 - current_;
    count_ = next_count_ >= 3 ? next_count_ : 0;
}

void Clipper::copy_flat(const uint8_t* provoking) {
    for (uint32_t k = 0; k < tile_->slot_count; ++k) {
        const SlotSource& slot = tile_->slots[k];
        if (slot.kind != SlotKind::Flat)
            continue;
        for (const uint16_t offset : slot.offset)
            for (uint32_t i = 0; i < count_; ++i)
                std::memcpy(reinterpret_cast<uint8_t*>(vertices_[current_][i].data()) + offset,
                            provoking + offset, 16);
    }
}

}  // namespace valkyr::raster

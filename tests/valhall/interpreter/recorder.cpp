// Recorder: records the messages that an environment receives and answers with numbers.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/recorder.hpp"

#include <sstream>

namespace valkyr::valhall::test {

namespace {

using exec::Lanes;
using exec::Warp;

const RecordingDraw& draw_of(const Warp& warp) {
    return *static_cast<const RecordingDraw*>(warp.draw);
}

template <typename... T>
void record(const Warp& warp, const char* name, const T&... values) {
    std::ostringstream line;
    line << name;
    ((line << ' ' << +values), ...);
    line << " running " << std::hex << warp.running << " live " << warp.live;
    draw_of(warp).log.push_back(line.str());
    draw_of(warp).warps.push_back(warp);
}

void keep(const Warp& warp, std::initializer_list<const Lanes*> operands) {
    for (const Lanes* operand : operands)
        draw_of(warp).operands.push_back(operand ? *operand : Lanes{});
}

void answer(Lanes* out, unsigned count) {
    for (unsigned k = 0; k < count; ++k)
        for (unsigned l = 0; l < exec::kLanes; ++l)
            out[k].v[l] = 1000 * k + l;
}

unsigned number(exec::RegisterFormat format) {
    return static_cast<unsigned>(format);
}

constexpr exec::Environment kRecorder = {
    .attribute =
        [](const Warp& w,
           const exec::AttributeMessage& m,
           const Lanes& v,
           const Lanes& i,
           Lanes* out) noexcept {
            record(w, "attribute", m.index, number(m.format), m.components);
            keep(w, {&v, &i});
            answer(out, 4);
        },
    .varying =
        [](const Warp& w,
           const exec::VaryingMessage& m,
           const Lanes& c,
           const Lanes& p,
           Lanes* out) noexcept {
            record(w, "varying", m.offset, static_cast<unsigned>(m.sample), m.flat, m.half,
                   m.source_half, m.components);
            keep(w, {&c, &p});
            answer(out, 4);
        },
    .varying_special =
        [](const Warp& w, uint32_t index, exec::SampleMode s, const Lanes& p, Lanes* out) noexcept {
            record(w, "special", index, static_cast<unsigned>(s));
            keep(w, {&p});
            answer(out, 2);
        },
    .texture =
        [](const Warp& w, const exec::TextureMessage& m, const Lanes* in, Lanes* out) noexcept {
            record(w, "texture", static_cast<unsigned>(m.op), m.dimension,
                   static_cast<unsigned>(m.lod_mode), m.array, m.offset, m.shadow,
                   m.integer_coordinates, m.fetch_component, m.write_mask, m.register_type, m.half,
                   m.staging_count, m.texture, m.sampler);
            for (unsigned k = 0; k < m.staging_count; ++k)
                keep(w, {&in[k]});
            answer(out, 4);
        },
    .image_load =
        [](const Warp& w,
           const exec::ImageMessage& m,
           const Lanes& xy,
           const Lanes& zw,
           Lanes* out) noexcept {
            record(w, "image_load", m.handle, number(m.format), m.components);
            keep(w, {&xy, &zw});
            answer(out, 4);
        },
    .image_address =
        [](const Warp& w,
           const exec::ImageMessage& m,
           const Lanes& xy,
           const Lanes& zw,
           Lanes* out) noexcept {
            record(w, "image_address", m.handle);
            keep(w, {&xy, &zw});
            answer(out, 3);
        },
    .convert_store =
        [](const Warp& w,
           exec::RegisterFormat format,
           uint8_t components,
           const Lanes& low,
           const Lanes& high,
           uint32_t offset,
           const Lanes& conversion,
           const Lanes* in) noexcept {
            record(w, "convert_store", number(format), components, offset);
            keep(w, {&low, &high, &conversion, in});
        },
    .early_zs =
        [](const Warp& w, Lanes& coverage) noexcept {
            record(w, "early_zs", w.block);
            keep(w, {&coverage});
            for (uint32_t& c : coverage.v)
                c &= draw_of(w).early_mask;
        },
    .atest =
        [](const Warp& w,
           const Lanes& coverage,
           const Lanes& alpha,
           uint64_t datum,
           Lanes* out) noexcept {
            record(w, "atest", datum);
            keep(w, {&coverage, &alpha});
            *out = coverage;
        },
    .zs_emit =
        [](const Warp& w,
           const Lanes* depth,
           const Lanes* stencil,
           const Lanes& coverage,
           Lanes* out) noexcept {
            record(w, "zs_emit", depth != nullptr, stencil != nullptr);
            keep(w, {depth, stencil, &coverage});
            *out = coverage;
        },
    .blend =
        [](const Warp& w,
           const exec::BlendMessage& m,
           uint64_t descriptor,
           const Lanes& coverage,
           const Lanes* in,
           const Lanes* in1) noexcept {
            record(w, "blend", m.target, number(m.format), m.components, descriptor,
                   in1 != nullptr);
            keep(w, {&coverage, &in[0], &in[3], in1});
        },
    .tile_load =
        [](const Warp& w,
           const exec::TileMessage& m,
           const Lanes& indices,
           const Lanes& coverage,
           Lanes* out) noexcept {
            record(w, "tile_load", number(m.format), m.components, m.conversion);
            keep(w, {&indices, &coverage});
            answer(out, 4);
        },
    .tile_store =
        [](const Warp& w,
           const exec::TileMessage& m,
           const Lanes& indices,
           const Lanes& coverage,
           const Lanes* in) noexcept {
            record(w, "tile_store", number(m.format), m.components, m.conversion);
            keep(w, {&indices, &coverage, in});
        },
};

}  // namespace

RecordingDraw::RecordingDraw() {
    environment = &kRecorder;
}

}  // namespace valkyr::valhall::test

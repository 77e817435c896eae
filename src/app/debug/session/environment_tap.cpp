// Environment tap: notes the arguments and results of message routines.
// SPDX-License-Identifier: MIT
#include "app/debug/session/environment_tap.hpp"

#include "exec/handle.hpp"

#include <bit>

namespace valkyr::debug {

namespace {

using exec::Lanes;
using exec::Warp;

/// Restores the warp that the original routine expects and builds the message that is noted.
class Call {
public:
    Call(const Warp& warp, MessageKind kind, uint32_t unit = 0)
        : draw_(static_cast<const TappedDraw&>(*warp.draw))
        , wanted_(draw_.sink().wants(warp))
        , warp_(warp) {
        warp_.draw = &draw_.original();
        message_.kind = kind;
        message_.unit = unit;
        message_.lanes = warp.running;
        message_.live = warp.live;
        message_.sample = warp.sample_id;
    }

    [[nodiscard]] const Warp& warp() const { return warp_; }
    [[nodiscard]] const exec::Environment& original() const {
        return *draw_.original().environment;
    }
    Message& message() { return message_; }
    void in(const Lanes* lanes, size_t count) {
        message_.in.insert(message_.in.end(), lanes, lanes + count);
    }
    void out(const Lanes* lanes, size_t count) { message_.out.assign(lanes, lanes + count); }
    void coverage(const Lanes& before, const Lanes& after) {
        message_.has_coverage = true;
        message_.coverage_before = before;
        message_.coverage_after = after;
    }
    void send() {
        if (wanted_)
            draw_.sink().add(std::move(message_));
    }

private:
    const TappedDraw& draw_;
    bool wanted_;
    Warp warp_;
    Message message_;
};

void attribute(const Warp& warp,
               const exec::AttributeMessage& m,
               const Lanes& vertex,
               const Lanes& instance,
               Lanes* out) noexcept {
    Call call(warp, MessageKind::Attribute, m.index);
    call.original().attribute(call.warp(), m, vertex, instance, out);
    call.in(&vertex, 1);
    call.out(out, m.components);
    call.send();
}

void varying(const Warp& warp,
             const exec::VaryingMessage& m,
             const Lanes& coverage,
             const Lanes& position,
             Lanes* out) noexcept {
    Call call(warp, MessageKind::Varying, m.offset);
    call.original().varying(call.warp(), m, coverage, position, out);
    call.out(out, m.half ? (m.components + 1U) / 2 : m.components);
    call.send();
}

void varying_special(const Warp& warp,
                     uint32_t index,
                     exec::SampleMode mode,
                     const Lanes& position,
                     Lanes* out) noexcept {
    Call call(warp, MessageKind::VaryingSpecial, index);
    call.original().varying_special(call.warp(), index, mode, position, out);
    call.out(out, index == 0 ? 2 : 1);
    call.send();
}

void texture(const Warp& warp,
             const exec::TextureMessage& m,
             const Lanes* in,
             Lanes* out) noexcept {
    Call call(warp, MessageKind::Texture, exec::index_of(m.texture));
    call.message().sampler = exec::index_of(m.sampler);
    call.message().texture = m;
    call.in(in, m.staging_count);
    call.original().texture(call.warp(), m, in, out);
    const auto count =
        static_cast<size_t>(std::popcount(static_cast<unsigned>(m.write_mask & 0xF)));
    call.out(out, m.half ? (count + 1) / 2 : count);
    call.send();
}

void image_load(const Warp& warp,
                const exec::ImageMessage& m,
                const Lanes& xy,
                const Lanes& zw,
                Lanes* out) noexcept {
    Call call(warp, MessageKind::ImageLoad, exec::index_of(m.handle));
    call.in(&xy, 1);
    call.in(&zw, 1);
    call.original().image_load(call.warp(), m, xy, zw, out);
    call.out(out, m.components);
    call.send();
}

void image_address(const Warp& warp,
                   const exec::ImageMessage& m,
                   const Lanes& xy,
                   const Lanes& zw,
                   Lanes* out) noexcept {
    Call call(warp, MessageKind::ImageAddress, exec::index_of(m.handle));
    call.in(&xy, 1);
    call.in(&zw, 1);
    call.original().image_address(call.warp(), m, xy, zw, out);
    call.out(out, 3);
    call.send();
}

void convert_store(const Warp& warp,
                   exec::RegisterFormat format,
                   uint8_t components,
                   const Lanes& low,
                   const Lanes& high,
                   uint32_t offset,
                   const Lanes& conversion,
                   const Lanes* in) noexcept {
    Call call(warp, MessageKind::ImageStore, components);
    call.in(in, components);
    call.original().convert_store(call.warp(), format, components, low, high, offset, conversion,
                                  in);
    call.send();
}

void early_zs(const Warp& warp, Lanes& coverage) noexcept {
    Call call(warp, MessageKind::EarlyZs);
    const Lanes before = coverage;
    call.original().early_zs(call.warp(), coverage);
    call.coverage(before, coverage);
    call.send();
}

void atest(const Warp& warp,
           const Lanes& coverage,
           const Lanes& alpha,
           uint64_t datum,
           Lanes* out) noexcept {
    Call call(warp, MessageKind::Atest);
    const Lanes before = coverage;
    call.in(&alpha, 1);
    call.original().atest(call.warp(), coverage, alpha, datum, out);
    call.coverage(before, *out);
    call.send();
}

void zs_emit(const Warp& warp,
             const Lanes* depth,
             const Lanes* stencil,
             const Lanes& coverage,
             Lanes* out) noexcept {
    Call call(warp, MessageKind::ZsEmit);
    const Lanes before = coverage;
    for (const Lanes* lanes : {depth, stencil})
        if (lanes != nullptr)
            call.in(lanes, 1);
    call.original().zs_emit(call.warp(), depth, stencil, coverage, out);
    call.coverage(before, *out);
    call.send();
}

void blend(const Warp& warp,
           const exec::BlendMessage& m,
           uint64_t descriptor,
           const Lanes& coverage,
           const Lanes* in,
           const Lanes* in1) noexcept {
    Call call(warp, MessageKind::Blend, m.target);
    call.message().format = m.format;
    const bool half = m.format == exec::RegisterFormat::F16 ||
                      m.format == exec::RegisterFormat::S16 ||
                      m.format == exec::RegisterFormat::U16;
    call.in(in, half ? (m.components + 1U) / 2 : m.components);
    call.coverage(coverage, coverage);
    call.original().blend(call.warp(), m, descriptor, coverage, in, in1);
    call.send();
}

void tile_load(const Warp& warp,
               const exec::TileMessage& m,
               const Lanes& indices,
               const Lanes& coverage,
               Lanes* out) noexcept {
    Call call(warp, MessageKind::TileLoad);
    call.original().tile_load(call.warp(), m, indices, coverage, out);
    call.out(out, m.components);
    call.send();
}

void tile_store(const Warp& warp,
                const exec::TileMessage& m,
                const Lanes& indices,
                const Lanes& coverage,
                const Lanes* in) noexcept {
    Call call(warp, MessageKind::TileStore);
    call.in(in, m.components);
    call.original().tile_store(call.warp(), m, indices, coverage, in);
    call.send();
}

constexpr exec::Environment kTapped{
    .attribute = attribute,
    .varying = varying,
    .varying_special = varying_special,
    .texture = texture,
    .image_load = image_load,
    .image_address = image_address,
    .convert_store = convert_store,
    .early_zs = early_zs,
    .atest = atest,
    .zs_emit = zs_emit,
    .blend = blend,
    .tile_load = tile_load,
    .tile_store = tile_store,
};

/// Routines that the original lacks stay missing.
template <typename Routine>
void keep_missing(Routine& tapped, Routine original) {
    if (original == nullptr)
        tapped = nullptr;
}

}  // namespace

TappedDraw::TappedDraw(const exec::DrawContext& original, MessageSink& sink)
    : exec::DrawContext(original)
    , original_(&original)
    , sink_(&sink)
    , tapped_(kTapped) {
    if (original.environment == nullptr)
        return;
    const exec::Environment& own = *original.environment;
    keep_missing(tapped_.attribute, own.attribute);
    keep_missing(tapped_.varying, own.varying);
    keep_missing(tapped_.varying_special, own.varying_special);
    keep_missing(tapped_.texture, own.texture);
    keep_missing(tapped_.image_load, own.image_load);
    keep_missing(tapped_.image_address, own.image_address);
    keep_missing(tapped_.convert_store, own.convert_store);
    keep_missing(tapped_.early_zs, own.early_zs);
    keep_missing(tapped_.atest, own.atest);
    keep_missing(tapped_.zs_emit, own.zs_emit);
    keep_missing(tapped_.blend, own.blend);
    keep_missing(tapped_.tile_load, own.tile_load);
    keep_missing(tapped_.tile_store, own.tile_store);
    environment = &tapped_;
}

}  // namespace valkyr::debug

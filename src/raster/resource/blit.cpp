// Blits: choose the method of a copy, and convert texel by texel where no loop knows the formats.
// SPDX-License-Identifier: MIT
// Unscaled copies between equal formats use copy_box(). Other blits go by tiles if the level loops
// know both formats (blit_tiles.hpp).
// know by tiles (blit_tiles.hpp).
#include "raster/resource/blit.hpp"

#include "base/bits.hpp"
#include "exec/float_environment.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/resource/blit_axis.hpp"
#include "raster/resource/blit_tiles.hpp"
#include "raster/resource/copy.hpp"
#include "raster/resource/lane_format.hpp"
#include "raster/resource/resolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace valkyr::raster {
namespace {

Error misfit(std::string text) {
    return Error{Errc::InvalidState, {}, "blit: " + std::move(text)};
}

class Blit {
public:
    Blit(const BlitInfo& info,
         const BlitTexels& from,
         const BlitTexels& to,
         ConvertTiles convert,
         const RowRunner& run_rows)
        : info_(info)
        , convert_(convert)
        , run_rows_(run_rows)
        , from_(from)
        , to_(to)
        , x_(axis(info.destination.x,
                  info.destination.width,
                  info.source.x,
                  info.source.width,
                  level(from).width))
        , y_(axis(info.destination.y,
                  info.destination.height,
                  info.source.y,
                  info.source.height,
                  level(from).height))
        , z_(axis(info.destination.z,
                  info.destination.depth,
                  info.source.z,
                  info.source.depth,
                  level(from).depth))
        , resolves_(from.texture.desc().samples > to.texture.desc().samples) {}

    Result<void> run();

private:
    static const exec::TextureLevel& level(const BlitTexels& t) { return t.texture.level(t.level); }
    static BlitAxis
    axis(int32_t to, int32_t to_size, int32_t from, int32_t from_size, uint32_t level_size) {
        return {to, to_size, from, from_size, level_size};
    }

    [[nodiscard]] Result<void> check() const;
    void clip();
    [[nodiscard]] bool copies_bits() const;
    /// Blits by tiles; returns false if the loops do not know the formats.
    /// errors  those of the threads
    [[nodiscard]] Result<bool> by_tiles() const;
    [[nodiscard]] std::optional<LaneConversion> conversion() const;
    [[nodiscard]] Result<void> depth_stencil_by_tiles() const;
    [[nodiscard]] TileBlit tile_blit() const {
        return {x_, y_, z_, filter(), true, x0_, y0_, x1_, y1_};
    }
    /// Without scaling, each texel centre lies on a source texel centre, so filters do nothing.
    [[nodiscard]] Filter filter() const {
        return x_.scaled() || y_.scaled() || z_.scaled() ? info_.filter : Filter::Nearest;
    }
    void texel(uint32_t x, uint32_t y, uint32_t z);
    void color(uint32_t x, uint32_t y, uint32_t z, uint32_t sample);
    void depth_stencil(uint32_t x, uint32_t y, uint32_t z, uint32_t sample);
    [[nodiscard]] float filtered_depth(uint32_t x, uint32_t y, uint32_t z) const;
    [[nodiscard]] Values fetch(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const;
    [[nodiscard]] Values filtered(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const;

    const BlitInfo& info_;
    ConvertTiles convert_;  ///< null: the blit goes texel by texel
    const RowRunner& run_rows_;
    const BlitTexels& from_;
    const BlitTexels& to_;
    BlitAxis x_;
    BlitAxis y_;
    BlitAxis z_;
    bool resolves_;
    // Destination texels, half-open.
    int64_t x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0;
};

Result<void> Blit::check() const {
    const uint32_t from_samples = from_.texture.desc().samples;
    const uint32_t to_samples = to_.texture.desc().samples;
    if (from_samples > 1 && to_samples > 1 && from_samples != to_samples)
        return misfit("unlike sample counts");
    if (is_depth_stencil(from_.format) != is_depth_stencil(to_.format))
        return misfit("depth/stencil and colour");
    if (is_integer(from_.info) != is_integer(to_.info))
        return misfit("integers and numbers");
    if (info_.filter == Filter::Linear && (is_integer(from_.info) || to_samples > 1))
        return misfit("integers and samples are not filtered");
    const auto inside = [](const BlitAxis& z, uint32_t slices) {
        return z.destination >= 0 && z.destination + z.size <= int64_t{slices} && z.source >= 0 &&
               z.source + z.source_size <= z.limit;
    };
    if (!inside(z_, level(to_).depth))
        return Error{Errc::OutOfRange, {}, "blit: no such slices"};
    return {};
}

void Blit::clip() {
    x0_ = std::max<int64_t>(x_.destination, 0);
    y0_ = std::max<int64_t>(y_.destination, 0);
    x1_ = std::min<int64_t>(x_.destination + x_.size, level(to_).width);
    y1_ = std::min<int64_t>(y_.destination + y_.size, level(to_).height);
    if (!info_.scissor)
        return;
    x0_ = std::max<int64_t>(x0_, info_.scissor->x0);
    y0_ = std::max<int64_t>(y0_, info_.scissor->y0);
    x1_ = std::min<int64_t>(x1_, info_.scissor->x1);
    y1_ = std::min<int64_t>(y1_, info_.scissor->y1);
}

/// Writes pending clear values of slices [first, end) of a level.
Result<void> settle(const BlitTexels& texels, int64_t first, int64_t end, const RowRunner& run) {
    const int64_t depth = texels.texture.level(texels.level).depth;
    for (int64_t z = std::max<int64_t>(first, 0); z < std::min(end, depth); ++z)
        VALKYR_TRY_VOID(texels.texture.settle(texels.level, static_cast<uint32_t>(z), run));
    return {};
}

/// Returns whether texels are copied bit by bit, without reading outside the source.
bool Blit::copies_bits() const {
    const bool whole =
        is_depth_stencil(to_.format)
            ? (info_.depth || !has_depth(to_.format)) && (info_.stencil || !has_stencil(to_.format))
            : (info_.color_mask & 0xF) == 0xF;
    const auto within = [](const BlitAxis& a, int64_t first, int64_t end) {
        const int64_t shift = a.source - a.destination;
        return first + shift >= 0 && end + shift <= a.limit;
    };
    return whole && from_.format == to_.format &&
           from_.texture.desc().samples == to_.texture.desc().samples && !x_.scaled() &&
           !y_.scaled() && !z_.scaled() && within(x_, x0_, x1_) && within(y_, y0_, y1_);
}

Result<void> Blit::run() {
    VALKYR_TRY_VOID(check());
    clip();
    if (x1_ <= x0_ || y1_ <= y0_ || z_.size == 0 || x_.source_size == 0 || y_.source_size == 0 ||
        z_.source_size == 0)
        return {};
    if (copies_bits()) {
        const Box box{static_cast<uint32_t>(x0_ + x_.source - x_.destination),
                      static_cast<uint32_t>(y0_ + y_.source - y_.destination),
                      static_cast<uint32_t>(z_.source),
                      static_cast<uint32_t>(x1_ - x0_),
                      static_cast<uint32_t>(y1_ - y0_),
                      static_cast<uint32_t>(z_.size)};
        const TexelCorner corner{static_cast<uint32_t>(x0_), static_cast<uint32_t>(y0_),
                                 static_cast<uint32_t>(z_.destination)};
        return copy_box(to_.texture, to_.level, corner, from_.texture, from_.level, box, run_rows_);
    }
    // Filters read one texel beyond the source.
    VALKYR_TRY_VOID(settle(from_, z_.source - 1, z_.source + z_.source_size + 1, run_rows_));
    VALKYR_TRY_VOID(settle(to_, z_.destination, z_.destination + z_.size, run_rows_));
    VALKYR_TRY(done, by_tiles());
    if (done)
        return {};
    for (int64_t z = z_.destination; z < z_.destination + z_.size; ++z)
        for (int64_t y = y0_; y < y1_ && !is_cancelled(to_.texture.owner()); ++y)
            for (int64_t x = x0_; x < x1_; ++x)
                texel(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z));
    return {};
}

std::optional<LaneConversion> Blit::conversion() const {
    auto made = lane_conversion(from_.info, to_.info, info_.color_mask & 0xFU);
    if (made && resolves_ && resolve_method(from_.info) != ResolveMethod::First &&
        !set_samples(*made, from_.info, from_.texture.desc().samples))
        return std::nullopt;
    if (made && filter() == Filter::Nearest)
        copy_if_alike(*made, from_.info, to_.info);
    return made;
}

Result<bool> Blit::by_tiles() const {
    const bool shared = &from_.texture == &to_.texture && from_.level == to_.level;
    const bool large = level(from_).slice_bytes > size_t{std::numeric_limits<int32_t>::max()};
    if (convert_ == nullptr || shared || large)
        return false;
    if (is_depth_stencil(to_.format)) {
        VALKYR_TRY_VOID(depth_stencil_by_tiles());
        return true;
    }
    const auto made = conversion();
    if (!made)
        return false;
    VALKYR_TRY_VOID(blit_tiles(convert_, *made, from_, to_, tile_blit(), run_rows_));
    return true;
}

Result<void> Blit::depth_stencil_by_tiles() const {
    TileBlit depths = tile_blit();
    depths.mixes_slices = false;
    TileBlit nearest = depths;
    nearest.filter = Filter::Nearest;
    const auto run = [&](const std::optional<LaneConversion>& conversion, const TileBlit& blit) {
        return conversion ? blit_tiles(convert_, *conversion, from_, to_, blit, run_rows_)
                          : Result<void>{};
    };
    if (from_.format == to_.format && (filter() == Filter::Nearest || !info_.depth))
        return run(depth_stencil_copy(to_.format, info_.depth, info_.stencil), nearest);
    if (info_.depth)
        VALKYR_TRY_VOID(run(depth_conversion(from_.format, to_.format, DepthPart::Depth), depths));
    if (info_.stencil)
        VALKYR_TRY_VOID(
            run(depth_conversion(from_.format, to_.format, DepthPart::Stencil), nearest));
    return {};
}

void Blit::texel(uint32_t x, uint32_t y, uint32_t z) {
    for (uint32_t s = 0; s < to_.texture.desc().samples; ++s)
        if (is_depth_stencil(to_.format))
            depth_stencil(x, y, z, s);
        else
            color(x, y, z, s);
}

void Blit::color(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) {
    const Values value = filtered(x, y, z, sample);
    const Values channels = unswizzle_values(to_.info, value);
    store_codes(to_.info, encode_values(to_.info, channels, integer_kind(from_.info)),
                channel_mask(to_.info, info_.color_mask & 0xFU), to_.at(x, y, z, sample));
}

/// Filters depth textures; the first sample of each texel counts.
float Blit::filtered_depth(uint32_t x, uint32_t y, uint32_t z) const {
    const TexelPair px = texel_pair(x_, x - x_.destination);
    const TexelPair py = texel_pair(y_, y - y_.destination);
    const uint32_t slice = z_.nearest(z - z_.destination);
    const auto depth = [&](uint32_t column, uint32_t row) {
        const uint8_t* texel = from_.at(column, row, slice, 0);
        return decode_depth(from_.format, load_depth_stencil(from_.format, texel).depth);
    };
    const auto mix = [](float a, float b, uint32_t weight) {
        return std::fma(static_cast<float>(weight) / 256, b - a, a);
    };
    return mix(mix(depth(px.first, py.first), depth(px.second, py.first), px.weight),
               mix(depth(px.first, py.second), depth(px.second, py.second), px.weight), py.weight);
}

/// Copies the bits of one texel that `copy` selects.
void copy_bits(const LaneConversion& copy, const uint8_t* from, uint8_t* to) {
    const auto* masks = reinterpret_cast<const uint8_t*>(copy.masks);
    for (unsigned b = 0; b < copy.to.bytes; ++b)
        to[b] = static_cast<uint8_t>((to[b] & ~masks[b]) | (from[b] & masks[b]));
}

void Blit::depth_stencil(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) {
    const uint8_t* source =
        from_.at(x_.nearest(x - x_.destination), y_.nearest(y - y_.destination),
                 z_.nearest(z - z_.destination), from_.texture.desc().samples > 1 ? sample : 0);
    uint8_t* texel = to_.at(x, y, z, sample);
    const bool filters = filter() == Filter::Linear;
    if (from_.format == to_.format && !filters) {
        copy_bits(depth_stencil_copy(to_.format, info_.depth, info_.stencil), source, texel);
        return;
    }
    const DepthStencil value = load_depth_stencil(from_.format, source);
    DepthStencil stored = load_depth_stencil(to_.format, texel);
    if (info_.depth && has_depth(from_.format))
        stored.depth = encode_depth(to_.format, filters ? filtered_depth(x, y, z)
                                                        : decode_depth(from_.format, value.depth));
    if (info_.stencil && has_stencil(from_.format))
        stored.stencil = value.stencil;
    std::array<uint8_t, 32> bytes{};
    store_depth_stencil(to_.format, stored, bytes.data());
    copy_bits(depth_stencil_copy(to_.format, true, true), bytes.data(), texel);
}

Values Blit::fetch(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const {
    const uint32_t samples = from_.texture.desc().samples;
    if (!resolves_)
        return decode_texel(from_.info, from_.at(x, y, z, samples > 1 ? sample : 0));
    std::array<uint8_t, 32> texel{};
    resolve_texel(
        from_.info,
        {from_.at(x, y, z, 0), size_t{exec::kLanes} * from_.texture.texel_bytes(), samples},
        texel.data());
    return decode_texel(from_.info, texel.data());
}

Values Blit::filtered(uint32_t x, uint32_t y, uint32_t z, uint32_t sample) const {
    const int64_t i = x - x_.destination;
    const int64_t j = y - y_.destination;
    const int64_t k = z - z_.destination;
    if (filter() == Filter::Nearest)
        return fetch(x_.nearest(i), y_.nearest(j), z_.nearest(k), sample);
    const TexelPair px = texel_pair(x_, i);
    const TexelPair py = texel_pair(y_, j);
    const TexelPair pz = texel_pair(z_, k);
    const auto mix = [](const Values& a, const Values& b, uint32_t weight) {
        Values r{};
        const float w = static_cast<float>(weight) / 256;
        for (size_t c = 0; c < r.size(); ++c)
            r[c] = as_bits(std::fma(w, as_float(b[c]) - as_float(a[c]), as_float(a[c])));
        return r;
    };
    const auto row = [&](uint32_t at, uint32_t slice) {
        return mix(fetch(px.first, at, slice, sample), fetch(px.second, at, slice, sample),
                   px.weight);
    };
    const auto plane = [&](uint32_t slice) {
        return mix(row(py.first, slice), row(py.second, slice), py.weight);
    };
    const Values first = plane(pz.first);
    return pz.weight == 0 ? first : mix(first, plane(pz.second), pz.weight);
}

/// Returns the level and format of a region.
Result<BlitTexels> open(const BlitRegion& region, TextureImpl& texture) {
    constexpr int32_t kFar = 1 << 20;
    if (region.level >= texture.desc().levels)
        return Error{Errc::OutOfRange, {}, "blit: no level " + std::to_string(region.level)};
    for (const int32_t n :
         {region.x, region.y, region.z, region.width, region.height, region.depth})
        if (n < -kFar || n > kFar)
            return Error{Errc::OutOfRange, {}, "blit: a coordinate beyond 2^20"};
    const Format format = region.format == Format::None ? texture.storage() : region.format;
    if (static_cast<unsigned>(format) >= exec::kFormatCount)
        return misfit("no such format");
    const exec::FormatInfo& info = exec::format_info(format);
    if (!is_plain(info) || info.block_bytes != texture.texel_bytes() ||
        is_depth_stencil(format) != is_depth_stencil(texture.storage()))
        return misfit(std::string(info.name) + " is no format for these texels");
    return BlitTexels{texture, region.level, format, info};
}

}  // namespace

Result<void> blit_texels(const BlitInfo& info,
                         TextureImpl& source,
                         TextureImpl& destination,
                         ConvertTiles convert,
                         const RowRunner& run_rows) {
    if (info.filter != Filter::Nearest && info.filter != Filter::Linear)
        return misfit("no such filter");
    const exec::FloatEnvironment environment;
    VALKYR_TRY(from, open(info.source, source));
    VALKYR_TRY(to, open(info.destination, destination));
    if (destination.storage() != destination.desc().format)
        return misfit("writing compressed texels");
    return Blit(info, from, to, convert, run_rows).run();
}

}  // namespace valkyr::raster

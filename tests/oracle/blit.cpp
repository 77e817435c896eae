// Blit: copies and scales texels, one destination sample at a time (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#include "tests/oracle/blit.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace valkyr::reference {
namespace {

using exec::Format;

/// The two source texels of a destination texel in one direction.
struct Taps {
    int first = 0;
    int second = 0;
    float weight = 0;  ///< of the second
};

/// Maps destination texels [begin, begin + n) to source texels [from, from + s).
struct Direction {
    Direction(int at, int size, int source_at, int source_size)
        : begin(std::min(at, at + size))
        , n(std::abs(size))
        , from(std::min(source_at, source_at + source_size))
        , s(std::abs(source_size))
        , mirrored((size < 0) != (source_size < 0)) {}

    [[nodiscard]] Taps taps(int texel, bool linear) const {
        const int64_t i = mirrored ? n - 1 - (texel - begin) : texel - begin;
        if (!linear) {
            const auto nearest = static_cast<int>((2 * i + 1) * s / (2 * n));
            return {from + nearest, from + nearest, 0};
        }
        const int64_t x = 128 * (2 * i + 1) * s / n - 128;
        const auto texel_below = static_cast<int>(std::floor(static_cast<double>(x) / 256));
        return {from + texel_below, from + texel_below + 1,
                static_cast<float>(x - 256 * int64_t{texel_below}) / 256};
    }

    [[nodiscard]] bool scaled() const { return mirrored || n != s; }

    int begin, n, from, s;
    bool mirrored;
};

class Blit {
public:
    Blit(const raster::BlitInfo& info, const ReferenceTexture& from, ReferenceTexture& to)
        : info_(info)
        , from_(from)
        , to_(to)
        , from_format_(own(info.source.format, from))
        , to_format_(own(info.destination.format, to))
        , x_(info.destination.x, info.destination.width, info.source.x, info.source.width)
        , y_(info.destination.y, info.destination.height, info.source.y, info.source.height)
        , z_(info.destination.z, info.destination.depth, info.source.z, info.source.depth) {}

    void run() {
        const uint32_t level = info_.destination.level;
        for (int z = z_.begin; z < z_.begin + z_.n; z++)
            for (int y = y_.begin; y < y_.begin + y_.n; y++)
                for (int x = x_.begin; x < x_.begin + x_.n; x++)
                    if (writes(x, y))
                        for (uint32_t s = 0; s < to_.desc().samples; s++)
                            sample({level, static_cast<uint32_t>(x), static_cast<uint32_t>(y),
                                    static_cast<uint32_t>(z), s});
    }

private:
    static Format own(Format format, const ReferenceTexture& texture) {
        return format == Format::None ? texture.desc().format : format;
    }
    [[nodiscard]] bool writes(int x, int y) const {
        const auto in = [](int at, int begin, int end) { return at >= begin && at < end; };
        const uint32_t level = info_.destination.level;
        const bool there = in(x, 0, static_cast<int>(to_.width(level))) &&
                           in(y, 0, static_cast<int>(to_.height(level)));
        const auto& s = info_.scissor;
        return there && (!s || (in(x, s->x0, s->x1) && in(y, s->y0, s->y1)));
    }

    /// The bytes of a source texel: of the given sample, of the only sample, or of all samples
    /// resolved.
    [[nodiscard]] std::vector<uint8_t> source(int x, int y, int z, uint32_t sample) const {
        const uint32_t level = info_.source.level;
        const auto inside = [](int at, uint32_t size) {
            return static_cast<uint32_t>(std::clamp(at, 0, static_cast<int>(size) - 1));
        };
        TexelPlace place{level, inside(x, from_.width(level)), inside(y, from_.height(level)),
                         inside(z, from_.slices(level)), 0};
        std::vector<uint8_t> bytes(32);
        if (from_.desc().samples > to_.desc().samples) {
            resolve_texel(from_, place, bytes.data());
        } else {
            place.sample = from_.desc().samples > 1 ? sample : 0;
            std::copy_n(from_.texel(place), from_.texel_bytes(), bytes.begin());
        }
        return bytes;
    }

    void sample(const TexelPlace& to) {
        const bool linear =
            info_.filter == exec::Filter::Linear && (x_.scaled() || y_.scaled() || z_.scaled());
        const Taps x = x_.taps(static_cast<int>(to.x), linear);
        const Taps y = y_.taps(static_cast<int>(to.y), linear);
        const Taps slices = z_.taps(static_cast<int>(to.z), linear);
        const int z = z_.taps(static_cast<int>(to.z), false).first;
        uint8_t* texel = to_.texel(to);
        const std::vector<uint8_t> nearest = source(x.first, y.first, z, to.sample);
        if (has_depth(to_format_) || has_stencil(to_format_)) {
            depth_stencil(nearest.data(), texel);
            return;
        }
        if (!linear && from_format_ == to_format_ && (info_.color_mask & 0xF) == 0xF) {
            std::copy_n(nearest.begin(), to_.texel_bytes(), texel);
            return;
        }
        const auto plane = [&](int tz) {
            const auto read = [&](int tx, int ty) {
                return decode_texel(from_format_, source(tx, ty, tz, to.sample).data());
            };
            return mix(mix(read(x.first, y.first), read(x.second, y.first), x.weight),
                       mix(read(x.first, y.second), read(x.second, y.second), x.weight), y.weight);
        };
        Vec4 value = decode_texel(from_format_, nearest.data());
        if (linear && slices.weight == 0)
            value = plane(slices.first);
        else if (linear)
            value = mix(plane(slices.first), plane(slices.second), slices.weight);
        encode_texel(to_format_, value, info_.color_mask & 0xF, texel);
    }

    static Vec4 mix(const Vec4& a, const Vec4& b, float weight) {
        Vec4 r{};
        for (size_t c = 0; c < 4; c++)
            r[c] = as_bits(std::fma(weight, as_float(b[c]) - as_float(a[c]), as_float(a[c])));
        return r;
    }

    /// Copies depth and stencil between equal formats; scenes blit no others.
    void depth_stencil(const uint8_t* source, uint8_t* texel) const {
        const Format f = to_format_;
        if (info_.depth && has_depth(f))
            store_channel(f, texel, depth_channel(f), load_channel(f, source, depth_channel(f)));
        if (info_.stencil && has_stencil(f))
            store_channel(f, texel, stencil_channel(f),
                          load_channel(f, source, stencil_channel(f)));
    }

    const raster::BlitInfo& info_;
    const ReferenceTexture& from_;
    ReferenceTexture& to_;
    Format from_format_;
    Format to_format_;
    Direction x_, y_, z_;
};

}  // namespace

Result<void> blit(const raster::BlitInfo& info) {
    const auto* from = dynamic_cast<const ReferenceTexture*>(info.source.texture.get());
    auto* to = dynamic_cast<ReferenceTexture*>(info.destination.texture.get());
    if (from == nullptr || to == nullptr)
        return Error{Errc::InvalidState, {}, "blit: a texture of another device"};
    Blit(info, *from, *to).run();
    return {};
}

}  // namespace valkyr::reference

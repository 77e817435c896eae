// Texture case: makes random textures, samplers and coordinates.
// SPDX-License-Identifier: MIT
#include "tests/jit/expand/texture/texture_case.hpp"

#include "base/bits.hpp"
#include "raster/record/state_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

namespace valkyr::test {

using exec::Filter;
using exec::MipFilter;
using exec::TextureKind;
using exec::Wrap;

namespace {

constexpr uint32_t kHandles = 4U << 27 | 3U << 11;  // narrow form: texture 0, sampler 0

uint32_t random_size(Random& random) {
    switch (random.below(4)) {
    case 0: return 1 + random.below(5);
    case 1: return 1U << random.below(8);
    case 2: return 1 + random.below(300);
    default: return 16;
    }
}

constexpr const char* kModes[] = {"zero", "computed", "explicit", "computed_bias"};
constexpr const char* kMasks[] = {"", "", ".r", ".rg", ".rgb", ".a", ".ga"};
constexpr unsigned kMaskCounts[] = {4, 4, 1, 2, 3, 1, 2};

}  // namespace

float uniform(Random& random, float low, float high) {
    return low + (high - low) * (static_cast<float>(random.below(1U << 20)) / (1U << 20));
}

float coordinate(Random& random, Coordinates kind) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float specials[] = {
        0.0F,   -0.0F,   1.0F,    -1.0F,    0.5F,        2.0F,
        -2.5F,  1e10F,   -1e10F,  3e38F,    infinity,    -infinity,
        1e-40F, -1e-40F, -1e-20F, 65536.0F, 0.99999994F, std::numeric_limits<float>::quiet_NaN()};
    if (kind == Coordinates::Seams)
        return static_cast<float>(static_cast<int>(random.below(129)) - 64) / 32 +
               (random.one_in(2) ? 0 : uniform(random, -1e-3F, 1e-3F));
    return random.one_in(3) ? pick(random, specials) : uniform(random, -4, 4);
}

void fill_coordinates(MessageCase& test, Random& random, unsigned count, float range) {
    const auto kind = static_cast<Coordinates>(random.below(3));
    for (unsigned k = 0; k < count; ++k) {
        const float origin = uniform(random, -2, 2) * range;
        const float scale = range * std::ldexp(1.0F, -static_cast<int>(random.below(12)));
        const float dx = uniform(random, -scale, scale);
        const float dy = uniform(random, -scale, scale);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            float c = origin + dx * static_cast<float>(exec::lane_x(lane)) +
                      dy * static_cast<float>(exec::lane_y(lane));
            if (kind != Coordinates::Smooth)
                c = coordinate(random, kind) * range;
            test.inputs[k].v[lane] = as_bits(c);
        }
    }
}

void stretch_coordinates(MessageCase& test, Random& random, float range) {
    const float scale = range * std::ldexp(1.0F, -static_cast<int>(random.below(10)));
    const float ratio = std::ldexp(uniform(random, 1, 2), static_cast<int>(random.below(6)));
    const bool tall = random.one_in(2);
    const float angle = random.one_in(4) ? 0 : uniform(random, 0, 6.3F);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const float x = static_cast<float>(exec::lane_x(lane)) * (tall ? 1 : ratio) * scale;
        const float y = static_cast<float>(exec::lane_y(lane)) * (tall ? ratio : 1) * scale;
        test.inputs[0].v[lane] = as_bits(std::cos(angle) * x - std::sin(angle) * y);
        test.inputs[1].v[lane] = as_bits(std::sin(angle) * x + std::cos(angle) * y);
    }
}

std::vector<Size> mip_sizes(Random& random, TextureKind kind, uint32_t depth) {
    const bool flat = kind == TextureKind::Tex1D || kind == TextureKind::Tex1DArray;
    const bool cube = kind == TextureKind::Cube || kind == TextureKind::CubeArray;
    Size size{random_size(random), flat ? 1 : random_size(random), depth};
    if (cube)
        size.height = size.width;
    std::vector<Size> sizes{size};
    const unsigned levels = 1 + random.below(9);
    while (sizes.size() < levels && (size.width > 1 || size.height > 1)) {
        size.width = std::max(1U, size.width / 2);
        size.height = std::max(1U, size.height / 2);
        if (kind == TextureKind::Tex3D)
            size.depth = std::max(1U, size.depth / 2);
        sizes.push_back(size);
    }
    return sizes;
}

exec::SamplerDescriptor random_sampler(Random& random, const std::vector<Wrap>& wraps) {
    exec::SamplerDescriptor s;
    s.modes.wrap_s = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.modes.wrap_t = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.modes.wrap_r = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.modes.min_filter = random.one_in(3) ? Filter::Nearest : Filter::Linear;
    s.modes.mag_filter = random.one_in(3) ? Filter::Nearest : Filter::Linear;
    s.modes.mip_filter = static_cast<MipFilter>(random.below(3));
    s.modes.normalized = !random.one_in(8);
    if (random.one_in(3))
        s.lod_bias = static_cast<int16_t>(random.below(2048)) - 1024;
    if (random.one_in(3))
        s.min_lod = static_cast<uint16_t>(random.below(1024));
    if (random.one_in(3))
        s.max_lod = static_cast<uint16_t>(random.below(2048));
    for (uint32_t& b : s.border)
        b = as_bits(uniform(random, -0.5F, 1.5F));
    return s;
}

SampleCase::SampleCase(Random& random,
                       exec::TextureKind kind,
                       exec::Format format,
                       const std::vector<Size>& sizes,
                       const exec::SamplerDescriptor& state,
                       unsigned samples)
    : texture(
          kind,
          format,
          sizes,
          [&](auto, auto, auto, auto, auto, uint8_t* texel) {
              for (unsigned i = 0; i < exec::format_info(format).block_bytes; ++i)
                  texel[i] = static_cast<uint8_t>(random.next());
          },
          samples)
    , sampler(state) {
    exec::TextureDescriptor& d = texture.descriptor;
    pad_slices();
    if (exec::format_info(format).block_bytes == 4 && samples == 1 && random.one_in(2))
        copy_footprints();
    d.power_of_two = std::has_single_bit(sizes[0].width) && std::has_single_bit(sizes[0].height);
    if (random.one_in(3))
        for (exec::Swizzle& s : d.swizzle)
            s = static_cast<exec::Swizzle>(random.below(6));
    if (sizes.size() > 1 && random.one_in(4)) {  // a view that starts at level 1
        d.first_level = 1;
        --d.level_count;
        d.power_of_two =
            std::has_single_bit(d.levels[1].width) && std::has_single_bit(d.levels[1].height);
    }
    test.tables.textures = &d;
    test.tables.texture_count = 1;
    test.tables.samplers = &sampler;
    test.tables.sampler_count = 1;
    test.immediates = {kHandles, 0};
    set_keys();
    test.pressure = random.one_in(3);
    if (random.one_in(3))
        test.lanes = static_cast<uint16_t>(random.next());
}

void SampleCase::set_keys() {
    const auto set = [&](auto& key) {
        key.texture_units = key.sampler_units = 1;
        key.textures[0] = raster::texture_key(texture.descriptor);
        key.samplers[0] = sampler.modes;
    };
    set(test.vertex);
    set(test.fragment);
}

/// Moves the levels to one range of memory, in which slices are whole cache lines, as in the
/// rasterizer. The padding contains no texels.
void SampleCase::pad_slices() {
    constexpr uint64_t line = 64;
    exec::TextureDescriptor& d = texture.descriptor;
    const uint32_t texel_bytes = exec::format_info(d.format).block_bytes;
    const auto padded = [](uint64_t bytes) { return (bytes + line - 1) / line * line; };
    uint64_t size = exec::read_slack(d.levels[0], texel_bytes);
    for (unsigned l = 0; l < d.level_count; ++l)
        size += padded(d.levels[l].slice_bytes) * d.levels[l].depth;
    padded_.assign(size, 0xA5);
    uint8_t* to = padded_.data();
    for (unsigned l = 0; l < d.level_count; ++l) {
        exec::TextureLevel& level = d.levels[l];
        const uint64_t bytes = padded(level.slice_bytes);
        for (uint32_t z = 0; z < level.depth; ++z)
            std::memcpy(to + z * bytes, level.data + z * level.slice_bytes, level.slice_bytes);
        level.data = to;
        level.slice_bytes = bytes;
        to += bytes * level.depth;
    }
}

/// Gives the texture a copy of footprints. Its padding contains none.
void SampleCase::copy_footprints() {
    exec::TextureDescriptor& d = texture.descriptor;
    footprints_.assign(padded_.size() * 4, 0x5A);
    d.footprints = reinterpret_cast<uint64_t>(footprints_.data()) -
                   4 * reinterpret_cast<uint64_t>(padded_.data());
    for (unsigned l = 0; l < d.level_count; ++l) {
        const exec::TextureLevel& level = d.levels[l];
        const auto texel = [&](uint32_t x, uint32_t y, uint32_t z) {
            return level.data + z * level.slice_bytes +
                   4 * (exec::column_element(x) + exec::row_element(y, level.tiles_per_row));
        };
        for (uint32_t z = 0; z < level.depth; ++z)
            for (uint32_t y = 0; y < level.height; ++y)
                for (uint32_t x = 0; x < level.width; ++x)
                    for (uint32_t i = 0; i < 16; ++i) {
                        const uint32_t right = (x + i % 2) % level.width;
                        const uint32_t lower = (y + i / 2 % 2) % level.height;
                        const ptrdiff_t at = texel(x, y, z) - padded_.data();
                        footprints_[4 * at + i] = texel(right, lower, z)[i / 4] ^ 0x80;
                    }
    }
}

std::string run_of(unsigned first, unsigned count) {
    std::string text = "@r" + std::to_string(first);
    for (unsigned i = 1; i < count; ++i)
        text += ":r" + std::to_string(first + i);
    return text;
}

std::string sample_text(Random& random, const char* dimension, unsigned operands, bool& lod) {
    const unsigned mode = random.below(4);
    lod = mode >= 2;
    const unsigned mask = random.below(std::size(kMasks));
    const bool half = random.one_in(6);
    const unsigned results = half ? (kMaskCounts[mask] + 1) / 2 : kMaskCounts[mask];
    return std::string("TEX_SINGLE.slot0.f") + (half ? ".16" : ".32") + "." + dimension + "." +
           kModes[mode] + kMasks[mask] + ".wait0 " + run_of(8, results) + ", " +
           run_of(0, operands + (lod ? 1 : 0)) + ", u0\n";
}

void fill_lod(MessageCase& test, Random& random, unsigned index) {
    const bool same = random.one_in(2);
    const uint32_t common = random.below(4096) - 512;
    for (uint32_t& word : test.inputs[index].v) {
        const uint32_t low = same ? common : random.below(4096) - 512;
        const uint32_t high = random.one_in(2) ? 0 : random.below(1024);
        word = (low & 0xFFFF) | high << 16;
    }
}

void check(SampleCase& sample) {
    const std::string report = message_disagreement(sample.test);
    if (report.empty())
        return;
    const exec::SamplerDescriptor& s = sample.sampler;
    const exec::TextureDescriptor& t = sample.texture.descriptor;
    FAIL_CHECK(report << "format " << exec::format_info(t.format).name << ", "
                      << t.levels[t.first_level].width << "x" << t.levels[t.first_level].height
                      << ", levels " << int(t.level_count) << ", wrap " << int(s.modes.wrap_s)
                      << " " << int(s.modes.wrap_t) << ", filters " << int(s.modes.min_filter)
                      << int(s.modes.mag_filter) << int(s.modes.mip_filter) << ", normalized "
                      << s.modes.normalized << ", lanes " << std::hex << sample.test.lanes);
}

void fill_layers(Random& random, exec::Lanes& layers) {
    for (uint32_t& word : layers.v)
        word = as_bits(random.one_in(6) ? coordinate(random, Coordinates::Wild)
                                        : static_cast<float>(random.below(16)) / 2);
}

void fill_cube(Random& random, MessageCase& test) {
    const uint32_t common = random.below(8);
    const bool inside = random.one_in(2);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const uint32_t face = random.one_in(12) ? random.below(8) : common;
        const float low = inside ? 0.3F : 0.0F;
        const float s = random.one_in(12) ? 0.0F : uniform(random, low, 1 - low);
        const float t = random.one_in(12) ? 1.0F : uniform(random, low, 1 - low);
        test.inputs[0].v[lane] = face << 29 | (as_bits(s) & 0x1FFFFFFF);
        test.inputs[1].v[lane] = as_bits(t);
    }
}

void fill_depths(const exec::TextureDescriptor& texture,
                 Random& random,
                 MessageCase& test,
                 unsigned reference) {
    const bool is_float = exec::format_info(texture.format).type == exec::ChannelType::Float;
    for (unsigned l = 0; is_float && l < texture.first_level + texture.level_count; ++l) {
        const exec::TextureLevel& level = texture.levels[l];
        for (uint64_t i = 0; i + 4 <= level.slice_bytes; i += 4) {
            const uint32_t bits = random.one_in(16)
                                      ? random.next32()
                                      : as_bits(static_cast<float>(random.below(9)) / 8);
            std::memcpy(const_cast<uint8_t*>(level.data) + i, &bits, 4);
        }
    }
    for (uint32_t& word : test.inputs[reference].v)
        word = as_bits(random.one_in(8) ? coordinate(random, Coordinates::Wild)
                                        : static_cast<float>(random.below(12)) / 8);
}

}  // namespace valkyr::test

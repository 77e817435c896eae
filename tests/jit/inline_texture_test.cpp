// Texture messages: expanded code, the routine and the interpreter give the same registers.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "jit/harness.hpp"
#include "jit/message_run.hpp"
#include "raster/state_keys.hpp"
#include "raster_env/texture_fixture.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <string>

namespace valkyr::test {
namespace {

using exec::Filter;
using exec::Format;
using exec::MipFilter;
using exec::TextureKind;
using exec::Wrap;

constexpr uint32_t kHandles = 4U << 27 | 3U << 11;  // narrow form: texture 0, sampler 0

float uniform(Random& random, float low, float high) {
    return low + (high - low) * (static_cast<float>(random.below(1U << 20)) / (1U << 20));
}

template <typename T, size_t N>
T pick(Random& random, const T (&from)[N]) {
    return from[random.below(N)];
}

/// What kind of numbers a case samples at.
enum class Coordinates { Smooth, Wild, Seams };

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

/// Coordinates of 16 lanes: an affine picture with a random scale, or independent numbers.
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

uint32_t random_size(Random& random) {
    switch (random.below(4)) {
    case 0: return 1 + random.below(5);
    case 1: return 1U << random.below(8);
    case 2: return 1 + random.below(300);
    default: return 16;
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
    s.wrap_s = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.wrap_t = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.wrap_r = wraps[random.below(static_cast<uint32_t>(wraps.size()))];
    s.min_filter = random.one_in(3) ? Filter::Nearest : Filter::Linear;
    s.mag_filter = random.one_in(3) ? Filter::Nearest : Filter::Linear;
    s.mip_filter = static_cast<MipFilter>(random.below(3));
    s.normalized = !random.one_in(8);
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

/// A texture of random bytes, the sampler, and the key that belongs to them.
struct SampleCase {
    TestTexture texture;
    exec::SamplerDescriptor sampler;
    MessageCase test;

    SampleCase(Random& random,
               TextureKind kind,
               Format format,
               const std::vector<Size>& sizes,
               const exec::SamplerDescriptor& state)
        : texture(kind,
                  format,
                  sizes,
                  [&](auto, auto, auto, auto, auto, uint8_t* texel) {
                      for (unsigned i = 0; i < exec::format_info(format).block_bytes; ++i)
                          texel[i] = static_cast<uint8_t>(random.next());
                  })
        , sampler(state) {
        exec::TextureDescriptor& d = texture.descriptor;
        for (unsigned l = 0; l < d.level_count; ++l)
            pad_slices(d.levels[l]);
        d.power_of_two =
            std::has_single_bit(sizes[0].width) && std::has_single_bit(sizes[0].height);
        if (random.one_in(3))
            for (exec::Swizzle& s : d.swizzle)
                s = static_cast<exec::Swizzle>(random.below(6));
        if (sizes.size() > 1 && random.one_in(4)) {  // a view without the first level
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
        const auto set = [&](auto& key) {
            key.texture_units = key.sampler_units = 1;
            key.textures[0] = raster::texture_key(d);
            key.samplers[0] = raster::sampler_key(sampler);
        };
        set(test.vertex);
        set(test.fragment);
        if (random.one_in(3))
            test.lanes = static_cast<uint16_t>(random.next());
    }
    SampleCase(const SampleCase&) = delete;
    SampleCase& operator=(const SampleCase&) = delete;

private:
    /// Moves a level to where slices are whole cache lines, as the rasterizer keeps them; what lies
    /// between them is no texel.
    void pad_slices(exec::TextureLevel& level) {
        constexpr uint64_t line = 64;
        const uint64_t bytes = (level.slice_bytes + line - 1) / line * line;
        std::vector<uint8_t>& data = padded_.emplace_back(bytes * level.depth + line, 0xA5);
        for (uint32_t z = 0; z < level.depth; ++z)
            std::memcpy(data.data() + z * bytes, level.data + z * level.slice_bytes,
                        level.slice_bytes);
        level.data = data.data();
        level.slice_bytes = bytes;
    }

    std::vector<std::vector<uint8_t>> padded_;
};

std::string run_of(unsigned first, unsigned count) {
    std::string text = "@r" + std::to_string(first);
    for (unsigned i = 1; i < count; ++i)
        text += ":r" + std::to_string(first + i);
    return text;
}

constexpr const char* kModes[] = {"zero", "computed", "explicit", "computed_bias"};
constexpr const char* kMasks[] = {"", "", ".r", ".rg", ".rgb", ".a", ".ga"};
constexpr unsigned kMaskCounts[] = {4, 4, 1, 2, 3, 1, 2};

/// TEX_SINGLE with random modifiers; operands in r0.., results from r8.
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
                      << ", levels " << int(t.level_count) << ", wrap " << int(s.wrap_s) << " "
                      << int(s.wrap_t) << ", filters " << int(s.min_filter) << int(s.mag_filter)
                      << int(s.mip_filter) << ", normalized " << s.normalized << ", lanes "
                      << std::hex << sample.test.lanes);
}

const std::vector<Wrap> kSimpleWraps = {Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirrorRepeat,
                                        Wrap::MirrorClampToEdge};
const std::vector<Wrap> kAllWraps = {
    Wrap::Repeat,       Wrap::ClampToEdge,       Wrap::ClampToBorder,
    Wrap::MirrorRepeat, Wrap::MirrorClampToEdge, Wrap::MirrorClampToBorder,
    Wrap::Clamp,        Wrap::MirrorClamp};

constexpr Format kSmallFormats[] = {
    Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R8_UNORM, Format::R8G8_UNORM,
    Format::R8G8B8_UNORM,   Format::R8G8B8X8_UNORM, Format::A8_UNORM, Format::L8_UNORM,
    Format::L8A8_UNORM,     Format::A8B8G8R8_UNORM, Format::I8_UNORM};

constexpr Format kNumberFormats[] = {Format::R32G32B32A32_FLOAT,
                                     Format::R16G16B16A16_FLOAT,
                                     Format::R32_FLOAT,
                                     Format::R16_FLOAT,
                                     Format::R11G11B10_FLOAT,
                                     Format::R10G10B10A2_UNORM,
                                     Format::R16G16B16A16_UNORM,
                                     Format::R16_SNORM,
                                     Format::R32G32B32_FLOAT,
                                     Format::R16G16B16_UNORM,
                                     Format::D16_UNORM,
                                     Format::D24_UNORM_S8_UINT,
                                     Format::D32_FLOAT,
                                     Format::R8G8B8A8_SRGB,
                                     Format::B8G8R8X8_SRGB,
                                     Format::R8G8B8_SRGB,
                                     Format::L8_SRGB};
constexpr Format kDepthFormats[] = {Format::D16_UNORM, Format::D24_UNORM_S8_UINT,
                                    Format::D32_FLOAT, Format::D32_FLOAT_S8X24_UINT,
                                    Format::R32_FLOAT, Format::R16_SNORM};

/// Depths with few different values, so that compares for equality pass, and any bits.
void fill_depths(const exec::TextureDescriptor& texture, Random& random, MessageCase& test) {
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
    for (uint32_t& word : test.inputs[2].v)
        word = as_bits(random.one_in(8) ? coordinate(random, Coordinates::Wild)
                                        : static_cast<float>(random.below(12)) / 8);
}

void check_shadow(uint64_t seed, Format format) {
    Random random(seed);
    const std::vector<Size> sizes = mip_sizes(random, TextureKind::Tex2D, 1);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    state.compare_enable = !random.one_in(8);
    state.compare = static_cast<exec::CompareFunc>(random.below(8));
    SampleCase sample(random, TextureKind::Tex2D, format, sizes, state);
    bool lod = false;
    sample.test.body = sample_text(random, "2d.shadow", 3, lod);
    fill_coordinates(sample.test, random, 2, state.normalized ? 1.0F : 64.0F);
    fill_depths(sample.texture.descriptor, random, sample.test);
    if (lod)
        fill_lod(sample.test, random, 3);
    check(sample);
}

void check_random(uint64_t seed,
                  TextureKind kind,
                  const char* dimension,
                  unsigned coordinates,
                  Format format,
                  const std::vector<Wrap>& wraps) {
    Random random(seed);
    const std::vector<Size> sizes = mip_sizes(random, kind, 1);
    SampleCase sample(random, kind, format, sizes, random_sampler(random, wraps));
    bool lod = false;
    sample.test.body = sample_text(random, dimension, coordinates, lod);
    const bool texels = kind == TextureKind::Rect || !sample.sampler.normalized;
    fill_coordinates(sample.test, random, coordinates, texels ? 64.0F : 1.0F);
    if (lod)
        fill_lod(sample.test, random, coordinates);
    check(sample);
}

}  // namespace

TEST_CASE("2D textures of small unorm formats") {
    for (unsigned i = 0; i < rounds(500); ++i)
        check_random(0x2D0000 + i, TextureKind::Tex2D, "2d", 2,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
}

TEST_CASE("1D and rectangle textures") {
    for (unsigned i = 0; i < rounds(60); ++i) {
        check_random(0x1D0000 + i, TextureKind::Tex1D, "1d", 1,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
        check_random(0x3D0000 + i, TextureKind::Rect, "2d", 2,
                     kSmallFormats[i % std::size(kSmallFormats)], kSimpleWraps);
    }
}

TEST_CASE("2D textures of numbers") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_random(0x4D0000 + i, TextureKind::Tex2D, "2d", 2,
                     kNumberFormats[i % std::size(kNumberFormats)], kSimpleWraps);
}

TEST_CASE("shadow compares") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_shadow(0x5AD0000 + i, kDepthFormats[i % std::size(kDepthFormats)]);
}

namespace {

/// A kind of texture with slices, and how it is sampled.
struct SliceCase {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    unsigned slices;
};
constexpr SliceCase kSliceCases[] = {{TextureKind::Tex2DArray, "2d.array_enable", 2, 5},
                                     {TextureKind::Tex3D, "3d", 3, 7},
                                     {TextureKind::Cube, "cube", 2, 6},
                                     {TextureKind::Tex1DArray, "1d.array_enable", 1, 4},
                                     {TextureKind::CubeArray, "cube.array_enable", 2, 18},
                                     {TextureKind::Tex2DArray, "2d", 2, 3}};

void fill_layers(Random& random, exec::Lanes& layers) {
    for (uint32_t& word : layers.v)
        word = as_bits(random.one_in(6) ? coordinate(random, Coordinates::Wild)
                                        : static_cast<float>(random.below(16)) / 2);
}

/// Face and s in the first register, t in the second; most lanes of a quad look at one face.
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

void check_slices(uint64_t seed, const SliceCase& slices, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    const bool cube = std::string(slices.dimension).starts_with("cube");
    state.seamless_cube = !random.one_in(4);
    state.normalized |= cube;
    SampleCase sample(random, slices.kind, format, mip_sizes(random, slices.kind, slices.slices),
                      state);
    exec::TextureDescriptor& view = sample.texture.descriptor;
    if (slices.kind == TextureKind::Tex2DArray && random.one_in(2)) {
        view.first_layer = 1;
        view.layer_count = slices.slices - 1;
    } else if (slices.kind == TextureKind::CubeArray && random.one_in(2)) {
        view.first_layer = 6;
        view.layer_count = 9;
    }
    sample.test.vertex.textures[0] = sample.test.fragment.textures[0] = raster::texture_key(view);
    const bool array = std::string(slices.dimension).ends_with("array_enable");
    const unsigned operands = slices.coordinates + (array ? 1 : 0);
    bool lod = false;
    do
        sample.test.body = sample_text(random, slices.dimension, operands, lod);
    while (lod && operands == kMessageInputs);
    fill_coordinates(sample.test, random, slices.coordinates, state.normalized ? 1.0F : 16.0F);
    if (cube)
        fill_cube(random, sample.test);
    if (array)
        fill_layers(random, sample.test.inputs[slices.coordinates]);
    if (lod)
        fill_lod(sample.test, random, operands);
    check(sample);
}

}  // namespace

TEST_CASE("arrays, 3D textures and cube maps") {
    for (unsigned i = 0; i < rounds(480); ++i)
        check_slices(0x51CE0000 + i, kSliceCases[i % std::size(kSliceCases)],
                     i % 7 < 4 ? kSmallFormats[i % std::size(kSmallFormats)]
                               : kNumberFormats[i % std::size(kNumberFormats)]);
}

namespace {

/// An array of textures that are compared; the reference comes after the layer.
void check_shadow_array(uint64_t seed, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    state.compare_enable = true;
    state.compare = static_cast<exec::CompareFunc>(random.below(8));
    SampleCase sample(random, TextureKind::Tex2DArray, format,
                      mip_sizes(random, TextureKind::Tex2DArray, 3), state);
    bool lod = false;
    do
        sample.test.body = sample_text(random, "2d.shadow.array_enable", 4, lod);
    while (lod);
    fill_coordinates(sample.test, random, 2, state.normalized ? 1.0F : 16.0F);
    fill_layers(random, sample.test.inputs[2]);
    for (uint32_t& word : sample.test.inputs[3].v)
        word = as_bits(uniform(random, 0, 1));
    check(sample);
}

}  // namespace

TEST_CASE("slices with padding: compared arrays of 16-bit texels") {
    for (unsigned i = 0; i < rounds(120); ++i)
        check_shadow_array(0x5AD0A000 + i, i % 2 ? Format::B5G6R5_UNORM : Format::D16_UNORM);
}

TEST_CASE("slices with padding: cube maps of 16-bit texels") {
    for (unsigned i = 0; i < rounds(120); ++i)
        check_slices(0xC0BE0000 + i, {TextureKind::Cube, "cube", 2, 6},
                     i % 2 ? Format::R16_FLOAT : Format::D16_UNORM);
}

TEST_CASE("slices with padding: texels of 3, 6 and 12 bytes") {
    constexpr Format formats[] = {Format::R8G8B8_UNORM, Format::R16G16B16_UNORM,
                                  Format::R32G32B32_FLOAT};
    for (unsigned i = 0; i < rounds(120); ++i)
        check_slices(0x3B17E5 + i, kSliceCases[i / 3 % std::size(kSliceCases)], formats[i % 3]);
}

namespace {

struct FetchCase {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    bool array;
    unsigned slices;
};
constexpr FetchCase kFetchCases[] = {{TextureKind::Tex2D, "2d", 2, false, 1},
                                     {TextureKind::Tex2DArray, "2d", 2, true, 5},
                                     {TextureKind::Tex3D, "3d", 3, false, 6},
                                     {TextureKind::Tex1D, "1d", 1, false, 1},
                                     {TextureKind::Cube, "2d", 2, true, 6}};

void check_fetch(uint64_t seed, const FetchCase& fetch, Format format) {
    Random random(seed);
    SampleCase sample(random, fetch.kind, format, mip_sizes(random, fetch.kind, fetch.slices),
                      random_sampler(random, kSimpleWraps));
    const bool offset = random.one_in(2) && fetch.coordinates + (fetch.array ? 1 : 0) < 4;
    const unsigned operands = fetch.coordinates + (fetch.array ? 1 : 0) + (offset ? 1 : 0);
    sample.test.body = std::string("TEX_FETCH.slot0.f.32.") + fetch.dimension +
                       (fetch.array ? ".array_enable" : "") + (offset ? ".texel_offset" : "") +
                       ".wait0 @r8:r9:r10:r11, " + run_of(0, operands) + ", u0\n";
    constexpr uint32_t reaches[] = {4, 20, 300};
    const uint32_t reach = pick(random, reaches);
    for (exec::Lanes& input : sample.test.inputs)
        for (uint32_t& word : input.v)
            word = random.one_in(24) ? random.next32() : random.below(reach) - 1;
    if (offset)
        for (uint32_t& word : sample.test.inputs[operands - 1].v)
            word = (random.below(4) << 24) | (random.one_in(2) ? random.next32() & 0x00070707 : 0) |
                   (random.one_in(8) ? random.next32() : 0);
    check(sample);
}

}  // namespace

TEST_CASE("fetches of any format") {
    for (unsigned i = 0; i < rounds(500); ++i)
        check_fetch(0xFE7C0000 + i, kFetchCases[i % std::size(kFetchCases)],
                    static_cast<Format>(1 + i % (exec::kFormatCount - 1)));
}

TEST_CASE("any format, any wrap mode") {
    for (unsigned i = 0; i < rounds(200); ++i)
        check_random(0x5D0000 + i, TextureKind::Tex2D, "2d", 2,
                     static_cast<Format>(1 + i % (exec::kFormatCount - 1)), kAllWraps);
}

TEST_CASE("common textures call no routine") {
    for (unsigned i = 0; i < 48; ++i) {
        Random random(0xCA11 + i);
        exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
        state.mip_filter = static_cast<MipFilter>(i % 3);
        state.compare_enable = i % 4 == 0;
        const Format format = state.compare_enable ? kDepthFormats[i / 4 % std::size(kDepthFormats)]
                              : i % 4 == 1 ? kNumberFormats[i / 4 % std::size(kNumberFormats)]
                                           : kSmallFormats[i % std::size(kSmallFormats)];
        SampleCase sample(random, TextureKind::Tex2D, format,
                          mip_sizes(random, TextureKind::Tex2D, 1), state);
        bool lod = false;
        do
            sample.test.body = state.compare_enable ? sample_text(random, "2d.shadow", 3, lod)
                                                    : sample_text(random, "2d", 2, lod);
        while (sample.test.body.find(".16.") != std::string::npos);
        fill_coordinates(sample.test, random, 2, 1);
        sample.test.lanes = 0xFFFF;
        CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body,
                      exec::format_info(format).name);
    }
}

TEST_CASE("slices and fetches call no routine") {
    for (unsigned i = 0; i < 20; ++i) {
        Random random(0x5CA11 + i);
        exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
        const SliceCase& slices = kSliceCases[i / 2 % 2];  // 2D arrays and 3D textures
        SampleCase sample(random, slices.kind, Format::R8G8B8A8_UNORM,
                          mip_sizes(random, slices.kind, slices.slices), state);
        sample.test.lanes = 0xFFFF;
        bool lod = false;
        sample.test.body = i % 2 ? std::string("TEX_FETCH.slot0.f.32.") + slices.dimension +
                                       ".wait0 @r8:r9:r10:r11, " + run_of(0, 3) + ", u0\n"
                                 : sample_text(random, slices.dimension, 3, lod);
        CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body);
    }
}

}  // namespace valkyr::test

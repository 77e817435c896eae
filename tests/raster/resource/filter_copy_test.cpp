// Filter copy test: copies have the right texels, and no call leaves a stale one in use.
// SPDX-License-Identifier: MIT
#include "raster/formats/format_convert.hpp"
#include "raster/texture_memory.hpp"
#include "tests/raster/device/compute_bench.hpp"
#include "tests/support/random.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

constexpr uint32_t kSize = 40;

TextureDesc srgb(Format format = Format::R8G8B8A8_SRGB) {
    TextureDesc desc;
    desc.format = format;
    desc.width = desc.height = kSize;
    desc.levels = 3;
    desc.render_target = true;
    return desc;
}

/// A texture of no device.
std::shared_ptr<TextureImpl> texture_of(const DeviceTag& tag, const TextureDesc& desc) {
    return must(TextureImpl::create(&tag, desc));
}

/// A device whose textures have copies.
struct CopyingTag : DeviceTag {
    CopyingTag() { copies = std::make_shared<KeptCopies>(); }
};

/// Returns whether the texture has a copy for views of its own format.
bool has_copy(TextureImpl& texture) {
    return texture.filter_copy().holds(texture, texture.desc().format);
}

std::vector<Format> copied_formats(const TextureImpl& texture, CopyKind kind) {
    std::vector<Format> formats;
    for (unsigned i = 1; i < exec::kFormatCount; ++i)
        if (FilterCopy::kind_for(texture, static_cast<Format>(i)) == kind)
            formats.push_back(static_cast<Format>(i));
    return formats;
}

/// A device that draws texture 0 over a target, a little smaller or larger than it is.
struct Bench {
    std::unique_ptr<Device> device;
    scenes::SceneKit kit;

    Bench(Engine engine, FilterCopies copies)
        : device(make(engine, copies))
        , kit(*device) {
        kit.size(48, 36);
        kit.add_color(Format::R8G8B8A8_UNORM);
        kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
        SamplerState& sampler = kit.state.fragment().samplers.emplace_back();
        sampler.min_filter = sampler.mag_filter = Filter::Linear;
        sampler.mip_filter = MipFilter::Linear;
        sampler.lod_bias = 0.6F;
    }

    static std::unique_ptr<Device> make(Engine engine, FilterCopies copies) {
        DeviceOptions options;
        options.engine = engine;
        options.filter_copies = copies;
        options.threads = 2;
        return must(gpu::create_device(options));
    }

    /// Bytes of all copies of the texture's device.
    static uint64_t copied_bytes(const TextureRef& texture) {
        return static_cast<TextureImpl&>(*texture).owner()->copies->bytes;
    }

    TextureRef texture(const TextureDesc& desc, uint64_t seed = 1) {
        TextureRef texture = kit.texture(desc);
        fill(texture, seed);
        return texture;
    }

    /// Writes random texels to all levels.
    void fill(const TextureRef& texture, uint64_t seed) {
        const TextureDesc& desc = texture->desc();
        Random random(seed);
        for (uint32_t l = 0; l < desc.levels; ++l) {
            const size_t slices =
                desc.kind == TextureKind::Tex3D ? std::max(desc.depth >> l, 1U) : desc.layers;
            std::vector<uint8_t> texels(slices * std::max(desc.width >> l, 1U) *
                                        std::max(desc.height >> l, 1U) * 4);
            for (uint8_t& byte : texels)
                byte = static_cast<uint8_t>(random.next());
            kit.write_level(texture, l, texels);
        }
    }

    void draw(const TextureView& view, const char* target = "2D") {
        kit.state.fragment().textures = {view};
        kit.shaders("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n",
                    std::string("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n"
                                "DCL SAMP[0]\nDCL SVIEW[0], ") +
                        target +
                        ", FLOAT\nDCL TEMP[0]\nIMM[0] FLT32 {0.7, 0.45, 0.3, 0.0}\n"
                        "MAD TEMP[0], IN[0].xyxy, IMM[0].xyzz, IMM[0].yxyy\n"
                        "TEX OUT[0], TEMP[0], SAMP[0], " +
                        target + "\nEND\n");
        kit.draw(3);
    }

    std::vector<uint8_t> sample(const TextureView& view, const char* target = "2D") {
        draw(view, target);
        return kit.shots()[0].bytes;
    }
};

}  // namespace

TEST_CASE("a copy has the numbers of every texel, in all formats with codes in words") {
    CopyingTag tag;
    tag.runner = [](uint32_t count, const std::function<void(uint32_t, uint32_t)>& rows) {
        for (uint32_t k = count; k > 0; --k)
            rows(k - 1, k);
        return Result<void>();
    };
    Random random(3);
    const auto formats = copied_formats(*texture_of(tag, srgb()), CopyKind::Decoded);
    CHECK(formats.size() == 8);
    for (const Format format : formats) {
        CAPTURE(exec::format_info(format).name);
        TextureDesc desc = srgb(format);
        desc.width = 300;  // level 0 is decoded by the threads, others are not
        desc.height = 290;
        const auto texture = texture_of(tag, desc);
        const auto bytes = texture->memory()[0];
        for (std::byte& byte : bytes)
            byte = static_cast<std::byte>(random.next());
        REQUIRE(has_copy(*texture));
        const auto& levels = texture->filter_copy().levels();
        REQUIRE(levels.size() == 3);
        size_t wrong = 0;
        for (uint32_t l = 0; l < 3; ++l)
            for (uint64_t i = 0; i < texture->level(l).slice_bytes / 4; ++i) {
                const Values texel =
                    decode_texel(exec::format_info(format), texture->level(l).data + 4 * i);
                std::array<uint32_t, 4> copied;
                std::memcpy(copied.data(), levels[l].data + 16 * i, 16);
                for (size_t c = 0; c < 4; ++c)
                    if (exec::format_info(format).swizzle[c] <= Swizzle::W)
                        wrong += copied[c] != texel[c] ? 1 : 0;
            }
        CHECK(wrong == 0);
    }
}

namespace {

/// Returns the bytes of a texture's footprints that are not those of its texels.
size_t wrong_footprints(TextureImpl& texture) {
    const uint64_t footprints = texture.filter_copy().footprints(texture);
    size_t wrong = 0;
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        const exec::TextureLevel& level = texture.level(l);
        for (uint32_t z = 0; z < level.depth; ++z) {
            const auto texel = [&](uint32_t x, uint32_t y) {
                return texture.slice(l, z) +
                       4 * (exec::column_element(x % level.width) +
                            exec::row_element(y % level.height, level.tiles_per_row));
            };
            for (uint32_t i = 0; i < level.width * level.height; ++i) {
                const uint32_t x = i % level.width;
                const uint32_t y = i / level.width;
                const auto* footprint = reinterpret_cast<const uint8_t*>(
                    4 * reinterpret_cast<uint64_t>(texel(x, y)) + footprints);
                for (uint32_t c = 0; c < 4; ++c) {
                    const std::array<uint8_t, 4> bytes{texel(x, y)[c], texel(x + 1, y)[c],
                                                       texel(x, y + 1)[c], texel(x + 1, y + 1)[c]};
                    for (uint32_t k = 0; k < 4; ++k)
                        wrong +=
                            footprint[4 * c + k] + 128U != bytes[k] + (bytes[k] < 128 ? 256U : 0U);
                }
            }
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("a copy has the footprint of every texel") {
    CopyingTag tag;
    tag.copies->at_once = true;
    tag.runner = [](uint32_t count, const std::function<void(uint32_t, uint32_t)>& rows) {
        for (uint32_t k = count; k > 0; --k)
            rows(k - 1, k);
        return Result<void>();
    };
    using Size = std::array<uint32_t, 2>;
    Random random(5);
    for (const TextureKind kind : {TextureKind::Tex2D, TextureKind::Tex2DArray, TextureKind::Tex3D})
        for (const Size size : {Size{1, 1}, Size{1, 9}, Size{4, 8}, Size{37, 22}, Size{300, 290}}) {
            TextureDesc desc = srgb(Format::R8G8B8A8_UNORM);
            desc.kind = kind;
            desc.width = size[0];
            desc.height = size[1];
            desc.levels = size[0] == 1 ? 1 : 3;
            (kind == TextureKind::Tex3D ? desc.depth : desc.layers) =
                kind == TextureKind::Tex2D ? 1 : 3;
            CAPTURE(size[0]);
            const auto texture = texture_of(tag, desc);
            const auto bytes = texture->memory()[0];
            for (std::byte& byte : bytes)
                byte = static_cast<std::byte>(random.next());
            REQUIRE(has_copy(*texture));
            CHECK(wrong_footprints(*texture) == 0);
        }
}

TEST_CASE("textures of other texels than bytes in words have no copies") {
    const CopyingTag tag;
    const auto has_none = [&](const TextureDesc& desc) {
        const auto texture = texture_of(tag, desc);
        return copied_formats(*texture, CopyKind::Decoded).empty() &&
               copied_formats(*texture, CopyKind::Footprints).empty();
    };
    CHECK(has_none(srgb(Format::R8_SRGB)));
    CHECK(has_none(srgb(Format::R8G8_SRGB)));
    CHECK(has_none(srgb(Format::R16G16B16A16_UNORM)));
    CHECK(has_none(srgb(Format::D24_UNORM_S8_UINT)));
    TextureDesc samples = srgb();
    samples.kind = TextureKind::Tex2DMs;
    samples.levels = 1;
    samples.samples = 4;
    CHECK(has_none(samples));
    const auto plain = texture_of(tag, srgb(Format::R8G8B8A8_UNORM));
    CHECK(FilterCopy::kind_for(*plain, Format::R8G8B8A8_UNORM) == CopyKind::Footprints);
    CHECK(FilterCopy::kind_for(*plain, Format::R8G8B8A8_SNORM) == CopyKind::None);
    CHECK(FilterCopy::kind_for(*plain, Format::R8G8B8A8_UINT) == CopyKind::None);
    CHECK(FilterCopy::kind_for(*plain, Format::R10G10B10A2_UNORM) == CopyKind::None);
    CHECK(copied_formats(*plain, CopyKind::Decoded).size() == 8);  // a view may read it as sRGB
}

TEST_CASE("copies are made for contents that stay for some passes, later ones for more") {
    struct Waits {
        Format format, other;
        bool other_has;  ///< whether views of the other format have the same copy
        std::array<uint32_t, 8> passes;
    };
    const std::array<Waits, 2> kWaits{
        {{Format::R8G8B8A8_SRGB, Format::B8G8R8A8_SRGB, false, {0, 2, 4, 8, 16, 32, 64, 64}},
         {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, true, {4, 4, 4, 8, 16, 32, 64, 64}}}};
    for (const Waits& waits : kWaits) {
        CopyingTag tag;
        const auto texture = texture_of(tag, srgb(waits.format));
        for (const uint32_t waited : waits.passes) {
            for (uint32_t pass = 0; pass < waited; ++pass) {
                CHECK_FALSE(has_copy(*texture));
                CHECK_FALSE(has_copy(*texture));  // in the same pass
                ++tag.rendered;
            }
            CHECK(tag.copies->bytes == 0);
            CHECK(has_copy(*texture));
            CHECK(has_copy(*texture));
            CHECK(tag.copies->bytes > 0);
            CHECK(texture->filter_copy().holds(*texture, waits.other) == waits.other_has);
            ++texture->changes;
        }
    }
}

TEST_CASE("devices keep decoded copies where code does not permute bytes as fast as it loads") {
    const auto kept = [](Engine engine, Host host, GatherMethod method) {
        DeviceOptions options;
        options.engine = engine;
        options.host = host;
        options.gather_method = method;
        options.threads = 1;
        const auto device = must(gpu::create_device(options));
        const TextureRef texture = must(device->create_texture(srgb()));
        return static_cast<TextureImpl&>(*texture).owner()->copies;
    };
    CHECK(kept(Engine::Valhall, Host::Auto, GatherMethod::Gathers) == nullptr);
    const auto decodes = [&](Host host, GatherMethod method) {
        const auto copies = kept(Engine::Jit, host, method);
        REQUIRE(copies != nullptr);
        return copies->decoded;
    };
    for (const GatherMethod method : {GatherMethod::Gathers, GatherMethod::Loads}) {
        if (host_supports(HostLevel::Avx2))
            CHECK(decodes(Host::Avx2, method));
        if (host_supports(HostLevel::Avx512))
            CHECK(decodes(Host::Avx512, method) == (method == GatherMethod::Gathers));
        if (host_supports(HostLevel::Neon))
            CHECK(decodes(Host::Neon, method));
    }
}

TEST_CASE("copies of a device take no more memory than their limit, and give it back") {
    CopyingTag tag;
    auto first = texture_of(tag, srgb());
    auto second = texture_of(tag, srgb());
    REQUIRE(has_copy(*first));
    const uint64_t one = tag.copies->bytes;
    tag.copies->bytes = FilterCopy::kMostBytes - one + 1;
    CHECK_FALSE(has_copy(*second));
    tag.copies->bytes = FilterCopy::kMostBytes - one;
    CHECK_FALSE(has_copy(*second));  // the answer holds for the pass
    ++tag.rendered;
    CHECK(has_copy(*second));
    CHECK(tag.copies->bytes == FilterCopy::kMostBytes);
    second.reset();
    CHECK(tag.copies->bytes == FilterCopy::kMostBytes - one);
    tag.copies->bytes = std::numeric_limits<uint64_t>::max();
    CHECK_FALSE(has_copy(*texture_of(tag, srgb())));
    tag.copies->bytes = one;
    first.reset();
    CHECK(tag.copies->bytes == 0);
}

TEST_CASE("large textures have no footprints") {
    CopyingTag tag;
    tag.copies->at_once = true;
    TextureDesc desc = srgb(Format::R8G8B8A8_UNORM);
    desc.levels = 1;
    desc.width = 2048;
    desc.height = FilterCopy::kMostFootprints / desc.width;
    CHECK(has_copy(*texture_of(tag, desc)));
    ++desc.height;
    CHECK_FALSE(has_copy(*texture_of(tag, desc)));
}

TEST_CASE("views of all kinds and formats give the same picture with a copy and without") {
    struct Kind {
        TextureKind kind, seen;
        const char* target;
        uint32_t layers, depth, first_layer;
    };
    using enum TextureKind;
    constexpr std::array<Kind, 5> kKinds{{{Tex2D, Tex2D, "2D", 1, 1, 0},
                                          {Tex2DArray, Tex2DArray, "2D_ARRAY", 5, 1, 2},
                                          {Tex2DArray, Tex2D, "2D", 5, 1, 3},
                                          {Tex3D, Tex3D, "3D", 1, 6, 0},
                                          {Cube, Cube, "CUBE", 6, 1, 0}}};
    for (const Engine engine : {Engine::Valhall, Engine::Jit}) {
        Bench plain(engine, FilterCopies::Never);
        Bench copied(engine, FilterCopies::Always);
        const CopyingTag tag;
        std::vector<Format> formats = copied_formats(*texture_of(tag, srgb()), CopyKind::Decoded);
        formats.push_back(Format::R8G8B8A8_UNORM);
        formats.push_back(Format::B8G8R8X8_UNORM);
        for (const Kind& kind : kKinds)
            for (const Format format : formats)
                for (const Wrap wrap : {Wrap::Repeat, Wrap::ClampToEdge, Wrap::ClampToBorder}) {
                    CAPTURE(kind.target);
                    CAPTURE(exec::format_info(format).name);
                    TextureDesc desc = srgb(format);
                    desc.kind = kind.kind;
                    desc.layers = kind.layers;
                    desc.depth = kind.depth;
                    const auto draw = [&](Bench& bench) {
                        SamplerState& sampler = bench.kit.state.fragment().samplers[0];
                        sampler.wrap_s = sampler.wrap_t = sampler.wrap_r = wrap;
                        sampler.border = {0x3F000000, 0x3E99999A, 0, 0x3F800000};
                        TextureView view{.texture = bench.texture(desc), .kind = kind.seen};
                        view.swizzle = {Swizzle::W, Swizzle::X, Swizzle::One, Swizzle::Y};
                        view.first_layer = kind.first_layer;
                        return bench.sample(view, kind.target);
                    };
                    CHECK(draw(plain) == draw(copied));
                }
    }
}

TEST_CASE("a border outside 0..1 is limited as that of sRGB texels") {
    Bench plain(Engine::Jit, FilterCopies::Never);
    Bench copied(Engine::Jit, FilterCopies::Always);
    for (const float border : {1.5F, -0.5F, std::numeric_limits<float>::quiet_NaN()}) {
        const auto draw = [&](Bench& bench) {
            SamplerState& sampler = bench.kit.state.fragment().samplers[0];
            sampler.wrap_s = sampler.wrap_t = Wrap::ClampToBorder;
            sampler.border.fill(std::bit_cast<uint32_t>(border));
            return bench.sample({.texture = bench.texture(srgb())});
        };
        CHECK(draw(plain) == draw(copied));
    }
}

namespace {

/// A way to change a texture.
struct Change {
    std::string name;
    std::function<void(Bench&, const TextureRef&)> make;
};

void write_box(Bench& bench, const TextureRef& texture) {
    const std::vector<uint8_t> texels(size_t{4} * 8 * 8, 200);
    must(bench.device->write_texture(texture, 0, {3, 5, 0, 8, 8, 1},
                                     std::as_bytes(std::span(texels)), 32));
}

void copy_level(Bench& bench, const TextureRef& texture) {
    const TextureRef other = bench.texture(srgb(texture->desc().format), 9);
    must(bench.device->copy_texture(texture, 0, 0, 0, 0, other, 0, {0, 0, 0, 20, 30, 1}));
}

void clear_box(Bench& bench, const TextureRef& texture) {
    must(bench.device->clear_texture(texture, 0, {4, 4, 0, 30, 9, 1},
                                     {0x3F000000, 0, 0x3F800000, 0x3F800000}));
}

Framebuffer framebuffer_of(const TextureRef& texture) {
    Framebuffer framebuffer;
    framebuffer.color = {{texture, 0, 0}};
    return framebuffer;
}

void clear_attachment(Bench& bench, const TextureRef& texture) {
    ClearInfo info;
    info.set_color(0, {0.25F, 0.5F, 0.75F, 1});
    must(bench.device->clear(framebuffer_of(texture), info));
}

void blit_level(Bench& bench, const TextureRef& texture) {
    BlitInfo info;
    info.source = {
        .texture = bench.texture(srgb(texture->desc().format), 5), .width = 40, .height = 40};
    info.destination = {.texture = texture, .x = 2, .y = 2, .width = 30, .height = 30};
    must(bench.device->blit(info));
}

void draw_to(Bench& bench, const TextureRef& texture) {
    const Framebuffer old = std::exchange(bench.kit.state.framebuffer, framebuffer_of(texture));
    bench.kit.state.fragment().textures = {};
    bench.kit.shaders("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n",
                      "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.1, 0.9, 0.4, 0.6}\n"
                      "MOV OUT[0], IMM[0]\nEND\n");
    bench.kit.draw(3);
    bench.kit.state.framebuffer = old;
}

/// Draws to one level what it samples from the others, as programs make their own mipmaps.
void draw_level(Bench& bench, const TextureRef& texture) {
    Framebuffer framebuffer;
    framebuffer.color = {{texture, 1, 0}};
    const Framebuffer old = std::exchange(bench.kit.state.framebuffer, framebuffer);
    bench.draw({.texture = texture, .level_count = 1});
    bench.kit.state.framebuffer = old;
}

constexpr const char* kStore = "STORE IMAGE[0], TEMP[0], IMM[1], 2D, PIPE_FORMAT_R32_UINT\n";

void store_in_draw(Bench& bench, const TextureRef& texture) {
    bench.kit.state.fragment().images = {{.texture = texture, .format = Format::R32_UINT}};
    bench.kit.shaders("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n",
                      std::string("FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\n"
                                  "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\n"
                                  "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                  "IMM[1] UINT32 {1077952576, 0, 0, 0}\n"
                                  "MOV TEMP[0], IMM[0].xxxx\nF2U TEMP[0].xy, IN[0].xyxy\n") +
                          kStore + "MOV OUT[0], IMM[0]\nEND\n");
    bench.kit.draw(3);
    bench.kit.state.fragment().images = {};
}

void store_in_dispatch(Bench& bench, const TextureRef& texture) {
    DispatchState state;
    state.pipeline = must(bench.device->create_compute_pipeline(
        {must(bench.device->create_shader(compute({8, 4, 1},
                                                  "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"
                                                  "IMM[1] UINT32 {3233857728, 0, 0, 0}\n",
                                                  kStore))),
         0}));
    state.resources.images = {{.texture = texture, .format = Format::R32_UINT}};
    state.resources.textures = {{.texture = texture}};
    must(bench.device->dispatch(state, {2, 3, 1}));
}

void restore_memory(Bench& bench, const TextureRef& texture) {
    const auto parts = must(texture_memory(*bench.device, texture));
    std::fill_n(parts[0].begin(), parts[0].size() / 2, std::byte{77});
}

const std::vector<Change> kChanges{{{"write_texture", write_box},
                                    {"copy_texture", copy_level},
                                    {"clear_texture", clear_box},
                                    {"clear", clear_attachment},
                                    {"blit", blit_level},
                                    {"draw", draw_to},
                                    {"draw to a level", draw_level},
                                    {"image of a draw", store_in_draw},
                                    {"image of a dispatch", store_in_dispatch},
                                    {"texture_memory", restore_memory}}};

}  // namespace

TEST_CASE("draws see what each call has written to a texture with a copy") {
    for (const auto& [engine, format] : {std::pair(Engine::Valhall, Format::R8G8B8A8_SRGB),
                                         std::pair(Engine::Jit, Format::R8G8B8A8_SRGB),
                                         std::pair(Engine::Jit, Format::R8G8B8A8_UNORM)})
        for (const Change& change : kChanges) {
            CAPTURE(change.name);
            Bench plain(engine, FilterCopies::Never);
            Bench copied(engine, FilterCopies::Always);
            const TextureRef texture = copied.texture(srgb(format));
            const TextureRef other = plain.texture(srgb(format));
            // Draws of several passes, of which the later ones have a copy again.
            const auto compare = [&] {
                std::vector<uint8_t> picture;
                for (int pass = 0; pass < 9; ++pass) {
                    picture = copied.sample({.texture = texture});
                    CHECK(picture == plain.sample({.texture = other}));
                }
                CHECK((Bench::copied_bytes(texture) > 0));
                return picture;
            };
            const auto apply = [&](const std::function<void(Bench&, const TextureRef&)>& call) {
                call(copied, texture);
                call(plain, other);
            };
            apply(change.make);  // before there is a copy
            const auto first = compare();
            apply([](Bench& bench, const TextureRef& to) { bench.fill(to, 2); });
            CHECK(compare() != first);
            apply(change.make);
            compare();
        }
}

}  // namespace valkyr::raster::test

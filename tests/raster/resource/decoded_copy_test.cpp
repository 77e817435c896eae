// Decoded copy test: copies hold the numbers of sRGB texels, and no call leaves a stale one in use.
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
    CopyingTag() { decoded = std::make_shared<DecodedBytes>(); }
};

const std::vector<exec::TextureLevel>* copy_levels(TextureImpl& texture) {
    return texture.decoded_copy().levels(texture, texture.desc().format);
}

std::vector<Format> copied_formats(const TextureImpl& texture) {
    std::vector<Format> formats;
    for (unsigned i = 1; i < exec::kFormatCount; ++i)
        if (DecodedCopy::takes(texture, static_cast<Format>(i)))
            formats.push_back(static_cast<Format>(i));
    return formats;
}

/// A device that draws texture 0 over a target, a little smaller or larger than it is.
struct Bench {
    std::unique_ptr<Device> device;
    scenes::SceneKit kit;

    Bench(Engine engine, DecodedCopies copies)
        : device(make(engine, copies))
        , kit(*device) {
        kit.size(48, 36);
        kit.add_color(Format::R8G8B8A8_UNORM);
        kit.vertices({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1}, {4});
        SamplerState& sampler = kit.state.fragment().samplers.emplace_back();
        sampler.mip_filter = MipFilter::Linear;
        sampler.lod_bias = 0.6F;
    }

    static std::unique_ptr<Device> make(Engine engine, DecodedCopies copies) {
        DeviceOptions options;
        options.engine = engine;
        options.decoded_copies = copies;
        options.threads = 2;
        return must(gpu::create_device(options));
    }

    /// Bytes of all copies of the texture's device.
    static uint64_t copied_bytes(const TextureRef& texture) {
        return static_cast<TextureImpl&>(*texture).owner()->decoded->count;
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
    const std::vector<Format> formats = copied_formats(*texture_of(tag, srgb()));
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
        const auto* levels = copy_levels(*texture);
        REQUIRE(levels != nullptr);
        REQUIRE(levels->size() == 3);
        size_t wrong = 0;
        for (uint32_t l = 0; l < 3; ++l)
            for (uint64_t i = 0; i < texture->level(l).slice_bytes / 4; ++i) {
                const Values texel =
                    decode_texel(exec::format_info(format), texture->level(l).data + 4 * i);
                std::array<uint32_t, 4> copied;
                std::memcpy(copied.data(), (*levels)[l].data + 16 * i, 16);
                for (size_t c = 0; c < 4; ++c)
                    if (exec::format_info(format).swizzle[c] <= Swizzle::W)
                        wrong += copied[c] != texel[c] ? 1 : 0;
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("textures without sRGB codes in words have no copies") {
    const CopyingTag tag;
    CHECK(copied_formats(*texture_of(tag, srgb(Format::R8_SRGB))).empty());
    CHECK(copied_formats(*texture_of(tag, srgb(Format::R8G8_SRGB))).empty());
    CHECK(copied_formats(*texture_of(tag, srgb(Format::R16G16B16A16_UNORM))).empty());
    CHECK(copied_formats(*texture_of(tag, srgb(Format::D24_UNORM_S8_UINT))).empty());
    TextureDesc samples = srgb();
    samples.kind = TextureKind::Tex2DMs;
    samples.levels = 1;
    samples.samples = 4;
    CHECK(copied_formats(*texture_of(tag, samples)).empty());
    TextureDesc plain = srgb(Format::R8G8B8A8_UNORM);  // a view may read it as sRGB
    CHECK(!DecodedCopy::takes(*texture_of(tag, plain), plain.format));
    CHECK(copied_formats(*texture_of(tag, plain)).size() == 8);
}

TEST_CASE("the first copy is made at once, further ones for contents that stay for more passes") {
    CopyingTag tag;
    const auto texture = texture_of(tag, srgb());
    for (const uint32_t waited : {0U, 2U, 4U, 8U, 16U, 32U, 64U, 64U}) {
        for (uint32_t pass = 0; pass < waited; ++pass) {
            CHECK(copy_levels(*texture) == nullptr);
            CHECK(copy_levels(*texture) == nullptr);  // in the same pass
            ++tag.rendered;
        }
        CHECK(tag.decoded->count == 0);
        const auto* levels = copy_levels(*texture);
        CHECK(levels != nullptr);
        CHECK(copy_levels(*texture) == levels);
        CHECK(tag.decoded->count > 0);
        // A view of another format reads the texels themselves.
        CHECK(texture->decoded_copy().levels(*texture, Format::B8G8R8A8_SRGB) == nullptr);
        ++texture->changes;
    }
}

TEST_CASE("devices keep copies where code does not permute bytes as fast as it loads") {
    const auto keeps = [](Engine engine, Host host, GatherMethod method) {
        DeviceOptions options;
        options.engine = engine;
        options.host = host;
        options.gather_method = method;
        options.threads = 1;
        const auto device = must(gpu::create_device(options));
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_SRGB;
        const TextureRef texture = must(device->create_texture(desc));
        return static_cast<TextureImpl&>(*texture).owner()->decoded != nullptr;
    };
    CHECK_FALSE(keeps(Engine::Valhall, Host::Auto, GatherMethod::Gathers));
    for (const GatherMethod method : {GatherMethod::Gathers, GatherMethod::Loads}) {
        if (host_supports(HostLevel::Avx2))
            CHECK(keeps(Engine::Jit, Host::Avx2, method));
        if (host_supports(HostLevel::Avx512))
            CHECK(keeps(Engine::Jit, Host::Avx512, method) == (method == GatherMethod::Gathers));
        if (host_supports(HostLevel::Neon))
            CHECK(keeps(Engine::Jit, Host::Neon, method));
    }
}

TEST_CASE("copies of a device take no more memory than their limit, and give it back") {
    CopyingTag tag;
    auto first = texture_of(tag, srgb());
    auto second = texture_of(tag, srgb());
    REQUIRE(copy_levels(*first) != nullptr);
    const uint64_t one = tag.decoded->count;
    tag.decoded->count = DecodedCopy::kMostBytes - one + 1;
    CHECK(copy_levels(*second) == nullptr);
    tag.decoded->count = DecodedCopy::kMostBytes - one;
    CHECK(copy_levels(*second) == nullptr);  // the answer holds for the pass
    ++tag.rendered;
    CHECK(copy_levels(*second) != nullptr);
    CHECK(tag.decoded->count == DecodedCopy::kMostBytes);
    second.reset();
    CHECK(tag.decoded->count == DecodedCopy::kMostBytes - one);
    tag.decoded->count = std::numeric_limits<uint64_t>::max();
    CHECK(copy_levels(*texture_of(tag, srgb())) == nullptr);
    tag.decoded->count = one;
    first.reset();
    CHECK(tag.decoded->count == 0);
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
        Bench plain(engine, DecodedCopies::Never);
        Bench copied(engine, DecodedCopies::Always);
        const CopyingTag tag;
        for (const Kind& kind : kKinds)
            for (const Format format : copied_formats(*texture_of(tag, srgb())))
                for (const Wrap wrap : {Wrap::Repeat, Wrap::ClampToBorder}) {
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
    Bench plain(Engine::Jit, DecodedCopies::Never);
    Bench copied(Engine::Jit, DecodedCopies::Always);
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
    const TextureRef other = bench.texture(srgb(), 9);
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
    info.source = {.texture = bench.texture(srgb(), 5), .width = 40, .height = 40};
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
    for (const Engine engine : {Engine::Valhall, Engine::Jit})
        for (const Change& change : kChanges) {
            CAPTURE(change.name);
            Bench plain(engine, DecodedCopies::Never);
            Bench copied(engine, DecodedCopies::Always);
            const TextureRef texture = copied.texture(srgb());
            const TextureRef other = plain.texture(srgb());
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

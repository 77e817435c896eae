// Widened test: checks textures that are stored with wider components than their client named.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/state/resource.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace valkyr::test::widened {

namespace {

using raster::Format;
using virgl::Resource;
using virgl::ResourcePtr;

constexpr uint32_t kHalves = 94;      ///< R16G16B16A16_FLOAT
constexpr uint32_t kHalfWords = 188;  ///< R16G16B16A16_UINT
constexpr uint32_t kSize = 4;
constexpr raster::Box kAll{0, 0, 0, kSize, kSize, 1};
// binary16 of the numbers 1, -2 and 1/3, rounded to nearest.
constexpr uint16_t kOne = 0x3C00;
constexpr uint16_t kMinusTwo = 0xC000;
constexpr uint16_t kThird = 0x3555;
using Halves = std::array<uint16_t, size_t{4} * kSize * kSize>;
using Floats = std::array<float, size_t{4} * kSize * kSize>;

ResourcePtr make(raster::Device& device, uint32_t format, uint32_t bind) {
    virgl::ResourceDesc desc;
    desc.target = virgl::Target::Tex2D;
    desc.format = format;
    desc.bind = bind;
    desc.width = desc.height = kSize;
    auto made = Resource::create(device, {}, desc, 0);
    REQUIRE(made.has_value());
    REQUIRE((*made)->refusal().has_value());
    return *std::move(made);
}
ResourcePtr make_window(raster::Device& device) {
    return make(device, kHalves, virgl::kBindDisplayTarget);
}
void set_floats(raster::Device& device, const Resource& resource, float value) {
    const uint32_t bits = as_bits(value);
    REQUIRE(
        device.clear_texture(resource.texture(), 0, kAll, {bits, bits, bits, bits}).has_value());
}
Halves read(raster::Device& device, Resource& resource) {
    Halves halves{};
    REQUIRE(resource.read(device, {0, kAll}, {}, std::as_writable_bytes(std::span(halves)))
                .has_value());
    return halves;
}
Floats read_stored(raster::Device& device, const Resource& resource) {
    Floats floats{};
    REQUIRE(device
                .read_texture(resource.texture(), 0, kAll,
                              std::as_writable_bytes(std::span(floats)), size_t{16} * kSize)
                .has_value());
    return floats;
}
Halves of(std::initializer_list<uint16_t> texel) {
    Halves halves{};
    for (size_t i = 0; i < halves.size(); ++i)
        halves[i] = texel.begin()[i % texel.size()];
    return halves;
}

}  // namespace

TEST_CASE("widened: only windows with half floats are stored as floats") {
    const auto device = make_device();
    const ResourcePtr window = make_window(*device);
    CHECK(window->texture()->desc().format == Format::R32G32B32A32_FLOAT);
    CHECK(window->is_widened());
    CHECK(window->viewed_as(Format::R16G16B16A16_FLOAT) == Format::R32G32B32A32_FLOAT);
    CHECK(window->viewed_as(Format::R8G8B8A8_UNORM) == Format::R8G8B8A8_UNORM);
    const ResourcePtr texture = make(*device, kHalves, 0);
    CHECK(texture->texture()->desc().format == Format::R16G16B16A16_FLOAT);
    CHECK_FALSE(texture->is_widened());
    CHECK(texture->viewed_as(Format::R16G16B16A16_FLOAT) == Format::R16G16B16A16_FLOAT);
}

TEST_CASE("widened: textures with half floats become wide later, and keep their texels") {
    const auto device = make_device();
    const ResourcePtr texture = make(*device, kHalves, 0);
    const Halves texels = of({kOne, kMinusTwo, kThird, 0});
    REQUIRE(texture->write(*device, {0, kAll}, {}, std::as_bytes(std::span(texels))).has_value());
    REQUIRE(texture->widen(*device).has_value());
    CHECK(texture->is_widened());
    CHECK(texture->texture()->desc().format == Format::R32G32B32A32_FLOAT);
    CHECK(read_stored(*device, *texture)[1] == -2);
    CHECK(read(*device, *texture) == texels);
    const raster::TextureRef stored = texture->texture();
    REQUIRE(texture->widen(*device).has_value());
    CHECK(texture->texture() == stored);
    const ResourcePtr words = make(*device, kHalfWords, 0);
    REQUIRE(words->widen(*device).has_value());
    CHECK_FALSE(words->is_widened());
}

TEST_CASE("widened: without room a texture stays as it is") {
    const auto device = make_device();
    virgl::Budgets budgets;
    budgets.host = std::make_shared<virgl::Budget>(size_t{8} * kSize * kSize + 1);
    virgl::ResourceDesc desc;
    desc.target = virgl::Target::Tex2D;
    desc.format = kHalves;
    desc.width = desc.height = kSize;
    auto made = Resource::create(*device, budgets, desc, 0);
    REQUIRE(made.has_value());
    REQUIRE((*made)->texture());
    CHECK_FALSE((*made)->widen(*device).has_value());
    CHECK_FALSE((*made)->is_widened());
    CHECK((*made)->texture());
    CHECK((*made)->refusal().has_value());
}

TEST_CASE("widened: clients write and read half floats") {
    const auto device = make_device();
    const ResourcePtr window = make_window(*device);
    set_floats(*device, *window, 1 / 3.0F);
    CHECK(read_stored(*device, *window)[5] == 1 / 3.0F);
    CHECK(read(*device, *window) == of({kThird}));
    // One texel at (1, 2), from the second word on; then a row with strides.
    const std::array<uint16_t, 8> texels{0, 0, 0, 0, kOne, kMinusTwo, kOne, kOne};
    const auto data = std::as_bytes(std::span(texels));
    REQUIRE(window->write(*device, {0, {1, 2, 0, 1, 1, 1}}, {8, 0, 0}, data).has_value());
    Floats stored = read_stored(*device, *window);
    CHECK(stored[4 * 9] == 1);
    CHECK(stored[4 * 9 + 1] == -2);
    CHECK(stored[4 * 8 + 3] == 1 / 3.0F);
    CHECK(stored[4 * 10] == 1 / 3.0F);
    std::array<uint16_t, 4> texel{};
    REQUIRE(
        window->read(*device, {0, {1, 2, 0, 1, 1, 1}}, {}, std::as_writable_bytes(std::span(texel)))
            .has_value());
    CHECK(texel == std::array<uint16_t, 4>{kOne, kMinusTwo, kOne, kOne});
}

TEST_CASE("widened: boxes outside are errors, empty ones nothing") {
    const auto device = make_device();
    const ResourcePtr window = make_window(*device);
    std::vector<std::byte> data(8U * kSize * kSize);
    for (const raster::Box& box :
         {raster::Box{1, 0, 0, kSize, 1, 1}, raster::Box{0, 1, 0, 1, kSize, 1},
          raster::Box{0, 0, 1, 1, 1, 1}, raster::Box{0, 0, 0, 1, 1, 2},
          raster::Box{0xFFFFFFFF, 0, 0, 2, 1, 1}, raster::Box{0, 0, 0, 0xFFFFFFFF, 1, 1}}) {
        CHECK_FALSE(window->write(*device, {0, box}, {}, data).has_value());
        CHECK_FALSE(window->read(*device, {0, box}, {}, data).has_value());
    }
    CHECK_FALSE(window->write(*device, {1, kAll}, {}, data).has_value());
    CHECK_FALSE(window->read(*device, {0, kAll}, {8, 0, 0}, data).has_value());
    CHECK(window->read(*device, {0, {0, 0, 0, 0, 1, 1}}, {}, data).has_value());
}

TEST_CASE("widened: copies take what the client sees") {
    const auto device = make_device();
    const ResourcePtr window = make_window(*device);
    const ResourcePtr other = make_window(*device);
    const ResourcePtr halves = make(*device, kHalves, 0);
    const ResourcePtr words = make(*device, kHalfWords, 0);
    set_floats(*device, *window, 1 / 3.0F);
    set_floats(*device, *other, -2);
    // Between two windows nothing is rounded.
    REQUIRE(other->copy_from(*device, {0, {2, 2, 0, 2, 2, 1}}, *window, {0, {0, 0, 0, 2, 2, 1}})
                .has_value());
    Floats stored = read_stored(*device, *other);
    CHECK(stored[0] == -2);
    CHECK(stored[4 * 15] == 1 / 3.0F);
    // To and from others, the bits of half floats are copied.
    for (const ResourcePtr& narrow : {halves, words}) {
        REQUIRE(narrow->copy_from(*device, {0, kAll}, *window, {0, kAll}).has_value());
        CHECK(read(*device, *narrow) == of({kThird}));
        const Halves texels = of({kOne, kMinusTwo, kThird, 0});
        REQUIRE(
            narrow->write(*device, {0, kAll}, {}, std::as_bytes(std::span(texels))).has_value());
        REQUIRE(other->copy_from(*device, {0, {3, 0, 0, 1, 1, 1}}, *narrow, {0, {1, 1, 0, 1, 1, 1}})
                    .has_value());
        stored = read_stored(*device, *other);
        CHECK(stored[4 * 3] == 1);
        CHECK(stored[4 * 3 + 1] == -2);
        CHECK(stored[4 * 2] == -2);
        CHECK_FALSE(
            other->copy_from(*device, {0, {3, 0, 0, 2, 1, 1}}, *narrow, {0, {0, 0, 0, 2, 1, 1}})
                .has_value());
        CHECK_FALSE(
            narrow->copy_from(*device, {0, {0, 0, 0, 2, 1, 1}}, *window, {0, {3, 0, 0, 2, 1, 1}})
                .has_value());
    }
}

namespace {

/// A marker with this text.
void add_marker(Stream& s, std::string_view text) {
    std::vector<uint32_t> words(1 + (text.size() + 3) / 4);
    words[0] = static_cast<uint32_t>(text.size());
    std::memcpy(words.data() + 1, text.data(), text.size());
    s.add(Cmd::StringMarker, words);
}

/// How a client of Mesa tells the server that a texture is a surface.
struct Told {
    uint32_t bind;
    const char* marker;  ///< null: none
};

/// Draws into a window, whose pixels a blit copies to a texture of floats.
void draw_and_blit(Told told, bool rounds) {
    Session session;
    FakeClient& client = *session.client;
    client.greet();
    const uint32_t bytes = 8 * kSize * kSize;
    const GuestMemory window = client.create(kTarget, 2, kHalves, told.bind, kSize, kSize, bytes);
    const GuestMemory floats = client.create(5, 2, 31, 2, kSize, kSize, 2 * bytes);
    const GuestMemory vertices = client.create(kVertices, 0, 64, 16, 48, 1, 48);
    const std::array<float, 12> corners{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    std::memcpy(vertices.bytes.data(), corners.data(), sizeof corners);
    client.put(kVertices, 48, 1, 48);
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kSurface + 1, kTarget, kHalves, 0, 0}, virgl::ObjectType::Surface);
    s.add(Cmd::SetFramebuffer, {1, 0, kSurface + 1});
    if (told.marker != nullptr)
        add_marker(s, told.marker);
    color(s, 1 / 3.0F, 0.1F, -7, 1e-9F);
    draw(s, 0, 3);
    // One texel is set to (1, -2, 1, 1).
    s.add(Cmd::ClearTexture, {kTarget, 0, 1, 1, 0, 1, 1, 1, kOne | uint32_t{kMinusTwo} << 16,
                              kOne | kOne << 16, 0, 0});
    s.add(Cmd::Blit, {0xF, 0,       0, 5,       0, 31, 0, 0,     0,     kSize, kSize,
                      1,   kTarget, 0, kHalves, 0, 0,  0, kSize, kSize, 1});
    client.submit(s.words);
    client.get(5, kSize, kSize);
    client.wait(5);
    Floats got{};
    std::memcpy(got.data(), floats.bytes.data(), sizeof got);
    CHECK((got[0] == 1 / 3.0F) != rounds);
    CHECK((got[1] == 0.1F) != rounds);
    CHECK(got[2] == -7);
    CHECK((got[3] == 1e-9F) != rounds);
    CHECK(got[4 * 5] == 1);
    CHECK(got[4 * 5 + 1] == -2);
    client.get(kTarget, kSize, kSize);
    client.wait(kTarget);
    std::array<uint16_t, 4> first{};
    std::memcpy(first.data(), window.bytes.data(), sizeof first);
    CHECK(first[0] == kThird);
    CHECK(session.observer.lines().empty());
}

}  // namespace

TEST_CASE("widened: commands draw, clear and blit without rounding") {
    draw_and_blit({virgl::kBindDisplayTarget, nullptr}, false);
}

TEST_CASE("widened: a marker names the bound surfaces") {
    draw_and_blit({2, "valkyr: wide surface"}, false);
    draw_and_blit({2, nullptr}, true);
    draw_and_blit({2, "valkyr: wide surfaces"}, true);
    draw_and_blit({2, ""}, true);
}

TEST_CASE("widened: a marker that claims more text than it has says nothing") {
    Session session;
    session.client->greet();
    Stream s;
    s.add(Cmd::StringMarker, {0xFFFFFFFF, 0x6B6C6176});
    s.add(Cmd::StringMarker, {20});
    session.client->submit(s.words);
    CHECK(session.observer.lines().empty());
}

}  // namespace valkyr::test::widened

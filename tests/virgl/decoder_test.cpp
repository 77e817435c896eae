// Decoder test: malformed command streams are refused with the command's name and place.
// SPDX-License-Identifier: MIT
#include "tests/support/random.hpp"
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/commands/context.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using virgl::ObjectType;

namespace {

struct Decoder {
    std::unique_ptr<raster::Device> device;
    RecordingObserver observer;
    std::unique_ptr<virgl::Context> context;

    Decoder() {
        device = make_device();
        context = std::make_unique<virgl::Context>(*device, observer);
        virgl::ResourceDesc target;
        target.target = virgl::Target::Tex2D;
        target.format = 1;
        target.bind = 0x8A;
        target.width = target.height = 8;
        REQUIRE(context->create_resource(kTarget, target, 256).has_value());
        virgl::ResourceDesc buffer;
        buffer.format = 64;
        buffer.width = 192;
        REQUIRE(context->create_resource(kVertices, buffer, 192).has_value());
    }
};

}  // namespace

TEST_CASE("malformed commands are refused with name and place") {
    struct Case {
        Stream stream;
        const char* text;
    };
    const auto one = [](Cmd command, std::initializer_list<uint32_t> payload,
                        ObjectType type = ObjectType::None) {
        return Stream().add(command, payload, type);
    };
    const std::vector<Case> cases{
        {one(Cmd::Clear, {1, 2}), "CLEAR at word 0: 2 words instead of 8"},
        {one(Cmd::DrawVbo, {1, 2, 3}), "DRAW_VBO at word 0: 3 words instead of 12 to 20"},
        {one(Cmd::DrawVbo, {0, 3, 99, 0, 1, 0, 0, 0, 0, 0, 0, 0}), "no primitive 99"},
        {one(Cmd::SetSubContext, {7}), "no sub-context 7"},
        {one(Cmd::CreateSubContext, {0}), "sub-context 0 exists"},
        {one(Cmd::CreateObject, {0, 0, 0, 0, 0}, ObjectType::DepthStencil), "handle 0"},
        {one(Cmd::CreateObject, {1, 0}, ObjectType::DepthStencil), "2 words instead of 5"},
        {one(Cmd::CreateObject, {1, 2}, static_cast<ObjectType>(200)), "no object type 200"},
        {one(Cmd::CreateObject, {1, 99, 1, 0, 0}, ObjectType::Surface), "no resource 99"},
        {one(Cmd::CreateObject, {1, kTarget, 1, 5, 0}, ObjectType::Surface), "level 5"},
        {one(Cmd::CreateObject, {1, kTarget, 1, 0, 3}, ObjectType::Surface), "last layer"},
        {one(Cmd::CreateObject, {1, kTarget, 1, 0, 3U << 16}, ObjectType::Surface),
         "a surface of layer 3"},
        {one(Cmd::CreateObject, {1, kTarget, 500, 0, 0}, ObjectType::Surface), "no format 500"},
        {one(Cmd::CreateObject, {1, kTarget, 1, 0, 0, 7}, ObjectType::SamplerView), "no swizzle 7"},
        {one(Cmd::CreateObject, {1, 0, 0, 99, 31}, ObjectType::VertexElements), "slot 99"},
        {one(Cmd::CreateObject, {1, 0, 0, 0, 31, 5}, ObjectType::VertexElements), "words of"},
        {one(Cmd::CreateObject, {1, 99, 5, 0, 0, 0}, ObjectType::Shader), "no shader stage 99"},
        {one(Cmd::CreateObject, {1, 1, 0, 0, 0, 0}, ObjectType::Shader), "text of 0 bytes"},
        {one(Cmd::CreateObject, {1, 1, 0x7FFFFFFF, 0, 0, 0}, ObjectType::Shader), "shader text of"},
        {one(Cmd::CreateObject, {1, 1, 8, 0, 4000, 0}, ObjectType::Shader), "stream outputs"},
        {one(Cmd::CreateObject, {1, 1, 0x80000004, 0, 0, 0}, ObjectType::Shader),
         "continues nothing"},
        {one(Cmd::CreateObject, {1, 99, 0, kVertices}, ObjectType::Query), "no query type 99"},
        {one(Cmd::CreateObject, {1, 0, 180, kVertices}, ObjectType::Query), "outside its resource"},
        {one(Cmd::BindObject, {5}, ObjectType::Blend), "no such object 5"},
        {one(Cmd::BindObject, {5}, ObjectType::Surface), "are not bound"},
        {one(Cmd::DestroyObject, {5}, ObjectType::Blend), "no such object 5"},
        {one(Cmd::BindShader, {5, 0}), "no shader 5"},
        {one(Cmd::SetFramebuffer, {9, 0}), "9 colour surfaces"},
        {one(Cmd::SetFramebuffer, {1, 0, 44}), "no surface 44"},
        {one(Cmd::SetVertexBuffers, {16, 0, 44}), "no resource 44"},
        {one(Cmd::SetShaderBuffers, {1}), "1 words instead of 2 to 98"},
        {one(Cmd::SetShaderBuffers, {6, 0}), "no shader stage 6"},
        {one(Cmd::SetShaderBuffers, {1, 0, 0, 16}), "4 words are not whole items"},
        {one(Cmd::SetShaderBuffers, {1, 32, 0, 16, 0}), "shader buffers from 32 on: there are 32"},
        {one(Cmd::SetShaderBuffers, {1, 0xFFFFFFFF, 0, 16, 0}), "shader buffers from 4294967295"},
        {one(Cmd::SetShaderBuffers, {1, 0, 0, 16, 44}), "no resource 44"},
        {one(Cmd::SetShaderImages, {1, 0, 1, 2, 0, 0}), "6 words are not whole items"},
        {one(Cmd::SetShaderImages, {1, 16, 1, 2, 0, 0, 0}), "images from 16 on: there are 16"},
        {one(Cmd::SetShaderImages, {1, 0, 1, 2, 0, 0, 44}), "no resource 44"},
        {one(Cmd::SetShaderImages, {1, 0, 500, 2, 0, 0, kTarget}), "no format 500"},
        {one(Cmd::SetShaderImages, {1, 0, 1, 2, 1, 0, kTarget}), "last layer comes before"},
        {one(Cmd::LaunchGrid, {8, 1, 1, 1, 1, 1, 0}),
         "LAUNCH_GRID at word 0: 7 words instead of 8"},
        {one(Cmd::LaunchGrid, {8, 1, 1, 0, 0, 0, 44, 0}), "no resource 44"},
        {one(Cmd::SetVertexBuffers, {16, 0}), "not whole items"},
        {one(Cmd::SetViewport, {16, 0, 0, 0, 0, 0, 0}), "viewports"},
        {one(Cmd::SetIndexBuffer, {kVertices, 3, 0}), "indices of 3 bytes"},
        {one(Cmd::SetConstantBuffer, {9, 0}), "no shader stage 9"},
        {one(Cmd::SetConstantBuffer, {0, 99}), "no constant buffer 99"},
        {one(Cmd::SetSamplerViews, {0, 33, 1}), "slots from 33 on"},
        {one(Cmd::SetSamplerViews, {0, 0xFFFFFFFF, 1}), "slots from 4294967295"},
        {one(Cmd::SetSamplerViews, {0, 0, 77}), "no sampler view 77"},
        {one(Cmd::BindSamplers, {0, 0, 77}), "no sampler state 77"},
        {one(Cmd::BeginQuery, {3}), "no query 3"},
        {one(Cmd::Transfer3D, {kVertices, 0, 0, 0, 0, 0, 0, 0, 4, 1, 1, 0, 3}), "direction 3"},
        {one(Cmd::CopyRegion, {kTarget, 0, 0, 0, 0, kVertices, 0, 0, 0, 0, 1, 1, 1}), "buffer and"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        Decoder decoder;
        const auto done = decoder.context->execute(c.stream.words);
        REQUIRE_FALSE(done.has_value());
        CAPTURE(done.error().text);
        CHECK(done.error().text.find(c.text) != std::string::npos);
    }
}

TEST_CASE("the place of an error counts words of the stream") {
    Decoder decoder;
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1}).add(Cmd::SetSubContext, {2});
    const auto done = decoder.context->execute(s.words);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().text == "SET_SUB_CTX at word 4: no sub-context 2");
}

TEST_CASE("unknown commands are skipped by their length and reported once") {
    Decoder decoder;
    Stream s;
    s.add(static_cast<Cmd>(99), {1, 2, 3})
        .add(static_cast<Cmd>(99), {})
        .add(Cmd::CreateSubContext, {4});
    CHECK(decoder.context->execute(s.words).has_value());
    CHECK(decoder.observer.lines() == ": unknown command 99 is skipped\n");
}

TEST_CASE("streams with any word changed do no harm") {
    const Stream good = [] {
        Stream s = draw_state(8);
        s.add(Cmd::Clear, {4, 0, 0, as_bits(1), as_bits(1), 0, 0, 0});
        draw(color(s, 1, 0, 0, 1), 0, 3);
        s.add(Cmd::CreateObject, {kQuery, 0, 0, kVertices}, ObjectType::Query);
        s.add(Cmd::BeginQuery, {kQuery});
        draw(s, 0, 6);
        s.add(Cmd::EndQuery, {kQuery}).add(Cmd::GetQueryResult, {kQuery, 1});
        s.add(Cmd::InlineWrite, {kVertices, 0, 0, 0, 0, 16, 0, 0, 8, 1, 1, 5, 6});
        s.add(Cmd::Blit,
              {0xF, 0, 0, kTarget, 0, 1, 0, 0, 0, 4, 4, 1, kTarget, 0, 1, 4, 4, 0, 4, 4, 1});
        return s;
    }();
    Random random(11);
    Decoder decoder;
    for (unsigned i = 0; i < 1500; ++i) {
        if (i % 50 == 0)
            decoder.context = std::make_unique<virgl::Context>(*decoder.device, decoder.observer);
        std::vector<uint32_t> words = good.words;
        words[2] = 1 + i % 50;  // another sub-context each time
        words[4] = words[2];
        uint32_t& word = words[random.below(static_cast<uint32_t>(words.size()))];
        switch (random.below(3)) {
        case 0: word ^= 1U << random.below(32); break;
        case 1: word = random.next32(); break;
        default: word = random.below(70); break;
        }
        // Draws of billions of vertices are legal, and slow.
        for (size_t at = 0; at + 12 < words.size(); ++at)
            if (words[at] == (8U | 12U << 16)) {
                words[at + 2] %= 1000;
                words[at + 5] %= 16;
            }
        const auto done = decoder.context->execute(words);
        CHECK((done.has_value() || !done.error().text.empty()));
    }
    decoder.context->finish();
}

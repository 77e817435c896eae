// Fuzz target: executes bytes as an OpenGL client's command stream on a device that draws nothing.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/fuzz/null_device.hpp"
#include "tests/fuzz/targets.hpp"
#include "virgl/commands/context.hpp"

#include <cstring>
#include <vector>

namespace valkyr::fuzz {

namespace {

class SilentObserver final : public virgl::Observer {
public:
    void log(std::string_view /*client*/, std::string_view line) override {
        VALKYR_CHECK(!line.empty() && line.size() < 2000);
    }
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return false; }
    void frame(uint64_t /*number*/, const virgl::FramePixels& /*pixels*/) override {}
    void finished(std::string_view /*client*/, const virgl::Figures& /*figures*/) override {}
};

}  // namespace

void virgl_stream(std::span<const uint8_t> bytes) {
    NullDevice device;
    SilentObserver observer;
    virgl::Context context(device, observer);
    virgl::ResourceDesc texture;
    texture.target = virgl::Target::Tex2D;
    texture.format = 1;
    texture.width = texture.height = 8;
    texture.last_level = 3;
    VALKYR_CHECK(context.create_resource(1, texture, 340).has_value());
    virgl::ResourceDesc buffer;
    buffer.format = 64;
    buffer.width = 192;
    VALKYR_CHECK(context.create_resource(2, buffer, 192).has_value());
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    if (!words.empty())
        std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
    const auto done = context.execute(words);
    VALKYR_CHECK(done.has_value() || !done.error().text.empty());
    context.wait(2);
}

}  // namespace valkyr::fuzz

// Scene kit: records and draws a test scene on any raster::Device.
// SPDX-License-Identifier: MIT
//
// A scene is a function of a SceneKit, so that any Device can draw it. Errors are thrown, since no
// call of a scene may fail.
#pragma once

#include "raster/device.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::scenes {

/// Thrown if a device refuses a call; what() is the Error as text.
class SceneError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The texels of one attachment after a scene, samples resolved: rows from row 0, tightly packed.
struct Shot {
    std::string name;  ///< "color0", "depth", ...
    exec::Format format = exec::Format::None;
    uint32_t width = 0;
    uint32_t height = 0;
    std::vector<uint8_t> bytes;
};

class SceneKit {
public:
    explicit SceneKit(raster::Device& device)
        : device_(device) {}

    // State of the next draw, which scenes may change. draw() sets the pipeline.
    raster::PipelineDesc pipeline;
    raster::DrawState state;

    /// Sets size and samples of later attachments. Also sets a viewport that covers them, with
    /// depth in [0, 1] for clip z in [-w, w] and row 0 at clip y = -1.
    void size(uint32_t width, uint32_t height, uint32_t samples = 1);
    /// Adds a colour target; the first use without size() makes 64x64 targets.
    raster::TextureRef add_color(exec::Format format = exec::Format::R8G8B8A8_UNORM);
    raster::TextureRef add_depth(exec::Format format);

    /// Clears every attachment: all colours to r, g, b, a (f32), depth and stencil.
    void clear(float r, float g, float b, float a, float depth = 1, uint8_t stencil = 0);
    /// Clears colour targets with these words (f32 bits or integers).
    void clear_words(const std::array<uint32_t, 4>& words);

    void shaders(std::string_view vertex, std::string_view fragment);
    /// Puts interleaved f32 attributes into vertex buffer 0; `components` has a count per
    /// attribute.
    void vertices(std::span<const float> data, std::initializer_list<unsigned> components);
    void vertices(std::initializer_list<float> data, std::initializer_list<unsigned> components) {
        vertices(std::span(data.begin(), data.size()), components);
    }
    raster::BufferRef buffer(std::span<const std::byte> bytes);
    template <typename T>
    raster::BufferRef buffer(const std::vector<T>& values) {
        return buffer(std::as_bytes(std::span(values)));
    }
    /// Sets the index buffer; T (uint8_t, uint16_t or uint32_t) gives the index type.
    template <typename T>
    void indices(const std::vector<T>& values) {
        state.index_buffer = {buffer(values)};
        state.index_type = sizeof(T) == 1   ? raster::IndexType::U8
                           : sizeof(T) == 2 ? raster::IndexType::U16
                                            : raster::IndexType::U32;
    }

    raster::TextureRef texture(const raster::TextureDesc& desc);
    /// Fills a whole level, all slices, from tightly packed rows.
    void
    write_level(const raster::TextureRef& texture, uint32_t level, std::span<const uint8_t> texels);

    void draw(uint32_t count) { draw(raster::DrawInfo{.first = 0, .count = count}); }
    void draw(const raster::DrawInfo& info);

    /// Ends rendering and reads all attachments back.
    std::vector<Shot> shots();

    [[nodiscard]] raster::Device& device() { return device_; }

private:
    raster::TextureRef add_attachment(exec::Format format);
    raster::ShaderRef shader(std::string_view text);

    raster::Device& device_;
    uint32_t width_ = 0;
    uint32_t height_ = 0;
    uint32_t samples_ = 1;
    std::map<std::string, raster::ShaderRef, std::less<>> shaders_;
};

/// A viewport over a rectangle of the window, depth range [near_depth, far_depth].
raster::Viewport viewport_over(float x0,
                               float y0,
                               float x1,
                               float y1,
                               float near_depth = 0,
                               float far_depth = 1,
                               bool halfz = false);

}  // namespace valkyr::scenes

// Client drawing: clears in a context and checks the pixel that it reads back.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/client_drawing.hpp"

namespace valkyr::app {

namespace {

// Constants of OpenGL's headers, which need not be installed.
constexpr unsigned kColorBufferBit = 0x4000;
constexpr unsigned kRgba = 0x1908;
constexpr unsigned kUnsignedByte = 0x1401;
constexpr unsigned kRenderer = 0x1F01;
constexpr unsigned kVersion = 0x1F02;

/// Part of the renderer name that Valkyr's server reports.
constexpr const char* kOurName = "Valkyr";

/// Magenta is exact in every format, even with five bits per channel.
constexpr Pixel kColor = {255, 0, 255, 255};

struct Functions {
    void (*clear_color)(float, float, float, float);
    void (*clear)(unsigned);
};
using ReadPixels = void (*)(int, int, int, int, unsigned, unsigned, void*);
using GetString = const uint8_t* (*)(unsigned);

std::string text_of(const uint8_t* text) {
    return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

}  // namespace

Result<std::string> name_of_valkyr(GetFunction get) {
    GetString get_string = nullptr;
    if (!load_function(get, "glGetString", get_string))
        return probe_error(kNoFunctions);
    const std::string renderer = text_of(get_string(kRenderer));
    const std::string name = "OpenGL " + text_of(get_string(kVersion)) + ", " + renderer;
    if (renderer.find(kOurName) == renderer.npos)
        return probe_error("another driver draws: " + name);
    return name;
}

Result<Pixel> read_pixel(GetFunction get) {
    ReadPixels read_pixels = nullptr;
    if (!load_function(get, "glReadPixels", read_pixels))
        return probe_error(kNoFunctions);
    Pixel pixel{};
    read_pixels(1, 1, 1, 1, kRgba, kUnsignedByte, pixel.data());
    return pixel;
}

Result<std::string> draw_and_look(GetFunction get) {
    Functions gl{};
    if (!load_function(get, "glClearColor", gl.clear_color) ||
        !load_function(get, "glClear", gl.clear))
        return probe_error(kNoFunctions);
    VALKYR_TRY(name, name_of_valkyr(get));
    gl.clear_color(1.0F, 0.0F, 1.0F, 1.0F);
    gl.clear(kColorBufferBit);
    VALKYR_TRY(pixel, read_pixel(get));
    if (pixel != kColor)
        return probe_error("a pixel is not what was drawn: " + name);
    return name;
}

}  // namespace valkyr::app

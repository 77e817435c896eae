// Hello triangle: draws one triangle; the smallest scene.
// SPDX-License-Identifier: MIT
//
// examples/hello.cpp is a whole program with this draw. A scene is made once and drawn frame by
// frame. The device draws with a pipeline (two shaders and fixed state) from vertex buffers onto a
// framebuffer. Shaders are TGSI text, the form in which Mesa hands them to a driver.
#include "examples/scene.hpp"

#include <utility>

namespace valkyr::examples {

namespace {

using namespace raster;

/// Two attributes in, a position and a colour out.
constexpr char kVertexShader[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";

/// Runs for every pixel; the colour has been interpolated between the corners.
constexpr char kFragmentShader[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

struct Vertex {
    float position[2];  ///< -1..1 over the picture, y upwards; z is 0 and w is 1
    float color[3];
};
constexpr Vertex kTriangle[3] = {{{-0.8F, -0.7F}, {1, 0.2F, 0.1F}},
                                 {{0.8F, -0.7F}, {0.1F, 0.9F, 0.2F}},
                                 {{0, 0.8F}, {0.2F, 0.3F, 1}}};

class HelloTriangle final : public Scene {
public:
    explicit HelloTriangle(Device& device)
        : device_(device) {}

    /// Makes buffers and the pipeline, once. VALKYR_TRY declares a variable with the value of a
    /// Result, or returns its error.
    Result<void> prepare() {
        VALKYR_TRY(vertices,
                   device_.create_buffer(sizeof kTriangle, std::as_bytes(std::span(kTriangle))));
        PipelineDesc desc;
        VALKYR_TRY(vertex, device_.create_shader(kVertexShader, "triangle.vert"));
        VALKYR_TRY(fragment, device_.create_shader(kFragmentShader, "triangle.frag"));
        desc.vertex = vertex;
        desc.fragment = fragment;
        desc.elements = {{0, offsetof(Vertex, position), 0, Format::R32G32_FLOAT},
                         {0, offsetof(Vertex, color), 0, Format::R32G32B32_FLOAT}};
        desc.strides = {sizeof(Vertex)};
        VALKYR_TRY(pipeline, device_.create_pipeline(desc));
        state_.pipeline = pipeline;
        state_.vertex_buffers = {{vertices}};
        return {};
    }

    /// Draws a frame.
    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double) override {
        VALKYR_TRY_VOID(
            device_.clear(framebuffer, ClearInfo().set_color(0, {0.07F, 0.08F, 0.11F, 1})));
        state_.viewport = Viewport::of(width, height);  // y up on the screen
        state_.framebuffer = framebuffer;
        DrawInfo three_vertices;
        three_vertices.count = 3;
        return device_.draw(state_, three_vertices);
    }

private:
    Device& device_;
    DrawState state_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_hello_triangle(Device& device) {
    auto scene = std::make_unique<HelloTriangle>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples

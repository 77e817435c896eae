#!/usr/bin/env python3
# A window of pyglet, drawn by moderngl with OpenGL 4.3: compute shaders write an image and points, patches bend it.
# SPDX-License-Identifier: MIT
import struct

import moderngl
import pyglet

IMAGE = """#version 430
layout(local_size_x = 16, local_size_y = 16) in;
layout(rgba8, binding = 0) writeonly uniform image2D result;
shared float row[16];
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (gl_LocalInvocationID.y == 0u) row[gl_LocalInvocationID.x] = float(at.x & 63) / 64.0;
    barrier();
    vec2 p = vec2(at) / 256.0, c = p * 2.4 - vec2(1.7, 1.2), z = vec2(0.0);
    int steps = 0;
    for (; steps < 60 && dot(z, z) < 4.0; ++steps) z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    imageStore(result, at, vec4(float(steps) / 60.0, row[gl_LocalInvocationID.x], p.y, 1.0));
}"""
POINTS = """#version 430
layout(local_size_x = 64) in;
layout(std430, binding = 1) buffer Points { vec4 points[]; };
layout(std430, binding = 2) buffer Draw { uint count, instances, first, base; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float a = float(i) * 2.399963, r = sqrt(float(i)) / 64.0;
    if (i % 3u != 0u) points[atomicAdd(count, 1u)] = vec4(r * cos(a), 0.35 + 0.2 * cos(9.0 * r), r * sin(a), r);
}"""
DOTS = """#version 430
layout(location = 0) in vec4 point;
uniform mat4 camera;
out float shade;
void main() { shade = point.w; gl_Position = camera * vec4(point.xyz, 1.0); gl_PointSize = 2.0; }"""
DOT = """#version 430
in float shade;
out vec4 color;
void main() { color = vec4(1.0, 1.0 - 0.6 * shade, 0.3, 1.0); }"""
CORNERS = """#version 430
out vec2 corner;
void main() { corner = vec2(gl_VertexID & 1, gl_VertexID >> 1); }"""
CONTROL = """#version 430
layout(vertices = 4) out;
in vec2 corner[];
out vec2 place[];
void main() {
    place[gl_InvocationID] = corner[gl_InvocationID];
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 40.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 33.5;
}"""
EVALUATION = """#version 430
layout(quads, fractional_even_spacing, ccw) in;
in vec2 place[];
uniform mat4 camera;
out vec2 uv;
void main() {
    uv = mix(mix(place[0], place[1], gl_TessCoord.x), mix(place[2], place[3], gl_TessCoord.x), gl_TessCoord.y);
    gl_Position = camera * vec4(uv.x * 2.0 - 1.0, 0.15 * sin(7.0 * uv.x) * cos(6.0 * uv.y), uv.y * 2.0 - 1.0, 1.0);
}"""
SURFACE = """#version 430
in vec2 uv;
uniform sampler2D image;
out vec4 color;
void main() { color = texture(image, uv); }"""
CAMERA = (1.1, -0.2, 0.3, 0.3, 0, 1.35, 0.4, 0.4, -0.45, -0.5, 0.8, 0.8, 0, 0, 1.7, 2.0)


def main():
    # pyglet 1.5 itself draws by OpenGL 2.1, so that this is a compatibility profile.
    window = pyglet.window.Window(640, 480, "moderngl", config=pyglet.gl.Config(depth_size=24, double_buffer=True))
    context = moderngl.create_context(require=430)
    image = context.texture((256, 256), 4)
    points = context.buffer(reserve=4096 * 16)
    draw = context.buffer(reserve=16)
    paint, place = context.compute_shader(IMAGE), context.compute_shader(POINTS)
    surface = context.program(vertex_shader=CORNERS, tess_control_shader=CONTROL, tess_evaluation_shader=EVALUATION,
                              fragment_shader=SURFACE)
    dots = context.program(vertex_shader=DOTS, fragment_shader=DOT)
    for program in (surface, dots):
        program["camera"].write(struct.pack("16f", *CAMERA))
    patch, cloud = context.vertex_array(surface, []), context.vertex_array(dots, [(points, "4f", "point")])
    context.enable(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
    context.patch_vertices = 4

    @window.event
    def on_draw():
        image.bind_to_image(0, read=False, write=True)
        paint.run(16, 16)
        draw.write(struct.pack("4I", 0, 1, 0, 0))
        points.bind_to_storage_buffer(1)
        draw.bind_to_storage_buffer(2)
        place.run(64)
        context.clear(0.15, 0.2, 0.3)
        image.use(0)
        patch.render(moderngl.PATCHES, vertices=4)
        cloud.render_indirect(draw, moderngl.POINTS, count=1)

    pyglet.clock.schedule(lambda _: None)
    pyglet.app.run()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# A window of pyglet, drawn by moderngl: grass by a geometry shader over points that transform feedback placed.
# SPDX-License-Identifier: MIT
import struct

import moderngl
import pyglet

PLACE = """#version 330
out vec3 root;
void main() {
    int i = gl_VertexID;
    vec2 p = vec2(i % 64, i / 64) / 32.0 - 1.0;
    uint hash = uint(i) * 747796405u + 2891336453u;
    hash = ((hash >> ((hash >> 28u) + 4u)) ^ hash) * 277803737u;
    vec2 jitter = vec2(hash & 0xFFFFu, hash >> 16u) / 65536.0;
    root = vec3(p + 0.03125 * jitter, jitter.x);
}"""
VERTEX = """#version 330
in vec3 root;
out vec3 v_root;
void main() { v_root = root; gl_Position = vec4(root, 1.0); }"""
BLADES = """#version 330
layout(points) in;
layout(triangle_strip, max_vertices = 7) out;
in vec3 v_root[];
out float height;
uniform mat4 camera;
void main() {
    vec3 root = vec3(v_root[0].x, 0.0, v_root[0].y);
    float tall = 0.15 + 0.15 * v_root[0].z;
    vec3 lean = 0.08 * vec3(sin(9.0 * root.x), 0.0, cos(7.0 * root.z));
    for (int i = 0; i < 7; ++i) {
        float h = float(i / 2) / 3.0;
        float side = i == 6 ? 0.0 : (i % 2 == 0 ? -0.012 : 0.012) * (1.0 - h);
        height = h;
        gl_Position = camera * vec4(root + vec3(side, tall * h, 0.0) + lean * h * h, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}"""
FRAGMENT = """#version 330
in float height;
out vec4 color;
void main() { color = vec4(mix(vec3(0.05, 0.2, 0.05), vec3(0.6, 0.9, 0.3), height), 1.0); }"""
CAMERA = (1.3, 0, 0, 0, 0, 1.6, 0.45, 0.45, 0, -0.75, 0.85, 0.9, 0, -0.35, 1.2, 1.5)


def main():
    # pyglet 1.5 itself draws by OpenGL 2.1, so that this is a compatibility profile.
    config = pyglet.gl.Config(depth_size=24, double_buffer=True)
    window = pyglet.window.Window(640, 480, "moderngl", config=config)
    context = moderngl.create_context(require=330)
    place = context.program(vertex_shader=PLACE, varyings=["root"])
    roots = context.buffer(reserve=4096 * 12)
    context.vertex_array(place, []).transform(roots, vertices=4096)
    program = context.program(vertex_shader=VERTEX, geometry_shader=BLADES, fragment_shader=FRAGMENT)
    program["camera"].write(struct.pack("16f", *CAMERA))
    grass = context.vertex_array(program, [(roots, "3f", "root")])
    context.enable(moderngl.DEPTH_TEST)

    @window.event
    def on_draw():
        context.clear(0.5, 0.7, 0.9)
        grass.render(moderngl.POINTS, vertices=4096)

    pyglet.clock.schedule(lambda _: None)
    pyglet.app.run()


if __name__ == "__main__":
    main()

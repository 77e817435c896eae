#!/usr/bin/env python3
# A window of pygame, drawn by moderngl: two thousand squares that turn with the time, blended.
# SPDX-License-Identifier: MIT
import struct
import time

import moderngl
import pygame

VERTEX = """#version 330
uniform float seconds;
out vec4 v_color;
float turn(float x) { return x - 6.25 * floor(x / 6.25); }  // drivers' sines of large numbers differ
void main() {
    float i = float(gl_InstanceID);
    float angle = turn(0.7 * i + seconds * (0.2 + 0.001 * i));
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) - 0.5;
    corner = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * corner * 0.06;
    float direction = turn(2.4 * i + 0.1 * seconds);
    vec2 place = 0.02 * sqrt(i) * vec2(cos(direction), sin(direction));
    v_color = vec4(0.5 + 0.5 * cos(vec3(0.0, 2.1, 4.2) + turn(0.01 * i)), 0.4);
    gl_Position = vec4(place + corner, 0.0, 1.0);
}"""
FRAGMENT = """#version 330
in vec4 v_color;
out vec4 color;
void main() { color = v_color; }"""


def main():
    pygame.display.init()
    pygame.display.set_mode((640, 480), pygame.OPENGL | pygame.DOUBLEBUF)
    context = moderngl.create_context(require=330)
    context.enable(moderngl.BLEND)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    squares = context.vertex_array(program, [])
    start = time.monotonic()
    while not any(event.type == pygame.QUIT for event in pygame.event.get()):
        context.clear(0.05, 0.05, 0.1)
        program["seconds"].write(struct.pack("f", time.monotonic() - start))
        squares.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=2000)
        pygame.display.flip()


main()

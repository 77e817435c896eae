// Scale: multiplies the color of a vertex by a constant.
// SPDX-License-Identifier: MIT
#version 330

in vec4 vertex_color;

out vec4 color;

void main() {
    color = vertex_color * SCALE;
}

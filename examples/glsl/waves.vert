// Waves: moves the points of a grid up and down.
// SPDX-License-Identifier: MIT
#version 330

in vec2 place;

uniform mat4 camera;
uniform float time;

out vec3 normal;
out vec2 coordinate;

void main() {
    float phase = 6.0 * place.x + time;
    normal = normalize(vec3(-0.6 * cos(phase), 1.0, 0.0));
    coordinate = place;
    gl_Position = camera * vec4(place.x, 0.1 * sin(phase), place.y, 1.0);
}

// Waves: lights a textured surface; BANDS makes steps of the light.
// SPDX-License-Identifier: MIT
#version 330

in vec3 normal;
in vec2 coordinate;

uniform sampler2D image;
uniform vec3 sun;

out vec4 color;

void main() {
    float light = max(dot(normalize(normal), sun), 0.0);
#ifdef BANDS
    light = floor(light * BANDS) / BANDS;
#endif
    color = vec4(light * texture(image, coordinate).rgb, 1.0);
}

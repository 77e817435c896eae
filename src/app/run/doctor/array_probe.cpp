// Array probe: draws with elements of an array that the counter of a loop chooses.
// SPDX-License-Identifier: MIT
#include "app/run/doctor/client_drawing.hpp"
#include "app/run/doctor/egl_context.hpp"
#include "app/run/doctor/probes.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

namespace {

// Constants of OpenGL's headers, which need not be installed.
constexpr unsigned kFragmentShader = 0x8B30;
constexpr unsigned kLinkStatus = 0x8B82;

/// The counter and its next value are both read, and the number of rounds is not known, so that the
/// loop stays one. White if the third element is the one that the third round wrote.
constexpr const char* kShader = "#version 130\n"
                                "uniform int rounds;\n"
                                "void main() {\n"
                                "    float elements[8];\n"
                                "    for (int i = 0; i < rounds; i++)\n"
                                "        elements[i] = float(i + 1);\n"
                                "    gl_FragColor = vec4(elements[rounds - 2] == 3.0);\n"
                                "}\n";
constexpr int kRounds = 4;
constexpr uint8_t kWhite = 255;

struct ShaderFunctions {
    unsigned (*create_shader)(unsigned);
    void (*shader_source)(unsigned, int, const char* const*, const int*);
    void (*compile_shader)(unsigned);
    unsigned (*create_program)();
    void (*attach_shader)(unsigned, unsigned);
    void (*link_program)(unsigned);
    void (*get_program)(unsigned, unsigned, int*);
    void (*use_program)(unsigned);
    int (*get_uniform_location)(unsigned, const char*);
    void (*uniform)(int, int);
    void (*rectangle)(int, int, int, int);
};

bool load_shader_functions(GetFunction get, ShaderFunctions& gl) {
    return load_function(get, "glCreateShader", gl.create_shader) &&
           load_function(get, "glShaderSource", gl.shader_source) &&
           load_function(get, "glCompileShader", gl.compile_shader) &&
           load_function(get, "glCreateProgram", gl.create_program) &&
           load_function(get, "glAttachShader", gl.attach_shader) &&
           load_function(get, "glLinkProgram", gl.link_program) &&
           load_function(get, "glGetProgramiv", gl.get_program) &&
           load_function(get, "glUseProgram", gl.use_program) &&
           load_function(get, "glGetUniformLocation", gl.get_uniform_location) &&
           load_function(get, "glUniform1i", gl.uniform) &&
           load_function(get, "glRecti", gl.rectangle);
}

/// Makes a program of the shader current; false: it does not link.
bool use_shader(const ShaderFunctions& gl) {
    const unsigned shader = gl.create_shader(kFragmentShader);
    gl.shader_source(shader, 1, &kShader, nullptr);
    gl.compile_shader(shader);
    const unsigned program = gl.create_program();
    gl.attach_shader(program, shader);
    gl.link_program(program);
    int linked = 0;
    gl.get_program(program, kLinkStatus, &linked);
    if (linked == 0)
        return false;
    gl.use_program(program);
    gl.uniform(gl.get_uniform_location(program, "rounds"), kRounds);
    return true;
}

}  // namespace

Result<std::string> probe_arrays() {
    VALKYR_TRY(context, make_egl_context({}));
    ShaderFunctions gl{};
    if (!load_shader_functions(context.get_function, gl))
        return probe_error(kNoFunctions);
    VALKYR_TRY(name, name_of_valkyr(context.get_function));
    if (!use_shader(gl))
        return probe_error("a shader does not link");
    gl.rectangle(-1, -1, 1, 1);
    VALKYR_TRY(pixel, read_pixel(context.get_function));
    if (pixel[0] != kWhite)
        return probe_error(kWrongElements);
    return name;
}

}  // namespace valkyr::app

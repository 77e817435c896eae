// GLSL client: has Mesa compile and link shaders, as an OpenGL program does.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_client.hpp"

#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/glsl/glsl_exchange.hpp"
#include "app/glsl/program_interface.hpp"
#include "app/run/doctor/client_drawing.hpp"
#include "app/run/doctor/egl_context.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace valkyr::app {

namespace {

// Constants of the headers of OpenGL and EGL, which need not be installed.
constexpr unsigned kCompileStatus = 0x8B81;
constexpr unsigned kLinkStatus = 0x8B82;
constexpr unsigned kInfoLogLength = 0x8B84;
constexpr unsigned kProgramSeparable = 0x8258;
constexpr int kMajorVersion = 0x3098;
constexpr int kMinorVersion = 0x30FB;
constexpr int kProfileMask = 0x30FD;
constexpr int kCoreBit = 1;
constexpr int kCompatibilityBit = 2;

/// Variables of Mesa that change what it compiles, or say that it compiled it before.
constexpr const char* kUnwanted[] = {
    "MESA_GL_VERSION_OVERRIDE",
    "MESA_GLES_VERSION_OVERRIDE",
    "MESA_GLSL_VERSION_OVERRIDE",
    "MESA_EXTENSION_OVERRIDE",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "MESA_GLSL",
    "ST_DEBUG",
    "EGL_PLATFORM",
    "MESA_SHADER_CAPTURE_PATH",
};

/// Time that Mesa gets to compile and link a program. A compiler that hangs shall not hang those
/// who wait for it.
constexpr unsigned kMostSeconds = 60;

using GetInteger = void (*)(unsigned object, unsigned name, int* value);
using GetLog = void (*)(unsigned object, int size, int* length, char* text);

struct ProgramFunctions {
    unsigned (*create_shader)(unsigned type);
    void (*shader_source)(unsigned shader, int count, const char* const* texts, const int* sizes);
    void (*compile_shader)(unsigned shader);
    GetInteger get_shader;
    GetLog get_shader_log;
    unsigned (*create_program)();
    void (*program_parameter)(unsigned program, unsigned name, int value);
    void (*attach_shader)(unsigned program, unsigned shader);
    void (*link_program)(unsigned program);
    GetInteger get_program;
    GetLog get_program_log;
    void (*delete_shader)(unsigned shader);
    void (*delete_program)(unsigned program);
    void (*finish)();
    GetFunction get;
};

Result<ProgramFunctions> load_functions(GetFunction get) {
    ProgramFunctions gl{};
    if (!load_function(get, "glCreateShader", gl.create_shader) ||
        !load_function(get, "glShaderSource", gl.shader_source) ||
        !load_function(get, "glCompileShader", gl.compile_shader) ||
        !load_function(get, "glGetShaderiv", gl.get_shader) ||
        !load_function(get, "glGetShaderInfoLog", gl.get_shader_log) ||
        !load_function(get, "glCreateProgram", gl.create_program) ||
        !load_function(get, "glProgramParameteri", gl.program_parameter) ||
        !load_function(get, "glAttachShader", gl.attach_shader) ||
        !load_function(get, "glLinkProgram", gl.link_program) ||
        !load_function(get, "glGetProgramiv", gl.get_program) ||
        !load_function(get, "glGetProgramInfoLog", gl.get_program_log) ||
        !load_function(get, "glDeleteShader", gl.delete_shader) ||
        !load_function(get, "glDeleteProgram", gl.delete_program) ||
        !load_function(get, "glFinish", gl.finish))
        return probe_error(kNoFunctions);
    gl.get = get;
    return gl;
}

/// The version that the server offers, which has all stages.
EglWish wish_for(GlslProfile profile) {
    if (profile == GlslProfile::Es)
        return {.es = true, .attributes = {kMajorVersion, 3, kMinorVersion, 2}};
    const int bit = profile == GlslProfile::Core ? kCoreBit : kCompatibilityBit;
    return {.es = false, .attributes = {kMajorVersion, 4, kMinorVersion, 3, kProfileMask, bit}};
}

Result<ProgramFunctions> make_context(GlslProfile profile) {
    for (const char* name : kUnwanted)
        unsetenv(name);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("MESA_GLSL_CACHE_DISABLE", "true", 1);  // of older Mesa
    VALKYR_TRY(context, make_egl_context(wish_for(profile)));
    VALKYR_TRY_VOID(name_of_valkyr(context.get_function));
    return load_functions(context.get_function);
}

/// The information log of a shader or program.
std::string log_of(unsigned object, GetInteger get, GetLog get_log) {
    int size = 0;
    get(object, kInfoLogLength, &size);
    std::string text(size > 0 ? static_cast<size_t>(size) : 0, '\0');
    if (text.empty())
        return text;
    int length = 0;
    get_log(object, size, &length, text.data());
    text.resize(length > 0 ? static_cast<size_t>(length) : 0);
    return text;
}

bool is_set(unsigned object, GetInteger get, unsigned name) {
    int value = 0;
    get(object, name, &value);
    return value != 0;
}

/// Compiles one source and attaches it; false: it has errors. Its log goes into `linked`.
bool compile_source(const ProgramFunctions& gl,
                    const std::string& source,
                    const GlslStage& stage,
                    size_t position,
                    unsigned program,
                    LinkedProgram& linked) {
    const unsigned shader = gl.create_shader(stage.type);
    const char* const text = source.data();
    const int size = static_cast<int>(source.size());  // at most kMaxInputBytes
    gl.shader_source(shader, 1, &text, &size);
    gl.compile_shader(shader);
    linked.messages.push_back({position, log_of(shader, gl.get_shader, gl.get_shader_log)});
    gl.attach_shader(program, shader);
    const bool good = is_set(shader, gl.get_shader, kCompileStatus);
    gl.delete_shader(shader);  // the program keeps it
    return good;
}

/// Links one program; the driver compiles all its stages.
Result<LinkedProgram>
link(const ProgramFunctions& gl, const std::string& folder, const GlslProgram& sources) {
    LinkedProgram linked;
    const unsigned program = gl.create_program();
    bool good = true;
    for (size_t i = 0; i < sources.names.size(); ++i) {
        const GlslStage* const stage = glsl_stage_of(sources.names[i]);
        if (stage == nullptr)
            return probe_error(sources.names[i] + " is no GLSL file");
        VALKYR_TRY(source, read_input(folder + "/" + sources.names[i]));
        good &= compile_source(gl, source, *stage, i, program, linked);
    }
    if (!good)
        return linked;
    if (sources.separable)
        gl.program_parameter(program, kProgramSeparable, 1);
    gl.link_program(program);
    gl.finish();
    linked.linked = is_set(program, gl.get_program, kLinkStatus);
    linked.messages.push_back({0, log_of(program, gl.get_program, gl.get_program_log)});
    if (linked.linked)
        linked.interface = describe_interface(gl.get, program);
    gl.delete_program(program);
    return linked;
}

/// Links all programs of the folder. The server writes a text before it answers gl.finish().
Result<void> link_all(const std::string& folder, GlslProfile profile) {
    VALKYR_TRY(programs, read_programs(folder));
    VALKYR_TRY(gl, make_context(profile));
    size_t texts = 1;
    std::error_code error;
    for (const GlslProgram& program : programs) {
        alarm(kMostSeconds);  // ends this process
        VALKYR_TRY(linked, link(gl, folder, program));
        linked.texts_begin = texts;
        while (std::filesystem::exists(text_path(folder, texts), error))
            ++texts;
        linked.texts_end = texts;
        VALKYR_TRY_VOID(add_linked(folder, linked));
    }
    return {};
}

}  // namespace

int run_glsl_client(const std::string& folder, GlslProfile profile) {
    const auto done = link_all(folder, profile);
    if (done.has_value())
        return kExitOk;
    return write_failure(folder, done.error().text).has_value() ? kExitOk : kExitError;
}

}  // namespace valkyr::app

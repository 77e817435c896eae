// GL latency: times the system's OpenGL from a linked program to its first pixel.
// SPDX-License-Identifier: MIT
//
// bench_gl_latency draws the shaders of bench_jit as GLSL 1.30, each time with another constant,
// into 4x4 pixels of a surfaceless EGL context. "backend" is the processor time (of all threads) of
// the first draw minus that of the second: Gallium drivers generate machine code in the first draw.
// "new_blend_state" is that time for a known program with another blend state. With
// LP_NUM_THREADS=0 and MESA_SHADER_CACHE_DISABLE=true, llvmpipe does here what bench_jit measures
// of Valkyr.
#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr unsigned kPrograms = 12;
constexpr int kSize = 4;

double processor_ms() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

/// Makes a context current; returns what is missing if that fails.
std::optional<std::string> open_context() {
    const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_display == nullptr)
        return "EGL without platform displays";
    const EGLDisplay display =
        get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        return "no surfaceless EGL display (Mesa's libegl1 and libgl1-mesa-dri)";
    if (!eglBindAPI(EGL_OPENGL_API))
        return "EGL without desktop OpenGL";
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        config = nullptr;
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return "no OpenGL context";
    return std::nullopt;
}

constexpr const char* kVertex = "#version 130\n"
                                "in vec4 position;\n"
                                "out vec3 normal, eye; out vec4 colour; out vec2 place;\n"
                                "void main() { normal = position.xyz; eye = position.yzx;\n"
                                "  colour = position; place = position.xy;\n"
                                "  gl_Position = position; }\n";
constexpr const char* kPhong =
    "#version 130\n"
    "in vec3 normal, eye; in vec4 colour; out vec4 result; uniform vec4 light;\n"
    "void main() { vec3 n = normalize(normal), l = normalize(light.xyz - eye);\n"
    "  vec3 h = normalize(l + normalize(-eye));\n"
    "  float d = max(dot(n, l), 0.0) * 0.8 + 0.15;\n"
    "  float s = pow(max(dot(n, h), 0.0), 40.0 + NUMBER) * 0.7;\n"
    "  result = vec4(colour.xyz * d + s, 1.0); }\n";
constexpr const char* kTexture = "#version 130\n"
                                 "in vec2 place; out vec4 result; uniform sampler2D picture;\n"
                                 "void main() { result = texture(picture, place * NUMBER); }\n";

/// Builds a program with `number` in its text; 0 if the driver refuses it.
GLuint build(const char* fragment, unsigned number) {
    std::string text = fragment;
    text.replace(text.find("NUMBER"), 6, std::to_string(number + 1) + ".5");
    const GLuint program = glCreateProgram();
    const auto attach = [&](GLenum kind, const char* source) {
        const GLuint shader = glCreateShader(kind);
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    };
    attach(GL_VERTEX_SHADER, kVertex);
    attach(GL_FRAGMENT_SHADER, text.c_str());
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked != 0 ? program : 0;
}

double draw_ms() {
    const double start = processor_ms();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glFinish();
    return processor_ms() - start;
}

void set_up() {
    static const float vertices[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    static const unsigned char texels[64] = {};
    GLuint names[3];
    glGenTextures(2, names);
    for (unsigned i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, names[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    }
    glGenFramebuffers(1, &names[2]);
    glBindFramebuffer(GL_FRAMEBUFFER, names[2]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, names[0], 0);
    glViewport(0, 0, kSize, kSize);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}

void print(const char* kind, const char* shader, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    std::printf("%s,%s,%zu,%.3f,%.3f\n", kind, shader, ms.size(), ms.front(), ms[ms.size() / 2]);
}

/// Measures a shader; false if the driver refuses it.
bool measure(const char* name, const char* fragment) {
    std::vector<double> backend;
    std::vector<double> states;
    for (unsigned n = 0; n < kPrograms; ++n) {
        const GLuint program = build(fragment, n);
        if (program == 0)
            return false;
        glUseProgram(program);
        glDisable(GL_BLEND);
        const double first = draw_ms();
        backend.push_back(first - draw_ms());
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        const double blended = draw_ms();
        states.push_back(blended - draw_ms());
    }
    print("backend", name, backend);
    print("new_blend_state", name, states);
    return true;
}

}  // namespace

int main() {
    if (const std::optional<std::string> missing = open_context()) {
        std::printf("bench_gl_latency: skipped: %s\n", missing->c_str());
        return 0;
    }
    std::printf("# %s\nwhat,shader,programs,min_ms,median_ms\n",
                reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    set_up();
    if (!measure("phong", kPhong) || !measure("texture", kTexture)) {
        std::fprintf(stderr, "bench_gl_latency: the driver refuses GLSL 1.30\n");
        return 1;
    }
}

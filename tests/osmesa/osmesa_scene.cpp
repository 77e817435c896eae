// OSMesa scene: draws by the OSMesa interface and prints what arrives in memory.
// SPDX-License-Identifier: MIT
//
// Usage: osmesa_scene LIBRARY. Runs each case with the library of that name, which may be Mesa's,
// and prints a line of numbers for each: two libraries are compared by their lines.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace {

using Function = void (*)();
struct OsMesa {
    void* (*create)(unsigned, int, int, int, void*);
    void* (*create_attributes)(const int*, void*);
    void (*destroy)(void*);
    unsigned char (*make_current)(void*, void*, unsigned, int, int);
    void* (*current)();
    void (*pixel_store)(int, int);
    void (*get_integer)(int, int*);
    unsigned char (*depth_buffer)(void*, int*, int*, int*, void**);
    unsigned char (*color_buffer)(void*, int*, int*, int*, void**);
    Function (*function)(const char*);
};
struct Gl {
    void (*clear_color)(float, float, float, float);
    void (*clear_depth)(double);
    void (*clear)(unsigned);
    void (*begin)(unsigned);
    void (*end)();
    void (*color)(float, float, float);
    void (*vertex)(float, float, float);
    void (*enable)(unsigned);
    void (*viewport)(int, int, int, int);
    void (*get_integer)(unsigned, int*);
    const char* (*get_string)(unsigned);
    void (*finish)();
    void (*flush)();
    unsigned (*gen_lists)(int);
    void (*new_list)(unsigned, unsigned);
    void (*end_list)();
    unsigned char (*is_list)(unsigned);
    void (*pixel_store)(unsigned, int);
    void (*pixel_transfer)(unsigned, float);
    void (*get_float)(unsigned, float*);
    void (*gen_buffers)(int, unsigned*);
    void (*bind_buffer)(unsigned, unsigned);
    void (*accum)(unsigned, float);
    void (*clear_accum)(float, float, float, float);
    void (*scissor)(int, int, int, int);
    void (*color_mask)(unsigned char, unsigned char, unsigned char, unsigned char);
    void (*disable)(unsigned);
    unsigned (*get_error)();
};

constexpr unsigned kRgba = 0x1908;
constexpr unsigned kByte = 0x1401;
constexpr unsigned kShort = 0x1403;
constexpr unsigned kFloat = 0x1406;
constexpr unsigned kShort565 = 0x8363;

template <typename T>
bool load(void* library, const char* name, T& function) {
    function = reinterpret_cast<T>(dlsym(library, name));
    if (function == nullptr)
        std::fprintf(stderr, "%s: %s\n", name, dlerror());
    return function != nullptr;
}

template <typename T>
void ask(const OsMesa& os, const char* name, T& function) {
    function = reinterpret_cast<T>(os.function(name));
}

bool load(void* library, OsMesa& os) {
    return load(library, "OSMesaCreateContextExt", os.create) &&
           load(library, "OSMesaCreateContextAttribs", os.create_attributes) &&
           load(library, "OSMesaDestroyContext", os.destroy) &&
           load(library, "OSMesaMakeCurrent", os.make_current) &&
           load(library, "OSMesaGetCurrentContext", os.current) &&
           load(library, "OSMesaPixelStore", os.pixel_store) &&
           load(library, "OSMesaGetIntegerv", os.get_integer) &&
           load(library, "OSMesaGetDepthBuffer", os.depth_buffer) &&
           load(library, "OSMesaGetColorBuffer", os.color_buffer) &&
           load(library, "OSMesaGetProcAddress", os.function);
}

Gl load_gl(const OsMesa& os) {
    Gl gl{};
    ask(os, "glClearColor", gl.clear_color);
    ask(os, "glClearDepth", gl.clear_depth);
    ask(os, "glClear", gl.clear);
    ask(os, "glBegin", gl.begin);
    ask(os, "glEnd", gl.end);
    ask(os, "glColor3f", gl.color);
    ask(os, "glVertex3f", gl.vertex);
    ask(os, "glEnable", gl.enable);
    ask(os, "glViewport", gl.viewport);
    ask(os, "glGetIntegerv", gl.get_integer);
    ask(os, "glGetString", gl.get_string);
    ask(os, "glFinish", gl.finish);
    ask(os, "glFlush", gl.flush);
    ask(os, "glGenLists", gl.gen_lists);
    ask(os, "glNewList", gl.new_list);
    ask(os, "glEndList", gl.end_list);
    ask(os, "glIsList", gl.is_list);
    ask(os, "glPixelStorei", gl.pixel_store);
    ask(os, "glPixelTransferf", gl.pixel_transfer);
    ask(os, "glGetFloatv", gl.get_float);
    ask(os, "glGenBuffers", gl.gen_buffers);
    ask(os, "glBindBuffer", gl.bind_buffer);
    ask(os, "glAccum", gl.accum);
    ask(os, "glClearAccum", gl.clear_accum);
    ask(os, "glScissor", gl.scissor);
    ask(os, "glColorMask", gl.color_mask);
    ask(os, "glDisable", gl.disable);
    ask(os, "glGetError", gl.get_error);
    return gl;
}

/// A dark ground, and a triangle of one colour over its lower left half, with depth 0.25.
void draw(const Gl& gl) {
    gl.clear_color(0.2F, 0.4F, 0.6F, 1);
    gl.clear_depth(1);
    gl.clear(0x4100);
    gl.enable(0x0B71);
    gl.begin(4);
    gl.color(1, 0.5F, 0);
    gl.vertex(-1, -1, -0.5F);
    gl.vertex(1, -1, -0.5F);
    gl.vertex(-1, 1, -0.5F);
    gl.end();
}

double number(const uint8_t* at, unsigned type) {
    float real = 0;
    uint16_t word = 0;
    if (type == kByte)
        return *at / 255.0;
    if (type == kFloat) {
        std::memcpy(&real, at, sizeof real);
        return static_cast<double>(real);
    }
    std::memcpy(&word, at, sizeof word);
    return type == kShort ? word / 65535.0 : word;
}

struct Case {
    const char* name;
    unsigned format, type, components;
};
constexpr unsigned kBgra = 1;
constexpr unsigned kArgb = 2;
constexpr unsigned kRgb = 0x1907;
constexpr unsigned kBgr = 4;
constexpr unsigned k565 = 5;
constexpr std::array<Case, 10> kCases = {{{"rgba8", kRgba, kByte, 4},
                                          {"bgra8", kBgra, kByte, 4},
                                          {"argb8", kArgb, kByte, 4},
                                          {"rgb8", kRgb, kByte, 3},
                                          {"bgr8", kBgr, kByte, 3},
                                          {"rgb565", k565, kShort565, 1},
                                          {"rgba16", kRgba, kShort, 4},
                                          {"rgb16", kRgb, kShort, 3},
                                          {"rgbaf", kRgba, kFloat, 4},
                                          {"rgbf", kRgb, kFloat, 3}}};

/// Prints the lower left pixel, the upper right one, and whether memory between rows is untouched.
void print_pixels(const Case& c, const std::vector<uint8_t>& memory, int width, int stride) {
    constexpr int height = 24;
    const unsigned size = c.type == kByte ? 1 : c.type == kFloat ? 4 : 2;
    const unsigned bytes = size * c.components;
    for (const auto& [x, y] : {std::pair{1, 1}, {width - 2, height - 2}}) {
        const size_t at =
            (static_cast<size_t>(y) * static_cast<size_t>(stride) + static_cast<size_t>(x)) * bytes;
        for (unsigned k = 0; k < c.components; ++k)
            std::printf(" %.2f", number(&memory[at + static_cast<size_t>(k) * size], c.type));
    }
    bool untouched = true;
    for (int x = width; x < stride; ++x)
        untouched = untouched && memory[static_cast<size_t>(x) * bytes] == 0xCD;
    std::printf(" between %d\n", untouched ? 1 : 0);
}

void show_formats(const OsMesa& os) {
    constexpr int height = 24;
    for (const Case& c : kCases)
        for (const int y_up : {1, 0})
            for (const int stride : {0, 40}) {
                void* context = os.create(c.format, 24, 8, 0, nullptr);
                constexpr int width = 33;
                std::vector<uint8_t> memory(16 * 40 * height, 0xCD);
                std::printf("%s up %d row %d:", c.name, y_up, stride);
                if (context == nullptr ||
                    os.make_current(context, memory.data(), c.type, width, height) == 0) {
                    std::printf(" refused\n");
                    continue;
                }
                os.pixel_store(0x11, y_up);
                os.pixel_store(0x10, stride);
                const Gl gl = load_gl(os);
                draw(gl);
                gl.finish();
                print_pixels(c, memory, width, stride == 0 ? width : stride);
                os.destroy(context);
            }
}

constexpr int kSide = 8;
/// A current context with a surface of 8x8 pixels.
struct Small {
    void* context;
    std::vector<uint8_t> memory = std::vector<uint8_t>(size_t{4} * kSide * kSide);
    Gl gl{};
};
Small make_small(const OsMesa& os, int depth, int stencil, int accumulation) {
    Small small{os.create(kRgba, depth, stencil, accumulation, nullptr)};
    os.make_current(small.context, small.memory.data(), kByte, kSide, kSide);
    small.gl = load_gl(os);
    return small;
}

void show_depth(const OsMesa& os) {
    for (const int bits : {0, 16, 24}) {
        const Small small = make_small(os, bits, 0, 0);
        const auto& [context, memory, gl] = small;
        draw(gl);
        gl.finish();
        int width = 0;
        int height = 0;
        int bytes = 0;
        void* values = nullptr;
        const int found = os.depth_buffer(context, &width, &height, &bytes, &values);
        std::printf("depth %d: %d %d %d %d", bits, found, width, height, bytes);
        if (found != 0) {
            uint32_t near = 0;
            uint32_t far = 0;
            std::memcpy(&near, values, static_cast<size_t>(bytes));
            std::memcpy(&far, static_cast<char*>(values) + 63 * bytes, static_cast<size_t>(bytes));
            const double most = bytes == 2 ? 65535.0 : 16777215.0;
            std::printf(" %.3f %.3f", near / most, far / most);
        }
        std::printf("\n");
        os.destroy(context);
    }
}

/// Parameters of the program's reads, which the depth of the context does not depend on.
void show_depth_with_parameters(const OsMesa& os) {
    constexpr unsigned pack_row_length = 0x0D02;
    constexpr unsigned pack_skip_pixels = 0x0D04;
    constexpr unsigned depth_scale = 0x0D1E;
    constexpr unsigned pack_buffer = 0x88EB;
    constexpr unsigned pack_buffer_binding = 0x88ED;
    const Small small = make_small(os, 24, 0, 0);
    const auto& [context, memory, gl] = small;
    draw(gl);
    gl.pixel_store(pack_row_length, 5);
    gl.pixel_store(pack_skip_pixels, 3);
    gl.pixel_transfer(depth_scale, 0.5F);
    unsigned buffer = 0;
    gl.gen_buffers(1, &buffer);
    gl.bind_buffer(pack_buffer, buffer);
    int sizes[3] = {};
    void* values = nullptr;
    os.depth_buffer(context, &sizes[0], &sizes[1], &sizes[2], &values);
    uint32_t near = 0;
    if (values != nullptr)
        std::memcpy(&near, values, sizeof near);
    int kept[3] = {};
    float scale = 0;
    gl.get_integer(pack_row_length, &kept[0]);
    gl.get_integer(pack_skip_pixels, &kept[1]);
    gl.get_integer(pack_buffer_binding, &kept[2]);
    gl.get_float(depth_scale, &scale);
    std::printf("depth with parameters: %.3f kept %d %d %d %.2f\n", near / 16777215.0, kept[0],
                kept[1], kept[2] == static_cast<int>(buffer) ? 1 : 0, static_cast<double>(scale));
    os.destroy(context);
}

/// The mean of two pictures, and operations within a scissor box and a color mask.
void show_accumulation(const OsMesa& os) {
    constexpr unsigned accum = 0x0100;
    constexpr unsigned load = 0x0101;
    constexpr unsigned back = 0x0102;
    constexpr unsigned mult = 0x0103;
    constexpr unsigned add = 0x0104;
    constexpr unsigned scissor_test = 0x0C11;
    const Small small = make_small(os, 24, 8, 16);
    const std::vector<uint8_t>& memory = small.memory;
    const Gl& gl = small.gl;
    int bits = 0;
    gl.get_integer(0x0D58, &bits);
    std::printf("accumulation: %d bits or more", bits >= 16 ? 16 : bits);
    const auto show = [&] {
        gl.accum(back, 1);
        gl.finish();
        for (const int place : {0, kSide * kSide - 1})
            for (int k = 0; k < 4; ++k)
                std::printf(" %.2f", memory[static_cast<size_t>(4 * place + k)] / 255.0);
        std::printf(";");
    };
    draw(gl);
    gl.accum(load, 0.5F);
    gl.clear_color(0.6F, 0.2F, 0, 1);
    gl.clear(0x4000);
    gl.accum(accum, 0.5F);
    show();
    gl.accum(mult, 0.5F);
    gl.enable(scissor_test);
    gl.scissor(kSide / 2, kSide / 2, 100, 100);
    gl.accum(add, 0.25F);
    gl.disable(scissor_test);
    gl.color_mask(1, 0, 1, 0);
    show();
    gl.color_mask(1, 1, 1, 1);
    gl.clear_accum(1, 0.5F, 0.25F, 0);
    gl.scissor(-3, -3, 5, 5);
    gl.enable(scissor_test);
    gl.clear(0x4200);
    gl.disable(scissor_test);
    show();
    std::printf(" error 0x%x", gl.get_error());
    gl.accum(0x7777, 1);
    std::printf(" 0x%x\n", gl.get_error());
    os.destroy(small.context);
}

/// Two contexts, sizes that change, objects that are shared, and what the current context is.
void show_contexts(const OsMesa& os) {
    void* first = os.create(kRgba, 24, 8, 0, nullptr);
    void* second = os.create(kBgra, 24, 8, 0, first);
    std::vector<uint8_t> a(4 * 64 * 64);
    std::vector<uint8_t> b(4 * 16 * 16);
    os.make_current(first, a.data(), kByte, 64, 64);
    const Gl gl = load_gl(os);
    draw(gl);
    const unsigned list = gl.gen_lists(1);
    gl.new_list(list, 0x1300);
    gl.end_list();
    os.make_current(second, b.data(), kByte, 16, 16);  // copies the pixels of the first
    std::printf("contexts: %d %d %d shared %d current %d\n", a[0], a[1], a[2], gl.is_list(list),
                os.current() == second ? 1 : 0);
    gl.clear_color(0, 1, 0, 1);
    gl.clear(0x4000);
    gl.flush();
    std::printf("second: %d %d %d first %d\n", b[0], b[1], b[2], a[0]);
    // Other memory for a context leaves the memory before alone: the program may have freed it.
    os.make_current(first, a.data(), kByte, 64, 64);
    draw(gl);
    std::vector<uint8_t> other(size_t{4} * 64 * 64);
    std::fill(a.begin(), a.end(), uint8_t{7});
    os.make_current(first, other.data(), kByte, 64, 64);
    std::printf("other memory: %d\n", a[0]);
    std::vector<uint8_t> large(4 * 128 * 100);
    os.make_current(first, large.data(), kByte, 128, 100);
    gl.viewport(0, 0, 128, 100);
    draw(gl);
    gl.finish();
    int values[4] = {};
    for (int k = 0; k < 4; ++k)
        os.get_integer(0x20 + k, &values[k]);
    const size_t last = 4 * (size_t{100} * 128 - 1);
    std::printf("resized: %d %d %d x%x at %d %d last %d %d\n", values[0], values[1], values[2],
                static_cast<unsigned>(values[3]), large[0], large[1], large[last], large[last + 1]);
    const int unbound = os.make_current(nullptr, nullptr, 0, 0, 0);
    std::printf("unbound: %d %d\n", unbound, os.current() == nullptr ? 1 : 0);
    os.destroy(first);
    os.destroy(second);
}

void show_attributes(const OsMesa& os) {
    const int core[] = {0x22, 0x1908, 0x30, 24, 0x33, 0x34, 0x36, 3, 0x37, 3, 0};
    void* context = os.create_attributes(core, nullptr);
    std::vector<uint8_t> memory(4 * 8 * 8);
    const int made = context != nullptr && os.make_current(context, memory.data(), kByte, 8, 8);
    int version[2] = {};
    if (made != 0) {
        load_gl(os).get_integer(0x821B, &version[0]);
        load_gl(os).get_integer(0x821C, &version[1]);
    }
    std::printf("core: %d %d\n", made, version[0] * 10 + version[1] >= 33 ? 1 : 0);
    if (context != nullptr)
        os.destroy(context);
    const int unknown[] = {0x7777, 1, 0};
    std::printf("unknown attribute: %d\n", os.create_attributes(unknown, nullptr) != nullptr);
    std::printf("unknown format: %d\n", os.create(0x1234, 24, 8, 0, nullptr) != nullptr);
}

void show_refusals(const OsMesa& os) {
    void* context = os.create(kRgba, 24, 8, 0, nullptr);
    std::array<uint8_t, 256> memory{};
    std::printf("refused: %d %d %d %d\n", os.make_current(context, memory.data(), kByte, 0, 8),
                os.make_current(context, memory.data(), kByte, 8, -1),
                os.make_current(context, memory.data(), 0x1400, 8, 8),
                os.make_current(context, nullptr, kByte, 8, 8));
    std::printf("functions: %d %d\n", os.function("glFinish") != nullptr,
                os.function("OSMesaMakeCurrent") != nullptr);
    os.destroy(context);
}

/// Floats keep what lies outside of [0, 1].
void show_range(const OsMesa& os) {
    void* context = os.create(kRgba, 0, 0, 0, nullptr);
    std::array<float, 64> memory{};
    if (os.make_current(context, memory.data(), kFloat, 4, 4) != 0) {
        const Gl gl = load_gl(os);
        gl.clear_color(1.5F, -2, 0.25F, 4);
        gl.clear(0x4000);
        gl.finish();
    }
    std::printf("range: %.2f %.2f %.2f %.2f\n", double(memory[0]), double(memory[1]),
                double(memory[2]), double(memory[3]));
    os.destroy(context);
}

/// All bits of components of 16 and 32 bits arrive, after clears, draws, and what is copied within.
void show_precision(const OsMesa& os) {
    constexpr int side = 4;
    for (const unsigned type : {kShort, kFloat}) {
        void* context = os.create(kRgba, 0, 0, 0, nullptr);
        std::array<float, size_t{4} * side * side> memory{};
        if (os.make_current(context, memory.data(), type, side, side) == 0)
            continue;
        const Gl gl = load_gl(os);
        gl.clear_color(12345 / 65535.0F, 1 / 3.0F, 1e-4F, 54321 / 65535.0F);
        gl.clear(0x4000);
        gl.color(0.7F, 1 / 7.0F, 64257 / 65535.0F);
        gl.begin(0);  // points, which cover the pixels of the first column
        for (int y = 0; y < side; ++y)
            gl.vertex(-0.75F, -0.75F + 0.5F * static_cast<float>(y), 0);
        gl.end();
        gl.finish();
        std::printf("precision 0x%x:", type);
        for (const size_t at : {0U, 4U * side * side - 4U})
            for (size_t k = at; k < at + 4; ++k)
                if (type == kFloat)
                    std::printf(" %.9g", double(memory[k]));
                else
                    std::printf(" %d", reinterpret_cast<const uint16_t*>(memory.data())[k]);
        std::printf("\n");
        os.destroy(context);
    }
}

}  // namespace

int main(int argc, char** argv) {
    void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    OsMesa os{};
    if (library == nullptr || !load(library, os)) {
        std::fprintf(stderr, "usage: osmesa_scene LIBRARY: %s\n", argc == 2 ? dlerror() : "");
        return 2;
    }
    void* any = os.create(kRgba, 24, 8, 0, nullptr);
    if (any == nullptr)
        return 1;
    os.destroy(any);
    show_formats(os);
    show_range(os);
    show_precision(os);
    show_depth(os);
    show_depth_with_parameters(os);
    show_accumulation(os);
    show_contexts(os);
    show_attributes(os);
    show_refusals(os);
    return 0;
}

// OSMesa linked: a program that links libGL before libOSMesa, as some of Debian do.
// SPDX-License-Identifier: MIT
//
// Exit code 0 if glFinish() and glFlush() of such a program bring pixels to its memory, and if
// results may have no place; 77 without a context.
#include <cstdint>
#include <cstdio>
#include <vector>

extern "C" {
struct osmesa_context;
osmesa_context* OSMesaCreateContextExt(unsigned, int, int, int, osmesa_context*);
unsigned char OSMesaMakeCurrent(osmesa_context*, void*, unsigned, int, int);
void OSMesaDestroyContext(osmesa_context*);
void (*OSMesaGetProcAddress(const char*))();
void OSMesaGetIntegerv(int, int*);
unsigned char OSMesaGetDepthBuffer(osmesa_context*, int*, int*, int*, void**);
unsigned char OSMesaGetColorBuffer(osmesa_context*, int*, int*, int*, void**);
void OSMesaPostprocess(osmesa_context*, const char*, unsigned);
void glFinish();
void glFlush();
}

namespace {

template <typename T>
T function(const char* name) {
    return reinterpret_cast<T>(OSMesaGetProcAddress(name));
}

bool draws(void (*end)(), float red, uint8_t expected, std::vector<uint8_t>& memory) {
    function<void (*)(float, float, float, float)>("glClearColor")(red, 0, 0, 1);
    function<void (*)(unsigned)>("glClear")(0x4000);
    end();
    if (memory[0] == expected && memory.back() == 255)
        return true;
    std::printf("%u instead of %u\n", memory[0], expected);
    return false;
}

/// Programs want some of the results, and pass null for others.
bool leaves_out(osmesa_context* context) {
    int width = 0;
    OSMesaGetIntegerv(0x20, nullptr);
    OSMesaPostprocess(context, nullptr, 1);
    const bool color = OSMesaGetColorBuffer(context, &width, nullptr, nullptr, nullptr) == 1;
    const bool depth = OSMesaGetDepthBuffer(context, nullptr, nullptr, nullptr, nullptr) == 1;
    const bool none = OSMesaGetDepthBuffer(nullptr, nullptr, nullptr, nullptr, nullptr) == 0;
    return color && depth && none && width == 16;
}

}  // namespace

int main() {
    glFinish();  // without a context
    osmesa_context* context = OSMesaCreateContextExt(0x1908, 24, 0, 0, nullptr);
    std::vector<uint8_t> memory(4 * 16 * 16);
    if (context == nullptr || OSMesaMakeCurrent(context, memory.data(), 0x1401, 16, 16) == 0)
        return 77;
    const bool good = draws([] { glFinish(); }, 1, 255, memory) &&
                      draws([] { glFlush(); }, 0.2F, 51, memory) && leaves_out(context);
    OSMesaDestroyContext(context);
    return good ? 0 : 1;
}

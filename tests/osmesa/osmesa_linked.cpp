// OSMesa linked: a program that links libGL before libOSMesa, as some of Debian do.
// SPDX-License-Identifier: MIT
//
// Exit code 0 if glFinish() and glFlush() of such a program bring pixels to its memory; 77 without
// a context.
#include <cstdint>
#include <cstdio>
#include <vector>

extern "C" {
struct osmesa_context;
osmesa_context* OSMesaCreateContextExt(unsigned, int, int, int, osmesa_context*);
unsigned char OSMesaMakeCurrent(osmesa_context*, void*, unsigned, int, int);
void OSMesaDestroyContext(osmesa_context*);
void (*OSMesaGetProcAddress(const char*))();
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

}  // namespace

int main() {
    glFinish();  // without a context
    osmesa_context* context = OSMesaCreateContextExt(0x1908, 0, 0, 0, nullptr);
    std::vector<uint8_t> memory(4 * 16 * 16);
    if (context == nullptr || OSMesaMakeCurrent(context, memory.data(), 0x1401, 16, 16) == 0)
        return 77;
    const bool good =
        draws([] { glFinish(); }, 1, 255, memory) && draws([] { glFlush(); }, 0.2F, 51, memory);
    OSMesaDestroyContext(context);
    return good ? 0 : 1;
}

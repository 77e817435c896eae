// Failing start: refuses memory to a program from its main() on, as a preloaded library.
// SPDX-License-Identifier: MIT
//
// VALKYR_REFUSE_FIRST and VALKYR_REFUSE_COUNT name the requests; VALKYR_REQUESTS_FILE gets the
// number of requests that main() made, if it returns.
#include "tests/memory/failing_memory.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

uint64_t number_of(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : UINT64_MAX;
}

int counted_main(int argc, char** argv, char** environment) {
    const uint64_t first = number_of("VALKYR_REFUSE_FIRST");
    const uint64_t count = number_of("VALKYR_REFUSE_COUNT");
    int code = 0;
    uint64_t requests = 0;
    {
        const valkyr::test::FailingMemory failing(first, count);
        code = real_main(argc, argv, environment);
        requests = valkyr::test::FailingMemory::requests();
    }
    if (const char* name = std::getenv("VALKYR_REQUESTS_FILE"))
        if (std::FILE* file = std::fopen(name, "w")) {
            std::fprintf(file, "%llu\n", static_cast<unsigned long long>(requests));
            std::fclose(file);
        }
    return code;
}

}  // namespace

extern "C" int __libc_start_main(Main program,
                                 int argc,
                                 char** argv,
                                 void (*begin)(),
                                 void (*end)(),
                                 void (*end_loader)(),
                                 void* stack_end) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    real_main = program;
    const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
    return start(counted_main, argc, argv, begin, end, end_loader, stack_end);
}

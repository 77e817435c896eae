// Finish redirect: leads glFinish() and glFlush() of programs here that link libGL first.
// SPDX-License-Identifier: MIT
#include "osmesa/finish_redirect.hpp"

#include "osmesa/function_tables.hpp"

#include <dlfcn.h>
#include <mutex>

namespace valkyr::osmesa {
namespace {

constexpr const char* kSoname = "libOSMesa.so.8";

struct Functions {
    Finish finish;
    Finish flush;
};

/// Redirects the calls of one library. The kernel's own (vDSO) has addresses of its file, below
/// that of the library, where the loader puts addresses of the process; it is left alone.
int redirect_library(dl_phdr_info* info, size_t, void* data) {
    const auto* const functions = static_cast<const Functions*>(data);
    LoadedLibrary library{info->dlpi_addr, nullptr};
    for (unsigned i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            const ElfW(Addr) place = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            library.dynamic = reinterpret_cast<const ElfW(Dyn)*>(place);  // NOLINT: its address
        }
    if (library.dynamic == nullptr)
        return 0;
    for (const ElfW(Dyn)* entry = library.dynamic; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_STRTAB && entry->d_un.d_ptr < info->dlpi_addr)
            return 0;
    if (!needs(library, kSoname))
        return 0;
    replace_function(library, "glFinish", reinterpret_cast<const void*>(functions->finish));
    replace_function(library, "glFlush", reinterpret_cast<const void*>(functions->flush));
    return 0;
}

Finish function_of_libgl(const char* name) {
    void* const libgl = dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return libgl != nullptr ? reinterpret_cast<Finish>(dlsym(libgl, name)) : nullptr;
}

}  // namespace

void redirect_finish(Finish finish, Finish flush) {
    static std::once_flag once;
    std::call_once(once, [&] {
        Functions functions{finish, flush};
        dl_iterate_phdr(redirect_library, &functions);
    });
}

Finish libgl_finish() {
    static const Finish function = function_of_libgl("glFinish");
    return function;
}

Finish libgl_flush() {
    static const Finish function = function_of_libgl("glFlush");
    return function;
}

}  // namespace valkyr::osmesa

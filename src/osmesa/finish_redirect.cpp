// Finish redirect: leads glFinish() and glFlush() of programs here that link libGL first.
// SPDX-License-Identifier: MIT
#include "osmesa/finish_redirect.hpp"

#include "osmesa/function_tables.hpp"

#include <dlfcn.h>
#include <mutex>

namespace valkyr::osmesa {
namespace {

constexpr const char* kSoname = "libOSMesa.so.8";

/// The dynamic section of a library. Null for the kernel's own (vDSO): it has addresses of its
/// file, below that of the library, where the loader puts addresses of the process.
const ElfW(Dyn) * dynamic_section(const dl_phdr_info& info) {
    const ElfW(Dyn)* dynamic = nullptr;
    for (unsigned i = 0; i < info.dlpi_phnum; ++i)
        if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
            const ElfW(Addr) place = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr;
            dynamic = reinterpret_cast<const ElfW(Dyn)*>(place);  // NOLINT: its address
        }
    for (const ElfW(Dyn)* at = dynamic; at != nullptr && at->d_tag != DT_NULL; ++at)
        if (at->d_tag == DT_STRTAB && at->d_un.d_ptr < info.dlpi_addr)
            return nullptr;
    return dynamic;
}

/// Redirects the calls of one library, as dl_iterate_phdr() calls it.
int redirect_library(dl_phdr_info* info, size_t, void* data) {
    const auto* const to = static_cast<const FinishFunctions*>(data);
    const LoadedLibrary library{info->dlpi_addr, dynamic_section(*info)};
    if (library.dynamic == nullptr || !needs(library, kSoname))
        return 0;
    replace_function(library, "glFinish", reinterpret_cast<const void*>(to->finish));
    replace_function(library, "glFlush", reinterpret_cast<const void*>(to->flush));
    return 0;
}

Finish function_of_libgl(const char* name) {
    void* const libgl = dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return libgl != nullptr ? reinterpret_cast<Finish>(dlsym(libgl, name)) : nullptr;
}

}  // namespace

void redirect_finish(const FinishFunctions& to) {
    static std::once_flag once;
    FinishFunctions functions = to;
    std::call_once(once, [&] { dl_iterate_phdr(redirect_library, &functions); });
}

const FinishFunctions& libgl_functions() {
    static const FinishFunctions functions{function_of_libgl("glFinish"),
                                           function_of_libgl("glFlush")};
    return functions;
}

}  // namespace valkyr::osmesa

// Call redirect: leads calls of some functions here though libGL is linked first.
// SPDX-License-Identifier: MIT
#include "osmesa/call_redirect.hpp"

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
    const auto& to = *static_cast<std::span<const NamedFunction>*>(data);
    const LoadedLibrary library{info->dlpi_addr, dynamic_section(*info)};
    if (library.dynamic == nullptr || !needs(library, kSoname))
        return 0;
    for (const NamedFunction& named : to)
        replace_function(library, named.name, reinterpret_cast<const void*>(named.function));
    return 0;
}

}  // namespace

void redirect_calls(std::span<const NamedFunction> to) {
    static std::once_flag once;
    std::call_once(once, [&] { dl_iterate_phdr(redirect_library, &to); });
}

Function function_of_libgl(const char* name) {
    void* const libgl = dlopen("libGL.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return libgl != nullptr ? reinterpret_cast<Function>(dlsym(libgl, name)) : nullptr;
}

}  // namespace valkyr::osmesa

// Function tables: give a library's calls of a function another address.
// SPDX-License-Identifier: MIT
#include "osmesa/function_tables.hpp"

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace valkyr::osmesa {
namespace {

/// Tables that the dynamic section of a library names (System V ABI, chapter 5).
struct DynamicTables {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const ElfW(Rela) * calls = nullptr;
    size_t call_bytes = 0;
    const ElfW(Rela) * others = nullptr;
    size_t other_bytes = 0;

    explicit DynamicTables(const ElfW(Dyn) * entry) {
        for (; entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
            case DT_SYMTAB: read(symbols, entry); break;
            case DT_STRTAB: read(names, entry); break;
            case DT_JMPREL: read(calls, entry); break;
            case DT_PLTRELSZ: call_bytes = entry->d_un.d_val; break;
            case DT_RELA: read(others, entry); break;
            case DT_RELASZ: other_bytes = entry->d_un.d_val; break;
            default: break;
            }
        }
    }

private:
    template <typename T>
    static void read(const T*& table, const ElfW(Dyn) * entry) {
        table = reinterpret_cast<const T*>(entry->d_un.d_ptr);  // NOLINT: an address of the process
    }
};

/// Writes a word of a page that may be read-only after relocation. The page stays writable, since
/// it may have words that are bound at their first use.
void write_word(ElfW(Addr) place, const void* value) {
    const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
    auto* const begin = reinterpret_cast<void*>(place & ~(page - 1));  // NOLINT: as above
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) == 0)
        *reinterpret_cast<const void**>(place) = value;  // NOLINT: as above
}

/// Replaces the address of a function in one table.
void replace(const LoadedLibrary& library,
             const DynamicTables& tables,
             const ElfW(Rela) * table,
             size_t bytes,
             const char* name,
             const void* function) {
    if (table == nullptr || tables.symbols == nullptr || tables.names == nullptr)
        return;
    for (size_t i = 0; i < bytes / sizeof *table; ++i) {
        const auto symbol = ELF64_R_SYM(table[i].r_info);
        if (symbol != 0 && std::strcmp(tables.names + tables.symbols[symbol].st_name, name) == 0)
            write_word(library.address + table[i].r_offset, function);
    }
}

}  // namespace

bool needs(const LoadedLibrary& library, const char* other) {
    const DynamicTables tables(library.dynamic);
    if (tables.names == nullptr)
        return false;
    for (const ElfW(Dyn)* entry = library.dynamic; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_NEEDED && std::strcmp(tables.names + entry->d_un.d_val, other) == 0)
            return true;
    return false;
}

void replace_function(const LoadedLibrary& library, const char* name, const void* function) {
    const DynamicTables tables(library.dynamic);
    replace(library, tables, tables.calls, tables.call_bytes, name, function);
    replace(library, tables, tables.others, tables.other_bytes, name, function);
}

}  // namespace valkyr::osmesa

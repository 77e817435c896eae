// Kernel symbols: name kernels for perf (map files) and gdb (its JIT interface).
// SPDX-License-Identifier: MIT
//
// perf: "Documentation/jit-interface.txt" of Linux's tools/perf: lines "START SIZE name" in hex.
// gdb: chapter "JIT Compilation Interface" of its manual: a list of in-memory object files and a
// function in which gdb has a breakpoint.
#include "jit/code/symbols.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <elf.h>

namespace valkyr::jit {

void PerfMap::add(const void* code, size_t bytes, std::string_view name) {
    const std::lock_guard lock(mutex_);
    std::FILE* file = std::fopen(path_.c_str(), "a");
    if (!file)
        return;
    std::fprintf(file, "%llx %zx %.*s\n",
                 static_cast<unsigned long long>(std::bit_cast<uintptr_t>(code)), bytes,
                 static_cast<int>(name.size()), name.data());
    std::fclose(file);
}

/// One entry of the list that gdb reads; the layout is gdb's (struct jit_code_entry).
struct GdbEntry {
    GdbEntry* next = nullptr;
    GdbEntry* previous = nullptr;
    const char* file = nullptr;
    uint64_t file_bytes = 0;
};

}  // namespace valkyr::jit

// gdb prescribes these names and types. They are weak, because other recompilers in the process may
// define them, too.
extern "C" {
struct ValkyrJitDescriptor {
    uint32_t version;
    uint32_t action;  ///< 0 nothing, 1 register, 2 unregister
    valkyr::jit::GdbEntry* relevant;
    valkyr::jit::GdbEntry* first;
};
__attribute__((weak)) ValkyrJitDescriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
__attribute__((weak, noinline)) void __jit_debug_register_code() {
    asm volatile("" ::: "memory");
}
}

namespace valkyr::jit {

namespace {

constexpr uint32_t kRegister = 1;
constexpr uint32_t kUnregister = 2;

std::mutex& gdb_mutex() {
    static std::mutex mutex;
    return mutex;
}

void tell_gdb(GdbEntry* entry, uint32_t action) {
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = 0;
    __jit_debug_descriptor.relevant = nullptr;
}

constexpr std::string_view kSectionNames{"\0.text\0.symtab\0.strtab\0.shstrtab\0", 33};

/// File header, section headers, symbols and strings, in this order.
struct ElfParts {
    enum Section : uint16_t { Null, Text, Symbols, Strings, Names, Count };
    Elf64_Ehdr header;
    std::array<Elf64_Shdr, Count> sections;
    std::array<Elf64_Sym, 2> symbols;
};

Elf64_Word name_offset(std::string_view section) {
    return static_cast<Elf64_Word>(kSectionNames.find(section));
}

void fill_header(Elf64_Ehdr& header) {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] =
        std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
#if defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#else
    header.e_machine = EM_X86_64;
#endif
    header.e_version = EV_CURRENT;
    header.e_shoff = offsetof(ElfParts, sections);
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = ElfParts::Count;
    header.e_shstrndx = ElfParts::Names;
}

}  // namespace

std::vector<std::byte> elf_symbol_file(const void* code, size_t bytes, std::string_view name) {
    ElfParts parts{};
    fill_header(parts.header);
    const std::string strings = std::string(1, '\0') + std::string(name) + '\0';
    Elf64_Shdr& text = parts.sections[ElfParts::Text];
    text.sh_name = name_offset(".text");
    text.sh_type = SHT_NOBITS;
    text.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    text.sh_addr = std::bit_cast<uintptr_t>(code);
    text.sh_size = bytes;
    text.sh_addralign = 16;
    Elf64_Shdr& symbols = parts.sections[ElfParts::Symbols];
    symbols.sh_name = name_offset(".symtab");
    symbols.sh_type = SHT_SYMTAB;
    symbols.sh_offset = offsetof(ElfParts, symbols);
    symbols.sh_size = sizeof parts.symbols;
    symbols.sh_link = ElfParts::Strings;
    symbols.sh_info = 1;  // the first global symbol
    symbols.sh_addralign = 8;
    symbols.sh_entsize = sizeof(Elf64_Sym);
    const auto string_table = [&](ElfParts::Section index, std::string_view section, size_t offset,
                                  size_t size) {
        Elf64_Shdr& s = parts.sections[index];
        s.sh_name = name_offset(section);
        s.sh_type = SHT_STRTAB;
        s.sh_offset = offset;
        s.sh_size = size;
        s.sh_addralign = 1;
    };
    string_table(ElfParts::Strings, ".strtab", sizeof parts, strings.size());
    string_table(ElfParts::Names, ".shstrtab", sizeof parts + strings.size(), kSectionNames.size());
    Elf64_Sym& symbol = parts.symbols[1];
    symbol.st_name = 1;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = ElfParts::Text;
    symbol.st_size = bytes;  // st_value 0: the start of .text
    std::vector<std::byte> image(sizeof parts + strings.size() + kSectionNames.size());
    std::memcpy(image.data(), &parts, sizeof parts);
    std::memcpy(image.data() + sizeof parts, strings.data(), strings.size());
    std::memcpy(image.data() + sizeof parts + strings.size(), kSectionNames.data(),
                kSectionNames.size());
    return image;
}

GdbSymbol::GdbSymbol(const void* code, size_t bytes, std::string_view name)
    : image_(elf_symbol_file(code, bytes, name))
    , entry_(std::make_unique<GdbEntry>()) {
    entry_->file = reinterpret_cast<const char*>(image_.data());
    entry_->file_bytes = image_.size();
    const std::lock_guard lock(gdb_mutex());
    entry_->next = __jit_debug_descriptor.first;
    if (entry_->next)
        entry_->next->previous = entry_.get();
    __jit_debug_descriptor.first = entry_.get();
    tell_gdb(entry_.get(), kRegister);
}

GdbSymbol::~GdbSymbol() {
    const std::lock_guard lock(gdb_mutex());
    (entry_->previous ? entry_->previous->next : __jit_debug_descriptor.first) = entry_->next;
    if (entry_->next)
        entry_->next->previous = entry_->previous;
    tell_gdb(entry_.get(), kUnregister);
}

}  // namespace valkyr::jit

// Symbols: names the functions of this program and of its libraries by their addresses.
// SPDX-License-Identifier: MIT
#include "app/profile/symbols.hpp"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace valkyr::profile {

namespace {

/// A file in memory, of which parts are read where they are inside.
class Bytes {
public:
    explicit Bytes(const char* path) {
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        if (!file)
            return;
        bytes_.resize(static_cast<size_t>(std::max<std::streamoff>(file.tellg(), 0)));
        file.seekg(0);
        if (!file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size())))
            bytes_.clear();
    }
    template <typename T>
    [[nodiscard]] std::optional<T> at(uint64_t offset) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T))
            return std::nullopt;
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof(T));
        return value;
    }
    [[nodiscard]] std::string text(uint64_t offset) const {
        if (offset >= bytes_.size())
            return {};
        return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
    }

private:
    std::vector<char> bytes_;
};

/// The name without what stands in angle brackets: template arguments may be very long.
std::string without_arguments(const std::string& name) {
    std::string kept;
    unsigned depth = 0;
    for (const char c : name) {
        depth += c == '<' ? 1 : 0;
        if (depth == 0)
            kept += c;
        depth -= c == '>' && depth > 0 ? 1 : 0;
    }
    return kept;
}

/// The name as in the source, without parameters and template arguments.
std::string readable(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    if (!text)
        return symbol;
    std::string name = text.get();
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    for (size_t at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed))
        name.erase(at, kUnnamed.size());
    name = without_arguments(name);
    name = name.substr(0, name.find('('));
    return name.substr(name.rfind(' ') + 1);  // behind the type of the result
}

/// The distance of the program from where its file says that it lies.
uintptr_t load_address() {
    uintptr_t address = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t /*size*/, void* result) {
            *static_cast<uintptr_t*>(result) = info->dlpi_addr;
            return 1;  // the first one is the program
        },
        &address);
    return address;
}

}  // namespace

Symbols::Symbols() {
    const Bytes file("/proc/self/exe");
    const auto header = file.at<ElfW(Ehdr)>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return;
    const uintptr_t base = load_address();
    for (unsigned s = 0; s < header->e_shnum; ++s) {
        const auto section =
            file.at<ElfW(Shdr)>(header->e_shoff + uint64_t{s} * sizeof(ElfW(Shdr)));
        if (!section || section->sh_type != SHT_SYMTAB)
            continue;
        const auto names =
            file.at<ElfW(Shdr)>(header->e_shoff + uint64_t{section->sh_link} * sizeof(ElfW(Shdr)));
        for (uint64_t at = 0; names && at < section->sh_size; at += sizeof(ElfW(Sym))) {
            const auto symbol = file.at<ElfW(Sym)>(section->sh_offset + at);
            if (!symbol)
                return;
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0)
                continue;
            const uintptr_t begin = base + symbol->st_value;
            functions_[begin] = {begin + symbol->st_size,
                                 file.text(names->sh_offset + symbol->st_name)};
        }
    }
}

std::string Symbols::name_of(uintptr_t address) const {
    auto next = functions_.upper_bound(address);
    if (next != functions_.begin() && address < (--next)->second.end)
        return readable(next->second.name);
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(address), &info) == 0 || info.dli_fname == nullptr)
        return "(unknown)";
    const std::string path = info.dli_fname;
    const std::string library = path.substr(path.rfind('/') + 1);
    return info.dli_sname != nullptr ? library + ": " + readable(info.dli_sname) : library;
}

}  // namespace valkyr::profile

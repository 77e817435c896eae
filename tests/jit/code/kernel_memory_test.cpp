// Kernel memory test: limits, releases, shares and names executable memory.
// SPDX-License-Identifier: MIT
#include "jit/code/symbols.hpp"
#include "tests/jit/harness.hpp"
#include "tests/jit/random_program.hpp"
#include "tests/support/denied_memory.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <elf.h>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// A program that leaves `value` in r1.
valhall::Program constant_program(uint32_t value) {
    char text[80];
    std::snprintf(text, sizeof text, "IADD_IMM.i32 r1, 0x0, #0x%X\nNOP.end\n", value);
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.words = words_of(text);
    return program;
}

/// A kernel whose entry is its code, which is not so for compute kernels.
Result<std::unique_ptr<jit::CompiledKernel>> vertex_kernel(jit::Recompiler& recompiler,
                                                           const std::string& name = {}) {
    valhall::Program program;
    program.info.stage = exec::Stage::Vertex;
    program.words = words_of("NOP.end\n");
    const exec::VertexKey key{};
    jit::RecompileOptions options;
    options.name = name;
    return recompiler.recompile(program, {.vertex = &key}, options);
}

uint32_t result_of(const jit::CompiledKernel& kernel) {
    exec::DrawContext draw;
    Registers registers{};
    exec::ComputeCall call;
    call.draw = &draw;
    call.registers = registers.data();
    kernel.entry()(call);
    return registers[1].v[0];
}

std::unique_ptr<jit::Recompiler> recompiler_with(jit::RecompilerOptions options) {
    auto recompiler = jit::Recompiler::create(jit::best_host_level(), std::move(options));
    REQUIRE_MESSAGE(recompiler.has_value(), recompiler.error().text);
    return std::move(*recompiler);
}

jit::RecompilerOptions with_limit(size_t bytes) {
    jit::RecompilerOptions options;
    options.code_limit = bytes;
    return options;
}

bool no_recompiler() {
    return jit::best_host_level() == jit::HostLevel::None;
}

}  // namespace

TEST_CASE("a recompiler that may have no executable memory is refused by name") {
    if (no_recompiler())
        return;
    const auto recompiler = jit::Recompiler::create(jit::best_host_level(), with_limit(0));
    REQUIRE(!recompiler.has_value());
    CHECK(recompiler.error().code == Errc::System);
    CHECK(recompiler.error().text.find("executable memory is denied") != std::string::npos);
}

TEST_CASE("what the system denies is an error with its reason") {
    if (no_recompiler())
        return;
    const DeniedMemory denied;
    const auto recompiler = jit::Recompiler::create(jit::best_host_level());
    REQUIRE(!recompiler.has_value());
    CHECK(recompiler.error().code == Errc::System);
}

TEST_CASE("a full arena is an error, and room comes back with every kernel that goes") {
    if (no_recompiler())
        return;
    const auto recompiler = recompiler_with(with_limit(20000));
    std::vector<std::unique_ptr<jit::CompiledKernel>> kernels;
    for (uint32_t n = 0;; ++n) {
        REQUIRE(n < 1000);
        auto kernel = recompiler->recompile(constant_program(n), {});
        if (!kernel) {
            CHECK(kernel.error().code == Errc::System);
            break;
        }
        kernels.push_back(std::move(*kernel));
    }
    CHECK(kernels.size() > 2);
    CHECK(recompiler->statistics().kernels == kernels.size());
    kernels.pop_back();
    CHECK(recompiler->recompile(constant_program(7), {}).has_value());
    kernels.clear();
    CHECK(recompiler->statistics().used_bytes == 0);
}

TEST_CASE("code for another processor can be listed but not run") {
    jit::RecompileOptions options;
    options.listing = true;
    for (jit::HostLevel level : {jit::HostLevel::Avx2, jit::HostLevel::Neon}) {
        if (jit::host_supports(level))
            continue;
        const auto refused = jit::Recompiler::create(level);
        REQUIRE(!refused.has_value());
        CHECK(refused.error().code == Errc::Unsupported);
        const auto lister = jit::Recompiler::create(level, {.listing_only = true});
        REQUIRE(lister.has_value());
        const auto kernel = (*lister)->recompile(constant_program(1), {}, options);
        REQUIRE(kernel.has_value());
        CHECK((*kernel)->listing().size() > 10);
        CHECK((*kernel)->code_bytes() > 2 * (*kernel)->listing().size());
        const bool can_run = (*kernel)->entry().entry != nullptr;
        CHECK(!can_run);
        CHECK((*lister)->statistics().reserved_bytes == 0);
    }
}

TEST_CASE("kernels made and dropped leave nothing behind") {
    if (no_recompiler())
        return;
    const auto recompiler = recompiler_with({});
    const auto kept = recompiler->recompile(constant_program(1), {});
    REQUIRE(kept.has_value());
    const jit::CodeStatistics before = recompiler->statistics();
    for (uint32_t n = 0; n < rounds(1000); ++n)
        REQUIRE(recompiler->recompile(constant_program(n), {}).has_value());
    const jit::CodeStatistics after = recompiler->statistics();
    CHECK(after.kernels == before.kernels);
    CHECK(after.used_bytes == before.used_bytes);
    CHECK(after.reserved_bytes == before.reserved_bytes);
}

TEST_CASE("code cannot be written where it is executed") {
    if (no_recompiler())
        return;
    const auto recompiler = recompiler_with({});
    const auto kernel = vertex_kernel(*recompiler);
    REQUIRE(kernel.has_value());
#if defined(__x86_64__)
    REQUIRE(!recompiler->statistics().writable_code);
#else
    if (recompiler->statistics().writable_code)
        return;  // under an emulator
#endif
    const auto entry = reinterpret_cast<uintptr_t>((*kernel)->entry().entry);
    std::ifstream maps("/proc/self/maps");
    bool found = false;
    for (std::string line; std::getline(maps, line);) {
        unsigned long long first = 0;
        unsigned long long last = 0;
        char rights[8] = {};
        if (std::sscanf(line.c_str(), "%llx-%llx %7s", &first, &last, rights) != 3)
            continue;
        CHECK_MESSAGE(std::strncmp(rights, "rwx", 3) != 0, line);
        if (entry >= first && entry < last) {
            found = true;
            CHECK(std::string(rights).substr(0, 3) == "r-x");
        }
    }
    CHECK(found);
}

TEST_CASE("several threads recompile with one recompiler") {
    if (no_recompiler())
        return;
    jit::RecompilerOptions options;
    options.gdb = true;
    const auto recompiler = recompiler_with(options);
    std::atomic<unsigned> wrong{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (uint32_t n = 0; n < 50; ++n) {
                const uint32_t value = 1000 * t + n;
                const auto kernel = recompiler->recompile(constant_program(value), {});
                if (!kernel || result_of(**kernel) != value)
                    ++wrong;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(wrong == 0);
    CHECK(recompiler->statistics().kernels == 0);
}

TEST_CASE("perf finds address, size and name of a kernel in its map file") {
    if (no_recompiler())
        return;
    const std::string path = "kernel_memory_test." + std::to_string(getpid()) + ".map";
    jit::RecompilerOptions options;
    options.perf_map = path;
    const auto recompiler = recompiler_with(options);
    const auto kernel = vertex_kernel(*recompiler, "my shader");
    REQUIRE(kernel.has_value());
    std::ifstream file(path);
    unsigned long long address = 0;
    size_t bytes = 0;
    std::string name;
    file >> std::hex >> address >> bytes;
    std::getline(file, name);
    std::remove(path.c_str());
    CHECK(address == reinterpret_cast<uintptr_t>((*kernel)->entry().entry));
    CHECK(bytes == (*kernel)->code_bytes());
    CHECK(name == " valkyr::my shader");
}

TEST_CASE("gdb gets an object file with one function") {
    const auto* const code = reinterpret_cast<const void*>(uintptr_t{0x12340000});
    const std::vector<std::byte> file = jit::elf_symbol_file(code, 0x80, "fs_1");
    Elf64_Ehdr header;
    std::memcpy(&header, file.data(), sizeof header);
    CHECK(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0);
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    std::memcpy(sections.data(), file.data() + header.e_shoff, sizeof(Elf64_Shdr) * header.e_shnum);
    for (const Elf64_Shdr& s : sections) {
        if (s.sh_type != SHT_SYMTAB)
            continue;
        Elf64_Sym symbol;
        std::memcpy(&symbol, file.data() + s.sh_offset + sizeof symbol, sizeof symbol);
        const Elf64_Shdr& text = sections[symbol.st_shndx];
        CHECK(text.sh_addr + symbol.st_value == 0x12340000);
        CHECK(symbol.st_size == 0x80);
        const auto* names =
            reinterpret_cast<const char*>(file.data()) + sections[s.sh_link].sh_offset;
        CHECK(std::string(names + symbol.st_name) == "fs_1");
        return;
    }
    FAIL("no symbol table");
}

// Kernel symbols: name kernels for perf (map files) and gdb (its JIT interface).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::jit {

/// Appends a line for every kernel to a file that perf reads (/tmp/perf-PID.map). Lines of freed
/// kernels stay, because perf looks samples up later. Thread-safe.
class PerfMap {
public:
    explicit PerfMap(std::string path)
        : path_(std::move(path)) {}
    /// Drops the line if the file cannot be written.
    void add(const void* code, size_t bytes, std::string_view name);

private:
    const std::string path_;
    std::mutex mutex_;
};

struct GdbEntry;

/// Makes a kernel known to an attached gdb while the object lives. Thread-safe.
class GdbSymbol {
public:
    GdbSymbol(const void* code, size_t bytes, std::string_view name);
    ~GdbSymbol();
    GdbSymbol(const GdbSymbol&) = delete;
    GdbSymbol& operator=(const GdbSymbol&) = delete;

private:
    std::vector<std::byte> image_;  ///< an ELF file with the function's address
    std::unique_ptr<GdbEntry> entry_;
};

/// The ELF file for a function `name` at `code` (also for tests).
std::vector<std::byte> elf_symbol_file(const void* code, size_t bytes, std::string_view name);

}  // namespace valkyr::jit

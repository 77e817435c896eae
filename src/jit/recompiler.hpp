// Recompiler: turns a valhall::Program and a state key into host code (the front door).
// SPDX-License-Identifier: MIT
//
// No asmjit type appears here. A kernel depends only on (program words, state key, host level,
// gather method).
#pragma once

#include "base/cancellation.hpp"
#include "base/export.hpp"
#include "base/result.hpp"
#include "jit/host_level.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::jit {

/// The state that a kernel is specialised for. The pointer for the program's stage is set; compute
/// programs have a vertex key for their textures and images, or none (uniform prologues).
struct KernelKey {
    const exec::VertexKey* vertex = nullptr;
    const exec::FragmentKey* fragment = nullptr;
    bool strict_nan = false;  ///< or'ed with that of the stage key, which there need not be
    /// Compute: the kernel fills ComputeCall::registers. If not, it ignores the pointer, and values
    /// that no instruction reads need not be kept.
    bool returns_registers = true;
};

struct RecompileOptions {
    bool listing = false;  ///< fill CompiledKernel::listing()
    /// True: a message with an expansion becomes host code. False: every message calls its routine.
    /// Results are equal to the bit.
    bool inline_messages = true;
    /// True: operations of Program::double_ranges become those of host doubles, if the host has
    /// them. False: their words become host code. Results are equal to the bit.
    bool host_doubles = true;
    /// Fragment programs with more steps take packed quads, shorter ones blocks, in calls of
    /// several primitives (exec::Batching): full warps are worth the work of packing if they are
    /// long.
    size_t most_block_steps = 32;
    Cancellation cancellation = {};  ///< tested between instructions; the error is Cancelled
    std::string name;                ///< for profilers and listings, e.g. "fs_1f3a"
};

/// One host instruction of a listing.
struct HostLine {
    uint32_t word_index = 0;  ///< its Valhall word; kPrologueWord for set-up code
    uint32_t offset = 0;      ///< bytes from the kernel's start
    std::string text;
};
inline constexpr uint32_t kPrologueWord = 0xFFFFFFFF;

/// Host code and its executable memory; entry() is valid while the object lives. If the recompiler
/// has listing_only, there is no executable memory: do not call the entry.
class CompiledKernel {
public:
    virtual ~CompiledKernel() = default;
    [[nodiscard]] virtual exec::Kernel entry() const noexcept = 0;
    [[nodiscard]] virtual size_t code_bytes() const noexcept = 0;
    [[nodiscard]] virtual const std::vector<HostLine>& listing() const noexcept = 0;
};

/// How a recompiler uses the system.
struct RecompilerOptions {
    /// Most bytes of executable memory of all its kernels together; 0 denies executable memory.
    size_t code_limit = size_t{1} << 30;
    /// The file that gets a line for every kernel; perf reads /tmp/perf-PID.map. Empty: no file.
    std::string perf_map = {};
    /// How words are loaded from an address of each lane (x86-64; other hosts have one way).
    GatherMethod gather_method = GatherMethod::Auto;
    /// Makes kernels known to an attached gdb (a few microseconds each).
    bool gdb = false;
    /// Kernels get a listing and a size but no entry. The level may be one that this processor
    /// lacks, and no executable memory is used.
    bool listing_only = false;
};

/// The use of executable memory by a recompiler.
struct CodeStatistics {
    size_t kernels = 0;
    size_t used_bytes = 0;
    size_t reserved_bytes = 0;   ///< mapped
    bool writable_code = false;  ///< code is written where it runs, for emulators that need it
};

/// Makes kernels for one host level. Thread-safe: recompile() may be called from several threads.
class Recompiler {
public:
    virtual ~Recompiler() = default;
    /// errors  Unsupported: the host lacks the level; System: executable memory is denied;
    ///         OutOfMemory
    VALKYR_API static Result<std::unique_ptr<Recompiler>> create(HostLevel level,
                                                                 RecompilerOptions options = {});

    /// Decodes program.words from their bytes and recompiles them.
    /// errors  BadEncoding: a word does not decode (its index is in the text); Unsupported: a
    ///         message kind that recompiled code cannot run, by name, or more than 256 BARRIERs in
    ///         code that some lanes may not reach; System: executable memory is denied or its
    ///         limit is reached. If Unsupported or System, use the interpreter. OutOfMemory: memory
    ///         for making the kernel ran out
    [[nodiscard]] virtual Result<std::unique_ptr<CompiledKernel>>
    recompile(const valhall::Program& program,
              const KernelKey& key,
              const RecompileOptions& options = {}) = 0;

    [[nodiscard]] virtual HostLevel level() const noexcept = 0;
    [[nodiscard]] virtual CodeStatistics statistics() const = 0;
};

}  // namespace valkyr::jit

// Kernel cache: keeps compiled pairs by text and kernels by program and state key.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "gpu/key_hash.hpp"
#include "gpu/lru_cache.hpp"
#include "jit/recompiler.hpp"
#include "raster/record/pipeline.hpp"
#include "valhall/isa/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace valkyr::gpu {

using namespace raster;

/// The recompiler of a cache, or why it has none.
struct DeviceRecompiler {
    std::unique_ptr<jit::Recompiler> recompiler;  ///< null: the interpreter runs everything
    std::string refusal;                          ///< why, if recompiled code was asked for
};

/// A kernel that was made.
struct MadeKernel {
    KernelRef kernel;
    std::string refusal;  ///< why the interpreter runs it although recompiled code was asked for
};

/// Compiles the shader again with colour 0 going to a number of render targets. Thread-safe.
using Broadcast =
    std::function<Result<valhall::Program>(uint8_t color_targets, Cancellation cancellation)>;

/// A program with its uniform prologue.
struct CompiledProgram {
    valhall::Program program;  ///< writes colour 0 to one target
    MadeKernel prologue;       ///< null kernel: the program has none
    Broadcast broadcast;
    uint64_t number = 0;  ///< names the program in kernel keys
};
using ProgramRef = std::shared_ptr<const CompiledProgram>;

/// The programs of a pipeline: one for compute, or those of the stages of draws.
struct CompiledPair {
    ProgramRef compute;
    ProgramRef vertex;
    ProgramRef tess_control;     ///< null: none
    ProgramRef tess_evaluation;  ///< null: none
    ProgramRef geometry;         ///< null: none
    ProgramRef fragment;
    uint16_t coverage_offset = 0;  ///< LinkedStages::coverage_offset
    StreamLayout stream;
};
using PairRef = std::shared_ptr<const CompiledPair>;

/// Name of a kernel: a program and the bytes of a state key, which the view does not own.
struct KernelNameView {
    uint64_t program;
    std::span<const std::byte> key;
};

/// A KernelNameView with bytes of its own.
struct KernelName {
    explicit KernelName(const KernelNameView& view)
        : program(view.program)
        , bytes(view.key.begin(), view.key.end()) {}
    [[nodiscard]] KernelNameView view() const noexcept { return {program, bytes}; }

    uint64_t program;
    std::vector<std::byte> bytes;
};

struct KernelNameHash {
    using is_transparent = void;
    size_t operator()(const KernelNameView& name) const noexcept {
        return hash_bytes(name.key, name.program);
    }
    size_t operator()(const KernelName& name) const noexcept { return (*this)(name.view()); }
};

struct KernelNameEqual {
    using is_transparent = void;
    bool operator()(const KernelNameView& a, const KernelNameView& b) const noexcept {
        return a.program == b.program && a.key.size() == b.key.size() &&
               std::memcmp(a.key.data(), b.key.data(), a.key.size()) == 0;
    }
    bool operator()(const KernelName& a, const KernelName& b) const noexcept {
        return (*this)(a.view(), b.view());
    }
    bool operator()(const KernelNameView& a, const KernelName& b) const noexcept {
        return (*this)(a, b.view());
    }
    bool operator()(const KernelName& a, const KernelNameView& b) const noexcept {
        return (*this)(a.view(), b);
    }
};

/// Programs and kernels of one device or many. Thread-safe: locks are held for looking up and
/// entering, never while something is compiled. Two devices that miss an entry at one time may both
/// compile it; both get the one that was entered first. Entries are immutable, and stay valid when
/// the cache forgets them.
class KernelCache {
public:
    /// Kernels and pairs that are kept when no pipeline holds them any more.
    static constexpr size_t kMostKernels = 4096;
    static constexpr size_t kMostPairs = 512;
    /// Pairs with longer names are not kept, so that texts take a bounded amount of memory.
    static constexpr size_t kLongestName = size_t{256} << 10;

    KernelCache(DeviceRecompiler recompiler, const DeviceOptions& options)
        : recompiler_(std::move(recompiler.recompiler))
        , refusal_(std::move(recompiler.refusal))
        , engine_(options.engine)
        , host_(options.host)
        , gather_method_(options.gather_method)
        , strict_nan_(options.strict_nan) {}

    /// Whether a device with these options would make the same kernels.
    [[nodiscard]] bool serves(const DeviceOptions& options) const noexcept {
        return options.kernel_tap == nullptr && options.engine == engine_ &&
               options.host == host_ && options.gather_method == gather_method_ &&
               options.strict_nan == strict_nan_;
    }

    /// Compiles a kernel without looking it up. Where code cannot be made (an instruction that only
    /// the interpreter knows, no executable memory), the kernel is the interpreter, with the same
    /// bits.
    /// errors  Cancelled; BadEncoding
    Result<MadeKernel>
    make(const valhall::Program& program, jit::KernelKey key, Cancellation cancellation) const;

    /// Null: there is none.
    [[nodiscard]] KernelRef find(const KernelNameView& name);
    [[nodiscard]] PairRef find_pair(const std::string& name);
    /// Enters a kernel; returns the cache's entry: this one, or one that another thread has entered
    /// meanwhile.
    KernelRef enter(const KernelNameView& name, KernelRef kernel);
    PairRef enter_pair(std::string name, PairRef pair);
    [[nodiscard]] uint64_t next_program() noexcept { return next_program_++; }

private:
    const std::unique_ptr<jit::Recompiler> recompiler_;
    const std::string refusal_;  ///< reason why there is none
    const Engine engine_;
    const Host host_;
    GatherMethod gather_method_;
    const bool strict_nan_;
    std::atomic<uint64_t> next_program_ = 0;
    std::mutex kernel_mutex_;
    LruCache<KernelName, KernelRef, KernelNameHash, KernelNameEqual> kernels_{kMostKernels};
    std::mutex pair_mutex_;
    LruCache<std::string, PairRef> pairs_{kMostPairs};
};

}  // namespace valkyr::gpu

// Compiled stages: a program with its uniforms, and its kernels by state key.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "jit/recompiler.hpp"
#include "raster/key_hash.hpp"
#include "raster/lru_cache.hpp"
#include "raster/pipeline.hpp"
#include "valhall/isa/program.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace valkyr::raster {

/// The recompiler of a device, or why it has none.
struct DeviceRecompiler {
    std::unique_ptr<jit::Recompiler> recompiler;  ///< null: the interpreter runs everything
    std::string refusal;                          ///< why, if recompiled code was asked for
};

/// Makes kernels with the device's engine.
class KernelMaker {
public:
    KernelMaker(DeviceRecompiler recompiler, const DeviceOptions& options)
        : recompiler_(std::move(recompiler.recompiler))
        , refusal_(std::move(recompiler.refusal))
        , tap_(options.kernel_tap)
        , strict_nan_(options.strict_nan) {}

    /// The interpreter gives the same bits where code cannot be made: an instruction that only it
    /// knows, or no executable memory.
    Result<KernelRef> make(const valhall::Program& program, jit::KernelKey key);

    /// How many kernels the interpreter runs instead of recompiled code, and why, since the last
    /// call.
    void take_statistics(Statistics& statistics);

private:
    void note_refusal(const std::string& reason);
    Result<KernelRef> make_untapped(const valhall::Program& program, const jit::KernelKey& key);

    std::unique_ptr<jit::Recompiler> recompiler_;
    std::string refusal_;  ///< why there is none
    uint64_t interpreted_ = 0;
    std::string reason_;
    KernelTap* tap_ = nullptr;
    bool strict_nan_ = false;
};

/// What a kernel is found by: a program and the bytes of a state key, which the view does not own.
struct KernelNameView {
    uint64_t program;
    std::span<const std::byte> key;
};

/// The same with its own bytes.
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

/// Kernels of all programs, least recently used first to go.
struct KernelStore {
    /// Kernels that are kept when no pipeline holds them any more.
    static constexpr size_t kMaxKernels = 4096;

    KernelStore(DeviceRecompiler recompiler, const DeviceOptions& options)
        : maker(std::move(recompiler), options) {}

    KernelMaker maker;
    LruCache<KernelName, KernelRef, KernelNameHash, KernelNameEqual> kernels{kMaxKernels};
    uint64_t next_program = 0;
    uint64_t made = 0;
    uint64_t hits = 0;
};

/// Compiles the same shader with colour 0 going to so many render targets.
using Broadcast = std::function<Result<valhall::Program>(uint8_t color_targets)>;

/// A stage that makes its kernels when they are asked for.
/// program  writes colour 0 to one target
Result<StageRef> make_compiled_stage(const std::shared_ptr<KernelStore>& store,
                                     valhall::Program program,
                                     Broadcast broadcast);

}  // namespace valkyr::raster

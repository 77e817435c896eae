// Kernel cache: keeps compiled pairs by text and kernels by program and state key.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache_kernels.hpp"

#include "valhall/interpreter/interpreter.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace valkyr::gpu {
namespace {

static_assert(std::has_unique_object_representations_v<exec::VertexKey> &&
                  std::has_unique_object_representations_v<exec::FragmentKey>,
              "state keys are compared and hashed bytewise");

/// A kernel of either engine.
class CachedKernel final : public KernelHandle {
public:
    explicit CachedKernel(std::unique_ptr<jit::CompiledKernel> compiled)
        : compiled_(std::move(compiled)) {}
    explicit CachedKernel(valhall::Interpreter interpreter)
        : interpreter_(std::move(interpreter)) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        return compiled_ ? compiled_->entry() : interpreter_->kernel();
    }
    [[nodiscard]] size_t code_bytes() const noexcept override {
        return compiled_ ? compiled_->code_bytes() : 0;
    }

private:
    std::unique_ptr<jit::CompiledKernel> compiled_;
    std::optional<valhall::Interpreter> interpreter_;
};

}  // namespace

Result<MadeKernel> KernelCache::make(const valhall::Program& program,
                                     jit::KernelKey key,
                                     Cancellation cancellation) const {
    key.strict_nan = strict_nan_;
    MadeKernel made;
    if (recompiler_) {
        jit::RecompileOptions options;
        options.name = program.source_name;
        options.cancellation = cancellation;
        auto compiled = recompiler_->recompile(program, key, options);
        if (compiled) {
            made.kernel = std::make_shared<CachedKernel>(std::move(*compiled));
            return made;
        }
        const Errc code = compiled.error().code;
        // After OutOfMemory the cache must not keep the interpreter as the kernel for good.
        if (code != Errc::Unsupported && code != Errc::System)
            return compiled.error();
        made.refusal = program.source_name + ": " + compiled.error().text;
    } else {
        made.refusal = refusal_;
    }
    VALKYR_TRY(interpreter, valhall::Interpreter::create(program));
    made.kernel = std::make_shared<CachedKernel>(std::move(interpreter));
    return made;
}

KernelRef KernelCache::find(const KernelNameView& name) {
    const std::lock_guard lock(kernel_mutex_);
    const KernelRef* found = kernels_.find(name);
    return found != nullptr ? *found : nullptr;
}

KernelRef KernelCache::enter(const KernelNameView& name, KernelRef kernel) {
    const std::lock_guard lock(kernel_mutex_);
    if (const KernelRef* found = kernels_.find(name))
        return *found;
    kernels_.insert(KernelName(name), kernel);
    return kernel;
}

PairRef KernelCache::find_pair(const std::string& name) {
    const std::lock_guard lock(pair_mutex_);
    const PairRef* found = pairs_.find(name);
    return found != nullptr ? *found : nullptr;
}

PairRef KernelCache::enter_pair(std::string name, PairRef pair) {
    if (name.size() > kLongestName)
        return pair;
    const std::lock_guard lock(pair_mutex_);
    if (const PairRef* found = pairs_.find(name))
        return *found;
    pairs_.insert(std::move(name), pair);
    return pair;
}

}  // namespace valkyr::gpu

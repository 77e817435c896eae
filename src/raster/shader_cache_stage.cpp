// Compiled stages: programs, prologues and kernels.
// SPDX-License-Identifier: MIT
#include "raster/shader_cache_stage.hpp"

#include "raster/kernel_tap.hpp"
#include "raster/shader_cache_uniforms.hpp"
#include "valhall/isa/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace valkyr::raster {
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

private:
    std::unique_ptr<jit::CompiledKernel> compiled_;
    std::optional<valhall::Interpreter> interpreter_;
};

}  // namespace

Result<KernelRef> KernelMaker::make(const valhall::Program& program, jit::KernelKey key) {
    key.strict_nan = strict_nan_;
    VALKYR_TRY(kernel, make_untapped(program, key));
    return tap_ != nullptr ? tap_->wrap(program, key.vertex, key.fragment, std::move(kernel))
                           : kernel;
}

Result<KernelRef> KernelMaker::make_untapped(const valhall::Program& program,
                                             const jit::KernelKey& key) {
    if (recompiler_) {
        jit::RecompileOptions options;
        options.name = program.source_name;
        auto compiled = recompiler_->recompile(program, key, options);
        if (compiled)
            return KernelRef(std::make_shared<CachedKernel>(std::move(*compiled)));
        const Errc code = compiled.error().code;
        if (code != Errc::Unsupported && code != Errc::System)
            return compiled.error();
        note_refusal(program.source_name + ": " + compiled.error().text);
    } else if (!refusal_.empty()) {
        note_refusal(refusal_);
    }
    VALKYR_TRY(interpreter, valhall::Interpreter::create(program));
    return KernelRef(std::make_shared<CachedKernel>(std::move(interpreter)));
}

void KernelMaker::note_refusal(const std::string& reason) {
    if (interpreted_++ == 0)
        reason_ = reason;
}

void KernelMaker::take_statistics(Statistics& statistics) {
    statistics.kernels_interpreted += std::exchange(interpreted_, 0);
    if (statistics.interpreter_reason.empty())
        statistics.interpreter_reason = std::exchange(reason_, {});
}

namespace {

/// A compiled program and its kernels.
class CompiledStage final : public StageProgram {
public:
    static Result<StageRef> create(const std::shared_ptr<KernelStore>& store,
                                   valhall::Program program,
                                   Broadcast broadcast) {
        auto stage = std::make_shared<CompiledStage>(store, std::move(program));
        stage->broadcast_ = std::move(broadcast);
        if (stage->program_.prologue) {
            VALKYR_TRY(kernel, store->maker.make(*stage->program_.prologue, {}));
            stage->prologue_ = std::move(kernel);
        }
        return StageRef(std::move(stage));
    }

    CompiledStage(std::shared_ptr<KernelStore> store, valhall::Program program)
        : store_(std::move(store))
        , program_(std::move(program))
        , number_(store_->next_program++) {}

    [[nodiscard]] const exec::ProgramInfo& info() const noexcept override { return program_.info; }
    [[nodiscard]] uint32_t tls_bytes() const noexcept override {
        return std::max(program_.info.tls_bytes,
                        program_.prologue ? program_.prologue->info.tls_bytes : 0);
    }
    [[nodiscard]] uint32_t fau_words() const noexcept override {
        return static_cast<uint32_t>(program_.fau.size());
    }

    void fill_fau(const FauInputs& inputs, uint32_t* fau) const noexcept override {
        if (!prologue_) {
            fill_words(program_, inputs, nullptr, fau);
            return;
        }
        const valhall::Program& prologue = *program_.prologue;
        std::array<uint32_t, kMaxFauWords> words{};
        fill_words(prologue, inputs, nullptr, words.data());
        exec::DrawContext context = *inputs.context;
        context.fau = words.data();
        context.info = &prologue.info;
        std::array<exec::Lanes, exec::kRegisters> registers{};
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.tls = inputs.tls;
        prologue_->entry()(call);
        fill_words(program_, inputs, registers.data(), fau);
    }

    [[nodiscard]] Result<KernelRef> kernel(const exec::VertexKey& key) const override {
        return find(vertex_recent_, key, {.vertex = &key, .fragment = nullptr});
    }
    [[nodiscard]] Result<KernelRef> kernel(const exec::FragmentKey& key) const override {
        return find(fragment_recent_, key, {.vertex = nullptr, .fragment = &key});
    }

private:
    static constexpr size_t kMaxFauWords = 256;

    /// The keys asked for last: one of each constant_w variant, and a few more.
    template <typename Key>
    struct Recent {
        struct Entry {
            Key key;
            KernelRef kernel;
        };
        std::array<Entry, 4> entries;
        size_t next = 0;
    };

    template <typename Key>
    Result<KernelRef>
    find(Recent<Key>& recent, const Key& key, const jit::KernelKey& request) const {
        for (const auto& entry : recent.entries)
            if (entry.kernel && std::memcmp(&entry.key, &key, sizeof(Key)) == 0) {
                ++store_->hits;
                return entry.kernel;
            }
        const KernelNameView name{number_, std::as_bytes(std::span(&key, 1))};
        KernelRef kernel;
        if (const KernelRef* found = store_->kernels.find(name)) {
            ++store_->hits;
            kernel = *found;
        } else {
            VALKYR_TRY(made, make_kernel(request));
            ++store_->made;
            kernel = std::move(made);
            store_->kernels.insert(KernelName(name), kernel);
        }
        recent.entries[recent.next].key = key;
        recent.entries[recent.next].kernel = kernel;
        recent.next = (recent.next + 1) % recent.entries.size();
        return kernel;
    }

    Result<KernelRef> make_kernel(const jit::KernelKey& request) const {
        const uint8_t targets =
            program_.info.color0_writes_all ? bound_targets(request.fragment) : uint8_t{0};
        if (targets < 2)
            return store_->maker.make(program_, request);
        VALKYR_TRY(program, broadcast_(targets));
        // More BLENDs of the same registers: all that a draw prepares stays as it is.
        if (program.fau != program_.fau || program.info.tls_bytes != program_.info.tls_bytes)
            return Error{Errc::Unsupported,
                         {},
                         "FS_COLOR0_WRITES_ALL_CBUFS changes the uniforms of " +
                             program.source_name};
        return store_->maker.make(program, request);
    }

    /// One more than the highest render target that is bound.
    static uint8_t bound_targets(const exec::FragmentKey* key) {
        uint8_t count = 0;
        for (unsigned i = 0; key != nullptr && i < exec::kMaxRenderTargets; ++i)
            if (key->blend[i].format != Format::None)
                count = static_cast<uint8_t>(i + 1);
        return count;
    }

    std::shared_ptr<KernelStore> store_;  ///< outlives the kernels
    valhall::Program program_;            ///< writes colour 0 to one target
    Broadcast broadcast_;
    uint64_t number_;  ///< names the program in kernel keys
    KernelRef prologue_;
    mutable Recent<exec::VertexKey> vertex_recent_;
    mutable Recent<exec::FragmentKey> fragment_recent_;
};

}  // namespace

Result<StageRef> make_compiled_stage(const std::shared_ptr<KernelStore>& store,
                                     valhall::Program program,
                                     Broadcast broadcast) {
    return CompiledStage::create(store, std::move(program), std::move(broadcast));
}

}  // namespace valkyr::raster

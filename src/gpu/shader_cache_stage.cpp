// Compiled stage: compiles programs, prologues and kernels.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache_stage.hpp"

#include "gpu/shader_cache_uniforms.hpp"
#include "raster/record/kernel_tap.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

namespace valkyr::gpu {

KernelRef
KernelStore::tapped(const valhall::Program& program, const jit::KernelKey& key, KernelRef kernel) {
    return tap_ != nullptr ? tap_->wrap(program, key.vertex, key.fragment, std::move(kernel))
                           : kernel;
}

Result<KernelRef> KernelStore::make(const valhall::Program& program,
                                    const jit::KernelKey& key,
                                    Cancellation cancellation) {
    VALKYR_TRY(made, cache_->make(program, key, cancellation));
    if (!made.refusal.empty())
        note_refusal(made.refusal);
    return tapped(program, key, std::move(made.kernel));
}

KernelRef KernelStore::made_before(const valhall::Program& program, const MadeKernel& made) {
    if (!made.refusal.empty())
        note_refusal(made.refusal);
    return tapped(program, {}, made.kernel);
}

void KernelStore::note_refusal(const std::string& reason) {
    if (interpreted_++ == 0)
        reason_ = reason;
}

void KernelStore::take_statistics(Statistics& statistics) {
    statistics.kernels_compiled += std::exchange(made_, 0);
    statistics.kernel_cache_hits += std::exchange(hits_, 0);
    statistics.kernels_interpreted += std::exchange(interpreted_, 0);
    if (statistics.interpreter_reason.empty())
        statistics.interpreter_reason = std::exchange(reason_, {});
}

namespace {

bool has_constant_reads(const valhall::Program& program) {
    return program.info.constant_buffers_read != 0 ||
           (program.prologue && program.prologue->info.constant_buffers_read != 0);
}

/// A compiled program and its kernels.
class CompiledStage final : public StageProgram {
public:
    CompiledStage(std::shared_ptr<KernelStore> store,
                  ProgramRef compiled,
                  KernelRef prologue,
                  const DeviceTag* owner)
        : store_(std::move(store))
        , compiled_(std::move(compiled))
        , program_(compiled_->program)
        , prologue_(std::move(prologue))
        , owner_(owner)
        , uniforms_(program_)
        , reads_constant_table_(store_->is_tapped() || has_constant_reads(program_)) {
        if (program_.prologue)
            prologue_uniforms_.emplace(*program_.prologue);
    }

    [[nodiscard]] const exec::ProgramInfo& info() const noexcept override { return program_.info; }
    [[nodiscard]] uint32_t tls_bytes() const noexcept override {
        return std::max(program_.info.tls_bytes,
                        program_.prologue ? program_.prologue->info.tls_bytes : 0);
    }
    [[nodiscard]] bool reads_draw_values() const noexcept override {
        return uniforms_.reads_draw_values() ||
               (prologue_uniforms_ && prologue_uniforms_->reads_draw_values());
    }
    [[nodiscard]] bool reads_constant_table() const noexcept override {
        return reads_constant_table_;
    }
    [[nodiscard]] uint32_t fau_words() const noexcept override {
        return static_cast<uint32_t>(program_.fau.size());
    }

    void fill_fau(const FauInputs& inputs, uint32_t* fau) const noexcept override {
        if (prologue_)
            fill_with_prologue(inputs, fau);
        else
            uniforms_.fill(inputs, nullptr, fau);
    }

    [[nodiscard]] Result<KernelRef> kernel(const exec::VertexKey& key) const override {
        return find(vertex_recent_, key,
                    {.vertex = &key, .fragment = nullptr, .returns_registers = false});
    }
    [[nodiscard]] Result<KernelRef> kernel(const exec::FragmentKey& key) const override {
        return find(fragment_recent_, key, {.vertex = nullptr, .fragment = &key});
    }

private:
    static constexpr size_t kMaxFauWords = 256;

    /// A function of its own, so that programs without a prologue make no room for its registers.
    [[gnu::noinline]] void fill_with_prologue(const FauInputs& inputs,
                                              uint32_t* fau) const noexcept {
        const valhall::Program& prologue = *program_.prologue;
        std::array<uint32_t, kMaxFauWords> words{};
        prologue_uniforms_->fill(inputs, nullptr, words.data());
        exec::DrawContext context = *inputs.context;
        context.fau = words.data();
        context.info = &prologue.info;
        std::array<exec::Lanes, exec::kRegisters> registers{};
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.tls = inputs.tls;
        prologue_->entry()(call);
        uniforms_.fill(inputs, registers.data(), fau);
    }

    /// The keys of the last requests: one of each constant_w variant, and a few more.
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
                store_->count_hit();
                return entry.kernel;
            }
        const KernelNameView name{compiled_->number, std::as_bytes(std::span(&key, 1))};
        KernelRef kernel = store_->cache().find(name);
        if (kernel) {
            store_->count_hit();
        } else {
            VALKYR_TRY(made, make_kernel(request));
            store_->count_made();
            kernel = store_->cache().enter(name, std::move(made));
        }
        recent.entries[recent.next].key = key;
        recent.entries[recent.next].kernel = kernel;
        recent.next = (recent.next + 1) % recent.entries.size();
        return kernel;
    }

    Result<KernelRef> make_kernel(const jit::KernelKey& request) const {
        const Cancellation cancellation(owner_->watch.cancelled);
        const uint8_t targets =
            program_.info.color0_writes_all ? bound_targets(request.fragment) : uint8_t{0};
        if (targets < 2)
            return store_->make(program_, request, cancellation);
        VALKYR_TRY(program, compiled_->broadcast(targets, cancellation));
        // The program has further BLENDs of the same registers; the uniforms that a draw prepares
        // must be those of `program_`.
        if (program.fau != program_.fau || program.info.tls_bytes != program_.info.tls_bytes)
            return Error{Errc::Unsupported,
                         {},
                         "FS_COLOR0_WRITES_ALL_CBUFS changes the uniforms of " +
                             program.source_name};
        return store_->make(program, request, cancellation);
    }

    /// One more than the highest render target that is bound.
    static uint8_t bound_targets(const exec::FragmentKey* key) {
        uint8_t count = 0;
        for (unsigned i = 0; key != nullptr && i < exec::kMaxRenderTargets; ++i)
            if (key->blend[i].format != Format::None)
                count = static_cast<uint8_t>(i + 1);
        return count;
    }

    std::shared_ptr<KernelStore> store_;
    ProgramRef compiled_;
    const valhall::Program& program_;
    KernelRef prologue_;
    const DeviceTag* owner_;
    UniformPlan uniforms_;
    std::optional<UniformPlan> prologue_uniforms_;
    bool reads_constant_table_;  ///< a debugger shows all constants, and so needs the table, too
    mutable Recent<exec::VertexKey> vertex_recent_;
    mutable Recent<exec::FragmentKey> fragment_recent_;
};

}  // namespace

StageRef make_compiled_stage(const std::shared_ptr<KernelStore>& store,
                             ProgramRef program,
                             bool is_new,
                             const DeviceTag* owner) {
    KernelRef prologue = program->prologue.kernel;
    if (prologue && (is_new || store->is_tapped()))
        prologue = store->made_before(*program->program.prologue, program->prologue);
    return std::make_shared<CompiledStage>(store, std::move(program), std::move(prologue), owner);
}

}  // namespace valkyr::gpu

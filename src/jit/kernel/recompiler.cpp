// Recompiler: turns a program and a key into executable memory.
// SPDX-License-Identifier: MIT
#include "jit/recompiler.hpp"

#include "exec/entry_registers.hpp"
#include "jit/code/code_arena.hpp"
#include "jit/code/listing.hpp"
#include "jit/code/symbols.hpp"
#include "jit/context/warp_call.hpp"
#include "jit/expand/fragment/trim.hpp"
#include "jit/expand/texture/shared_axes.hpp"
#include "jit/guest/barriers.hpp"
#include "jit/guest/flow_analysis.hpp"
#include "jit/guest/guest_cache.hpp"
#include "jit/guest/idle_ids.hpp"
#include "jit/guest/nan_bits.hpp"
#include "jit/guest/wide_doubles.hpp"
#include "jit/kernel/choose_expansions.hpp"
#include "jit/kernel/groups.hpp"
#include "jit/kernel/host_target.hpp"
#include "jit/kernel/kernel.hpp"
#include "jit/kernel/plan_kernel.hpp"

#include <algorithm>
#include <array>
#include <asmjit/core.h>
#include <mutex>
#include <optional>
#include <utility>

namespace valkyr::jit {

namespace {

/// Whether the code of a compute kernel reads neither IDs nor workgroup_local_pointer.
bool is_plain(const KernelPlan& plan) {
    const auto is_pointer = [](const valhall::Source& source) {
        return source.kind == valhall::SourceKind::Special &&
               source.index == exec::kWorkgroupLocalPointer;
    };
    const RegSet ids{exec::entry_registers(exec::Stage::Compute)};
    return plan.program.resume_points.empty() && (plan.entry_live & ids).empty() &&
           std::ranges::none_of(plan.program.steps, [&](const Step& step) {
               return std::ranges::any_of(step.instr.src, is_pointer);
           });
}

class KernelCode final : public CompiledKernel {
public:
    KernelCode(std::shared_ptr<CodeArena> arena,
               size_t bytes,
               const KernelPlan& plan,
               std::vector<HostLine> lines)
        : arena_(std::move(arena))
        , bytes_(bytes)
        , compute_(plan.stage() == exec::Stage::Compute)
        , batching_(plan.fragment.batching)
        , lines_(std::move(lines)) {
        groups_.tls_bytes = plan.program.source->info.tls_bytes;
        groups_.idle_ids = plan.program.idle_ids;
        groups_.is_plain = is_plain(plan);
        groups_.waits = !plan.program.resume_points.empty();
    }
    ~KernelCode() override {
        symbol_.reset();
        if (entry_)
            arena_->release(entry_, bytes_);
    }
    KernelCode(const KernelCode&) = delete;
    KernelCode& operator=(const KernelCode&) = delete;

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        if (compute_ && entry_)
            return {run_groups, &groups_};
        return {reinterpret_cast<exec::KernelEntry>(entry_), nullptr, batching_};
    }
    [[nodiscard]] size_t code_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] const std::vector<HostLine>& listing() const noexcept override { return lines_; }

    /// Copies finished code to executable memory. A kernel without this call has only its listing.
    Result<void> place(asmjit::CodeHolder& code) {
        VALKYR_TRY(entry, arena_->add(code));
        entry_ = entry;
        groups_.code = reinterpret_cast<exec::KernelEntry>(entry);
        return {};
    }
    [[nodiscard]] const void* address() const { return entry_; }
    void show_to_gdb(std::string_view name) { symbol_.emplace(entry_, bytes_, name); }

private:
    std::shared_ptr<CodeArena> arena_;
    void* entry_ = nullptr;
    size_t bytes_;
    bool compute_;
    exec::Batching batching_;
    GroupKernel groups_;  ///< compute kernels
    std::vector<HostLine> lines_;
    std::optional<GdbSymbol> symbol_;
};

/// Keeps the first error of the assembler.
class ErrorLog final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error error, const char*, asmjit::BaseEmitter*) override {
        if (first == asmjit::kErrorOk)
            first = error;
    }
    /// Converts the error; call it only if there is one.
    [[nodiscard]] Error error() const {
        const Errc code = first == asmjit::kErrorOutOfMemory ? Errc::OutOfMemory : Errc::System;
        return {code, {}, std::string("assembler: ") + asmjit::DebugUtils::errorAsString(first)};
    }

    asmjit::Error first = asmjit::kErrorOk;
};

/// Objects of one compilation that the next can use again.
struct Workspace {
    asmjit::CodeHolder code;
    ErrorLog errors;
};

/// The name of a kernel, for example "valkyr::fs_1f3a".
std::string name_of(const GuestProgram& guest, const RecompileOptions& options) {
    constexpr std::array stages = {"vertex", "fragment", "compute", "blend", "geometry"};
    const auto stage = static_cast<size_t>(guest.source->info.stage);
    return "valkyr::" + (options.name.empty() ? std::string(stages[stage]) : options.name);
}

/// Finds divergence, and ends blocks at BARRIERs at which a warp may have to wait.
/// errors  Unsupported: too many BARRIERs at which lanes may wait apart from others of their warp
Result<void> find_flow(GuestProgram& guest, const RecompileOptions& options) {
    find_divergence(guest, options.cancellation);
    VALKYR_TRY_VOID(options.cancellation.check());
    if (!may_wait(guest))
        return {};
    end_blocks_at_barriers(guest);
    find_divergence(guest, options.cancellation);
    VALKYR_TRY_VOID(options.cancellation.check());
    const auto apart =
        guest.resume_points.size() -
        static_cast<size_t>(std::ranges::count_if(guest.resume_points, &ResumePoint::together));
    if (apart > kMaxApart)
        return Error{Errc::Unsupported,
                     {},
                     "compute: " + std::to_string(apart) +
                         " BARRIERs in code that some lanes may not reach"};
    return {};
}

class HostRecompiler final : public Recompiler {
public:
    HostRecompiler(HostLevel level, RecompilerOptions options)
        : level_(level)
        , gdb_(options.gdb)
        , listing_only_(options.listing_only)
        , gather_method_(options.gather_method == GatherMethod::Auto ? fast_gather_method()
                                                                     : options.gather_method)
        , arena_(std::make_shared<CodeArena>(options.code_limit)) {
        if (!options.perf_map.empty())
            perf_map_.emplace(std::move(options.perf_map));
    }

    Result<void> probe() { return arena_->probe(); }

    Result<std::unique_ptr<CompiledKernel>> recompile(const valhall::Program& program,
                                                      const KernelKey& key,
                                                      const RecompileOptions& options) override {
        VALKYR_TRY(guest, programs_.read(program, key, options.host_doubles, options.cancellation));
        VALKYR_TRY_VOID(options.cancellation.check());
        VALKYR_TRY_VOID(find_flow(guest, options));
        find_idle_ids(guest, key);
        const KernelSource source{guest, key, options.inline_messages, options.cancellation};
        choose_expansions(guest, source);
        VALKYR_TRY_VOID(options.cancellation.check());
        share_axes(guest, source);
        trim_accesses(guest, source);
        find_nan_bits(guest, key, options.cancellation);
        const FlowFacts facts = find_liveness(guest, options.cancellation);
        VALKYR_TRY_VOID(options.cancellation.check());
        mark_dead_steps(guest);
        find_wide_doubles(guest);
        std::unique_ptr<Workspace> workspace = take_workspace();
        auto kernel = assemble(*workspace, source, facts, options);
        return_workspace(std::move(workspace));
        return kernel;
    }

    [[nodiscard]] HostLevel level() const noexcept override { return level_; }
    [[nodiscard]] CodeStatistics statistics() const override { return arena_->statistics(); }

private:
    Result<std::unique_ptr<CompiledKernel>> assemble(Workspace& workspace,
                                                     const KernelSource& source,
                                                     const FlowFacts& facts,
                                                     const RecompileOptions& options) {
        asmjit::CodeHolder& code = workspace.code;
        code.reset();
        workspace.errors.first = code.init(environment_of(level_));
        if (workspace.errors.first != asmjit::kErrorOk)
            return workspace.errors.error();
        code.setErrorHandler(&workspace.errors);
        const std::unique_ptr<HostAssembler> host = make_assembler(level_, gather_method_, code);
        ListingLogger logger(*host);
        if (options.listing)
            code.setLogger(&logger);
        const KernelPlan plan = plan_kernel(source, facts, host->traits(), options);
        EmitContext context(*host, plan, options.listing ? &logger : nullptr);
        VALKYR_TRY_VOID(options.cancellation.check());
        emit_kernel(context);
        VALKYR_TRY_VOID(options.cancellation.check());
        if (workspace.errors.first != asmjit::kErrorOk)
            return workspace.errors.error();
        if (logger.incomplete())
            return Error{Errc::OutOfMemory, {}, "no memory for a listing"};
        if (context.regs.exhausted())
            return Error{Errc::Unsupported, {}, "an instruction needs more host registers"};
        code.setLogger(nullptr);
        // Make the kernel first, so that placed code always has an owner.
        auto kernel = std::make_unique<KernelCode>(arena_, code.codeSize(), plan, logger.take());
        if (!listing_only_)
            VALKYR_TRY_VOID(kernel->place(code));
        if (!listing_only_ && (perf_map_ || gdb_))
            name_kernel(*kernel, name_of(source.program, options));
        return std::unique_ptr<CompiledKernel>(std::move(kernel));
    }

    void name_kernel(KernelCode& kernel, const std::string& name) {
        if (perf_map_)
            perf_map_->add(kernel.address(), kernel.code_bytes(), name);
        if (gdb_)
            kernel.show_to_gdb(name);
    }

    std::unique_ptr<Workspace> take_workspace() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty())
            return std::make_unique<Workspace>();
        std::unique_ptr<Workspace> workspace = std::move(idle_.back());
        idle_.pop_back();
        return workspace;
    }

    void return_workspace(std::unique_ptr<Workspace> workspace) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(workspace));
    }

    HostLevel level_;
    bool gdb_;
    bool listing_only_;
    GatherMethod gather_method_;
    std::optional<PerfMap> perf_map_;
    std::shared_ptr<CodeArena> arena_;
    GuestCache programs_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace

Result<std::unique_ptr<Recompiler>> Recompiler::create(HostLevel level, RecompilerOptions options) {
    const std::string name(host_level_name(level));
    if (level == HostLevel::None)
        return Error{Errc::Unsupported, {}, "no recompiler for host level " + name};
    if (!options.listing_only && !host_supports(level))
        return Error{Errc::Unsupported, {}, "this processor lacks host level " + name};
    const bool executes = !options.listing_only;
    auto recompiler = std::make_unique<HostRecompiler>(level, std::move(options));
    if (executes)
        VALKYR_TRY_VOID(recompiler->probe());
    return std::unique_ptr<Recompiler>(std::move(recompiler));
}

}  // namespace valkyr::jit

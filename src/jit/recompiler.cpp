// The recompiler: from a program and a key to executable memory.
// SPDX-License-Identifier: MIT
#include "jit/recompiler.hpp"

#include "jit/flow_analysis.hpp"
#include "jit/guest_program.hpp"
#include "jit/kernel.hpp"
#include "jit/listing.hpp"
#include "jit/x86_assembler.hpp"

#include <asmjit/x86.h>
#include <mutex>
#include <utility>

namespace valkyr::jit {

namespace {

constexpr uint32_t kArenaBlockBytes = 1 << 20;

/// Executable memory, mapped twice: writable for us, executable for the processor. Shared by the
/// kernels, so that it outlives the recompiler if they do.
class CodeArena {
public:
    CodeArena()
        : runtime_(&params()) {}

    Result<void*> add(asmjit::CodeHolder& code) {
        void* entry = nullptr;
        if (const asmjit::Error error = runtime_.add(&entry, &code))
            return Error{Errc::System, {}, asmjit::DebugUtils::errorAsString(error)};
        return entry;
    }

    void release(void* entry) { runtime_.release(entry); }

private:
    static const asmjit::JitAllocator::CreateParams& params() {
        static const asmjit::JitAllocator::CreateParams created = [] {
            asmjit::JitAllocator::CreateParams p{};
            p.options = asmjit::JitAllocatorOptions::kUseDualMapping;
            p.blockSize = kArenaBlockBytes;
            return p;
        }();
        return created;
    }

    asmjit::JitRuntime runtime_;
};

class KernelCode final : public CompiledKernel {
public:
    KernelCode(std::shared_ptr<CodeArena> arena,
               void* entry,
               size_t bytes,
               std::vector<HostLine> lines)
        : arena_(std::move(arena))
        , entry_(entry)
        , bytes_(bytes)
        , lines_(std::move(lines)) {}
    ~KernelCode() override { arena_->release(entry_); }
    KernelCode(const KernelCode&) = delete;
    KernelCode& operator=(const KernelCode&) = delete;

    [[nodiscard]] exec::Kernel entry() const noexcept override {
        return {reinterpret_cast<exec::KernelEntry>(entry_), nullptr};
    }
    [[nodiscard]] size_t code_bytes() const noexcept override { return bytes_; }
    [[nodiscard]] const std::vector<HostLine>& listing() const noexcept override { return lines_; }

private:
    std::shared_ptr<CodeArena> arena_;
    void* entry_;
    size_t bytes_;
    std::vector<HostLine> lines_;
};

/// Remembers the first error of the assembler.
class ErrorLog final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error, const char* message, asmjit::BaseEmitter*) override {
        if (text.empty())
            text = message;
    }
    std::string text;
};

/// What one compilation needs and the next can use again.
struct Workspace {
    asmjit::CodeHolder code;
    ErrorLog errors;
};

class X86Recompiler final : public Recompiler {
public:
    explicit X86Recompiler(HostLevel level)
        : level_(level)
        , arena_(std::make_shared<CodeArena>()) {}

    Result<std::unique_ptr<CompiledKernel>> recompile(const valhall::Program& program,
                                                      const KernelKey& key,
                                                      const RecompileOptions& options) override {
        VALKYR_TRY(guest, read_program(program, key));
        const FlowFacts facts = analyse_flow(guest);
        std::unique_ptr<Workspace> workspace = take_workspace();
        auto kernel = assemble(*workspace, guest, facts, key, options);
        return_workspace(std::move(workspace));
        return kernel;
    }

    [[nodiscard]] HostLevel level() const noexcept override { return level_; }

private:
    Result<std::unique_ptr<CompiledKernel>> assemble(Workspace& workspace,
                                                     const GuestProgram& guest,
                                                     const FlowFacts& facts,
                                                     const KernelKey& key,
                                                     const RecompileOptions& options) {
        asmjit::CodeHolder& code = workspace.code;
        code.reset();
        code.init(asmjit::Environment::host());
        code.setErrorHandler(&workspace.errors);
        workspace.errors.text.clear();
        X86Assembler host(code, level_ == HostLevel::Avx512);
        ListingLogger logger(host.assembler());
        if (options.listing)
            code.setLogger(&logger);
        EmitContext context(host, guest, key, parts_for(guest, host.traits()));
        context.listing = options.listing ? &logger : nullptr;
        context.inline_messages = options.inline_messages;
        emit_kernel(context, facts);
        if (!workspace.errors.text.empty())
            return Error{Errc::System, {}, "assembler: " + workspace.errors.text};
        if (context.regs.exhausted())
            return Error{Errc::Unsupported, {}, "an instruction needs more host registers"};
        code.setLogger(nullptr);
        const size_t bytes = code.codeSize();
        VALKYR_TRY(entry, arena_->add(code));
        return std::unique_ptr<CompiledKernel>(
            std::make_unique<KernelCode>(arena_, entry, bytes, logger.take()));
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
    std::shared_ptr<CodeArena> arena_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace

Result<std::unique_ptr<Recompiler>> Recompiler::create(HostLevel level) {
    const std::string name(host_level_name(level));
    if (level == HostLevel::None || level == HostLevel::Neon)
        return Error{Errc::Unsupported, {}, "no recompiler for host level " + name};
    if (!host_supports(level))
        return Error{Errc::Unsupported, {}, "this processor lacks host level " + name};
    return std::unique_ptr<Recompiler>(std::make_unique<X86Recompiler>(level));
}

}  // namespace valkyr::jit

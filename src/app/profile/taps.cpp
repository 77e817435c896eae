// Taps: tell the sample timer which kernel runs, and count what kernels execute.
// SPDX-License-Identifier: MIT
#include "app/profile/taps.hpp"

#include "valhall/interpreter/interpreter.hpp"

#include <bit>

namespace valkyr::profile {

namespace {

/// Tells the timer that its kernel runs.
class TimedKernel final : public raster::KernelHandle {
public:
    TimedKernel(raster::KernelRef kernel, CodeRange code, SampleTimer& timer)
        : kernel_(std::move(kernel))
        , inner_(kernel_->entry())
        , code_(code)
        , timer_(timer) {}
    [[nodiscard]] exec::Kernel entry() const noexcept override { return {run, this}; }

private:
    static void run(const void* self, void* call) noexcept {
        const auto& kernel = *static_cast<const TimedKernel*>(self);
        kernel.timer_.set_kernel(kernel.code_);
        kernel.inner_.entry(kernel.inner_.self, call);
        kernel.timer_.set_kernel({});
    }

    raster::KernelRef kernel_;
    exec::Kernel inner_;
    CodeRange code_;
    SampleTimer& timer_;
};

}  // namespace

raster::KernelRef TimeTap::wrap(const valhall::Program& program,
                                const exec::VertexKey* vertex,
                                const exec::FragmentKey* fragment,
                                raster::KernelRef kernel) {
    const size_t bytes = kernel->code_bytes();
    if (bytes == 0)
        return kernel;  // the interpreter runs it
    const auto begin = reinterpret_cast<uintptr_t>(kernel->entry().entry);
    const CodeRange code{begin, begin + bytes};
    placed_[begin] = {code, table_.enter(program, vertex, fragment)};
    kept_.push_back(kernel);
    return std::make_shared<TimedKernel>(std::move(kernel), code, timer_);
}

/// A kernel that counts while its tap is armed.
class CountTap::Counted final : public raster::KernelHandle {
public:
    static Result<raster::KernelRef>
    create(CountTap& tap, size_t number, raster::KernelRef kernel) {
        auto made = std::make_shared<Counted>(tap, number, std::move(kernel));
        valhall::InterpreterOptions options;
        options.on_step = [counted = made.get()](const valhall::StepEvent& event) {
            counted->count(event);
        };
        VALKYR_TRY(interpreter, valhall::Interpreter::create(*tap.table_.kernels()[number].program,
                                                             std::move(options)));
        made->interpreter_.emplace(std::move(interpreter));
        return raster::KernelRef(std::move(made));
    }
    Counted(CountTap& tap, size_t number, raster::KernelRef kernel)
        : tap_(tap)
        , number_(number)
        , kernel_(std::move(kernel)) {}
    [[nodiscard]] exec::Kernel entry() const noexcept override { return {run, this}; }

private:
    static void run(const void* self, void* call) noexcept {
        const auto& kernel = *static_cast<const Counted*>(self);
        const exec::Kernel inner =
            kernel.tap_.armed_ ? kernel.interpreter_->kernel() : kernel.kernel_->entry();
        try {
            inner.entry(inner.self, call);
        } catch (...) {
            kernel.tap_.failed_ = true;
        }
    }

    void count(const valhall::StepEvent& event) const {
        WordCount& word = tap_.counts_[number_][event.word_index];
        const auto lanes = static_cast<unsigned>(event.before.running);
        ++word.warps;
        word.lanes += static_cast<uint64_t>(std::popcount(lanes));
        word.helpers += static_cast<uint64_t>(std::popcount(lanes & ~unsigned{event.before.live}));
    }

    CountTap& tap_;
    size_t number_;
    raster::KernelRef kernel_;
    std::optional<valhall::Interpreter> interpreter_;
};

raster::KernelRef CountTap::wrap(const valhall::Program& program,
                                 const exec::VertexKey* vertex,
                                 const exec::FragmentKey* fragment,
                                 raster::KernelRef kernel) {
    const size_t number = table_.enter(program, vertex, fragment);
    if (counts_.size() <= number)
        counts_.resize(number + 1);
    counts_[number].resize(program.words.size());
    auto counted = Counted::create(*this, number, kernel);
    return counted ? *std::move(counted) : kernel;
}

}  // namespace valkyr::profile

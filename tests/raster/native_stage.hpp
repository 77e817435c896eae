// Native stages: wrap C++ functions as kernels, to test the rasterizer without shaders.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/record/pipeline.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace valkyr::raster::test {

/// A stage program around a function that takes the stage's call struct (exec::VertexCall or
/// exec::FragmentCall). FAU word w is word w of constant buffer 0.
template <typename Call>
class NativeStage final : public StageProgram {
public:
    using Function = std::function<void(Call&)>;

    /// batching  exec::Kernel::batching
    NativeStage(const exec::ProgramInfo& info,
                uint32_t fau_words,
                Function function,
                exec::Batching batching = exec::Batching::None)
        : info_(info)
        , fau_words_(fau_words + fau_words % 2)
        , handle_(std::make_shared<Handle>(std::move(function), batching)) {}

    [[nodiscard]] const exec::ProgramInfo& info() const noexcept override { return info_; }
    [[nodiscard]] uint32_t fau_words() const noexcept override { return fau_words_; }
    void fill_fau(const FauInputs& inputs, uint32_t* fau) const noexcept override {
        for (uint32_t i = 0; i < fau_words_; ++i)
            fau[i] = !inputs.constants.empty() && i < inputs.constants[0].size()
                         ? inputs.constants[0][i]
                         : 0;
    }
    [[nodiscard]] Result<KernelRef> kernel(const exec::VertexKey& /*key*/) const override {
        return KernelRef(handle_);
    }
    [[nodiscard]] Result<KernelRef> kernel(const exec::FragmentKey& /*key*/) const override {
        return KernelRef(handle_);
    }

private:
    class Handle final : public KernelHandle {
    public:
        Handle(Function function, exec::Batching batching)
            : function_(std::move(function))
            , batching_(batching) {}
        [[nodiscard]] exec::Kernel entry() const noexcept override {
            return {call, &function_, batching_};
        }

    private:
        static void call(const void* self, void* argument) noexcept {
            (*static_cast<const Function*>(self))(*static_cast<Call*>(argument));
        }
        Function function_;
        exec::Batching batching_;
    };

    exec::ProgramInfo info_;
    uint32_t fau_words_;
    std::shared_ptr<const Handle> handle_;
};

using NativeVertexStage = NativeStage<exec::VertexCall>;
using NativeFragmentStage = NativeStage<exec::FragmentCall>;

/// Returns the stages of a pipeline without other vertex stages.
inline LinkedStages linked_stages(StageRef vertex, StageRef fragment) {
    LinkedStages stages;
    stages.programs[static_cast<size_t>(DrawStage::Vertex)] = std::move(vertex);
    stages.programs[static_cast<size_t>(DrawStage::Fragment)] = std::move(fragment);
    return stages;
}

}  // namespace valkyr::raster::test

// Pipelines: hold the linked stage programs, which make kernels, and the state they serve.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/device.hpp"
#include "raster/record/recent_draw.hpp"
#include "raster/record/recent_kernels.hpp"
#include "raster/record/stage_program.hpp"
#include "raster/record/stream_output.hpp"
#include "raster/resource/resource.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace valkyr::raster {

/// The programs of a pipeline, compiled against the same varyings.
struct LinkedStages {
    /// By DrawStage; null: none. Pipelines without a fragment shader get an empty one.
    std::array<StageRef, kDrawStages> programs = {};
    /// Record byte of the smooth shapes' coverage; 0 if no shape is smooth.
    uint16_t coverage_offset = 0;
    StreamLayout stream = {};  ///< record places of the outputs that stream output captures
};

/// Returns the list primitive that a geometry program's output consists of.
constexpr Primitive list_of(exec::OutputPrimitive output) {
    switch (output) {
    case exec::OutputPrimitive::Points: return Primitive::Points;
    case exec::OutputPrimitive::LineStrip: return Primitive::Lines;
    case exec::OutputPrimitive::TriangleStrip: break;
    }
    return Primitive::Triangles;
}

/// Returns the list primitive that a tessellated patch consists of.
constexpr Primitive list_of(const exec::TessellationInfo& tessellation) {
    if (tessellation.point_mode)
        return Primitive::Points;
    const bool lines = tessellation.domain == exec::TessellationDomain::Isolines;
    return lines ? Primitive::Lines : Primitive::Triangles;
}

/// Linked programs and their state.
class PipelineImpl final : public Pipeline {
public:
    PipelineImpl(const DeviceTag* owner, PipelineDesc desc, LinkedStages stages)
        : Pipeline(owner)
        , owner_(owner)
        , assembled_(desc.primitive)
        , desc_(std::move(desc))
        , stages_(std::move(stages)) {
        if (geometry() != nullptr)
            desc_.primitive = list_of(geometry()->info().geometry.output);
        else if (evaluation() != nullptr)
            desc_.primitive = list_of(evaluation()->info().patch.tessellation);
        tells_draws_apart_ = makes_primitives() || desc_.rasterizer.line_stipple ||
                             !stages_.stream.sources.empty() ||
                             (fragment() != nullptr && fragment()->info().reads_primitive_id);
        for (const DrawStage stage : kAllDrawStages) {
            writes_ = writes_ || writes(stage);
            tells_draws_apart_ = tells_draws_apart_ || writes(stage) ||
                                 (program(stage) != nullptr && program(stage)->reads_draw_values());
            if (program(stage) == nullptr)
                continue;
            const exec::ProgramInfo& info = program(stage)->info();
            uses_images_ = uses_images_ || info.images_used != 0;
            reads_texels_ = reads_texels_ || info.images_used != 0 || info.textures_read != 0;
        }
    }

    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    /// Returns the state; its primitive is the drawn one.
    [[nodiscard]] const PipelineDesc& desc() const noexcept { return desc_; }
    /// Returns the primitive that assembly makes.
    [[nodiscard]] Primitive assembled() const noexcept { return assembled_; }
    /// Returns the program of a stage; null if there is none.
    [[nodiscard]] const StageProgram* program(DrawStage stage) const noexcept {
        return stages_.programs[static_cast<size_t>(stage)].get();
    }
    [[nodiscard]] const StageProgram& vertex() const noexcept {
        return *program(DrawStage::Vertex);
    }
    /// Returns the geometry program; null if there is none.
    [[nodiscard]] const StageProgram* geometry() const noexcept {
        return program(DrawStage::Geometry);
    }
    /// Returns the tessellation control program; null if there is none.
    [[nodiscard]] const StageProgram* control() const noexcept {
        return program(DrawStage::TessControl);
    }
    /// Returns the tessellation evaluation program; null if there is none.
    [[nodiscard]] const StageProgram* evaluation() const noexcept {
        return program(DrawStage::TessEvaluation);
    }
    /// Returns the stage whose records a geometry program reads.
    [[nodiscard]] const StageProgram& before_geometry() const noexcept {
        return evaluation() != nullptr ? *evaluation() : vertex();
    }
    /// Returns the stage whose vertices are drawn.
    [[nodiscard]] const StageProgram& last_vertex_stage() const noexcept {
        return geometry() != nullptr ? *geometry() : before_geometry();
    }
    /// Returns whether primitives are made by a program, not by assembly.
    [[nodiscard]] bool makes_primitives() const noexcept {
        return geometry() != nullptr || evaluation() != nullptr;
    }
    /// Returns the fragment program; null if nothing is shaded.
    [[nodiscard]] const StageProgram* fragment() const noexcept {
        return program(DrawStage::Fragment);
    }
    /// Returns whether a stage may write to images or buffers.
    [[nodiscard]] bool writes(DrawStage stage) const noexcept {
        return program(stage) != nullptr && program(stage)->info().has_side_effects;
    }
    [[nodiscard]] const StreamLayout& stream() const noexcept { return stages_.stream; }
    /// LinkedStages::coverage_offset
    [[nodiscard]] uint16_t coverage_offset() const noexcept { return stages_.coverage_offset; }
    /// Returns whether some stage may write to images or buffers.
    [[nodiscard]] bool has_side_effects() const noexcept { return writes_; }
    /// Returns whether some stage loads from images or stores to them.
    [[nodiscard]] bool uses_images() const noexcept { return uses_images_; }
    /// Returns whether some stage reads textures or images.
    [[nodiscard]] bool reads_texels() const noexcept { return reads_texels_; }
    /// Returns whether a draw may differ from two draws that share its elements: something counts
    /// primitives or reads numbers of the draw, or shaders write.
    [[nodiscard]] bool tells_draws_apart() const noexcept { return tells_draws_apart_; }
    /// The pipeline's last draw. Only the device's thread, which records draws, changes it.
    [[nodiscard]] RecentDraw& recent() const noexcept { return recent_; }
    /// The kernels that the pipeline's draws last used. Only the device's thread changes them.
    [[nodiscard]] RecentKernels& recent_kernels() const noexcept { return recent_kernels_; }

private:
    const DeviceTag* owner_;
    Primitive assembled_;
    PipelineDesc desc_;
    LinkedStages stages_;
    bool writes_ = false;
    bool uses_images_ = false;
    bool reads_texels_ = false;
    bool tells_draws_apart_ = false;
    mutable RecentDraw recent_;
    mutable RecentKernels recent_kernels_;
};

/// A compute program with a fixed block size.
class ComputePipelineImpl final : public ComputePipeline {
public:
    ComputePipelineImpl(const DeviceTag* owner, StageRef program)
        : ComputePipeline(owner)
        , owner_(owner)
        , program_(std::move(program)) {}

    [[nodiscard]] const DeviceTag* owner() const noexcept { return owner_; }
    [[nodiscard]] const StageProgram& program() const noexcept { return *program_; }
    /// Returns whether the program may write to images or buffers.
    [[nodiscard]] bool has_side_effects() const noexcept {
        return program_->info().has_side_effects;
    }

private:
    const DeviceTag* owner_;
    StageRef program_;
};

/// Returns the pipeline behind a handle; null if the handle is null or belongs to another Device.
inline const PipelineImpl* own_pipeline(const PipelineRef& pipeline,
                                        const DeviceTag* owner) noexcept {
    return pipeline && pipeline->maker() == owner ? static_cast<const PipelineImpl*>(pipeline.get())
                                                  : nullptr;
}
inline const ComputePipelineImpl* own_pipeline(const ComputePipelineRef& pipeline,
                                               const DeviceTag* owner) noexcept {
    return pipeline && pipeline->maker() == owner
               ? static_cast<const ComputePipelineImpl*>(pipeline.get())
               : nullptr;
}

}  // namespace valkyr::raster

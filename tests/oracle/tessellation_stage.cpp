// Tessellation stage: runs the shaders for one patch, and one point of it, at a time.
// SPDX-License-Identifier: MIT
#include "tests/oracle/tessellation_stage.hpp"

#include "base/bits.hpp"
#include "tests/oracle/resources.hpp"

#include <utility>

namespace valkyr::reference {
namespace {

using exec::TessellationInfo;
using Domain = exec::TessellationDomain;
using Spacing = exec::TessellationSpacing;

using tgsi::Semantic;

/// Values of the properties as Gallium numbers them.
TessellationInfo rules_of(const tgsi::Shader& shader) {
    TessellationInfo rules;
    switch (shader.property("TES_PRIM_MODE", 0)) {
    case 1: rules.domain = Domain::Isolines; break;
    case 7: rules.domain = Domain::Quads; break;
    default: rules.domain = Domain::Triangles; break;
    }
    switch (shader.property("TES_SPACING", 0)) {
    case 0: rules.spacing = Spacing::FractionalOdd; break;
    case 1: rules.spacing = Spacing::FractionalEven; break;
    default: rules.spacing = Spacing::Equal; break;
    }
    rules.clockwise = shader.property("TES_VERTEX_ORDER_CW", 0) != 0;
    rules.point_mode = shader.property("TES_POINT_MODE", 0) != 0;
    return rules;
}

const tgsi::Shader* shader_of(const raster::ShaderRef& shader) {
    const auto* own = dynamic_cast<const ReferenceShader*>(shader.get());
    return own == nullptr ? nullptr : &own->shader;
}

std::array<float, 4> floats(const Vec4& words) {
    return {as_float(words[0]), as_float(words[1]), as_float(words[2]), as_float(words[3])};
}

template <size_t Size>
Vec4 words(const std::array<float, Size>& values) {
    Vec4 made{};
    for (size_t i = 0; i < Size; i++)
        made[i] = as_bits(values[i]);
    return made;
}

Vec4 integer(size_t value) {
    Vec4 made;
    made.fill(static_cast<uint32_t>(value));
    return made;
}

/// A lane with the system values of `value`, and inputs that are system values by their semantic.
template <typename Value>
tgsi::Invocation make_lane(const std::vector<Port>& system_values,
                           const std::vector<Port>& inputs,
                           std::vector<Vec4> patch_inputs,
                           Value value) {
    tgsi::Invocation lane;
    lane.inputs = std::move(patch_inputs);
    lane.system_values.resize(register_count(system_values));
    for (const Port& port : system_values)
        lane.system_values[port.reg] = value(port.semantic);
    for (const Port& port : inputs)
        if (port.semantic == Semantic::PrimId || port.semantic == Semantic::TessOuter ||
            port.semantic == Semantic::TessInner)
            lane.inputs[port.reg] = value(port.semantic);
    return lane;
}

}  // namespace

TessellationStage::TessellationStage(const raster::DrawState& state,
                                     const raster::PipelineDesc& pipeline,
                                     const tgsi::Shader& evaluation,
                                     std::vector<Port> vertex_outputs)
    : rules_(rules_of(evaluation))
    , first_provokes_(pipeline.rasterizer.flat_shade_first)
    , default_outer_(state.outer_levels)
    , default_inner_(state.inner_levels)
    , vertex_outputs_(std::move(vertex_outputs))
    , inputs_(ports(evaluation, tgsi::File::Input))
    , system_values_(ports(evaluation, tgsi::File::SystemValue))
    , outputs_(evaluation) {}

Result<std::unique_ptr<TessellationStage>>
TessellationStage::create(const raster::DrawState& state,
                          const raster::PipelineDesc& pipeline,
                          const std::vector<Port>& vertex_outputs) {
    const tgsi::Shader& evaluation = *shader_of(pipeline.tess_evaluation);
    std::unique_ptr<TessellationStage> stage(
        new TessellationStage(state, pipeline, evaluation, vertex_outputs));
    VALKYR_TRY(runner,
               ShaderRunner::create(evaluation, state.stage(raster::DrawStage::TessEvaluation)));
    stage->evaluation_ = std::move(runner);
    if (const tgsi::Shader* control = shader_of(pipeline.tess_control)) {
        stage->control_vertices_ = control->property("TCS_VERTICES_OUT", 0);
        stage->control_inputs_ = ports(*control, tgsi::File::Input);
        stage->control_outputs_ = ports(*control, tgsi::File::Output);
        stage->control_system_values_ = ports(*control, tgsi::File::SystemValue);
        VALKYR_TRY(first,
                   ShaderRunner::create(*control, state.stage(raster::DrawStage::TessControl)));
        stage->control_ = std::move(first);
    }
    return stage;
}

TessellationStage::Patch TessellationStage::control(const std::vector<const Vertex*>& vertices,
                                                    uint32_t id) {
    Patch patch{id, default_outer_, default_inner_, {}, {}};
    if (!control_) {
        for (const Vertex* vertex : vertices)
            patch.vertices.push_back(linked(inputs_, vertex_outputs_, vertex->outputs));
        patch.inputs.resize(register_count(inputs_));
        return patch;
    }
    std::vector<std::vector<Vec4>> inputs;
    for (const Vertex* vertex : vertices)
        inputs.push_back(linked(control_inputs_, vertex_outputs_, vertex->outputs));
    std::vector<tgsi::Invocation> lanes;
    for (uint32_t invocation = 0; invocation < control_vertices_; invocation++)
        lanes.push_back(make_lane(control_system_values_, control_inputs_,
                                  std::vector<Vec4>(register_count(control_inputs_)),
                                  [&](Semantic semantic) -> Vec4 {
                                      switch (semantic) {
                                      case Semantic::InvocationId: return integer(invocation);
                                      case Semantic::VerticesIn: return integer(vertices.size());
                                      case Semantic::PrimId: return integer(id);
                                      default: return {};
                                      }
                                  }));
    const ControlOutputs made = control_->run_control(lanes, std::move(inputs));
    for (const std::vector<Vec4>& vertex : made.vertices)
        patch.vertices.push_back(linked(inputs_, control_outputs_, vertex));
    patch.inputs = linked(inputs_, control_outputs_, made.patch);
    const auto levels = [&](Semantic semantic) {
        const auto reg = find_port(control_outputs_, semantic, 0);
        return reg ? floats(made.patch[*reg]) : std::array<float, 4>{};
    };
    patch.outer = levels(Semantic::TessOuter);
    patch.inner = {levels(Semantic::TessInner)[0], levels(Semantic::TessInner)[1]};
    return patch;
}

Vertex TessellationStage::evaluate(const Patch& patch, const DomainPoint& point) {
    constexpr float kUnit = 1.0F / 65536;
    const float third = rules_.domain == Domain::Triangles
                            ? static_cast<float>(65536 - point.u - point.v) * kUnit
                            : 0.0F;
    const std::array place{static_cast<float>(point.u) * kUnit, static_cast<float>(point.v) * kUnit,
                           third};
    std::vector<tgsi::Invocation> lanes{
        make_lane(system_values_, inputs_, patch.inputs, [&](Semantic semantic) -> Vec4 {
            switch (semantic) {
            case Semantic::PrimId: return integer(patch.id);
            case Semantic::VerticesIn: return integer(patch.vertices.size());
            case Semantic::TessCoord: return words(place);
            case Semantic::TessOuter: return words(patch.outer);
            case Semantic::TessInner: return words(patch.inner);
            default: return {};
            }
        })};
    evaluation_->run(lanes, patch.vertices);
    return outputs_.vertex(std::move(lanes[0].outputs));
}

std::vector<EmittedPrimitive> TessellationStage::run(const std::vector<const Vertex*>& vertices,
                                                     uint32_t id) {
    const Patch patch = control(vertices, id);
    const Division division = divide(rules_, patch.outer, patch.inner);
    std::vector<Vertex> shaded;
    for (const DomainPoint& point : division.points)
        shaded.push_back(evaluate(patch, point));
    std::vector<EmittedPrimitive> list;
    for (const std::vector<uint32_t>& primitive : division.primitives) {
        EmittedPrimitive& made = list.emplace_back();
        for (const uint32_t corner : primitive)
            made.corners.push_back(shaded[corner]);
        made.provoking = first_provokes_ ? 0 : static_cast<uint32_t>(primitive.size() - 1);
        made.id = id;
        made.begins_strip = true;
    }
    return list;
}

}  // namespace valkyr::reference

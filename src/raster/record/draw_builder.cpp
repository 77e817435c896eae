// Draw builder: fills in tables, uniforms, kernels and fixed-function numbers.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_builder.hpp"

#include "base/check.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/half_varyings.hpp"
#include "raster/data/stipple_blocks.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/record/draw_ranges.hpp"
#include "raster/record/draw_sharing.hpp"
#include "raster/record/fixed_function.hpp"
#include "raster/record/hidden.hpp"
#include "raster/record/record_check.hpp"
#include "raster/record/record_parts.hpp"
#include "raster/record/smooth_shape.hpp"
#include "raster/record/stage_binder.hpp"
#include "raster/record/state_keys.hpp"
#include "raster/record/unit_keys.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <utility>

namespace valkyr::raster {
namespace {

template <typename T>
T* make(Arena& arena) {
    return new (arena.allocate(sizeof(T))) T{};
}

template <typename T>
T* copy_of(const T& value, Arena& arena) {
    return new (arena.allocate(sizeof(T))) T(value);
}

class DrawBuilder {
public:
    /// recent  the record whose unchanged parts the draw shares; null: all parts are made anew
    DrawBuilder(const BuildContext& context,
                const DrawState& state,
                const DrawInfo& info,
                const RecentDraw* recent)
        : context_(context)
        , pass_(*context.pass)
        , state_(state)
        , info_(info)
        , pipeline_(static_cast<const PipelineImpl&>(*state.pipeline))
        , recent_(recent)
        , changed_(recent_ != nullptr ? context.versions->since(recent_->version)
                                      : StateGroups::all())
        , binder_(context, state, info, pipeline_, recent_, changed_) {}

    Result<DrawRecord*> build();

private:
    [[nodiscard]] StageInput input_of(DrawStage stage) const;
    Result<void> build_vertex_stage(DrawRecord& draw);
    // Parts that few draws need anew are functions of their own, so that the code of all others
    // lies in few cache lines.
    [[gnu::noinline]] Result<void> build_tessellation(DrawRecord& draw);
    Result<bool> build_tessellation_program(DrawStage stage,
                                            RecordPart kernel_part,
                                            const exec::DrawContext*& context,
                                            exec::Kernel& kernel);
    [[gnu::noinline]] Result<void> build_geometry_stage(DrawRecord& draw);
    /// Finds the kernel of a stage before the fragment stage; `context` gets the key.
    Result<exec::Kernel> find_vertex_kernel(RecordPart part,
                                            const StageInput& stage,
                                            const exec::DrawContext* recent,
                                            exec::Kernel recent_kernel,
                                            exec::DrawContext& context);
    Result<void> build_fragment_stage(DrawRecord& draw);
    [[gnu::noinline]] Result<void>
    find_fragment_kernels(DrawRecord& draw,
                          const exec::ResourceTables& tables,
                          std::array<const exec::FragmentKey*, 2>& keys);
    Result<std::shared_ptr<FragmentKernels>>
    make_fragment_kernels(const FragmentKeyInputs& inputs,
                          const exec::ResourceTables& tables) const;
    /// Returns whether a part must be made anew, instead of sharing the recent draw's part.
    [[nodiscard]] bool is_stale(RecordPart part) const { return changed_.has(depends_on(part)); }
    void set_assembly(AssemblyState& assembly);
    [[nodiscard, gnu::noinline]] const ShapeState* make_shape() const;
    [[nodiscard, gnu::noinline]] const TileState* make_tile(const ShapeState& shape) const;
    [[nodiscard, gnu::noinline]] const HiddenState* make_hidden(const DrawRecord& draw) const;
    [[nodiscard]] uint16_t coverage_offset() const;
    [[nodiscard, gnu::noinline]] const DrawRecord* make_viewports(const DrawRecord& draw) const;
    [[gnu::noinline]] void use_access(const DrawRecord& draw);

    const BuildContext& context_;
    Pass& pass_;
    const DrawState& state_;
    const DrawInfo& info_;
    const PipelineImpl& pipeline_;
    const RecentDraw* recent_;
    StateGroups changed_;  ///< groups that changed since `recent`
    StageBinder binder_;
};

StageInput DrawBuilder::input_of(DrawStage stage) const {
    return {stage, *pipeline_.program(stage), state_.stage(stage),
            pass_.bound[static_cast<size_t>(stage)]};
}

Result<void> DrawBuilder::build_vertex_stage(DrawRecord& draw) {
    const exec::DrawContext* const recent = draw.vertex;
    VALKYR_TRY(bound, binder_.bind(input_of(DrawStage::Vertex), recent,
                                   binder_.bind_attributes(draw.assembly.indices)));
    if (bound == nullptr)
        return {};
    VALKYR_TRY(kernel, find_vertex_kernel(RecordPart::VertexKernel, input_of(DrawStage::Vertex),
                                          recent, draw.vertex_kernel, *bound));
    draw.vertex = bound;
    draw.vertex_kernel = kernel;
    return {};
}

Result<void> DrawBuilder::build_geometry_stage(DrawRecord& draw) {
    const StageProgram& program = *pipeline_.geometry();
    const GeometryDraw* const recent = draw.geometry;
    const exec::DrawContext* const recent_context = recent != nullptr ? recent->context : nullptr;
    VALKYR_TRY(bound, binder_.bind(input_of(DrawStage::Geometry), recent_context, {}));
    if (bound == nullptr)
        return {};
    auto* geometry = make<GeometryDraw>(pass_.arena);
    VALKYR_TRY(kernel,
               find_vertex_kernel(RecordPart::GeometryKernel, input_of(DrawStage::Geometry),
                                  recent_context,
                                  recent != nullptr ? recent->kernel : exec::Kernel(), *bound));
    geometry->kernel = kernel;
    geometry->context = bound;
    geometry->info = program.info().geometry;
    geometry->input_stride =
        exec::record_stride(pipeline_.before_geometry().info().varying_slot_count);
    draw.geometry = geometry;
    return {};
}

/// Binds a tessellation program; returns whether its context or kernel is new.
Result<bool> DrawBuilder::build_tessellation_program(DrawStage stage,
                                                     RecordPart kernel_part,
                                                     const exec::DrawContext*& context,
                                                     exec::Kernel& kernel) {
    VALKYR_TRY(bound, binder_.bind(input_of(stage), context, {}));
    if (bound == nullptr)
        return false;
    VALKYR_TRY(found, find_vertex_kernel(kernel_part, input_of(stage), context, kernel, *bound));
    kernel = found;
    context = bound;
    return true;
}

Result<void> DrawBuilder::build_tessellation(DrawRecord& draw) {
    PatchDraw made = draw.patches != nullptr ? *draw.patches : PatchDraw();
    bool is_new = draw.patches == nullptr || is_stale(RecordPart::PatchLevels);
    const StageProgram* const control = pipeline_.control();
    if (control != nullptr) {
        VALKYR_TRY(changed,
                   build_tessellation_program(DrawStage::TessControl, RecordPart::TessControlKernel,
                                              made.control, made.control_kernel));
        is_new |= changed;
    }
    VALKYR_TRY(changed, build_tessellation_program(DrawStage::TessEvaluation,
                                                   RecordPart::TessEvaluationKernel,
                                                   made.evaluation, made.evaluation_kernel));
    if (!is_new && !changed)
        return {};
    const exec::ProgramInfo& evaluation = pipeline_.evaluation()->info();
    uint32_t slots = evaluation.patch.slots;
    if (control != nullptr) {
        made.control_info = control->info().patch;
        made.control_stride = exec::record_stride(control->info().varying_slot_count);
        slots = std::max<uint32_t>(slots, made.control_info.slots);
    }
    made.tessellation = evaluation.patch.tessellation;
    made.input_stride = exec::record_stride(pipeline_.vertex().info().varying_slot_count);
    made.patch_stride = exec::record_stride(slots);
    made.output_stride = exec::record_stride(evaluation.varying_slot_count);
    made.outer_levels = state_.outer_levels;
    made.inner_levels = state_.inner_levels;
    draw.patches = copy_of(made, pass_.arena);
    return {};
}

Result<exec::Kernel> DrawBuilder::find_vertex_kernel(RecordPart part,
                                                     const StageInput& stage,
                                                     const exec::DrawContext* recent,
                                                     exec::Kernel recent_kernel,
                                                     exec::DrawContext& context) {
    const exec::ProgramInfo& info = stage.program.info();
    if (recent != nullptr && !is_stale(part))
        return recent_kernel;
    auto& known = pipeline_.recent_kernels().vertex[static_cast<size_t>(stage.stage)];
    if (known == nullptr || !same_units(context.tables, info, known->key)) {
        const StageProgram* const fragment = pipeline_.fragment();
        auto made = std::make_shared<VertexKernel>();
        made->key =
            vertex_key(pipeline_.desc(), info, fragment != nullptr ? &fragment->info() : nullptr);
        add_units(context.tables, info, made->key);
        VALKYR_TRY(kernel, stage.program.kernel(made->key));
        made->kernel = std::move(kernel);
        known = std::move(made);
    }
    context.key = &known->key;
    pass_.keep(known);
    return known->kernel->entry();
}

Result<void> DrawBuilder::build_fragment_stage(DrawRecord& draw) {
    const StageProgram& program = *pipeline_.fragment();
    const exec::DrawContext* const recent = draw.fragment[0];
    VALKYR_TRY(bound, binder_.bind(input_of(DrawStage::Fragment), recent, {}));
    if (bound == nullptr)
        return {};
    std::array<const exec::FragmentKey*, 2> keys{};
    if (recent != nullptr)
        for (size_t variant = 0; variant < 2; ++variant)
            keys[variant] = static_cast<const exec::FragmentKey*>(draw.fragment[variant]->key);
    if (recent == nullptr || is_stale(RecordPart::FragmentKernel))
        VALKYR_TRY_VOID(find_fragment_kernels(draw, bound->tables, keys));
    set_late_test(*bound, *keys[0], program.info());
    bound->key = keys[0];
    draw.fragment[0] = draw.fragment[1] = bound;
    if (keys[1] != keys[0]) {
        exec::DrawContext* other = copy_of(*bound, pass_.arena);
        other->key = keys[1];
        draw.fragment[1] = other;
    }
    return {};
}

/// Finds the kernels of the pipeline's fragment stage and their keys.
Result<void> DrawBuilder::find_fragment_kernels(DrawRecord& draw,
                                                const exec::ResourceTables& tables,
                                                std::array<const exec::FragmentKey*, 2>& keys) {
    FragmentKeyInputs inputs;
    for (size_t i = 0; i < inputs.color.size(); ++i)
        inputs.color[i] = pass_.targets.color[i].format;
    inputs.depth_stencil = pass_.targets.depth_stencil.format;
    inputs.samples = pass_.targets.samples;
    inputs.count_samples = context_.count_samples;
    inputs.count_killed = context_.count_killed;
    auto& known = pipeline_.recent_kernels().fragment;
    if (known == nullptr || !(known->inputs == inputs) ||
        !same_units(tables, pipeline_.fragment()->info(), known->key)) {
        VALKYR_TRY(made, make_fragment_kernels(inputs, tables));
        known = std::move(made);
    }
    pass_.keep(known);
    draw.counts_killed = known->counts_killed;
    draw.per_sample = known->key.per_sample;
    for (size_t variant = 0; variant < 2; ++variant)
        draw.fragment_kernel[variant] = known->kernels[variant]->entry();
    keys = {&known->key, known->has_constant_w ? &known->constant_w_key : &known->key};
    return {};
}

Result<std::shared_ptr<FragmentKernels>>
DrawBuilder::make_fragment_kernels(const FragmentKeyInputs& inputs,
                                   const exec::ResourceTables& tables) const {
    const StageProgram& program = *pipeline_.fragment();
    const exec::ProgramInfo& info = program.info();
    auto made = std::make_shared<FragmentKernels>();
    made->inputs = inputs;
    exec::FragmentKey& key = made->key;
    key = fragment_key(pipeline_.desc(), info, pass_.targets);
    if (inputs.count_samples)
        count_samples(pipeline_.desc(), info, key);
    const bool tests_early = key.zs.early && (key.zs.depth_test || key.zs.stencil_test());
    made->counts_killed = inputs.count_killed && tests_early;
    key.zs.count_samples = key.zs.count_samples || made->counts_killed;
    add_units(tables, info, key);
    VALKYR_TRY(kernel, program.kernel(key));
    made->kernels = {kernel, kernel};
    made->has_constant_w = has_perspective(info);
    if (!made->has_constant_w)
        return made;
    made->constant_w_key = key;
    made->constant_w_key.constant_w = true;
    VALKYR_TRY(other, program.kernel(made->constant_w_key));
    made->kernels[1] = std::move(other);
    return made;
}

void DrawBuilder::set_assembly(AssemblyState& assembly) {
    assembly.primitive = pipeline_.assembled();
    assembly.provoking_first = pipeline_.desc().rasterizer.flat_shade_first;
    assembly.first = info_.first;
    assembly.count = info_.count;
    assembly.base_vertex = info_.base_vertex;
    assembly.first_instance = info_.first_instance;
    assembly.instance_count = info_.instance_count;
    if (assembly.primitive == Primitive::Patches)
        assembly.patch_vertices = info_.patch_vertices;
    assembly.indices = bound_indices(state_);
    const bool indexed = state_.index_type != IndexType::None;
    assembly.restart = indexed && info_.primitive_restart;
    assembly.restart_index = indexed ? info_.restart_index : 0;
    IndexSource& indices = assembly.indices;
    if (indices.data != nullptr)
        indices.data =
            binder_.use(state_.index_buffer.buffer, index_range(state_, indices, info_)) +
            state_.index_buffer.offset;
}

/// Adds the draw's effects on the attachments to the pass; all draws of a pipeline have equal ones.
void DrawBuilder::use_access(const DrawRecord& draw) {
    pass_.layers = std::max(pass_.layers, draw.shape->layers);
    const PipelineDesc& desc = pipeline_.desc();
    PassAccess& access = pass_.access;
    for (uint32_t i = 0; i < exec::kMaxRenderTargets; ++i)
        if (pass_.targets.color[i].texture != nullptr)
            access.color_written |= 1U << i;
    if (pass_.targets.depth_stencil.texture == nullptr)
        return;
    const DepthStencilState& zs = desc.depth_stencil;
    access.depth_stencil_used |= zs.depth_test || zs.stencil[0].enable;
    access.stencil_used |= zs.stencil[0].enable;
    access.depth_written |= writes_depth(zs);
    access.stencil_written |= writes_stencil(zs);
}

/// Returns 0 where shapes are not smooth: in multisampled draws, and with integer targets, which
/// have no alpha.
uint16_t DrawBuilder::coverage_offset() const {
    if (raster_samples(pipeline_.desc().rasterizer, pass_.targets) > 1)
        return 0;
    for (const TargetSurface& surface : pass_.targets.color)
        if (surface.texture != nullptr && is_integer(exec::format_info(surface.format)))
            return 0;
    return pipeline_.coverage_offset();
}

const ShapeState* DrawBuilder::make_shape() const {
    const PipelineDesc& desc = pipeline_.desc();
    const exec::ProgramInfo& vertices = pipeline_.last_vertex_stage().info();
    auto* shape = make<ShapeState>(pass_.arena);
    shape->record_stride = exec::record_stride(vertices.varying_slot_count);
    shape->coverage_offset = coverage_offset();
    if (shape->coverage_offset != 0)
        shape->smooth = smooth_shape(desc);
    set_shape(*shape, desc, state_, pass_.targets, vertices, pipeline_.makes_primitives());
    if (shape->rasterize) {
        const exec::ProgramInfo& fragment = pipeline_.fragment()->info();
        add_half_slots(*shape, fragment,
                       pass_.arena.allocate_array<HalfSlot>(known_slots(fragment)));
    }
    return shape;
}

const TileState* DrawBuilder::make_tile(const ShapeState& shape) const {
    auto* tile = make<TileState>(pass_.arena);
    if (!shape.rasterize)
        return tile;
    const PipelineDesc& desc = pipeline_.desc();
    const exec::ProgramInfo& fragment = pipeline_.fragment()->info();
    set_tile(*tile, desc, state_, pass_.targets, pipeline_.last_vertex_stage().info());
    set_slots(*tile, shape, desc, fragment,
              pass_.arena.allocate_array<SlotSource>(size_t{2} * known_slots(fragment)));
    if (desc.rasterizer.polygon_stipple) {
        auto* blocks = pass_.arena.allocate_array<uint16_t>(kStippleBlocks);
        stipple_blocks(state_.polygon_stipple, blocks);
        tile->polygon_stipple = blocks;
    }
    return tile;
}

const HiddenState* DrawBuilder::make_hidden(const DrawRecord& draw) const {
    if (!draw.shape->rasterize || !context_.leave_out_hidden)
        return make<HiddenState>(pass_.arena);
    const auto& key = *static_cast<const exec::FragmentKey*>(draw.fragment[0]->key);
    return copy_of(hidden_work(draw, key, pipeline_.fragment()->info(), pass_.targets),
                   pass_.arena);
}

/// Makes a copy of the finished draw for every viewport.
const DrawRecord* DrawBuilder::make_viewports(const DrawRecord& draw) const {
    const exec::ProgramInfo& vertices = pipeline_.last_vertex_stage().info();
    const uint32_t count = draw.shape->viewport_count;
    auto* records = pass_.arena.allocate_array<DrawRecord>(count);
    for (uint32_t i = 0; i < count; ++i) {
        DrawRecord& view = *new (records + i) DrawRecord(draw);
        view.viewports = nullptr;
        view.alike = &view;
        if (is_stale(RecordPart::Shape)) {
            auto* shape = copy_of(*draw.shape, pass_.arena);
            set_viewport(*shape, pipeline_.desc(), state_, pass_.targets, vertices, i);
            view.shape = shape;
        } else {
            view.shape = recent_->draw->viewports[i].shape;
        }
        if (is_stale(RecordPart::Tile)) {
            auto* tile = copy_of(*draw.tile, pass_.arena);
            set_depth_range(*tile, pipeline_.desc(), state_, vertices, i);
            view.tile = tile;
        } else {
            view.tile = recent_->draw->viewports[i].tile;
        }
        view.hidden =
            is_stale(RecordPart::Hidden) ? make_hidden(view) : recent_->draw->viewports[i].hidden;
    }
    return records;
}

Result<DrawRecord*> DrawBuilder::build() {
    DrawRecord* draw = nullptr;
    if (recent_ == nullptr) {
        pass_.keep(state_.pipeline);  // kept before the pipeline remembers anything of the pass
        draw = make<DrawRecord>(pass_.arena);
    } else {
        draw = copy_of(*recent_->draw, pass_.arena);
    }
    draw->counters = context_.counters;
    set_assembly(draw->assembly);
    VALKYR_TRY_VOID(build_vertex_stage(*draw));
    if (pipeline_.evaluation() != nullptr)
        VALKYR_TRY_VOID(build_tessellation(*draw));
    if (pipeline_.geometry() != nullptr)
        VALKYR_TRY_VOID(build_geometry_stage(*draw));
    if (is_stale(RecordPart::Shape))
        draw->shape = make_shape();
    if (is_stale(RecordPart::Tile))
        draw->tile = make_tile(*draw->shape);
    if (draw->shape->rasterize)
        VALKYR_TRY_VOID(build_fragment_stage(*draw));
    if (is_stale(RecordPart::Hidden))
        draw->hidden = make_hidden(*draw);
    if (recent_ == nullptr && draw->shape->rasterize)
        use_access(*draw);
    if (recent_ == nullptr || !share_tiles(*recent_->draw, *draw))
        draw->alike = draw;
    draw->viewports = draw->shape->viewport_count > 1 ? make_viewports(*draw) : nullptr;
    return draw;
}

const PipelineImpl& pipeline_of(const DrawState& state) {
    return static_cast<const PipelineImpl&>(*state.pipeline);
}

/// Returns the pipeline's last draw, if it belongs to this pass and has equal counting options.
const RecentDraw* recent_draw(const BuildContext& context, const DrawState& state) {
    const RecentDraw& recent = pipeline_of(state).recent();
    const bool serves = recent.pass == context.pass->number &&
                        recent.counts_samples == context.count_samples &&
                        (recent.draw->counters == nullptr) == (context.counters == nullptr);
    return serves ? &recent : nullptr;
}

/// Makes this draw the one that the pipeline's next draw shares parts with.
void remember(const BuildContext& context,
              const DrawState& state,
              const DrawInfo& info,
              const DrawRecord& draw) {
    RecentDraw& recent = pipeline_of(state).recent();
    recent.pass = context.pass->number;
    recent.version = context.versions->now();
    recent.draw = &draw;
    recent.info = info;
    recent.indexed = state.index_type != IndexType::None;
    recent.counts_samples = context.count_samples;
}

/// Aborts if a record that shares parts, or uses kernels that the pipeline remembered, differs from
/// the record that is made anew. Passes with late
/// writes are left out: a draw may gather them, and leaves a copy that the same draw would then
/// find. They share no attributes.
void check_record(const BuildContext& context,
                  const DrawState& state,
                  const DrawInfo& info,
                  const DrawRecord& draw) {
    if (!context.pass->late.empty())
        return;
    Pass pass;
    pass.number = context.pass->number;  // resources compare this number
    pass.targets = context.pass->targets;
    BuildContext alone = context;
    alone.pass = &pass;
    pipeline_of(state).recent_kernels() = {};  // the pass keeps those that its draws use
    const auto anew = DrawBuilder(alone, state, info, nullptr).build();
    if (!anew)
        return;  // no memory: the copy failed, not the draw
    if (const char* part = record_difference(draw, **anew, pipeline_of(state)))
        check_failed(__FILE__, __LINE__, part);
}

}  // namespace

Result<DrawRecord*>
build_draw(const BuildContext& context, const DrawState& state, const DrawInfo& info) {
    const RecentDraw* const recent = recent_draw(context, state);
    VALKYR_TRY(draw, DrawBuilder(context, state, info, recent).build());
    if (kChecksRecords)
        check_record(context, state, info, *draw);
    remember(context, state, info, *draw);
    return draw;
}

}  // namespace valkyr::raster

// Draw builder: fills in tables, uniforms, kernels and fixed-function numbers.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_builder.hpp"

#include "exec/vertex_record.hpp"
#include "raster/data/stipple_blocks.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/messages/environment.hpp"
#include "raster/record/descriptors.hpp"
#include "raster/record/draw_ranges.hpp"
#include "raster/record/fixed_function.hpp"
#include "raster/record/hidden.hpp"
#include "raster/record/smooth_shape.hpp"
#include "raster/record/state_keys.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <span>

namespace valkyr::raster {
namespace {

/// State of one stage as the API gives it.
struct StageBindings {
    std::span<const std::vector<uint32_t>> constants;
    std::span<const TextureView> textures;
    std::span<const SamplerState> samplers;
    std::span<const ImageView> images;
    std::span<const BufferRange> storage;
    std::span<const BufferRange> counters;
};

/// Buffers of one stage whose addresses and sizes its uniforms hold.
struct StageBuffers {
    std::span<const exec::BufferDescriptor> storage;
    std::span<const exec::BufferDescriptor> counters;
};

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
    DrawBuilder(const BuildContext& context, const DrawState& state, const DrawInfo& info)
        : context_(context)
        , pass_(*context.pass)
        , state_(state)
        , info_(info)
        , pipeline_(static_cast<const PipelineImpl&>(*state.pipeline)) {}

    Result<DrawRecord*> build();

private:
    Result<void> build_vertex_stage(DrawRecord& draw);
    Result<void> build_geometry_stage(DrawRecord& draw);
    /// Uniforms, key and kernel of a stage that makes vertices.
    Result<exec::Kernel> bind_vertex_program(const StageProgram& program,
                                             const StageBindings& bindings,
                                             RecentVertexKernel& recent,
                                             exec::DrawContext& stage);
    Result<void> build_fragment_stage(DrawRecord& draw);
    Result<void> find_fragment_kernels(const exec::ResourceTables& tables);
    Result<void> find_fragment_kernel(unsigned variant, const exec::FragmentKey& key);
    Result<void> bind_units(const StageBindings& bindings, exec::ResourceTables& tables);
    Result<void> bind_images(const StageBindings& bindings, exec::ResourceTables& tables);
    Result<std::span<const exec::BufferDescriptor>>
    bind_buffers(std::span<const BufferRange> ranges);
    Result<StageBuffers> bind_stage(const StageBindings& bindings, exec::ResourceTables& tables);
    void bind_constants(const StageBindings& bindings, exec::ResourceTables& tables);
    void use(const TextureRef& texture);
    void use(const BufferRef& buffer);
    const uint8_t* use(const BufferRef& buffer, const ByteRange& range);
    void bind_attributes(const IndexSource& indices, exec::ResourceTables& tables);
    void bind_uniforms(const StageProgram& program,
                       const StageBindings& bindings,
                       const StageBuffers& buffers,
                       exec::DrawContext& stage);
    void set_indices(DrawRecord& draw);
    void hide(DrawRecord& draw) const;
    [[nodiscard]] uint16_t coverage_offset() const;
    void set_stipple(DrawRecord& draw);
    void add_viewports(DrawRecord& draw);
    void use_access();
    template <typename Key>
    void add_units(const exec::ResourceTables& tables, const exec::ProgramInfo& info, Key& key);

    const BuildContext& context_;
    Pass& pass_;
    const DrawState& state_;
    const DrawInfo& info_;
    const PipelineImpl& pipeline_;
};

/// Units that a program's mask reaches.
uint8_t unit_count(uint32_t mask, uint32_t bound) {
    return static_cast<uint8_t>(
        std::min<uint32_t>(bound, static_cast<uint32_t>(std::bit_width(mask))));
}

template <typename Key>
void DrawBuilder::add_units(const exec::ResourceTables& tables,
                            const exec::ProgramInfo& info,
                            Key& key) {
    key.texture_units = unit_count(info.textures_read, tables.texture_count);
    key.sampler_units = unit_count(info.samplers_read, tables.sampler_count);
    for (uint32_t i = 0; i < key.texture_units; ++i)
        if ((info.textures_read >> i & 1) != 0)
            key.textures[i] = texture_key(tables.textures[i]);
    for (uint32_t i = 0; i < key.sampler_units; ++i)
        if ((info.samplers_read >> i & 1) != 0)
            key.samplers[i] = tables.samplers[i].modes;
    key.image_units = unit_count(info.images_used, tables.image_count);
    for (uint32_t i = 0; i < key.image_units; ++i)
        if ((info.images_used >> i & 1) != 0)
            key.images[i] = image_key(tables.images[i]);
}

/// Whether the units that a program uses are those of a key of this program.
template <typename Key>
bool same_units(const exec::ResourceTables& tables, const exec::ProgramInfo& info, const Key& key) {
    if (key.texture_units != unit_count(info.textures_read, tables.texture_count) ||
        key.sampler_units != unit_count(info.samplers_read, tables.sampler_count) ||
        key.image_units != unit_count(info.images_used, tables.image_count))
        return false;
    for (uint32_t i = 0; i < key.texture_units; ++i)
        if ((info.textures_read >> i & 1) != 0 &&
            !(key.textures[i] == texture_key(tables.textures[i])))
            return false;
    for (uint32_t i = 0; i < key.sampler_units; ++i)
        if ((info.samplers_read >> i & 1) != 0 && !(key.samplers[i] == tables.samplers[i].modes))
            return false;
    for (uint32_t i = 0; i < key.image_units; ++i)
        if ((info.images_used >> i & 1) != 0 && !(key.images[i] == image_key(tables.images[i])))
            return false;
    return true;
}

/// Texels are read or written in place from now on.
void DrawBuilder::use(const TextureRef& texture) {
    if (!texture)
        return;
    auto& own = static_cast<TextureImpl&>(*texture);
    own.settle_all();
    own.last_pass = pass_.number;
    pass_.keep(texture);
}

void DrawBuilder::use(const BufferRef& buffer) {
    if (!buffer)
        return;
    auto& own = static_cast<BufferImpl&>(*buffer);
    own.last_pass = pass_.number;
    own.late.note_read(pass_.number, {0, own.size()});
    pass_.keep(buffer);
}

const uint8_t* DrawBuilder::use(const BufferRef& buffer, const ByteRange& range) {
    auto& own = static_cast<BufferImpl&>(*buffer);
    own.last_pass = pass_.number;
    pass_.keep(buffer);
    return current_origin(own, range, pass_);
}

Result<void> DrawBuilder::bind_images(const StageBindings& bindings, exec::ResourceTables& tables) {
    auto* images = pass_.arena.allocate_array<exec::ImageDescriptor>(bindings.images.size());
    for (size_t i = 0; i < bindings.images.size(); ++i) {
        VALKYR_TRY(descriptor, image_descriptor(bindings.images[i], context_.owner));
        images[i] = descriptor;
        use(bindings.images[i].texture);
        use(bindings.images[i].buffer.buffer);
    }
    tables.images = images;
    tables.image_count = static_cast<uint32_t>(bindings.images.size());
    return {};
}

Result<std::span<const exec::BufferDescriptor>>
DrawBuilder::bind_buffers(std::span<const BufferRange> ranges) {
    auto* buffers = pass_.arena.allocate_array<exec::BufferDescriptor>(ranges.size());
    for (size_t i = 0; i < ranges.size(); ++i) {
        VALKYR_TRY(descriptor, storage_descriptor(ranges[i], context_.owner));
        buffers[i] = descriptor;
        use(ranges[i].buffer);
    }
    return std::span<const exec::BufferDescriptor>(buffers, ranges.size());
}

Result<StageBuffers> DrawBuilder::bind_stage(const StageBindings& bindings,
                                             exec::ResourceTables& tables) {
    bind_constants(bindings, tables);
    VALKYR_TRY_VOID(bind_units(bindings, tables));
    VALKYR_TRY_VOID(bind_images(bindings, tables));
    StageBuffers buffers;
    VALKYR_TRY(storage, bind_buffers(bindings.storage));
    VALKYR_TRY(counters, bind_buffers(bindings.counters));
    buffers.storage = storage;
    buffers.counters = counters;
    return buffers;
}

Result<void> DrawBuilder::bind_units(const StageBindings& bindings, exec::ResourceTables& tables) {
    auto* textures = pass_.arena.allocate_array<exec::TextureDescriptor>(bindings.textures.size());
    for (size_t i = 0; i < bindings.textures.size(); ++i) {
        VALKYR_TRY(descriptor, texture_descriptor(bindings.textures[i], context_.owner));
        textures[i] = descriptor;
        use(bindings.textures[i].texture);
        use(bindings.textures[i].buffer.buffer);
    }
    auto* samplers = pass_.arena.allocate_array<exec::SamplerDescriptor>(bindings.samplers.size());
    for (size_t i = 0; i < bindings.samplers.size(); ++i) {
        VALKYR_TRY(descriptor, sampler_descriptor(bindings.samplers[i]));
        samplers[i] = descriptor;
    }
    tables.textures = textures;
    tables.texture_count = static_cast<uint32_t>(bindings.textures.size());
    tables.samplers = samplers;
    tables.sampler_count = static_cast<uint32_t>(bindings.samplers.size());
    return {};
}

void DrawBuilder::bind_constants(const StageBindings& bindings, exec::ResourceTables& tables) {
    auto* buffers = pass_.arena.allocate_array<exec::BufferDescriptor>(bindings.constants.size());
    for (size_t b = 0; b < bindings.constants.size(); ++b) {
        const std::vector<uint32_t>& words = bindings.constants[b];
        const size_t bytes = words.size() * sizeof(uint32_t);
        std::byte* copy = pass_.arena.allocate(bytes + kReadSlack);
        if (bytes != 0)
            std::memcpy(copy, words.data(), bytes);
        buffers[b] = {reinterpret_cast<uint8_t*>(copy), bytes};
    }
    tables.constant_buffers = buffers;
    tables.constant_buffer_count = static_cast<uint32_t>(bindings.constants.size());
}

void DrawBuilder::bind_attributes(const IndexSource& indices, exec::ResourceTables& tables) {
    const PipelineDesc& desc = pipeline_.desc();
    auto* attributes = pass_.arena.allocate_array<exec::AttributeDescriptor>(desc.elements.size());
    // Without late writes, all vertices might as well be read.
    const bool exact = indices.type == IndexType::None || !pass_.late.empty();
    const auto ids = exact ? vertex_ids(indices, info_) : std::nullopt;
    for (size_t i = 0; i < desc.elements.size(); ++i) {
        const VertexElement& element = desc.elements[i];
        BufferRange range;
        if (element.buffer < state_.vertex_buffers.size())
            range = state_.vertex_buffers[element.buffer];
        const auto* buffer = static_cast<const BufferImpl*>(range.buffer.get());
        attributes[i] = attribute_descriptor(element, desc.strides[element.buffer], buffer, range,
                                             info_.first_instance);
        if (attributes[i].address == nullptr)
            continue;
        const auto at = static_cast<uint64_t>(attributes[i].address - buffer->data());
        attributes[i].address =
            use(range.buffer, attribute_range(attributes[i], *buffer, info_, ids)) + at;
    }
    tables.attributes = attributes;
    tables.attribute_count = static_cast<uint32_t>(desc.elements.size());
}

void DrawBuilder::bind_uniforms(const StageProgram& program,
                                const StageBindings& bindings,
                                const StageBuffers& buffers,
                                exec::DrawContext& stage) {
    stage.environment = &raster_environment();
    stage.info = &program.info();
    stage.watch = context_.watch;
    set_specials(stage, pipeline_.desc(), state_, pass_.targets);
    auto* fau = pass_.arena.allocate_array<uint32_t>(program.fau_words());
    FauInputs inputs;
    inputs.context = &stage;
    inputs.constants = bindings.constants;
    inputs.storage = buffers.storage;
    inputs.counters = buffers.counters;
    inputs.base_vertex = static_cast<uint32_t>(state_.index_type == IndexType::None
                                                   ? static_cast<int32_t>(info_.first)
                                                   : info_.base_vertex);
    inputs.base_instance = info_.first_instance;
    inputs.draw_id = info_.draw_id;
    inputs.target_height = pass_.targets.height;
    inputs.sample_count = pass_.targets.samples;
    inputs.viewport_scale[0] = state_.viewport.scale[0];
    inputs.viewport_scale[1] = state_.viewport.scale[1];
    inputs.tls = context_.tls;
    stage.fau = fau;
    program.fill_fau(inputs, fau);
}

Result<void> DrawBuilder::build_vertex_stage(DrawRecord& draw) {
    const StageProgram& program = pipeline_.vertex();
    const StageBindings bindings{state_.vertex_constants, state_.vertex_textures,
                                 state_.vertex_samplers,  state_.vertex_images,
                                 state_.vertex_storage,   state_.vertex_counters};
    auto* stage = make<exec::DrawContext>(pass_.arena);
    bind_attributes(draw.indices, stage->tables);
    VALKYR_TRY(kernel, bind_vertex_program(program, bindings, pass_.recent.vertex, *stage));
    draw.vertex = stage;
    draw.vertex_kernel = kernel;
    draw.record_stride = exec::record_stride(program.info().varying_slot_count);
    return {};
}

Result<exec::Kernel> DrawBuilder::bind_vertex_program(const StageProgram& program,
                                                      const StageBindings& bindings,
                                                      RecentVertexKernel& recent,
                                                      exec::DrawContext& stage) {
    VALKYR_TRY(buffers, bind_stage(bindings, stage.tables));
    bind_uniforms(program, bindings, buffers, stage);
    if (recent.pipeline == &pipeline_ && same_units(stage.tables, program.info(), *recent.key)) {
        stage.key = recent.key;
        return recent.kernel;
    }
    auto* key = new (pass_.arena.allocate(sizeof(exec::VertexKey)))
        exec::VertexKey(vertex_key(pipeline_.desc(), program.info()));
    add_units(stage.tables, program.info(), *key);
    VALKYR_TRY(kernel, program.kernel(*key));
    stage.key = key;
    pass_.keep(kernel);
    recent = {&pipeline_, key, kernel->entry()};
    return recent.kernel;
}

Result<void> DrawBuilder::build_geometry_stage(DrawRecord& draw) {
    const StageProgram& program = *pipeline_.geometry();
    const StageResources& resources = state_.geometry;
    const StageBindings bindings{resources.constants, resources.textures, resources.samplers,
                                 resources.images,    resources.storage,  resources.counters};
    auto* context = make<exec::DrawContext>(pass_.arena);
    auto* geometry = make<GeometryDraw>(pass_.arena);
    VALKYR_TRY(kernel, bind_vertex_program(program, bindings, pass_.recent.geometry, *context));
    geometry->kernel = kernel;
    geometry->context = context;
    geometry->info = program.info().geometry;
    geometry->input_stride = draw.record_stride;
    draw.geometry = geometry;
    draw.record_stride = exec::record_stride(program.info().varying_slot_count);
    return {};
}

Result<void> DrawBuilder::build_fragment_stage(DrawRecord& draw) {
    const StageProgram& program = *pipeline_.fragment();
    const StageBindings bindings{state_.fragment_constants, state_.fragment_textures,
                                 state_.fragment_samplers,  state_.fragment_images,
                                 state_.fragment_storage,   state_.fragment_counters};
    auto* stage = make<exec::DrawContext>(pass_.arena);
    VALKYR_TRY(buffers, bind_stage(bindings, stage->tables));
    bind_uniforms(program, bindings, buffers, *stage);
    const RecentFragmentKernels& recent = pass_.recent.fragment;
    if (recent.pipeline != &pipeline_ || recent.counts_samples != context_.count_samples ||
        !same_units(stage->tables, program.info(), *recent.key[0]))
        VALKYR_TRY_VOID(find_fragment_kernels(stage->tables));
    draw.counts_killed = recent.counts_killed;
    set_late_test(*stage, *recent.key[0], program.info());
    for (unsigned variant = 0; variant < 2; ++variant) {
        draw.fragment_kernel[variant] = recent.kernel[variant];
        if (variant == 1 && recent.key[1] != recent.key[0])
            stage = copy_of(*stage, pass_.arena);
        stage->key = recent.key[variant];
        draw.fragment[variant] = stage;
    }
    return {};
}

/// Makes the keys of the pipeline's fragment stage and finds their kernels.
Result<void> DrawBuilder::find_fragment_kernels(const exec::ResourceTables& tables) {
    const exec::ProgramInfo& info = pipeline_.fragment()->info();
    RecentFragmentKernels& recent = pass_.recent.fragment;
    recent = {};
    auto* key = new (pass_.arena.allocate(sizeof(exec::FragmentKey)))
        exec::FragmentKey(fragment_key(pipeline_.desc(), info, pass_.targets));
    if (context_.count_samples)
        count_samples(pipeline_.desc(), info, *key);
    const bool tests_early = key->zs.early && (key->zs.depth_test || key->zs.stencil_test());
    recent.counts_samples = context_.count_samples;
    recent.counts_killed = context_.count_killed && tests_early;
    key->zs.count_samples = key->zs.count_samples || recent.counts_killed;
    add_units(tables, info, *key);
    VALKYR_TRY_VOID(find_fragment_kernel(0, *key));
    recent.key[1] = recent.key[0];
    recent.kernel[1] = recent.kernel[0];
    if (has_perspective(info)) {
        key = copy_of(*key, pass_.arena);
        key->constant_w = true;
        VALKYR_TRY_VOID(find_fragment_kernel(1, *key));
    }
    recent.pipeline = &pipeline_;
    return {};
}

Result<void> DrawBuilder::find_fragment_kernel(unsigned variant, const exec::FragmentKey& key) {
    VALKYR_TRY(kernel, pipeline_.fragment()->kernel(key));
    pass_.keep(kernel);
    pass_.recent.fragment.key[variant] = &key;
    pass_.recent.fragment.kernel[variant] = kernel->entry();
    return {};
}

void DrawBuilder::set_indices(DrawRecord& draw) {
    draw.first = info_.first;
    draw.count = info_.count;
    draw.base_vertex = info_.base_vertex;
    draw.first_instance = info_.first_instance;
    draw.instance_count = info_.instance_count;
    if (state_.index_type == IndexType::None)
        return;
    draw.indices = bound_indices(state_);
    draw.restart = info_.primitive_restart;
    draw.restart_index = info_.restart_index;
    if (draw.indices.data == nullptr)
        return;
    draw.indices.data = use(state_.index_buffer.buffer, index_range(state_, draw.indices, info_)) +
                        state_.index_buffer.offset;
}

void DrawBuilder::use_access() {
    const PipelineDesc& desc = pipeline_.desc();
    PassAccess& access = pass_.access;
    for (uint32_t i = 0; i < exec::kMaxRenderTargets; ++i)
        if (pass_.targets.color[i].texture != nullptr)
            access.color_written |= 1U << i;
    if (pass_.targets.depth_stencil.texture == nullptr)
        return;
    const DepthStencilState& zs = desc.depth_stencil;
    access.depth_stencil_used |= zs.depth_test || zs.stencil[0].enable;
    access.depth_written |= writes_depth(zs);
    access.stencil_written |= writes_stencil(zs);
}

/// Lines and points of multisampled draws are not smooth, and integers have no alpha.
uint16_t DrawBuilder::coverage_offset() const {
    if (pipeline_.desc().rasterizer.multisample && pass_.targets.samples > 1)
        return 0;
    for (const TargetSurface& surface : pass_.targets.color)
        if (surface.texture != nullptr && is_integer(exec::format_info(surface.format)))
            return 0;
    return pipeline_.coverage_offset();
}

void DrawBuilder::hide(DrawRecord& draw) const {
    set_hidden(draw, *static_cast<const exec::FragmentKey*>(draw.fragment[0]->key),
               pipeline_.fragment()->info(), pass_.targets, context_.leave_out_hidden);
}

void DrawBuilder::set_stipple(DrawRecord& draw) {
    const RasterizerState& raster = pipeline_.desc().rasterizer;
    draw.line_stipple = raster.line_stipple && raster.line_stipple_pattern != 0xFFFF;
    draw.stipple_pattern = raster.line_stipple_pattern;
    draw.stipple_factor = raster.line_stipple_factor;
    if (!raster.polygon_stipple)
        return;
    auto* blocks = pass_.arena.allocate_array<uint16_t>(kStippleBlocks);
    stipple_blocks(state_.polygon_stipple, blocks);
    draw.polygon_stipple = blocks;
}

/// The finished draw once more for every viewport.
void DrawBuilder::add_viewports(DrawRecord& draw) {
    auto* records = pass_.arena.allocate_array<DrawRecord>(draw.viewport_count);
    for (uint32_t i = 0; i < draw.viewport_count; ++i) {
        DrawRecord& record = *new (records + i) DrawRecord(draw);
        set_viewport(record, pipeline_.desc(), state_, pass_.targets,
                     pipeline_.last_vertex_stage().info(), i);
        if (record.rasterize)
            hide(record);
    }
    draw.viewports = records;
}

Result<DrawRecord*> DrawBuilder::build() {
    pass_.keep(state_.pipeline);  // before anything of the pass remembers it
    auto* draw = make<DrawRecord>(pass_.arena);
    draw->counters = context_.counters;
    const PipelineDesc& desc = pipeline_.desc();
    set_indices(*draw);
    VALKYR_TRY_VOID(build_vertex_stage(*draw));
    if (pipeline_.geometry() != nullptr)
        VALKYR_TRY_VOID(build_geometry_stage(*draw));
    draw->coverage_offset = coverage_offset();
    if (draw->coverage_offset != 0)
        draw->smooth = smooth_shape(desc);
    draw->primitive = pipeline_.assembled();
    set_fixed_function(*draw, desc, state_, pass_.targets, pipeline_.last_vertex_stage().info());
    if (draw->rasterize) {
        set_stipple(*draw);
        VALKYR_TRY_VOID(build_fragment_stage(*draw));
        draw->per_sample =
            static_cast<const exec::FragmentKey*>(draw->fragment[0]->key)->per_sample;
        set_slots(*draw, desc, pipeline_.fragment()->info());
        hide(*draw);
        use_access();
        pass_.layers = std::max(pass_.layers, draw->layers);
    }
    if (draw->viewport_count > 1)
        add_viewports(*draw);
    return draw;
}

}  // namespace

Result<DrawRecord*>
build_draw(const BuildContext& context, const DrawState& state, const DrawInfo& info) {
    return DrawBuilder(context, state, info).build();
}

}  // namespace valkyr::raster

// Stage binder: makes the tables and the context of one shader stage of a draw.
// SPDX-License-Identifier: MIT
#include "raster/record/stage_binder.hpp"

#include "raster/messages/environment.hpp"
#include "raster/record/descriptors.hpp"
#include "raster/record/draw_ranges.hpp"
#include "raster/record/fixed_function.hpp"
#include "raster/record/stage_handles.hpp"
#include "raster/record/stage_tables.hpp"

#include <new>

namespace valkyr::raster {

StageBinder::StageBinder(const BuildContext& context,
                         const DrawState& state,
                         const DrawInfo& info,
                         const PipelineImpl& pipeline,
                         const RecentDraw* recent,
                         StateGroups changed)
    : context_(context)
    , pass_(*context.pass)
    , state_(state)
    , info_(info)
    , pipeline_(pipeline)
    , recent_(recent)
    , changed_(changed) {}

/// Keeps a texture and writes its clears to memory, because texels are accessed in place.
void StageBinder::use(const TextureRef& texture) {
    if (!texture)
        return;
    auto& own = static_cast<TextureImpl&>(*texture);
    own.settle_all();
    own.last_pass = pass_.number;
    pass_.keep(texture);
}

void StageBinder::use(const BufferRef& buffer) {
    if (!buffer)
        return;
    auto& own = static_cast<BufferImpl&>(*buffer);
    own.last_pass = pass_.number;
    own.late.note_read(pass_.number, {0, own.size()});
    pass_.keep(buffer);
}

const uint8_t* StageBinder::use(const BufferRef& buffer, const ByteRange& range) {
    auto& own = static_cast<BufferImpl&>(*buffer);
    own.last_pass = pass_.number;
    pass_.keep(buffer);
    return current_origin(own, range, pass_);
}

/// Describes the units of a stage, and keeps what is bound to them.
Result<void> StageBinder::bind_units(const StageInput& stage) {
    VALKYR_TRY_VOID(make_unit_tables(stage.resources, context_.owner, pass_.arena, stage.bound));
    visit_stage(stage.resources, false, [this](const auto& handle, bool) { use(handle); });
    return {};
}

/// Updates the tables of a stage; they may have been made for another pipeline.
Result<void> StageBinder::bind_tables(const StageInput& stage, bool reads_constants) {
    const uint32_t units = context_.versions->of(units_group(stage.stage));
    if (stage.bound.units_version != units) {
        stage.bound.units_version = 0;
        VALKYR_TRY_VOID(bind_units(stage));
        stage.bound.units_version = units;
    }
    const uint32_t constants = context_.versions->of(constants_group(stage.stage));
    if (reads_constants && stage.bound.constants_version != constants) {
        make_constant_table(stage.resources, pass_.arena, stage.bound);
        stage.bound.constants_version = constants;
    }
    return {};
}

/// Returns whether this draw has the recent draw's attributes. Late writes move attributes, and
/// indexed draws note other read ranges than unindexed ones.
bool StageBinder::keeps_attributes(const IndexSource& indices) const {
    return recent_ != nullptr && !is_stale(RecordPart::Attributes) && pass_.late.empty() &&
           recent_->indexed == (indices.type != IndexType::None) &&
           recent_->info.first_instance == info_.first_instance;
}

/// Notes the bytes that a draw with known attributes reads.
void StageBinder::note_attribute_reads(const BoundAttributes& attributes,
                                       const IndexSource& indices) {
    const bool indexed = indices.type != IndexType::None;
    if (indexed && recent_->info.instance_count == info_.instance_count)
        return;
    const auto ids = indexed ? std::nullopt : vertex_ids(indices, info_);
    const std::vector<VertexElement>& elements = pipeline_.desc().elements;
    for (uint32_t i = 0; i < attributes.count; ++i) {
        if (attributes.descriptors[i].address == nullptr)
            continue;
        auto& buffer = static_cast<BufferImpl&>(*state_.vertex_buffers[elements[i].buffer].buffer);
        buffer.late.note_read(pass_.number,
                              attribute_range(attributes.descriptors[i], buffer, info_, ids));
    }
}

BoundAttributes StageBinder::bind_attributes(const IndexSource& indices) {
    if (keeps_attributes(indices)) {
        const exec::ResourceTables& tables = recent_->draw->vertex->tables;
        const BoundAttributes known{tables.attributes, tables.attribute_count};
        note_attribute_reads(known, indices);
        return known;
    }
    const PipelineDesc& desc = pipeline_.desc();
    auto* attributes = pass_.arena.allocate_array<exec::AttributeDescriptor>(desc.elements.size());
    // Without late writes, an indexed draw may note all vertices: finding its IDs costs more.
    const bool exact = indices.type == IndexType::None || !pass_.late.empty();
    const auto ids = exact ? vertex_ids(indices, info_) : std::nullopt;
    for (size_t i = 0; i < desc.elements.size(); ++i) {
        const VertexElement& element = desc.elements[i];
        BufferRange none;
        const BufferRange& range = element.buffer < state_.vertex_buffers.size()
                                       ? state_.vertex_buffers[element.buffer]
                                       : none;
        const auto* buffer = static_cast<const BufferImpl*>(range.buffer.get());
        attributes[i] = attribute_descriptor(element, desc.strides[element.buffer], buffer, range,
                                             info_.first_instance);
        if (attributes[i].address == nullptr)
            continue;
        const auto at = static_cast<uint64_t>(attributes[i].address - buffer->data());
        attributes[i].address =
            use(range.buffer, attribute_range(attributes[i], *buffer, info_, ids)) + at;
    }
    return {attributes, static_cast<uint32_t>(desc.elements.size())};
}

/// gl_BaseVertex is 0 in draws that take no base vertex (GL 4.6 section 11.1.3.9).
uint32_t StageBinder::base_vertex(const DrawInfo& info, bool indexed) const {
    return indexed ? static_cast<uint32_t>(info.base_vertex) : 0;
}

/// Returns whether this draw has the recent draw's numbers, as far as programs may read them.
bool StageBinder::same_draw_values() const {
    const bool indexed = state_.index_type != IndexType::None;
    return recent_->info.first_instance == info_.first_instance &&
           recent_->info.draw_id == info_.draw_id &&
           recent_->info.patch_vertices == info_.patch_vertices &&
           base_vertex(recent_->info, recent_->indexed) == base_vertex(info_, indexed);
}

void StageBinder::fill_uniforms(const StageInput& stage, exec::DrawContext& context) {
    FauInputs numbers;
    numbers.base_vertex = base_vertex(info_, state_.index_type != IndexType::None);
    numbers.base_instance = info_.first_instance;
    numbers.draw_id = info_.draw_id;
    numbers.patch_vertices = info_.patch_vertices;
    numbers.target_height = pass_.targets.height;
    numbers.sample_count = pass_.targets.samples;
    numbers.raster_samples = raster_samples(pipeline_.desc().rasterizer, pass_.targets);
    numbers.tls = context_.tls;
    raster::fill_uniforms(stage.program, stage.resources, stage.bound.buffers, numbers, pass_.arena,
                          context);
}

Result<exec::DrawContext*> StageBinder::bind(const StageInput& stage,
                                             const exec::DrawContext* recent,
                                             const BoundAttributes& attributes) {
    const bool same = recent != nullptr && !is_stale(context_part(stage.stage)) &&
                      (!stage.program.reads_draw_values() || same_draw_values());
    if (same && recent->tables.attributes == attributes.descriptors)
        return static_cast<exec::DrawContext*>(nullptr);
    const bool reads_constants = stage.program.reads_constant_table();
    VALKYR_TRY_VOID(bind_tables(stage, reads_constants));
    std::byte* room = pass_.arena.allocate(sizeof(exec::DrawContext));
    auto* context =
        recent != nullptr ? new (room) exec::DrawContext(*recent) : new (room) exec::DrawContext;
    if (recent == nullptr) {
        context->environment = &raster_environment();
        context->info = &stage.program.info();
        context->watch = context_.watch;
    }
    if (stage.stage == DrawStage::Fragment && is_stale(RecordPart::Specials))
        set_specials(*context, pipeline_.desc(), state_, pass_.targets);
    context->tables = stage.bound.tables;
    if (!reads_constants)
        context->tables.constant_buffer_count = 0;  // the table may be older than the constants
    context->tables.attributes = attributes.descriptors;
    context->tables.attribute_count = attributes.count;
    if (!same)
        fill_uniforms(stage, *context);
    return context;
}

}  // namespace valkyr::raster

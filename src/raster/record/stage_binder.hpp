// Stage binder: makes the tables and the context of one shader stage of a draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/record/draw_builder.hpp"
#include "raster/record/recent_draw.hpp"
#include "raster/record/record_parts.hpp"

namespace valkyr::raster {

/// One stage of a draw: its program, its API state, and the tables of the pass.
struct StageInput {
    DrawStage stage;
    const StageProgram& program;
    const StageResources& resources;
    BoundTables& bound;
};

/// Vertex attributes of a draw.
struct BoundAttributes {
    const exec::AttributeDescriptor* descriptors = nullptr;
    uint32_t count = 0;
};

class StageBinder {
public:
    /// recent  the pipeline's last draw in this pass, or null
    /// changed  groups that differ from those of `recent`; all groups if it is null
    StageBinder(const BuildContext& context,
                const DrawState& state,
                const DrawInfo& info,
                const PipelineImpl& pipeline,
                const RecentDraw* recent,
                StateGroups changed);

    [[nodiscard]] BoundAttributes bind_attributes(const IndexSource& indices);
    /// Returns the context of a stage, with the key of `recent`; null if `recent`, the context of
    /// the recent draw, is still valid.
    /// errors  those of a view, a sampler or a buffer
    Result<exec::DrawContext*> bind(const StageInput& stage,
                                    const exec::DrawContext* recent,
                                    const BoundAttributes& attributes);

    /// Keeps a buffer of which the draw reads a range; returns the address that its byte 0 would
    /// have.
    const uint8_t* use(const BufferRef& buffer, const ByteRange& range);

private:
    /// Whether a part must be made anew, and is not that of the recent draw.
    [[nodiscard]] bool is_stale(RecordPart part) const { return changed_.has(depends_on(part)); }
    [[nodiscard]] bool keeps_attributes(const IndexSource& indices) const;
    void note_attribute_reads(const BoundAttributes& attributes, const IndexSource& indices);
    Result<void> bind_tables(const StageInput& stage, bool reads_constants);
    Result<void> bind_units(const StageInput& stage);
    void use(const TextureRef& texture);
    void use(const BufferRef& buffer);
    [[nodiscard]] bool same_draw_values() const;
    [[nodiscard]] uint32_t base_vertex(const DrawInfo& info, bool indexed) const;
    void fill_uniforms(const StageInput& stage, exec::DrawContext& context);

    const BuildContext& context_;
    Pass& pass_;
    const DrawState& state_;
    const DrawInfo& info_;
    const PipelineImpl& pipeline_;
    const RecentDraw* recent_;
    StateGroups changed_;
};

}  // namespace valkyr::raster

// Emission capture: captures the emissions of a draw on one thread.
// SPDX-License-Identifier: MIT
#include "raster/frame/capture_emissions.hpp"

#include "base/caught_error.hpp"
#include "exec/float_environment.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"
#include "raster/front/primitive_stages.hpp"

#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

class EmissionCapture {
public:
    EmissionCapture(const DrawRecord& draw,
                    const StreamLayout& layout,
                    std::span<StreamTargetImpl* const> targets,
                    const StreamWorkers& workers)
        : draw_(draw)
        , layout_(layout)
        , targets_(targets)
        , corners_(vertices_of(draw.shape->drawn))
        , worker_{workers.tls[0], 0, workers.message_calls[0]} {
        for (const StreamSource& source : layout.sources)
            targets_of_[source.stream] |= 1U << source.buffer;
    }

    StreamCounts run() {
        const AssemblyState& assembly = draw_.assembly;
        for (uint32_t i = 0; i < assembly.instance_count && !is_cancelled(); ++i) {
            uint32_t id = 0;
            for_each_run(assembly, draw_.vertex->watch, [&](uint32_t first, uint32_t elements) {
                take({&draw_, i, first, elements, id, 0,
                      static_cast<uint32_t>(primitive_count(assembly, elements))});
                id += static_cast<uint32_t>(primitive_ids(assembly, elements));
                return !is_cancelled();
            });
        }
        return counts_;
    }

private:
    [[nodiscard]] bool is_cancelled() const { return exec::is_cancelled(draw_.vertex->watch); }

    void take(const GeometryInput& input) {
        stages_.begin(input);
        Emissions emissions;
        while (stages_.next(worker_, false, emissions)) {
            counts_.vertices += stages_.shaded_vertices();
            for (const EmittedPrimitive& primitive : emissions.primitives)
                add(emissions, primitive);
        }
    }

    void add(const Emissions& emissions, const EmittedPrimitive& primitive) {
        const uint8_t stream = primitive.stream;
        ++counts_.generated[stream];
        if (targets_of_[stream] == 0 || is_full_[stream])
            return;
        if (!has_room(stream)) {
            is_full_[stream] = true;
            return;
        }
        ++counts_.written[stream];
        for (uint32_t k = 0; k < corners_; ++k)
            write_vertex(stream, emissions.record(*draw_.shape, stream, primitive.vertex[k]));
    }

    [[nodiscard]] uint64_t vertex_bytes(size_t target) const {
        return layout_.stride_words[target] * sizeof(uint32_t);
    }

    /// Returns whether all targets of a stream have room for one more primitive.
    [[nodiscard]] bool has_room(uint8_t stream) const {
        for (size_t t = 0; t < targets_.size(); ++t)
            if ((targets_of_[stream] >> t & 1) != 0 &&
                !targets_[t]->has_room(vertex_bytes(t) * corners_))
                return false;
        return true;
    }

    void write_vertex(uint8_t stream, const uint8_t* record) {
        for (const StreamSource& source : layout_.sources)
            if (source.stream == stream)
                std::memcpy(targets_[source.buffer]->cursor() +
                                source.offset_words * sizeof(uint32_t),
                            record + source.record_offset, source.components * sizeof(uint32_t));
        for (size_t t = 0; t < targets_.size(); ++t)
            if ((targets_of_[stream] >> t & 1) != 0)
                targets_[t]->set_position(targets_[t]->position() + vertex_bytes(t));
    }

    const DrawRecord& draw_;
    const StreamLayout& layout_;
    std::span<StreamTargetImpl* const> targets_;
    uint32_t corners_;
    KernelWorker worker_;
    PrimitiveStages stages_;
    std::array<uint32_t, exec::kMaxStreams> targets_of_{};  ///< mask of targets, by stream
    std::array<bool, exec::kMaxStreams> is_full_{};
    StreamCounts counts_;
};

}  // namespace

Result<StreamCounts> capture_emissions(const DrawRecord& draw,
                                       const StreamLayout& layout,
                                       std::span<StreamTargetImpl* const> targets,
                                       const StreamWorkers& workers) try {
    const exec::FloatEnvironment environment;
    return EmissionCapture(draw, layout, targets, workers).run();
} catch (...) {
    return caught_error();
}

}  // namespace valkyr::raster

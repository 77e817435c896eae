// Geometry stage: calls the programs of both stages and assembles the emitted strips.
// SPDX-License-Identifier: MIT
#include "raster/front/geometry_stage.hpp"

#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/runs.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Bytes of emitted records that a call should not exceed, so that they stay in the L1 cache.
constexpr size_t kCallBytes = size_t{32} << 10;
constexpr uint32_t kMostPairs = 256;

uint32_t records_of_pair(const DrawRecord& draw) {
    return exec::emission_records(draw.geometry->info.max_vertices);
}

uint32_t load_word(const uint8_t* record, size_t offset) {
    uint32_t word = 0;
    std::memcpy(&word, record + offset, sizeof(word));
    return word;
}

/// The strip that is being assembled in one stream (docs/rules/raster-rules.md "Provoking
/// vertices").
struct Strip {
    uint32_t length = 0;
    uint32_t before = 0;  ///< the second last vertex
    uint32_t last = 0;
    EmittedPrimitive* made = nullptr;         ///< the last primitive
    EmittedPrimitive* made_before = nullptr;  ///< the second last primitive

    void add(EmittedPrimitive* primitive) {
        made_before = made;
        made = primitive;
    }
    /// Ends the strip: the next vertex begins another one.
    template <exec::OutputPrimitive Kind>
    void end() {
        if (Kind == exec::OutputPrimitive::TriangleStrip && length == 4)
            made->of_two = made_before->of_two = true;
        length = 0;
    }
};

/// Makes the primitive that ends with `vertex`; returns false if the strip is still too short.
template <exec::OutputPrimitive Kind>
bool next_primitive(bool provoking_first, Strip& strip, uint32_t vertex, EmittedPrimitive& made) {
    const uint32_t before = strip.before;
    const uint32_t last = strip.last;
    ++strip.length;
    strip.before = last;
    strip.last = vertex;
    made.of_two = false;
    if constexpr (Kind == exec::OutputPrimitive::Points) {
        made.vertex = {vertex, vertex, vertex};
        made.provoking = vertex;
        made.begins_strip = false;
        return true;
    } else if constexpr (Kind == exec::OutputPrimitive::LineStrip) {
        made.vertex = {last, vertex, vertex};
        made.provoking = provoking_first ? last : vertex;
        made.begins_strip = strip.length == 2;
        return strip.length >= 2;
    } else {
        const bool odd = strip.length % 2 == 0;
        if (!odd)
            made.vertex = {before, last, vertex};
        else if (provoking_first)
            made.vertex = {before, vertex, last};
        else
            made.vertex = {last, before, vertex};
        made.provoking = provoking_first ? before : vertex;
        made.begins_strip = strip.length == 3;
        return strip.length >= 3;
    }
}

}  // namespace

uint32_t primitives_per_call(const DrawRecord& draw) {
    const exec::GeometryInfo& info = draw.geometry->info;
    const size_t bytes = size_t{records_of_pair(draw)} * draw.shape->record_stride;
    const auto pairs = static_cast<uint32_t>(
        std::clamp<size_t>(kCallBytes / bytes & ~(exec::kLanes - 1), exec::kLanes, kMostPairs));
    const uint32_t most = kChunkVertices / exec::vertices_of(info.input);
    return std::clamp<uint32_t>(pairs / info.invocations, 1, most);
}

Emissions GeometryStage::advance(GeometryInput& input, const KernelWorker& worker, bool patterns) {
    const DrawRecord& draw = *input.draw;
    const uint32_t count = std::min(input.end - input.begin, primitives_per_call(draw));
    list_primitives(input, count);
    shade_inputs(input, worker);
    input.begin += count;
    return run(draw, worker, inputs_.data(), count * draw.geometry->info.invocations, patterns);
}

Emissions GeometryStage::advance(const DrawRecord& draw,
                                 const Emissions& tessellated,
                                 size_t& begin,
                                 const KernelWorker& worker,
                                 bool patterns) {
    const size_t left = tessellated.primitives.size() - begin;
    const auto count = static_cast<uint32_t>(std::min<size_t>(left, primitives_per_call(draw)));
    list_tessellated(draw, tessellated.primitives.subspan(begin, count),
                     tessellated.record_numbers[0]);
    shaded_.clear();
    begin += count;
    return run(draw, worker, tessellated.records, count * draw.geometry->info.invocations,
               patterns);
}

Emissions GeometryStage::run(const DrawRecord& draw,
                             const KernelWorker& worker,
                             const uint8_t* inputs,
                             uint32_t pairs,
                             bool patterns) {
    run_program(draw, worker, inputs, pairs);
    Emissions emissions;
    emissions.records = records_.data();
    if (patterns && find_pattern(draw, pairs)) {
        emissions.pattern = {pairs,
                             static_cast<uint32_t>(pattern_words_.size()),
                             records_of_pair(draw),
                             pattern_number_,
                             pattern_,
                             primitive_ids_.data()};
        return emissions;
    }
    collect(draw, pairs);
    emissions.primitives = {primitives_.data(), primitive_count_};
    for (size_t stream = 0; stream < record_numbers_.size(); ++stream)
        emissions.record_numbers[stream] = record_numbers_[stream].data();
    return emissions;
}

uint32_t
GeometryStage::emission_word(const DrawRecord& draw, uint32_t pair, uint32_t vertex) const {
    const size_t record = size_t{pair} * records_of_pair(draw) + vertex;
    return load_word(records_.data() + record * draw.shape->record_stride,
                     offsetof(exec::VertexRecord, emission));
}

bool GeometryStage::find_pattern(const DrawRecord& draw, uint32_t pairs) {
    const exec::GeometryInfo& info = draw.geometry->info;
    const uint32_t most = info.max_vertices;
    // A cancelled warp has not stored the numbers of its vertices.
    if (info.streams != 1 || info.writes_primitive_id || exec::is_cancelled(draw.vertex->watch))
        return false;
    const uint32_t count = emission_word(draw, 0, most);
    if (count == 0 || count > std::min<uint32_t>(most, kChunkPrimitives))
        return false;
    bool known = pattern_words_.size() == count;
    for (uint32_t v = 0; v < count && known; ++v)
        known = pattern_words_[v] == emission_word(draw, 0, v);
    if (!known)
        follow_pattern(draw);
    const size_t record = draw.shape->record_stride;
    const size_t stride = records_of_pair(draw) * record;
    uint32_t difference = 0;
    const uint8_t* words = records_.data() + offsetof(exec::VertexRecord, emission);
    for (uint32_t pair = 1; pair < pairs; ++pair) {
        words += stride;
        difference |= load_word(words, most * record) ^ count;
        for (uint32_t v = 0; v < count; ++v)
            difference |= load_word(words, v * record) ^ pattern_words_[v];
    }
    return difference == 0;
}

/// Copies the words and the primitives of pair 0 into the pattern.
template <exec::OutputPrimitive Kind>
void GeometryStage::follow_pattern(const DrawRecord& draw) {
    const uint32_t count = emission_word(draw, 0, draw.geometry->info.max_vertices);
    ++pattern_number_;
    pattern_words_.resize(count);
    pattern_.resize(count);
    EmittedPrimitive* made = pattern_.data();
    Strip strip;
    for (uint32_t v = 0; v < count; ++v) {
        pattern_words_[v] = emission_word(draw, 0, v);
        if ((pattern_words_[v] & exec::kEmissionBegins) != 0)
            strip.end<Kind>();
        if (next_primitive<Kind>(draw.assembly.provoking_first, strip, v, *made))
            strip.add(made++);
    }
    strip.end<Kind>();
    pattern_.resize(static_cast<size_t>(made - pattern_.data()));
}

void GeometryStage::follow_pattern(const DrawRecord& draw) {
    using exec::OutputPrimitive;
    switch (draw.geometry->info.output) {
    case OutputPrimitive::Points: follow_pattern<OutputPrimitive::Points>(draw); break;
    case OutputPrimitive::LineStrip: follow_pattern<OutputPrimitive::LineStrip>(draw); break;
    case OutputPrimitive::TriangleStrip:
        follow_pattern<OutputPrimitive::TriangleStrip>(draw);
        break;
    }
}

/// Lists the vertex IDs of `count` primitives, and their primitive IDs in `primitive_ids_`.
void GeometryStage::list_vertices(const GeometryInput& input, uint32_t count, unsigned vertices) {
    const AssemblyState& assembly = input.draw->assembly;
    taken_.resize(size_t{count} * vertices);
    if (is_list(assembly.primitive)) {
        element_vertices(assembly, input.run_first + input.begin * vertices, taken_);
        for (uint32_t i = 0; i < count; ++i)
            primitive_ids_[i] = input.first_id + input.begin + i;
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const AssembledInput in = assemble_input(assembly.primitive, assembly.provoking_first,
                                                 input.run_count, input.begin + i);
        for (unsigned v = 0; v < vertices; ++v)
            taken_[size_t{i} * vertices + v] =
                element_vertex(assembly, input.run_first + in.element[v]);
        primitive_ids_[i] = input.first_id + in.id;
    }
}

/// Numbers the distinct vertices among those listed; stores the numbers by corner and primitive.
void GeometryStage::number_vertices(uint32_t count, unsigned vertices) {
    shaded_.clear();
    std::array<uint32_t*, exec::kMaxInputVertices> numbers{};
    for (unsigned v = 0; v < vertices; ++v)
        numbers[v] = vertices_[v].data();
    const uint32_t* taken = taken_.data();
    for (uint32_t i = 0; i < count; ++i)
        for (unsigned v = 0; v < vertices; ++v)
            numbers[v][i] = shaded_.number(*taken++);
}

/// Makes room for `count` primitives, and for whole warps of pairs.
void GeometryStage::resize_lists(const exec::GeometryInfo& info, uint32_t count) {
    const size_t padded = align_up(count * info.invocations, exec::kLanes);
    for (unsigned v = 0; v < exec::vertices_of(info.input); ++v)
        vertices_[v].assign(padded, 0);
    primitive_ids_.resize(padded);
}

void GeometryStage::list_primitives(const GeometryInput& input, uint32_t count) {
    const DrawRecord& draw = *input.draw;
    const exec::GeometryInfo& info = draw.geometry->info;
    const unsigned vertices = exec::vertices_of(info.input);
    resize_lists(info, count);
    list_vertices(input, count, vertices);
    if (is_list(draw.assembly.primitive) && draw.assembly.indices.type == IndexType::None) {
        // Consecutive vertices are all distinct.
        shaded_.set_count(count * vertices);
        std::copy_n(taken_.begin(), shaded_.count(), shaded_.ids());
        for (unsigned v = 0; v < vertices; ++v)
            for (uint32_t i = 0; i < count; ++i)
                vertices_[v][i] = i * vertices + v;
    } else {
        number_vertices(count, vertices);
    }
    repeat_for_invocations(info, count);
}

void GeometryStage::list_tessellated(const DrawRecord& draw,
                                     std::span<const EmittedPrimitive> primitives,
                                     const uint32_t* record_numbers) {
    const exec::GeometryInfo& info = draw.geometry->info;
    const auto count = static_cast<uint32_t>(primitives.size());
    resize_lists(info, count);
    for (unsigned v = 0; v < exec::vertices_of(info.input); ++v)
        for (uint32_t i = 0; i < count; ++i)
            vertices_[v][i] = record_numbers[primitives[i].vertex[v]];
    for (uint32_t i = 0; i < count; ++i)
        primitive_ids_[i] = primitives[i].id;
    repeat_for_invocations(info, count);
}

/// Repeats each primitive for each invocation.
void GeometryStage::repeat_for_invocations(const exec::GeometryInfo& info, uint32_t count) {
    invocations_.assign(align_up(count * info.invocations, exec::kLanes), 0);
    if (info.invocations == 1)
        return;
    // The loop runs backwards over primitives: it reads every number before it overwrites its
    // place.
    for (uint32_t pair = count * info.invocations; pair-- != 0;) {
        const uint32_t from = pair / info.invocations;
        for (unsigned v = 0; v < exec::vertices_of(info.input); ++v)
            vertices_[v][pair] = vertices_[v][from];
        primitive_ids_[pair] = primitive_ids_[from];
        invocations_[pair] = pair % info.invocations;
    }
}

void GeometryStage::shade_inputs(const GeometryInput& input, const KernelWorker& worker) {
    const DrawRecord& draw = *input.draw;
    const uint32_t stride = draw.geometry->input_stride;
    inputs_.resize(size_t{align_up(shaded_.count(), exec::kLanes)} * stride);
    shade_vertices(draw, worker, input.instance, shaded_.ids(), shaded_.count(), inputs_.data(),
                   stride);
}

void GeometryStage::run_program(const DrawRecord& draw,
                                const KernelWorker& worker,
                                const uint8_t* inputs,
                                uint32_t pairs) {
    const uint32_t stride = draw.shape->record_stride;
    const size_t padded = align_up(pairs, exec::kLanes);
    // Kernels read whole warps of vertices, so there are some behind the last pair.
    records_.resize((padded + exec::kLanes) * records_of_pair(draw) * stride);
    exec::GeometryCall call;
    call.out = worker.call(draw.geometry->context, records_.data(), stride, pairs);
    for (size_t v = 0; v < vertices_.size(); ++v)
        call.vertices[v] = vertices_[v].data();
    call.primitive_ids = primitive_ids_.data();
    call.invocations = invocations_.data();
    call.inputs = inputs;
    call.input_stride = draw.geometry->input_stride;
    draw.geometry->kernel(call);
}

void GeometryStage::collect(const DrawRecord& draw, uint32_t pairs) {
    using exec::OutputPrimitive;
    const size_t most = size_t{pairs} * draw.geometry->info.max_vertices;
    primitives_.resize(std::max(primitives_.size(), most));
    for (std::vector<uint32_t>& numbers : record_numbers_)
        numbers.resize(std::max(numbers.size(), most + exec::kLanes));
    switch (draw.geometry->info.output) {
    case OutputPrimitive::Points: collect<OutputPrimitive::Points>(draw, pairs); break;
    case OutputPrimitive::LineStrip: collect<OutputPrimitive::LineStrip>(draw, pairs); break;
    case OutputPrimitive::TriangleStrip:
        collect<OutputPrimitive::TriangleStrip>(draw, pairs);
        break;
    }
}

template <exec::OutputPrimitive Kind>
void GeometryStage::collect(const DrawRecord& draw, uint32_t pairs) {
    const exec::GeometryInfo& info = draw.geometry->info;
    const bool provoking_first = draw.assembly.provoking_first;
    const size_t stride = draw.shape->record_stride;
    const uint32_t most = info.max_vertices;
    std::array<uint32_t, exec::kMaxStreams> vertices{};
    EmittedPrimitive* made = primitives_.data();
    // A cancelled warp has not stored the numbers of its vertices.
    const bool cancelled = exec::is_cancelled(draw.vertex->watch);
    for (uint32_t pair = 0; pair < pairs && !cancelled; ++pair) {
        const uint32_t first = pair * records_of_pair(draw);
        const uint8_t* record = records_.data() + first * stride;
        const uint32_t count = std::min(
            load_word(record + most * stride, offsetof(exec::VertexRecord, emission)), most);
        std::array<Strip, exec::kMaxStreams> strips{};
        for (uint32_t v = first; v < first + count; ++v, record += stride) {
            const uint32_t emission = load_word(record, offsetof(exec::VertexRecord, emission));
            const uint32_t stream = emission & exec::kEmissionStream;
            const uint32_t number = vertices[stream]++;
            record_numbers_[stream][number] = v;
            Strip& strip = strips[stream];
            if ((emission & exec::kEmissionBegins) != 0)
                strip.end<Kind>();
            if (!next_primitive<Kind>(provoking_first, strip, number, *made))
                continue;
            strip.add(made);
            made->stream = static_cast<uint8_t>(stream);
            made->id = primitive_ids_[pair];
            if (info.writes_primitive_id)
                made->id =
                    load_word(records_.data() + record_numbers_[stream][made->provoking] * stride,
                              offsetof(exec::VertexRecord, primitive_id));
            ++made;
        }
        strips[0].end<Kind>();  // strips of other streams are not drawn
    }
    primitive_count_ = static_cast<size_t>(made - primitives_.data());
    // Loops read whole warps: the last vertex is repeated.
    std::vector<uint32_t>& drawn = record_numbers_[0];
    const uint32_t last = vertices[0] != 0 ? drawn[vertices[0] - 1] : 0;
    std::fill_n(drawn.begin() + vertices[0], exec::kLanes, last);
}

}  // namespace valkyr::raster

// Stream output linking: gives captured outputs a place in the vertex record.
// SPDX-License-Identifier: MIT
#include "gpu/shader_cache_stream.hpp"

#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/varyings.hpp"

#include <algorithm>
#include <optional>

namespace valkyr::gpu {
namespace {

/// Record offset of the varying slot of an output, which is added if there is none yet.
Result<uint32_t> captured_slot(const tgsi::Declaration& declaration,
                               uint32_t output,
                               valhall::VaryingLayout& layout) {
    const auto name = valhall::lower::varying_name(declaration.semantic);
    const uint32_t index = declaration.semantic_index + (output - declaration.first);
    if (!name || index > 0xFF)
        return Error{Errc::Unsupported, declaration.pos, "stream output of this output"};
    for (size_t s = 0; s < layout.slots.size(); ++s)
        if (layout.slots[s].name == *name && layout.slots[s].index == index)
            return exec::varying_offset(s);
    if (layout.slots.size() == exec::kMaxVaryingSlots)
        return Error{Errc::OutOfRange, declaration.pos, "too many varyings and captured outputs"};
    // The fragment stage does not read it.
    layout.slots.push_back(
        {*name, static_cast<uint8_t>(index), exec::Interpolation::Flat, 0, true});
    return exec::varying_offset(layout.slots.size() - 1);
}

/// Record offset of an output that is one number of the record's head; none for others.
std::optional<uint32_t> number_offset(tgsi::Semantic semantic) {
    if (semantic == tgsi::Semantic::PSize)
        return uint32_t{offsetof(exec::VertexRecord, point_size)};
    if (semantic == tgsi::Semantic::PrimId)
        return uint32_t{offsetof(exec::VertexRecord, primitive_id)};
    return std::nullopt;
}

/// Place of a captured output in the vertex record; adds a slot if it has none.
Result<StreamSource> captured(const tgsi::Shader& shader,
                              const StreamOutputElement& element,
                              valhall::VaryingLayout& layout) {
    const auto declared = [&](const tgsi::Declaration& d) {
        return d.file == tgsi::File::Output && d.has_semantic && element.output >= d.first &&
               element.output <= d.last;
    };
    const auto found =
        std::find_if(shader.declarations.begin(), shader.declarations.end(), declared);
    if (found == shader.declarations.end())
        return Error{Errc::InvalidState,
                     {},
                     "stream output: the shader has no OUT[" + std::to_string(element.output) +
                         "]"};
    StreamSource source;
    source.components = element.components;
    source.buffer = element.buffer;
    source.offset_words = element.offset_words;
    source.stream = element.stream;
    if (found->semantic == tgsi::Semantic::Position) {
        source.record_offset = offsetof(exec::VertexRecord, position);
    } else if (const auto number = number_offset(found->semantic)) {
        if (element.first_component != 0 || element.components != 1)
            return Error{Errc::InvalidState, found->pos, "stream output: this is one number"};
        source.record_offset = *number;
    } else {
        VALKYR_TRY(offset, captured_slot(*found, element.output, layout));
        source.record_offset = offset;
    }
    source.record_offset += 4U * element.first_component;
    return source;
}

}  // namespace

std::string capture_name(const StreamOutputState& stream) {
    std::string name;
    for (const StreamOutputElement& e : stream.elements)
        for (const unsigned number :
             {unsigned{e.output}, unsigned{e.first_component}, unsigned{e.components},
              unsigned{e.buffer}, unsigned{e.offset_words}, unsigned{e.stream}})
            name += std::to_string(number) + ',';
    for (const uint32_t words : stream.stride_words)
        name += std::to_string(words) + ';';
    return stream.elements.empty() ? std::string() : name;
}

Result<StreamLayout> capture(const tgsi::Shader& shader,
                             const StreamOutputState& stream,
                             valhall::VaryingLayout& layout) {
    StreamLayout result;
    result.stride_words = stream.stride_words;
    for (const StreamOutputElement& element : stream.elements) {
        VALKYR_TRY(source, captured(shader, element, layout));
        result.sources.push_back(source);
    }
    return result;
}

}  // namespace valkyr::gpu

// Stream output: writes primitives vertex by vertex, word by word.
// SPDX-License-Identifier: MIT
#include "tests/oracle/stream_output.hpp"

#include "tests/oracle/resources.hpp"

#include <cstring>
#include <memory>

namespace valkyr::reference {

void ReferenceStreamTarget::write(uint64_t offset, uint32_t word) {
    auto& buffer = dynamic_cast<ReferenceBuffer&>(*range_.buffer);
    std::memcpy(&buffer.bytes[range_.offset + position_ + offset], &word, sizeof word);
}

Result<StreamOutput> StreamOutput::create(const raster::StreamOutputState& rules,
                                          uint32_t outputs,
                                          const std::vector<raster::StreamTargetRef>& targets) {
    StreamOutput made(rules);
    for (const raster::StreamOutputElement& element : rules.elements) {
        if (element.buffer >= made.targets_.size() || element.output >= outputs ||
            element.first_component + element.components > 4 ||
            element.offset_words + element.components > rules.stride_words[element.buffer])
            return Error{Errc::InvalidState, {}, "a capture of components that do not exist"};
        ReferenceStreamTarget*& target = made.targets_[element.buffer];
        if (element.buffer < targets.size())
            target = dynamic_cast<ReferenceStreamTarget*>(targets[element.buffer].get());
        if (target == nullptr)
            return Error{Errc::InvalidState, {}, "a captured slot has no target of this device"};
    }
    return made;
}

std::array<bool, raster::kMaxStreamTargets> StreamOutput::slots(uint32_t stream) const {
    std::array<bool, raster::kMaxStreamTargets> used{};
    for (const raster::StreamOutputElement& element : rules_->elements)
        if (element.stream == stream)
            used[element.buffer] = true;
    return used;
}

void StreamOutput::capture(const std::vector<const Vertex*>& corners, uint32_t stream) {
    const auto used = slots(stream);
    for (size_t slot = 0; slot < used.size(); slot++)
        if (used[slot] && !targets_[slot]->has_room(vertex_bytes(slot) * corners.size()))
            is_full_[stream] = true;
    if (is_full_[stream])
        return;
    for (const Vertex* vertex : corners)
        append(*vertex, stream);
}

void StreamOutput::append(const Vertex& vertex, uint32_t stream) {
    for (const raster::StreamOutputElement& element : rules_->elements)
        for (uint32_t c = 0; element.stream == stream && c < element.components; c++)
            targets_[element.buffer]->write(
                4 * (element.offset_words + c),
                vertex.outputs[element.output][element.first_component + c]);
    const auto used = slots(stream);
    for (size_t slot = 0; slot < used.size(); slot++)
        if (used[slot])
            targets_[slot]->set_position(targets_[slot]->position() + vertex_bytes(slot));
}

}  // namespace valkyr::reference

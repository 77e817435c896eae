// Scene streams: reads what draws capture of their primitives, and where to.
// SPDX-License-Identifier: MIT
#include "app/conform/scene_builder.hpp"

namespace valkyr::conform {

namespace {

constexpr int64_t kMaxStrideBytes = 2048;
constexpr int64_t kMaxOutput = 63;

/// A number of whole words, given in bytes.
uint32_t words_of(Arguments& a, const Word& word, std::string_view what) {
    const int64_t bytes = a.integer_of(word, what, 0, kMaxStrideBytes);
    if (bytes % 4 != 0)
        a.error(word.pos, std::string(what) + " is no multiple of 4");
    return static_cast<uint32_t>(bytes / 4);
}

}  // namespace

/// "stream SLOT BUFFER STRIDE [offset=] [size=]": the next draws append what they capture in this
/// slot to the range, from its first byte on. "stream none" ends that, and forgets the captures.
void SceneBuilder::stream(Arguments& a) {
    if (a.accept("none")) {
        draw_.stream_targets.clear();
        draw_.pipeline.stream_output = {};
        return;
    }
    const uint32_t slot = a.integer("slot", 0, raster::kMaxStreamTargets - 1);
    BufferName range;
    range.buffer = find_buffer(a, a.take("buffer"));
    draw_.pipeline.stream_output.stride_words[slot] = words_of(a, a.take("stride"), "stride");
    while (const std::optional<KeyValue> pair = a.key_value())
        if (!take_range(a, *pair, range))
            a.error(pair->key.pos, "a stream has offset and size");
    if (case_.streams.size() >= kMaxResources)
        a.error(a.pos(), "too many streams");
    if (!a.ok())
        return;
    if (draw_.stream_targets.size() <= slot)
        draw_.stream_targets.resize(slot + 1, kNone);
    draw_.stream_targets[slot] = static_cast<Index>(case_.streams.size());
    case_.streams.push_back(range);
}

/// "capture SLOT OUTPUT [first=] [components=] [offset=] [stream=]": components of OUT[OUTPUT] go
/// to the slot.
void SceneBuilder::capture(Arguments& a) {
    raster::StreamOutputElement element;
    element.buffer = static_cast<uint8_t>(a.integer("slot", 0, raster::kMaxStreamTargets - 1));
    element.output = static_cast<uint8_t>(a.integer("output", 0, kMaxOutput));
    while (const std::optional<KeyValue> pair = a.key_value()) {
        const std::string_view key = pair->key.text;
        const auto number = [&](int64_t low, int64_t high) {
            return static_cast<uint8_t>(a.integer_of(pair->value, key, low, high));
        };
        if (key == "first")
            element.first_component = number(0, 3);
        else if (key == "components")
            element.components = number(1, 4);
        else if (key == "stream")
            element.stream = number(0, exec::kMaxStreams - 1);
        else if (key == "offset")
            element.offset_words = static_cast<uint16_t>(words_of(a, pair->value, key));
        else
            a.error(pair->key.pos, "'" + std::string(key) + "' is nothing of a capture");
    }
    if (element.first_component + element.components > 4)
        a.error(a.pos(), "an output has four components");
    auto& elements = draw_.pipeline.stream_output.elements;
    if (elements.size() >= kMaxResources)
        a.error(a.pos(), "too many captures");
    if (a.ok())
        elements.push_back(element);
}

}  // namespace valkyr::conform

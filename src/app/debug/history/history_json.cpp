// History JSON: writes a pixel's history for programs.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_json.hpp"

#include "app/cli/json_text.hpp"
#include "app/debug/history/history_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace valkyr::debug {

namespace {

using app::json_array;
using app::json_quoted;

/// A number as history_words.hpp writes it; null for an infinity, or none.
std::string json_value(const std::string& number) {
    const bool finite = std::ranges::none_of(number, [](char c) { return c == 'n' || c == 'i'; });
    return finite ? number : "null";
}

std::string json_values(std::vector<std::string> numbers) {
    std::ranges::transform(numbers, numbers.begin(), json_value);
    return json_array(numbers);
}

std::string json_value(float number) {
    return app::json_number(static_cast<double>(number));
}

/// The numbers of the samples of a mask.
std::string sample_list(uint32_t mask) {
    std::vector<std::string> numbers;
    for (unsigned s = 0; s < exec::kMaxSamples; ++s)
        if ((mask >> s & 1) != 0)
            numbers.push_back(std::to_string(s));
    return json_array(numbers);
}

std::string sample_json(const Texel& texel, uint32_t sample) {
    std::string text = fmt::format("{{\"sample\": {}, \"bytes\": {}", sample,
                                   json_quoted(byte_text(texel, sample)));
    if (!texel.is_depth_stencil())
        return text + ", \"color\": " + json_values(color_numbers(texel, sample)) + "}";
    const auto [depth, stencil] = depth_stencil_numbers(texel, sample);
    if (!depth.empty())
        text += ", \"depth\": " + json_value(depth);
    if (!stencil.empty())
        text += ", \"stencil\": " + stencil;
    return text + "}";
}

/// null: the texel could not be read.
std::string texel_json(const Texel& texel, std::optional<uint32_t> sample) {
    if (texel.bytes.empty())
        return "null";
    if (sample && *sample < texel.samples)
        return json_array({sample_json(texel, *sample)});
    std::vector<std::string> samples;
    for (uint32_t s = 0; s < texel.samples; ++s)
        samples.push_back(sample_json(texel, s));
    return json_array(samples);
}

std::string spot_json(const Spot& spot) {
    return fmt::format(R"({{"x": {}, "y": {}, "level": {}, "layer": {}}})", spot.x, spot.y,
                       spot.level, spot.z);
}

std::string loss_json(const Loss& loss, uint32_t coverage) {
    std::string text = fmt::format("{{\"killer\": {}, \"samples\": {}",
                                   json_quoted(killer_name(loss)), sample_list(loss.samples));
    const std::string words = loss_text(loss, coverage);
    if (!words.empty())
        text += fmt::format(", \"value\": {}, \"against\": {}, \"text\": {}",
                            json_value(loss.value), json_value(loss.against), json_quoted(words));
    if (loss.killer == Killer::Stencil)
        text += fmt::format(", \"mask\": {}", loss.read_mask);
    return text + "}";
}

std::string object_json(const History& history, std::optional<uint32_t> sample);

std::string source_json(const Source& source) {
    return fmt::format(
        R"({{"texture": {}, "texel": {}, "value": {}, "filtered": {}, "history": {}}})",
        json_quoted(source.texture), spot_json(source.spot), texel_json(source.value, std::nullopt),
        source.filtered, source.history ? object_json(*source.history, std::nullopt) : "null");
}

/// {"first": 1, "second": 2, "weight": 0.25}: the weight is that of the second level.
std::string levels_json(const std::optional<raster::LevelChoice>& levels) {
    if (!levels)
        return "null";
    return fmt::format(R"({{"first": {}, "second": {}, "weight": {}}})", levels->level,
                       levels->weight != 0 ? levels->second : levels->level,
                       app::json_number(levels->weight / 256.0));
}

std::string read_json(const TexelRead& read) {
    return fmt::format(
        R"({{"unit": {}, "texture": {}, "how": {}, "at": {}, "levels": {}, "result": {}, "from": {}}})",
        read.unit, read.texture.empty() ? "null" : json_quoted(read.texture),
        json_quoted(read_verb(read)), json_values(coordinate_numbers(read)),
        levels_json(read.levels), json_values(result_numbers(read)),
        read.source ? source_json(*read.source) : "null");
}

/// The parts of a list that are written one by one.
template <typename List, typename Write>
std::string list_json(const List& list, Write&& write) {
    std::vector<std::string> items;
    for (const auto& item : list) {
        std::string text = write(item);
        if (!text.empty())
            items.push_back(std::move(text));
    }
    return json_array(items);
}

std::string fragment_json(const Fragment& fragment, std::optional<uint32_t> sample) {
    const uint32_t shown = samples_shown(sample);
    const std::string losses = list_json(fragment.losses, [&](const Loss& loss) {
        return (loss.samples & shown) != 0 ? loss_json(loss, fragment.coverage) : std::string();
    });
    const std::string colors = list_json(fragment.colors, [&](const SentColor& color) {
        return (color.samples & shown) != 0
                   ? fmt::format("{{\"samples\": {}, \"color\": {}}}", sample_list(color.samples),
                                 json_values(sent_numbers(color, fragment.blend)))
                   : std::string();
    });
    const std::string inputs = list_json(fragment.inputs, [](const LoadedInput& input) {
        return fmt::format("{{\"name\": {}, \"values\": {}}}", json_quoted(input_name(input)),
                           json_values(input_numbers(input)));
    });
    return fmt::format(
        R"({{"primitive": {}, "hit": {}, "facing": {}, "fate": {}, "passed": {}, "coverage": {}, )"
        R"("written": {}, "tests": {}, "shader": {}, "blend": {}, "inputs": {}, "texels": {}, )"
        R"("interpreter": {}}})",
        fragment.primitive, fragment.hit, fragment.back ? "\"back\"" : "\"front\"",
        json_quoted(fate_text(fragment, shown)), has_passed(fragment, sample),
        sample_list(fragment.coverage), sample_list(fragment.written), losses, colors,
        fragment.colors.empty() ? "null" : json_quoted(blend_text(fragment.blend)), inputs,
        list_json(fragment.reads, read_json),
        fragment.interpreted ? texel_json(*fragment.interpreted, sample) : "null");
}

bool has_draw(EntryKind kind) {
    return kind == EntryKind::Fragment || kind == EntryKind::Stores || kind == EntryKind::Draw;
}

std::string entry_json(const History& history, const Entry& entry, std::optional<uint32_t> sample) {
    std::string text =
        fmt::format(R"({{"kind": {}, "title": {}, "before": {}, "after": {})",
                    json_quoted(kind_name(entry.kind)), json_quoted(entry_title(entry)),
                    texel_json(entry.before, sample), texel_json(entry.after, sample));
    if (has_draw(entry.kind))
        text += fmt::format(", \"draw\": {}", entry.draw);
    if (entry.depth_before && entry.depth_after)
        text += fmt::format(", \"beside\": {{\"before\": {}, \"after\": {}}}",
                            texel_json(*entry.depth_before, sample),
                            texel_json(*entry.depth_after, sample));
    if (entry.source)
        text += ", \"from\": " + source_json(*entry.source);
    if (entry.fragment)
        text +=
            fmt::format(", \"fragment\": {}, \"debug\": {}", fragment_json(*entry.fragment, sample),
                        json_quoted(debug_command(history, entry)));
    return text + "}";
}

std::string object_json(const History& history, std::optional<uint32_t> sample) {
    const raster::TextureDesc& desc = history.desc;
    return fmt::format(
        "{{\"what\": {}, \"texture\": {}, \"format\": {}, \"width\": {}, \"height\": {}, "
        "\"samples\": {},\n\"texel\": {}, \"value\": {}, \"written_by\": {},\n"
        "\"draws_outside\": {}, \"draws_scissored\": {}, \"not_followed\": {},\n"
        "\"entries\": {}}}",
        json_quoted(history.what), json_quoted(history.texture),
        json_quoted(exec::format_info(desc.format).name), desc.width, desc.height, desc.samples,
        spot_json(history.spot), texel_json(history.value(), sample), history.writer(),
        history.draws_outside, history.draws_scissored, history.not_followed,
        list_json(history.entries,
                  [&](const Entry& entry) { return "\n" + entry_json(history, entry, sample); }));
}

}  // namespace

std::string history_json(const History& history, std::optional<uint32_t> sample) {
    return object_json(history, sample) + "\n";
}

}  // namespace valkyr::debug

// History words: names what a pixel's history has, the same in all its forms.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_words.hpp"

#include "app/conform/names.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <span>

namespace valkyr::debug {

namespace {

using exec::BlendFactor;

template <typename Enum>
std::string name_of(Enum value) {
    return std::string(conform::names_of<Enum>()[static_cast<size_t>(value)]);
}

std::string color_text(const Texel& texel, uint32_t sample) {
    return joined(color_numbers(texel, sample)) + " (" + byte_text(texel, sample) + ")";
}

std::string depth_text(const Texel& texel, uint32_t sample) {
    const auto [depth, stencil] = depth_stencil_numbers(texel, sample);
    std::vector<std::string> parts;
    if (!depth.empty())
        parts.push_back("depth " + depth);
    if (!stencil.empty())
        parts.push_back("stencil " + stencil);
    return joined(parts);
}

/// " of samples 0, 2" if not all of the fragment's samples are meant.
std::string samples_text(uint32_t some, uint32_t all) {
    if (some == all)
        return {};
    std::vector<std::string> numbers;
    for (unsigned s = 0; s < exec::kMaxSamples; ++s)
        if ((some >> s & 1) != 0)
            numbers.push_back(std::to_string(s));
    return (numbers.size() == 1 ? " of sample " : " of samples ") + joined(numbers);
}

/// "src * src_alpha + dst * inv_src_alpha".
std::string equation_text(exec::BlendFunc func, BlendFactor src, BlendFactor dst) {
    if (func == exec::BlendFunc::Min || func == exec::BlendFunc::Max)
        return name_of(func) + "(src, dst)";
    const std::string source = "src * " + name_of(src);
    const std::string destination = "dst * " + name_of(dst);
    switch (func) {
    case exec::BlendFunc::Subtract: return source + " - " + destination;
    case exec::BlendFunc::ReverseSubtract: return destination + " - " + source;
    default: return source + " + " + destination;
    }
}

std::string float_text(uint32_t word) {
    return number_text(static_cast<double>(std::bit_cast<float>(word)));
}

/// The words as float_text() or another function writes each.
template <typename Write>
std::vector<std::string> texts(std::span<const uint32_t> words, Write&& write) {
    std::vector<std::string> made;
    for (const uint32_t word : words)
        made.push_back(write(word));
    return made;
}

std::string signed_text(uint32_t word) {
    return std::to_string(static_cast<int32_t>(word));
}

}  // namespace

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? std::string() : std::string(between)) + part;
    return text;
}

std::string number_text(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

std::string value_text(const exec::FormatInfo& info, uint32_t word) {
    if (info.type == exec::ChannelType::Uint)
        return std::to_string(word);
    if (info.type == exec::ChannelType::Sint)
        return std::to_string(static_cast<int32_t>(word));
    return float_text(word);
}

std::vector<std::string> color_numbers(const Texel& texel, uint32_t sample) {
    const exec::FormatInfo& info = exec::format_info(texel.format);
    const raster::Values color = texel.color(sample);
    std::vector<std::string> numbers;
    for (unsigned c = 0; c < 4; ++c)
        if (info.swizzle[c] < exec::Swizzle::Zero)
            numbers.push_back(value_text(info, color[c]));
    return numbers;
}

std::pair<std::string, std::string> depth_stencil_numbers(const Texel& texel, uint32_t sample) {
    const raster::DepthLayout layout = raster::depth_layout(texel.format);
    const raster::DepthStencil value = texel.depth_stencil(sample);
    const double depth = static_cast<double>(raster::decode_depth(texel.format, value.depth));
    return {layout.depth >= 0 ? number_text(depth) : "",
            layout.stencil >= 0 ? std::to_string(value.stencil) : ""};
}

std::string byte_text(const Texel& texel, uint32_t sample) {
    std::string bytes;
    for (const uint8_t byte : texel.sample(sample)) {
        char text[8];
        std::snprintf(text, sizeof text, "%s%02X", bytes.empty() ? "" : " ", byte);
        bytes += text;
    }
    return bytes;
}

std::vector<std::string> sent_numbers(const SentColor& color, const exec::BlendKey& blend) {
    const exec::FormatInfo& info = exec::format_info(blend.format);
    return texts(color.color, [&](uint32_t word) { return value_text(info, word); });
}

std::vector<std::string> input_numbers(const LoadedInput& input) {
    return texts(input.values, float_text);
}

std::vector<std::string> coordinate_numbers(const TexelRead& read) {
    const bool integer =
        read.message.integer_coordinates || read.message.op == exec::TextureOp::Fetch;
    std::vector<std::string> numbers = texts(read.coordinates, integer ? signed_text : float_text);
    if (read.message.array && !numbers.empty())
        numbers.back() = signed_text(read.coordinates.back());
    return numbers;
}

std::vector<std::string> result_numbers(const TexelRead& read) {
    if (read.message.half || read.message.register_type == 1)
        return texts(read.result, float_text);
    if (read.message.register_type == 2)
        return texts(read.result, [](uint32_t word) { return std::to_string(word); });
    return texts(read.result, signed_text);
}

std::string sample_text(const Texel& texel, uint32_t sample) {
    if (texel.bytes.empty())
        return "unknown";
    return texel.is_depth_stencil() ? depth_text(texel, sample) : color_text(texel, sample);
}

std::string texel_text(const Texel& texel, std::optional<uint32_t> sample) {
    if (sample && *sample < texel.samples)
        return sample_text(texel, *sample);
    std::vector<std::string> samples;
    for (uint32_t s = 0; s < texel.samples; ++s)
        samples.push_back(sample_text(texel, s));
    if (std::ranges::all_of(samples, [&](const std::string& s) { return s == samples.front(); }))
        return samples.front();
    return "[" + joined(samples, " | ") + "]";
}

std::string entry_title(const Entry& entry) {
    const std::string draw = "draw " + std::to_string(entry.draw);
    switch (entry.kind) {
    case EntryKind::Start: return "at the beginning";
    case EntryKind::Clear: return "clear";
    case EntryKind::Fragment:
        return draw + ", primitive " + std::to_string(entry.fragment->primitive) +
               (entry.fragment->back ? ", back facing" : ", front facing");
    case EntryKind::Stores: return draw + ", by image stores of its shaders";
    case EntryKind::Draw: return draw + ", not by a fragment at this pixel that was seen";
    case EntryKind::Upload: return "upload";
    case EntryKind::ClearTexture: return "clear of the texture";
    case EntryKind::Copy: return "copy";
    case EntryKind::Blit:
        return entry.source && entry.source->value.samples > entry.after.samples ? "resolve"
                                                                                 : "blit";
    case EntryKind::Dispatch: return "dispatch";
    }
    return {};
}

std::string_view kind_name(EntryKind kind) {
    constexpr std::string_view kNames[] = {"start", "clear",   "fragment",      "stores",
                                           "draw",  "upload",  "clear_texture", "copy",
                                           "blit",  "dispatch"};
    return kNames[static_cast<size_t>(kind)];
}

std::string_view killer_name(const Loss& loss) {
    switch (loss.killer) {
    case Killer::Stencil: return loss.early ? "early stencil test" : "stencil test";
    case Killer::Depth: return loss.early ? "early depth test" : "depth test";
    case Killer::Discard: return "discard";
    case Killer::AlphaTest: return "alpha test";
    case Killer::AlphaToCoverage: return "alpha to coverage";
    case Killer::ShaderSampleMask: return "the shader's sample mask";
    }
    return {};
}

std::string_view read_verb(const TexelRead& read) {
    constexpr std::string_view kOps[] = {"sampled", "fetched", "gathered"};
    return kOps[static_cast<size_t>(read.message.op)];
}

uint32_t samples_shown(std::optional<uint32_t> sample) {
    return sample && *sample < exec::kMaxSamples ? 1U << *sample : 0xFFFFFFFF;
}

bool has_passed(const Fragment& fragment, std::optional<uint32_t> sample) {
    return (fragment.written & samples_shown(sample)) != 0;
}

std::string fate_text(const Fragment& fragment, uint32_t samples) {
    if (!fragment.fault.empty())
        return "the interpreter stopped: " + fragment.fault;
    const uint32_t covered = fragment.coverage & samples;
    const uint32_t written = fragment.written & samples;
    if (written == covered)
        return covered != 0 ? "passed" : "does not cover the sample";
    std::vector<std::string> parts;
    if (written != 0)
        parts.push_back("passed" + samples_text(written, covered));
    for (const Loss& loss : fragment.losses)
        if ((loss.samples & samples) != 0)
            parts.push_back("killed by " + std::string(killer_name(loss)) +
                            samples_text(loss.samples & samples, covered));
    return joined(parts);
}

std::string loss_text(const Loss& loss, uint32_t samples) {
    const std::string name(killer_name(loss));
    const auto number = [](float value) { return number_text(static_cast<double>(value)); };
    switch (loss.killer) {
    case Killer::Depth:
        return name + ": " + number(loss.value) + " " + name_of(loss.func) + " stored " +
               number(loss.against) + " is false" + samples_text(loss.samples, samples);
    case Killer::Stencil:
        return name + ": reference " + number(loss.value) + " " + name_of(loss.func) + " stored " +
               number(loss.against) + ", both masked by " + std::to_string(loss.read_mask) +
               ", is false" + samples_text(loss.samples, samples);
    case Killer::AlphaTest:
        return name + ": alpha " + number(loss.value) + " " + name_of(loss.func) + " reference " +
               number(loss.against) + " is false";
    case Killer::AlphaToCoverage: return name + ": alpha " + number(loss.value);
    case Killer::Discard:
    case Killer::ShaderSampleMask: break;
    }
    return {};
}

std::string input_name(const LoadedInput& input) {
    constexpr std::string_view kNames[] = {"GENERIC", "COLOR",  "BCOLOR",         "TEXCOORD",
                                           "FOG",     "PCOORD", "CLIPDIST",       "CLIPVERTEX",
                                           "PRIM_ID", "LAYER",  "VIEWPORT_INDEX", "EDGEFLAG"};
    std::string text(kNames[static_cast<size_t>(input.slot.name)]);
    text += "[" + std::to_string(input.slot.index) + "].";
    for (size_t i = 0; i < input.values.size() && input.first + i < 4; ++i)
        text += "xyzw"[input.first + i];
    return text;
}

std::string blend_text(const exec::BlendKey& blend) {
    std::string text;
    if (blend.logic_op_enable)
        text = "logic op " + name_of(blend.logic_op);
    else if (!blend.enable)
        text = "off";
    else
        text = "rgb = " + equation_text(blend.rgb_func, blend.rgb_src, blend.rgb_dst) +
               ", alpha = " + equation_text(blend.alpha_func, blend.alpha_src, blend.alpha_dst);
    if (blend.write_mask == 0xF)
        return text;
    text += ", write mask ";
    for (unsigned c = 0; c < 4; ++c)
        text += (blend.write_mask >> c & 1) != 0 ? "rgba"[c] : '-';
    return text;
}

/// ", level 2", ", levels 1 and 2 (25 % of it)"; nothing if the view has one level.
std::string levels_text(const TexelRead& read) {
    if (read.view_levels <= 1)
        return {};
    if (!read.levels)
        return ", no such level";
    std::string text = ", level";
    if (read.levels->weight == 0)
        return text + " " + std::to_string(read.levels->level);
    return text + "s " + std::to_string(read.levels->level) + " and " +
           std::to_string(read.levels->second) + " (" +
           std::to_string((100 * read.levels->weight + 128) / 256) + " % of it)";
}

std::string read_text(const TexelRead& read) {
    const bool cube = (read.message.dimension & 3) == 3;
    return "unit " + std::to_string(read.unit) + ", " +
           (read.texture.empty() ? std::string("nothing bound") : read.texture) + ", " +
           std::string(read_verb(read)) +
           (cube ? std::string(" on a cube") : " at " + joined(coordinate_numbers(read))) +
           levels_text(read);
}

std::string spot_text(const std::string& texture, const Spot& spot) {
    std::string text = texture + ", texel " + std::to_string(spot.x) + "," + std::to_string(spot.y);
    if (spot.level != 0)
        text += " of level " + std::to_string(spot.level);
    if (spot.z != 0)
        text += ", layer " + std::to_string(spot.z);
    return text;
}

std::string debug_command(const History& history, const Entry& entry) {
    if (entry.kind != EntryKind::Fragment)
        return {};
    return history.command + " --pixel " + std::to_string(history.spot.x) + "," +
           std::to_string(history.spot.y) + " --draw " + std::to_string(entry.draw) + " --hit " +
           std::to_string(entry.fragment->hit);
}

}  // namespace valkyr::debug

// Messages and steps as text: textures read, coverage, stores; the export of a recording.
// SPDX-License-Identifier: MIT
#include "app/debug/console/console.hpp"
#include "app/debug/console/picture.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

std::vector<std::string>
value_picture(exec::Stage stage, const exec::Lanes& lanes, uint16_t mask, NumberFormat format) {
    return lane_picture(stage, [&](unsigned lane) {
        return (mask >> lane & 1) != 0 ? format_number(lanes.v[lane], format) : std::string("-");
    });
}

/// Sample masks: '#' for one sample, hexadecimal digits for several.
std::vector<std::string>
coverage_picture(const WarpCase& warp, const exec::Lanes& lanes, uint16_t mask) {
    return lane_picture(warp.stage(), [&](unsigned lane) {
        if ((mask >> lane & 1) == 0 || lanes.v[lane] == 0)
            return std::string(".");
        return warp.samples() == 1 ? std::string("#")
                                   : format_number(lanes.v[lane], NumberFormat::Hex);
    });
}

std::string texture_title(const Message& message) {
    constexpr std::string_view kOps[] = {"sampled", "fetched", "gathered"};
    constexpr std::string_view kDimensions[] = {"1D", "2D", "3D", "cube"};
    const exec::TextureMessage& t = message.texture;
    std::string text = "texture " + std::to_string(message.unit) + " (" +
                       std::string(kDimensions[t.dimension & 3]) + (t.array ? " array" : "") +
                       (t.shadow ? ", shadow" : "") + ") " +
                       std::string(kOps[static_cast<size_t>(t.op)]);
    if (t.op != exec::TextureOp::Fetch)
        text += ", sampler " + std::to_string(message.sampler);
    return text;
}

std::string title_of(const Debugger& debugger, const Message& message) {
    switch (message.kind) {
    case MessageKind::Texture: return texture_title(message);
    case MessageKind::Attribute: return "attribute " + std::to_string(message.unit);
    case MessageKind::Varying:
        return "varying slot " + std::to_string(message.unit / 16) + " from ." +
               "xyzw"[message.unit / 4 % 4];
    case MessageKind::Blend: return "BLEND to target " + std::to_string(message.unit);
    case MessageKind::Store:
        return std::string(message.out.empty() ? "store to thread-local storage" : "store") +
               ", offset " + std::to_string(static_cast<int32_t>(message.unit));
    case MessageKind::ImageLoad:
    case MessageKind::ImageAddress:
        return std::string(message_name(message.kind)) + " " + std::to_string(message.unit);
    default: (void)debugger; return std::string(message_name(message.kind));
    }
}

/// The name of each group of values.
std::string_view input_name(MessageKind kind) {
    switch (kind) {
    case MessageKind::Texture: return "coordinate ";
    case MessageKind::Blend: return "colour ";
    case MessageKind::Atest: return "alpha ";
    case MessageKind::ZsEmit: return "value ";
    default: return "in ";
    }
}

NumberFormat input_format(const Message& message) {
    const bool integers =
        message.kind == MessageKind::Attribute || message.kind == MessageKind::ImageLoad ||
        message.kind == MessageKind::ImageAddress ||
        (message.kind == MessageKind::Texture && message.texture.integer_coordinates);
    return integers ? NumberFormat::Signed : NumberFormat::Float;
}

std::string hex_mask(uint16_t lanes) {
    return format_number(lanes, NumberFormat::Hex).substr(4);
}

}  // namespace

std::string describe_message(const Debugger& debugger, const Message& message) {
    const WarpCase& warp = *debugger.session().warp;
    const exec::Stage stage = warp.stage();
    std::vector<std::pair<std::string, std::vector<std::string>>> pictures;
    for (size_t i = 0; i < message.in.size(); ++i)
        pictures.emplace_back(
            std::string(input_name(message.kind)) + std::to_string(i),
            value_picture(stage, message.in[i], message.lanes, input_format(message)));
    const bool addresses =
        message.kind == MessageKind::Store || message.kind == MessageKind::ImageAddress;
    for (size_t i = 0; i < message.out.size(); ++i)
        pictures.emplace_back((addresses ? "address " : "result ") + std::to_string(i),
                              value_picture(stage, message.out[i], message.lanes,
                                            addresses ? NumberFormat::Hex : NumberFormat::Float));
    if (message.has_coverage) {
        const bool blend = message.kind == MessageKind::Blend;
        pictures.emplace_back(blend ? "covered" : "coverage before",
                              coverage_picture(warp, message.coverage_before, message.lanes));
        if (!blend)
            pictures.emplace_back("after",
                                  coverage_picture(warp, message.coverage_after, message.lanes));
    }
    const uint32_t word = debugger.recording().steps()[message.step].word;
    const uint32_t line = debugger.line_of(word);
    return "step " + std::to_string(message.step) + ", word " + std::to_string(word) +
           (line != 0 ? ", line " + std::to_string(line) : "") + ": " +
           title_of(debugger, message) + "\n" + beside(pictures);
}

std::string info_messages(const Debugger& debugger, std::span<const MessageKind> kinds) {
    std::string text;
    for (const Message& message : debugger.recording().messages()) {
        const bool early = message.kind == MessageKind::EarlyZs;
        if (message.step >= debugger.cursor().position() && !early)
            break;
        if (debugger.recording().steps()[message.step].warp != debugger.warp())
            continue;
        if (kinds.empty() || std::ranges::find(kinds, message.kind) != kinds.end())
            text += describe_message(debugger, message);
    }
    return text.empty() ? "nothing up to here\n" : text;
}

std::string export_text(const Debugger& debugger) {
    const Recording& recording = debugger.recording();
    const bool group = recording.warps() > 1;
    std::string text = "# " + debugger.session().title + "\n# step " + (group ? "warp " : "") +
                       "word line lanes instruction\n";
    for (size_t i = 0; i < recording.steps().size(); ++i) {
        const Step& step = recording.steps()[i];
        text += std::to_string(i) + " " + (group ? std::to_string(step.warp) + " " : "") +
                std::to_string(step.word) + " " + std::to_string(debugger.line_of(step.word)) +
                " " + hex_mask(step.lanes) + " " + debugger.session().listing.words[step.word] +
                "\n";
        for (const RegisterChange& change : recording.register_changes(i)) {
            text += "  r" + std::to_string(change.reg) + " =";
            for (const uint32_t value : change.after.v)
                text += " " + format_number(value, NumberFormat::Hex);
            text += "\n";
        }
    }
    return text;
}

}  // namespace valkyr::debug

// History lines: says what an entry of a history has, as labels and texts.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_lines.hpp"

#include "app/debug/history/history_words.hpp"

namespace valkyr::debug {

namespace {

/// Collects the lines of one entry.
class Lines {
public:
    explicit Lines(std::optional<uint32_t> sample)
        : sample_(sample)
        , samples_(samples_shown(sample)) {}

    std::vector<Line> of(const History& history, const Entry& entry) {
        if (entry.kind == EntryKind::Start) {
            line("value", texel_text(entry.after, sample_));
            return std::move(lines_);
        }
        change("value", entry.before, entry.after);
        if (entry.depth_before && entry.depth_after)
            change("beside", *entry.depth_before, *entry.depth_after);
        if (entry.source)
            line("from", spot_text(entry.source->texture, entry.source->spot) + ": " +
                             texel_text(entry.source->value, std::nullopt) +
                             (entry.source->filtered ? ", filtered with its neighbours" : ""));
        if (entry.fragment)
            fragment(*entry.fragment);
        line("debug", debug_command(history, entry));
        return std::move(lines_);
    }

private:
    void line(std::string_view label, std::string text) {
        if (!text.empty())
            lines_.push_back({label, std::move(text)});
    }

    void change(std::string_view label, const Texel& before, const Texel& after) {
        const std::string old = texel_text(before, sample_);
        const std::string made = texel_text(after, sample_);
        line(label, old == made ? made + ", unchanged" : old + " -> " + made);
    }

    void fragment(const Fragment& fragment) {
        for (const Loss& loss : fragment.losses)
            if ((loss.samples & samples_) != 0)
                line("test", loss_text(loss, fragment.coverage));
        for (const SentColor& color : fragment.colors)
            if ((color.samples & samples_) != 0)
                line("shader", joined(sent_numbers(color, fragment.blend)));
        if (!fragment.colors.empty())
            line("blend", blend_text(fragment.blend));
        for (const LoadedInput& input : fragment.inputs)
            line("input", input_name(input) + " = " + joined(input_numbers(input)));
        for (const TexelRead& read : fragment.reads)
            line("texel", read_text(read) + " = " + joined(result_numbers(read)));
        if (fragment.interpreted)
            line("differs", differing(fragment) + texel_text(*fragment.interpreted, sample_));
    }

    static std::string differing(const Fragment& fragment) {
        if (!fragment.reads_target && !fragment.side_effects)
            return "the interpreter makes ";
        return std::string("the shader ") +
               (fragment.reads_target ? "reads its own target" : "writes to memory") +
               "; run again, after the draw, it makes ";
    }

    std::optional<uint32_t> sample_;
    uint32_t samples_;
    std::vector<Line> lines_;
};

}  // namespace

std::string place_text(const History& history) {
    const raster::TextureDesc& desc = history.desc;
    return spot_text(history.texture, history.spot) + " (" +
           std::string(exec::format_info(desc.format).name) + ", " + std::to_string(desc.width) +
           "x" + std::to_string(desc.height) +
           (desc.samples > 1 ? ", " + std::to_string(desc.samples) + " samples)" : ")");
}

std::string title_text(const History& history) {
    return history.what + ": " + place_text(history);
}

std::string writer_text(const History& history) {
    const std::string where = " this " + history.whole;
    if (history.writer() == 0)
        return "nothing wrote this texel before that in" + where;
    const Entry& entry = history.entries[history.writer()];
    const std::string title = entry_title(entry);
    const bool is_draw = title.starts_with("draw ");
    return "this texel was written by " +
           (is_draw ? "draw " + std::to_string(entry.draw)
                    : (title.starts_with("upload") ? "an " : "a ") + title) +
           " of" + where;
}

std::vector<std::shared_ptr<const History>> followed(const Entry& entry) {
    std::vector<std::shared_ptr<const History>> histories;
    if (entry.source && entry.source->history)
        histories.push_back(entry.source->history);
    if (entry.fragment)
        for (const TexelRead& read : entry.fragment->reads)
            if (read.source && read.source->history)
                histories.push_back(read.source->history);
    return histories;
}

std::vector<Line>
entry_lines(const History& history, const Entry& entry, std::optional<uint32_t> sample) {
    return Lines(sample).of(history, entry);
}

std::vector<std::string> count_lines(const History& history) {
    std::vector<std::string> lines;
    const auto count = [&](uint32_t draws, const std::string& which) {
        if (draws != 0)
            lines.push_back(std::to_string(draws) + (draws == 1 ? " draw " : " draws ") + which);
    };
    count(history.draws_outside, "to this texture, not over this texel");
    count(history.draws_scissored, "whose scissor leaves it out");
    if (history.not_followed != 0)
        lines.push_back(std::to_string(history.not_followed) + " more texels that values come " +
                        "from are not followed; the most are " + std::to_string(kMostFollowed));
    return lines;
}

}  // namespace valkyr::debug

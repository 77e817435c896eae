// History text: writes a pixel's history as lines for a terminal.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_text.hpp"

#include "app/debug/history/history_words.hpp"

#include <bit>

namespace valkyr::debug {

namespace {

/// Writes the entries of one history.
class Text {
public:
    Text(const History& history, std::optional<uint32_t> sample, const app::Style& style)
        : history_(history)
        , sample_(sample)
        , samples_(sample ? 1U << *sample : 0xFFFFFFFF)
        , style_(style) {}

    std::string all() {
        text_ = history_.what + ": " + spot_text(history_.texture, history_.spot) + " (" +
                std::string(exec::format_info(history_.desc.format).name) + ", " +
                std::to_string(history_.desc.width) + "x" + std::to_string(history_.desc.height) +
                (history_.desc.samples > 1
                     ? ", " + std::to_string(history_.desc.samples) + " samples)\n"
                     : ")\n");
        for (size_t i = 0; i < history_.entries.size(); ++i)
            entry(history_.entries[i], i);
        count(history_.draws_outside, "to this texture, not over this texel");
        count(history_.draws_scissored, "whose scissor leaves it out");
        return text_ + "value: " + texel_text(history_.value(), sample_) + "\n";
    }

private:
    void line(const std::string& label, const std::string& text) {
        if (!text.empty())
            text_ += "     " + label + std::string(label.size() < 8 ? 8 - label.size() : 0, ' ') +
                     " " + text + "\n";
    }

    void count(uint32_t draws, const std::string& which) {
        if (draws != 0)
            text_ += "     " + std::to_string(draws) + (draws == 1 ? " draw " : " draws ") + which +
                     "\n";
    }

    void change(const std::string& label, const Texel& before, const Texel& after) {
        const std::string old = texel_text(before, sample_);
        const std::string made = texel_text(after, sample_);
        line(label, old == made ? made + ", unchanged" : old + " -> " + made);
    }

    void entry(const Entry& entry, size_t number) {
        std::string head = std::to_string(number);
        head.insert(0, head.size() < 3 ? 3 - head.size() : 0, ' ');
        text_ += head + "  " + entry_title(entry);
        if (entry.fragment) {
            const Fragment& fragment = *entry.fragment;
            const bool passed = (fragment.written & samples_) != 0;
            text_ += ": " + style_.paint(passed ? app::Tone::Good : app::Tone::Bad,
                                         fate_text(fragment, samples_));
        }
        text_ += "\n";
        if (entry.kind == EntryKind::Start) {
            line("value", texel_text(entry.after, sample_));
            return;
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
        line("debug", debug_command(history_, entry));
    }

    void fragment(const Fragment& fragment) {
        for (const Loss& loss : fragment.losses)
            if ((loss.samples & samples_) != 0)
                line("test", loss_text(loss, fragment.coverage));
        const exec::FormatInfo& format = exec::format_info(fragment.blend.format);
        for (const SentColor& color : fragment.colors)
            if ((color.samples & samples_) != 0)
                line("shader", color_values(color, format));
        if (!fragment.colors.empty())
            line("blend", blend_text(fragment.blend));
        for (const LoadedInput& input : fragment.inputs)
            line("input", input_name(input) + " = " + floats(input.values));
        for (const TexelRead& read : fragment.reads)
            line("texel", read_text(read) + " = " + results(read));
        if (fragment.interpreted)
            line("differs", differing(fragment) + texel_text(*fragment.interpreted, sample_));
    }

    static std::string differing(const Fragment& fragment) {
        return fragment.reads_target ? "the shader reads its own target; run again, after the "
                                       "draw, it makes "
                                     : "the interpreter makes ";
    }

    static std::string color_values(const SentColor& color, const exec::FormatInfo& format) {
        std::string text;
        for (const uint32_t word : color.color)
            text += (text.empty() ? "" : ", ") + value_text(format, word);
        return text;
    }

    static std::string floats(const std::vector<uint32_t>& words) {
        std::string text;
        for (const uint32_t word : words)
            text += (text.empty() ? "" : ", ") +
                    number_text(static_cast<double>(std::bit_cast<float>(word)));
        return text;
    }

    static std::string results(const TexelRead& read) {
        if (read.message.half || read.message.register_type == 1)
            return floats(read.result);
        std::string text;
        for (const uint32_t word : read.result)
            text += (text.empty() ? "" : ", ") + (read.message.register_type == 2
                                                      ? std::to_string(word)
                                                      : std::to_string(static_cast<int32_t>(word)));
        return text;
    }

    const History& history_;
    std::optional<uint32_t> sample_;
    uint32_t samples_;
    const app::Style& style_;
    std::string text_;
};

}  // namespace

std::string
history_text(const History& history, std::optional<uint32_t> sample, const app::Style& style) {
    return Text(history, sample, style).all();
}

}  // namespace valkyr::debug

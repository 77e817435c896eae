// Assembler: reads a file of comments, labels and lines.
// SPDX-License-Identifier: MIT
#include "valhall/text/assemble.hpp"

#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble_p.hpp"

namespace valkyr::valhall {
namespace {

/// A line with an instruction, without its labels.
struct Line {
    Piece text;
    uint32_t number = 0;
};

bool is_label_char(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Length of the label's name at the start of the text, 0 if there is none: name, then ':'.
size_t label_length(std::string_view text) {
    size_t length = 0;
    while (length < text.size() && is_label_char(text[length]))
        ++length;
    const bool is_label = length > 0 && length < text.size() && text[length] == ':' &&
                          (text[0] < '0' || text[0] > '9');
    return is_label ? length : 0;
}

/// First pass: finds the lines that hold instructions, and where labels point.
class Scanner {
public:
    Scanner(std::string_view text, std::vector<Error>& errors)
        : errors_(errors) {
        uint32_t number = 0;
        for (size_t at = 0; at <= text.size(); ++number) {
            const size_t end = std::min(text.find('\n', at), text.size());
            scan_line(text.substr(at, end - at), number + 1);
            at = end + 1;
        }
    }
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    [[nodiscard]] const Labels& labels() const { return labels_; }

private:
    void scan_line(std::string_view text, uint32_t number) {
        if (!text.empty() && text.back() == '\r')
            text.remove_suffix(1);
        Piece rest = trim({text, 1});
        while (const size_t length = label_length(rest.text)) {
            const Piece name = sub_piece(rest, 0, length);
            if (!labels_.emplace(name.text, lines_.size()).second)
                errors_.push_back({Errc::Semantic,
                                   {number, name.column},
                                   "label " + quote(name.text) + " is defined twice"});
            rest = trim(sub_piece(rest, length + 1));
        }
        if (!rest.text.empty() && rest.text[0] != '#')
            lines_.push_back({rest, number});
    }

    std::vector<Error>& errors_;
    std::vector<Line> lines_;
    Labels labels_;
};

Result<uint64_t> assemble_one(const Line& line, LabelScope scope) {
    VALKYR_TRY(instr, parse_instr(line.text, scope));
    return encode(instr);
}

}  // namespace

Assembly assemble(std::string_view text, size_t max_errors) {
    Assembly result;
    const Scanner scanner(text, result.errors);
    const std::vector<Line>& lines = scanner.lines();
    for (size_t i = 0; i < lines.size() && result.errors.size() < max_errors; ++i) {
        auto word = assemble_one(lines[i], {&scanner.labels(), i});
        if (!word.has_value()) {
            Error error = std::move(word).error();
            error.pos.line = lines[i].number;
            result.errors.push_back(std::move(error));
        } else if (result.errors.empty()) {
            result.words.push_back(*word);
            result.lines.push_back(lines[i].number);
        }
    }
    return result;
}

}  // namespace valkyr::valhall

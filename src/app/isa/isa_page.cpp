// ISA page: prints the instruction set reference for a terminal.
// SPDX-License-Identifier: MIT
#include "app/isa/isa_fields.hpp"
#include "app/isa/isa_reference.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <algorithm>
#include <cctype>

namespace valkyr::app {

using namespace valhall;

namespace {

constexpr size_t kWidth = 96;
constexpr unsigned kBitsPerRow = 16;
constexpr unsigned kCharsPerBit = 5;

std::string pad(std::string text, size_t width) {
    if (text.size() < width)
        text.append(width - text.size(), ' ');
    return text;
}

std::string hex(uint64_t value, unsigned digits) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text = "0x";
    while (digits-- > 0)
        text += kDigits[value >> (4 * digits) & 15];
    return text;
}

/// Wraps the text at blanks and indents every line by `indent` blanks.
std::string wrap(std::string_view text, size_t indent) {
    std::string out(indent, ' ');
    size_t column = indent;
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (column > indent && column + 1 + word.size() > kWidth) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
        }
        if (column > indent) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
    }
    return out + '\n';
}

/// The part of a field that lies in one row of the picture.
struct Box {
    unsigned high = 0;
    unsigned low = 0;
    std::string label;
};

std::string constant_label(const Field& field, unsigned low, unsigned high) {
    std::string bits;
    for (unsigned bit = high + 1; bit-- > low;)
        bits += (field.constant >> (bit - field.bits.start) & 1) != 0 ? '1' : '0';
    return bits;
}

/// The boxes of the bits `low` to `low + 15`, from the highest down; bits without a field are
/// zeros.
std::vector<Box> boxes_of(const std::vector<Field>& fields, unsigned low) {
    std::vector<Box> boxes;
    const unsigned row_high = low + kBitsPerRow - 1;
    for (int bit = static_cast<int>(row_high); bit >= static_cast<int>(low);) {
        const auto at = static_cast<unsigned>(bit);
        const auto field = std::find_if(fields.begin(), fields.end(), [at](const Field& f) {
            return at >= f.bits.start && at < unsigned{f.bits.start} + f.bits.size;
        });
        Box box{at, at, "0"};
        if (field != fields.end()) {
            box.low = std::max<unsigned>(field->bits.start, low);
            box.label =
                field->is_constant ? constant_label(*field, box.low, box.high) : field->label;
        } else if (!boxes.empty() &&
                   boxes.back().label.find_first_not_of('0') == std::string::npos &&
                   !boxes.back().label.empty()) {
            boxes.back().low = at;
            boxes.back().label += '0';
            --bit;
            continue;
        }
        boxes.push_back(box);
        bit = static_cast<int>(box.low) - 1;
    }
    return boxes;
}

std::string picture_row(const std::vector<Box>& boxes) {
    std::string numbers;
    std::string rule = "+";
    std::string labels = "|";
    for (const Box& box : boxes) {
        const size_t width = (box.high - box.low + 1) * kCharsPerBit - 1;
        std::string number = std::to_string(box.high);
        if (box.low != box.high) {
            const std::string last = std::to_string(box.low);
            number += std::string(width - number.size() - last.size(), ' ') + last;
        }
        numbers += ' ' + pad(number, width);
        rule += std::string(width, '-') + '+';
        const std::string label = box.label.substr(0, width);
        const size_t left = (width - label.size()) / 2;
        labels += pad(std::string(left, ' ') + label, width) + '|';
    }
    return "  " + numbers + "\n  " + rule + "\n  " + labels + "\n  " + rule + '\n';
}

std::string picture(const std::vector<Field>& fields) {
    std::string out;
    for (unsigned low = 64; low > 0;) {
        low -= kBitsPerRow;
        out += picture_row(boxes_of(fields, low));
    }
    return out;
}

std::string value_line(const FieldValue& value) {
    std::string text = "            " + pad(std::to_string(value.number), 4) +
                       pad(value.token.empty() ? "-" : '.' + value.token, 16) + value.note;
    if (value.is_default)
        text += value.note.empty() ? "(default)" : " (default)";
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
}

/// Whether a field is one bit that one token sets.
bool is_flag(const Field& field) {
    return field.bits.size == 1 && field.values.size() == 2 && field.values[0].token.empty() &&
           field.values[0].note.empty();
}

std::string field_text(const Field& field) {
    std::string out = "  " + pad('[' + bits_text(field.bits) + ']', 10);
    out += field.name;
    if (field.is_constant)
        out += " = " + hex(field.constant, (field.bits.size + 3u) / 4);
    if (is_flag(field)) {
        out += ": ." + field.values[1].token;
        return out + (field.values[1].note.empty() ? "" : ", " + field.values[1].note) + '\n';
    }
    out += '\n';
    if (!field.note.empty())
        out += wrap(field.note, 12);
    for (const FieldValue& value : field.values)
        out += value_line(value);
    return out;
}

std::string effects_text(const OpInfo& info) {
    std::string out;
    for (const EffectInfo& effect : effects_of(info))
        out += "  " + pad(std::string(effect.name), 14) + wrap(effect.note, 16).substr(16);
    return out.empty() ? out : "\nEFFECTS\n" + out;
}

std::string rejections_text(const OpInfo& info) {
    std::string out;
    for (const RejectionInfo& rejection : info.rejections)
        out += wrap(rejection_condition(info, rejection) + ": " + std::string(rejection.reason), 2);
    return out.empty() ? out : "\nREJECTED\n" + out;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

}  // namespace

std::string isa_page(const OpInfo& info) {
    const auto fields = fields_of(info);
    std::string out = std::string(info.name) + " - " + std::string(info.title) + '\n';
    out += "unit " + std::string(unit_name(info.unit)) +
           (is_alu(info.unit) ? ", arithmetic" : ", message") + "; type size " +
           std::to_string(info.type_size) + "; stages";
    for (const std::string_view stage : stages_of(info))
        out += ' ' + std::string(stage);
    out += "\n\n";
    out += wrap(info.description, 2) + effects_text(info) + "\nSYNTAX\n" + wrap(syntax_of(info), 2);
    out += "\nENCODING\n" + picture(fields) + "\nFIELDS\n";
    for (const Field& field : fields)
        if (field.name != "flow")
            out += field_text(field);
    out += "  flow, at [" + bits_text({kFlowStart, kFlowSize}) +
           "], is the same for every instruction\n" + rejections_text(info);
    const Instr example = example_of(info);
    const auto word = encode(example);
    out += "\nEXAMPLE\n  " + (word.has_value() ? to_hex_form(*word) : std::string()) + "    " +
           disassemble(example) + '\n';
    return out;
}

std::string isa_list(std::optional<Unit> unit) {
    std::string out;
    for (const OpInfo& info : all_ops()) {
        if (unit && info.unit != *unit)
            continue;
        out += pad(std::string(info.name), 24) + pad(std::string(unit_name(info.unit)), 6) +
               hex(info.opcode, 3) + "  " + std::string(info.title) + '\n';
    }
    return out;
}

std::vector<std::string> isa_suggestions(std::string_view text) {
    std::vector<std::string> names;
    const std::string wanted = lower(text);
    for (const OpInfo& info : all_ops())
        if (lower(info.name).find(wanted) != std::string::npos)
            names.emplace_back(info.name);
    return names;
}

}  // namespace valkyr::app

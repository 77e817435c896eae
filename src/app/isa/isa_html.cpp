// ISA as HTML: prints the instruction set reference as one page.
// SPDX-License-Identifier: MIT
#include "app/cli/html.hpp"
#include "app/isa/isa_fields.hpp"
#include "app/isa/isa_reference.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/source_byte.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <algorithm>

namespace valkyr::app {

using namespace valhall;

namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Valhall instruction set</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
h2 { border-top: 1px solid #ccc; padding-top: 1em; font-family: monospace; }
h2 small { font: 15px sans-serif; color: #666; }
table { border-collapse: collapse; margin: .6em 0; }
td, th { border: 1px solid #bbb; padding: .1em .5em; text-align: left; vertical-align: top; }
table.word { width: 100%; table-layout: fixed; font: 12px monospace; }
table.word td { text-align: center; overflow: hidden; padding: .3em 0; }
table.word td.constant { background: #eee; color: #555; }
code, pre { font-family: monospace; background: #f6f6f6; }
nav a { display: inline-block; min-width: 13em; font-family: monospace; }
</style></head><body>
<h1>Valhall instruction set</h1>
<p>Made by <code>valkyr isa --html</code> from <code>xml/valhall.xml</code>. Bits are numbered from 0, the
least significant. Grey bits are constant. A value marked * is the default and is not written.</p>
)";

std::string element(std::string_view tag, const std::string& content) {
    return '<' + std::string(tag) + '>' + content + "</" + std::string(tag) + '>';
}

std::string constant_bits(const Field& field, unsigned low, unsigned high) {
    std::string bits;
    for (unsigned bit = high + 1; bit-- > low;)
        bits += (field.constant >> (bit - field.bits.start) & 1) != 0 ? '1' : '0';
    return bits;
}

/// Bits `low` to `low + 31` as a row of cells.
std::string word_row(const std::vector<Field>& fields, unsigned low) {
    std::string numbers;
    std::string cells;
    for (unsigned bit = low + 32; bit-- > low;)
        numbers += element("td", std::to_string(bit));
    for (int bit = static_cast<int>(low) + 31; bit >= static_cast<int>(low);) {
        const auto high = static_cast<unsigned>(bit);
        const auto field = std::find_if(fields.begin(), fields.end(), [high](const Field& f) {
            return high >= f.bits.start && high < unsigned{f.bits.start} + f.bits.size;
        });
        const unsigned first =
            field == fields.end() ? high : std::max<unsigned>(field->bits.start, low);
        std::string text = "0";
        if (field != fields.end())
            text = field->is_constant ? constant_bits(*field, first, high)
                                      : html_escaped(field->label);
        const bool constant = field == fields.end() || field->is_constant;
        cells += "<td colspan=\"" + std::to_string(high - first + 1) + '"' +
                 (constant ? " class=\"constant\">" : ">") + text + "</td>";
        bit = static_cast<int>(first) - 1;
    }
    return element("tr", numbers) + element("tr", cells);
}

std::string values_cell(const Field& field) {
    std::string text;
    for (const FieldValue& value : field.values) {
        text += text.empty() ? "" : "<br>";
        text += std::to_string(value.number) + (value.is_default ? "* " : " ");
        text += value.token.empty() ? "" : element("code", html_escaped('.' + value.token)) + ' ';
        text += html_escaped(value.note);
    }
    if (field.is_constant)
        text = std::to_string(field.constant);
    return text;
}

std::string instruction(const OpInfo& info) {
    const auto fields = fields_of(info);
    const Instr example = example_of(info);
    const auto word = encode(example);
    std::string out = "<h2 id=\"" + std::string(info.name) + "\">" + std::string(info.name) +
                      " <small>" + html_escaped(info.title) + " &middot; unit " +
                      std::string(unit_name(info.unit)) + "</small></h2>\n";
    out += element("p", html_escaped(info.description)) + '\n';
    for (const EffectInfo& effect : effects_of(info))
        out += element("p",
                       element("b", html_escaped(effect.name)) + ": " + html_escaped(effect.note)) +
               '\n';
    out += element("pre", html_escaped(syntax_of(info))) + '\n';
    out += "<table class=\"word\">" + word_row(fields, 32) + word_row(fields, 0) + "</table>\n";
    out += "<table><tr><th>Bits</th><th>Field</th><th>Values</th></tr>\n";
    for (const Field& field : fields) {
        const std::string note =
            field.note.empty() ? "" : "<br><small>" + html_escaped(field.note) + "</small>";
        out += element("tr", element("td", bits_text(field.bits)) +
                                 element("td", html_escaped(field.name) + note) +
                                 element("td", values_cell(field))) +
               '\n';
    }
    out += "</table>\n";
    for (const RejectionInfo& rejection : info.rejections)
        out += element("p", "Rejected: " + html_escaped(rejection_condition(info, rejection)) +
                                ": " + html_escaped(rejection.reason)) +
               '\n';
    out += "<pre>";
    if (word.has_value())
        out += to_hex_form(*word) + "    ";
    return out + html_escaped(disassemble(example)) + "</pre>\n";
}

std::string operand_tables() {
    std::string out = "<h1>Constants</h1>\n<table>";
    for (unsigned i = 0; i < kConstantCount; ++i) {
        Instr mov = make_instr(Op::MOV_I32);
        mov.src[0].kind = SourceKind::Constant;
        mov.src[0].index = static_cast<uint8_t>(i);
        const std::string text = disassemble(mov);
        out += element("tr", element("td", std::to_string(i)) +
                                 element("td", element("code", text.substr(text.rfind(' ') + 1))) +
                                 element("td", html_escaped(immediate_note(i))));
    }
    out += "</table>\n<h1>Specials</h1>\n<table>";
    for (unsigned page = 0; page < kPageCount; ++page)
        for (unsigned k = 0; k < kSpecialsPerPage; ++k)
            if (const auto name = special_name(page, k); !name.empty())
                out += element("tr", element("td", "page " + std::to_string(page)) +
                                         element("td", std::to_string(k)) +
                                         element("td", element("code", html_escaped(name))) +
                                         element("td", html_escaped(special_note(page, k))));
    return out + "</table>\n";
}

}  // namespace

std::string isa_html() {
    std::string out(kHead);
    out += "<nav>";
    for (const OpInfo& info : all_ops())
        out += "<a href=\"#" + std::string(info.name) + "\">" + std::string(info.name) + "</a> ";
    out += "</nav>\n" + operand_tables() + "<h1>Instructions</h1>\n";
    for (const OpInfo& info : all_ops())
        out += instruction(info);
    return out + "</body></html>\n";
}

}  // namespace valkyr::app

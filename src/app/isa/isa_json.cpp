// ISA as JSON: prints the instruction set reference for programs.
// SPDX-License-Identifier: MIT
#include "app/cli/json_text.hpp"
#include "app/isa/isa_fields.hpp"
#include "app/isa/isa_reference.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/isa/source_byte.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

namespace valkyr::app {

using namespace valhall;

namespace {

std::string number(uint64_t value) {
    return std::to_string(value);
}

/// Writes objects and arrays with commas in the right places.
class Writer {
public:
    void open(char bracket) {
        separate();
        text_ += bracket;
        first_ = true;
    }
    void close(char bracket) {
        text_ += bracket;
        first_ = false;
    }
    void key(std::string_view name) {
        separate();
        text_ += json_quoted(name) + ':';
        after_key_ = true;
    }
    void value(const std::string& json) {
        separate();
        text_ += json;
    }
    void pair(std::string_view name, const std::string& json) {
        key(name);
        value(json);
    }
    void line() { text_ += '\n'; }
    std::string take() { return std::move(text_); }

private:
    void separate() {
        if (!first_ && !after_key_)
            text_ += ',';
        first_ = false;
        after_key_ = false;
    }
    std::string text_;
    bool first_ = true;
    bool after_key_ = false;
};

void write_value(Writer& out, const FieldValue& value) {
    out.open('{');
    out.pair("value", number(value.number));
    out.pair("token", json_quoted(value.token));
    if (!value.note.empty())
        out.pair("note", json_quoted(value.note));
    if (value.is_default)
        out.pair("default", "true");
    out.close('}');
}

void write_field(Writer& out, const Field& field) {
    out.open('{');
    out.pair("start", number(field.bits.start));
    out.pair("size", number(field.bits.size));
    out.pair("name", json_quoted(field.name));
    if (field.is_constant)
        out.pair("constant", number(field.constant));
    if (!field.note.empty())
        out.pair("note", json_quoted(field.note));
    if (!field.values.empty()) {
        out.key("values");
        out.open('[');
        for (const FieldValue& value : field.values)
            write_value(out, value);
        out.close(']');
    }
    out.close('}');
}

void write_names(Writer& out, std::string_view key, const std::vector<std::string_view>& names) {
    out.key(key);
    out.open('[');
    for (const std::string_view name : names)
        out.value(json_quoted(name));
    out.close(']');
}

void write_rejections(Writer& out, const OpInfo& info) {
    out.key("rejections");
    out.open('[');
    for (const RejectionInfo& rejection : info.rejections) {
        out.open('{');
        out.pair("condition", json_quoted(rejection_condition(info, rejection)));
        out.pair("reason", json_quoted(rejection.reason));
        out.close('}');
    }
    out.close(']');
}

void write_instruction(Writer& out, const OpInfo& info) {
    const Instr example = example_of(info);
    const auto word = encode(example);
    out.open('{');
    out.pair("name", json_quoted(info.name));
    out.pair("title", json_quoted(info.title));
    out.pair("description", json_quoted(info.description));
    out.pair("unit", json_quoted(unit_name(info.unit)));
    out.pair("type_size", number(info.type_size));
    write_names(out, "stages", stages_of(info));
    std::vector<std::string_view> effects;
    for (const EffectInfo& effect : effects_of(info))
        effects.push_back(effect.name);
    write_names(out, "effects", effects);
    write_rejections(out, info);
    out.pair("opcode", number(info.opcode));
    out.pair("syntax", json_quoted(syntax_of(info)));
    out.pair("example", json_quoted(disassemble(example)));
    if (word.has_value())
        out.pair("example_bytes", json_quoted(to_hex_form(*word)));
    out.key("fields");
    out.open('[');
    for (const Field& field : fields_of(info))
        write_field(out, field);
    out.close(']');
    out.close('}');
}

void write_constants(Writer& out) {
    out.key("constants");
    out.open('[');
    for (unsigned i = 0; i < kConstantCount; ++i) {
        out.open('{');
        out.pair("value", number(immediate_table()[i]));
        out.pair("note", json_quoted(immediate_note(i)));
        out.close('}');
    }
    out.close(']');
}

void write_specials(Writer& out) {
    out.key("specials");
    out.open('[');
    for (unsigned page = 0; page < kPageCount; ++page)
        for (unsigned k = 0; k < kSpecialsPerPage; ++k) {
            if (special_name(page, k).empty())
                continue;
            out.open('{');
            out.pair("page", number(page));
            out.pair("k", number(k));
            out.pair("name", json_quoted(special_name(page, k)));
            out.pair("note", json_quoted(special_note(page, k)));
            out.close('}');
        }
    out.close(']');
}

}  // namespace

std::string isa_json() {
    Writer out;
    out.open('{');
    out.pair("name", json_quoted("Valhall"));
    write_constants(out);
    write_specials(out);
    out.key("instructions");
    out.open('[');
    for (const OpInfo& info : all_ops()) {
        out.line();
        write_instruction(out, info);
    }
    out.close(']');
    out.close('}');
    out.line();
    return out.take();
}

}  // namespace valkyr::app

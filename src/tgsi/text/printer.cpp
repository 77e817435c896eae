// TGSI printer: prints each statement in Mesa's own order and spelling.
// SPDX-License-Identifier: MIT
#include "tgsi/text/printer.hpp"

#include "tgsi/names.hpp"
#include "tgsi/opcode_table.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace valkyr::tgsi {

namespace {

constexpr char kLetters[] = "xyzw";

/// A text that grows by pieces.
class Writer {
public:
    Writer& operator<<(std::string_view text) {
        out_ += text;
        return *this;
    }
    Writer& operator<<(char c) {
        out_ += c;
        return *this;
    }
    template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, char>) Writer& operator<<(T value) {
        char buffer[24];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
        out_.append(buffer, end);
        return *this;
    }
    void pad(size_t count) { out_.append(count, ' '); }
    std::string& text() { return out_; }

private:
    std::string out_;
};

void put_hex(Writer& out, uint32_t bits) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "0x%08x", bits);
    out << std::string_view(buffer);
}

void put_double(Writer& out, uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    char buffer[48];
    if (std::isnan(value)) {
        std::snprintf(buffer, sizeof buffer, "nan(0x%016llx)",
                      static_cast<unsigned long long>(bits));
        out << std::string_view(buffer);
        return;
    }
    out << std::string_view(buffer,
                            std::to_chars(buffer, buffer + sizeof buffer, value).ptr - buffer);
}

void put_index(Writer& out, const RegisterIndex& index, uint32_t array_id) {
    out << '[';
    if (index.indirect) {
        out << name_of(index.by.file) << '[' << index.by.index << "]."
            << kLetters[index.by.component & 3];
        if (index.value > 0)
            out << '+';
        if (index.value != 0)
            out << index.value;
    } else {
        out << index.value;
    }
    out << ']';
    if (array_id != 0)
        out << '(' << array_id << ')';
}

void put_reference(Writer& out, const RegisterRef& ref) {
    out << name_of(ref.file);
    if (ref.has_outer)
        put_index(out, ref.outer, ref.outer_array_id);
    put_index(out, ref.index, ref.array_id);
}

void put_mask(Writer& out, uint8_t mask) {
    if (mask == 0xF)
        return;
    out << '.';
    for (unsigned c = 0; c < 4; ++c)
        if ((mask >> c & 1) != 0)
            out << kLetters[c];
}

void put_source(Writer& out, const Src& src) {
    if (src.negate)
        out << '-';
    if (src.absolute)
        out << '|';
    put_reference(out, src.reg);
    if (src.swizzle != std::array<uint8_t, 4>{0, 1, 2, 3}) {
        out << '.';
        for (const uint8_t c : src.swizzle)
            out << kLetters[c & 3];
    }
    if (src.absolute)
        out << '|';
}

void put_offset(Writer& out, const TexelOffset& offset) {
    out << ", " << name_of(offset.file) << '[' << offset.index << "].";
    for (const uint8_t c : offset.swizzle)
        out << kLetters[c & 3];
}

void put_memory(Writer& out, const Instruction& instr) {
    for (unsigned bit = 0; bit < 4; ++bit)
        if ((instr.qualifiers >> bit & 1) != 0)
            out << ", " << qualifier_name(bit);
}

void put_instruction(Writer& out, const Instruction& instr) {
    out << opcode_info(instr.opcode).name;
    if (instr.saturate)
        out << "_SAT";
    if (instr.precise)
        out << "_PRECISE";
    std::string_view before = " ";
    for (unsigned i = 0; i < instr.dst_count; ++i, before = ", ") {
        out << before;
        put_reference(out, instr.dst[i].reg);
        put_mask(out, instr.dst[i].write_mask);
    }
    for (unsigned i = 0; i < instr.src_count; ++i, before = ", ") {
        out << before;
        put_source(out, instr.src[i]);
    }
    put_memory(out, instr);
    if (instr.has_target)
        out << ", " << name_of(instr.target);
    for (unsigned i = 0; i < instr.offset_count; ++i)
        put_offset(out, instr.offsets[i]);
    if (!instr.format.empty())
        out << ", PIPE_FORMAT_" << instr.format;
    if (instr.has_label)
        out << " :" << instr.label;
}

void put_range(Writer& out, const Declaration& decl) {
    if (decl.per_vertex)
        out << "[]";
    if (decl.has_outer)
        out << '[' << decl.outer << ']';
    out << '[' << decl.first;
    if (decl.first != decl.last)
        out << ".." << decl.last;
    out << ']';
}

void put_semantic(Writer& out, const Declaration& decl) {
    if (decl.has_semantic) {
        out << ", " << name_of(decl.semantic);
        if (decl.semantic_index != 0 || decl.semantic == Semantic::Generic ||
            decl.semantic == Semantic::TexCoord)
            out << '[' << decl.semantic_index << ']';
    }
    if (!decl.has_streams)
        return;
    out << ", STREAM(";
    for (unsigned c = 0; c < 4; ++c)
        out << (c == 0 ? "" : ", ") << unsigned{decl.streams[c]};
    out << ')';
}

void put_resource(Writer& out, const Declaration& decl) {
    if (decl.has_target)
        out << ", " << name_of(decl.target);
    for (unsigned c = 0; c < decl.return_type_count; ++c)
        out << ", " << name_of(decl.return_types[c]);
    if (!decl.format.empty())
        out << ", PIPE_FORMAT_" << decl.format;
    if (decl.writable)
        out << ", WR";
    if (decl.raw)
        out << ", RAW";
    if (decl.atomic)
        out << ", ATOMIC";
    if (decl.has_memory_kind)
        out << ", " << name_of(decl.memory_kind);
}

void put_declaration(Writer& out, const Declaration& decl) {
    out << "DCL " << name_of(decl.file);
    put_range(out, decl);
    put_mask(out, decl.usage_mask);
    if (decl.array_id != 0)
        out << ", ARRAY(" << decl.array_id << ')';
    if (decl.local)
        out << ", LOCAL";
    put_semantic(out, decl);
    put_resource(out, decl);
    if (decl.has_interpolation)
        out << ", " << name_of(decl.interpolation);
    if (decl.location != Location::Center)
        out << ", " << name_of(decl.location);
    if (decl.invariant)
        out << ", INVARIANT";
}

void put_immediate(Writer& out, const Immediate& immediate, size_t index) {
    out << "IMM[" << index << "] " << name_of(immediate.type) << " {";
    const auto wide = [&](unsigned word) {
        return immediate.words[word] | uint64_t{immediate.words[word + 1]} << 32;
    };
    for (unsigned i = 0; i < 4; ++i) {
        out << (i == 0 ? "" : ", ");
        switch (immediate.type) {
        case ImmediateType::Float32: put_hex(out, immediate.words[i]); break;
        case ImmediateType::Uint32: out << immediate.words[i]; break;
        case ImmediateType::Int32: out << static_cast<int32_t>(immediate.words[i]); break;
        case ImmediateType::Float64: put_double(out, wide(i++)); break;
        case ImmediateType::Uint64: out << wide(i++); break;
        case ImmediateType::Int64: out << static_cast<int64_t>(wide(i++)); break;
        }
    }
    out << '}';
}

void put_property(Writer& out, const Property& property) {
    out << "PROPERTY " << property.name << ' ';
    const std::string_view symbol = property_symbol(property.name, property.value);
    if (symbol.empty())
        out << property.value;
    else
        out << symbol;
}

/// Prints a shader's instructions with number and indentation.
class Listing {
public:
    explicit Listing(Writer& out)
        : out_(out) {}

    void put(const Instruction& instr, size_t number) {
        out_.pad(number < 10 ? 2 : number < 100 ? 1 : 0);
        out_ << number << ": ";
        const OpcodeInfo& info = opcode_info(instr.opcode);
        depth_ -= depth_ < info.dedent ? depth_ : info.dedent;
        out_.pad(size_t{2} * depth_);
        depth_ += info.indent;
        put_instruction(out_, instr);
    }

private:
    Writer& out_;
    unsigned depth_ = 0;
};

}  // namespace

std::string print(const Shader& shader) {
    Writer out;
    out.text().reserve(40 * shader.order.size() + 16);
    out << name_of(shader.stage) << '\n';
    Listing listing(out);
    size_t next[4] = {};
    for (const StatementKind kind : shader.order) {
        const size_t i = next[static_cast<size_t>(kind)]++;
        switch (kind) {
        case StatementKind::Property: put_property(out, shader.properties[i]); break;
        case StatementKind::Declaration: put_declaration(out, shader.declarations[i]); break;
        case StatementKind::Immediate: put_immediate(out, shader.immediates[i], i); break;
        case StatementKind::Instruction: listing.put(shader.instructions[i], i); break;
        }
        out << '\n';
    }
    return std::move(out.text());
}

std::string print(const Instruction& instr) {
    Writer out;
    put_instruction(out, instr);
    return std::move(out.text());
}

std::string print(const Declaration& decl) {
    Writer out;
    put_declaration(out, decl);
    return std::move(out.text());
}

std::string print(const RegisterRef& ref) {
    Writer out;
    put_reference(out, ref);
    return std::move(out.text());
}

}  // namespace valkyr::tgsi

// Parser: holds the state and the steps that the parser_*.cpp files share.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/opcode_table.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/scanner.hpp"

#include <optional>

namespace valkyr::tgsi {

/// Recursive descent over the scanner. Steps return false after they have recorded an error; the
/// statement is then given up and parsing goes on with the next line.
class Parser {
public:
    Parser(std::string_view text, const Limits& limits, Cancellation cancellation)
        : text_(text)
        , limits_(limits)
        , cancellation_(cancellation)
        , scan_(text) {}

    ParseResult run();

private:
    // parser.cpp: the frame, statements, common small things.
    bool header();
    bool statement();
    bool property();
    bool room_for(size_t count, uint32_t limit, const char* what);
    void done(StatementKind kind) { result_.shader.order.push_back(kind); }
    bool fail(Errc code, SourcePos pos, std::string text);
    bool fail_here(std::string text);
    bool expect(char c, const char* where);
    /// After white space: an unsigned number up to `limit`.
    bool number(uint32_t& value, uint32_t limit, const char* what);
    std::optional<File> file(std::string_view word, SourcePos pos);

    // parser_immediate.cpp
    bool immediate();
    bool immediate_value(Immediate& immediate, unsigned word);
    bool immediate_integer(Immediate& immediate, unsigned word, SourcePos pos);
    bool immediate_real(Immediate& immediate, unsigned word, SourcePos pos);

    // parser_declaration.cpp
    bool declaration();
    bool dimensions(Declaration& decl);
    bool range(uint32_t& first, uint32_t& last);
    bool declaration_item(Declaration& decl);
    bool resource_item(Declaration& decl, std::string_view word, SourcePos pos);
    bool register_item(Declaration& decl, std::string_view word, SourcePos pos);
    bool semantic_item(Declaration& decl, Semantic semantic);
    bool array_item(Declaration& decl);
    bool stream_item(Declaration& decl);
    bool return_types(Declaration& decl, ReturnType first);

    // parser_instruction.cpp
    bool instruction(std::string_view word, SourcePos pos);
    bool fits_nesting(SourcePos pos);
    bool mnemonic(Instruction& instr, std::string_view word, SourcePos pos);
    bool registers(Instruction& instr, const OpcodeInfo& info);
    bool separator(unsigned index, const OpcodeInfo& info);
    bool texture_suffix(Instruction& instr, const OpcodeInfo& info);
    bool memory_suffix(Instruction& instr);
    bool memory_word(Instruction& instr, std::string_view word, SourcePos pos);
    bool label(Instruction& instr);
    bool destination(Dst& dst);
    bool source(Src& src);
    bool reference(RegisterRef& ref);
    bool full_reference(RegisterRef& ref);
    bool bracket(RegisterIndex& index, uint16_t& array_id);
    bool indirect(RegisterIndex& index, File by);
    bool write_mask(uint8_t& mask);
    bool components(uint8_t* out, unsigned count);
    bool texel_offset(Instruction& instr);
    /// A format name without its prefix PIPE_FORMAT_, or nothing.
    static std::string_view format_name(std::string_view word);

    std::string_view text_;
    Limits limits_;
    Cancellation cancellation_;
    Scanner scan_;
    const Instruction blank_{};  ///< copied for each instruction: faster than making one anew
    ParseResult result_;
    uint32_t nesting_ = 0;
    uint32_t registers_ = 0;  ///< declared so far
    bool stop_ = false;       ///< a limit was reached: reading on would only repeat the error
};

/// A name in quotes for messages, cut if it is too long, with unprintable bytes as '?'.
std::string quoted(std::string_view text);

}  // namespace valkyr::tgsi

// Assembler: declares its parts, pieces of a line and readers of one operand each.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace valkyr::valhall {

/// A piece of a line; columns count from 1.
struct Piece {
    std::string_view text;
    uint32_t column = 1;
};

/// The piece from `from` on, at most `count` characters.
inline Piece sub_piece(Piece piece, size_t from, size_t count = std::string_view::npos) {
    return {piece.text.substr(from, count), piece.column + static_cast<uint32_t>(from)};
}

/// Without blanks and tabs at both ends.
Piece trim(Piece piece);

/// Cuts off and returns the piece before the first `separator`; `rest` is what follows it, or
/// nothing.
Piece take_until(Piece& rest, char separator, bool& found);

/// Line number 1 and the column of the piece.
Error error_at(Piece piece, Errc code, std::string text);

/// 'text' in quotes, shortened if it is long, with unprintable characters replaced.
std::string quote(std::string_view text);

/// Where labels stand: index of the instruction that follows.
using Labels = std::unordered_map<std::string_view, size_t>;

/// Labels, as an instruction at a place in the program sees them.
struct LabelScope {
    const Labels* labels = nullptr;  ///< null: no labels here
    size_t index = 0;                ///< of the instruction
};

/// Readers of one operand. Errors name the rule; the caller adds instruction and operand. Rules of
/// check_instr.hpp (ranges of runs, alignment, FAU) are not checked here.
Result<Staging> parse_staging(Piece piece);
Result<Destination> parse_destination(Piece piece);
Result<Source> parse_source(Piece piece, const SourceInfo& info);
Result<int64_t> parse_immediate(Piece piece, const ImmediateInfo& info, LabelScope scope);

/// parse_instr with labels.
Result<Instr> parse_instr(Piece line, LabelScope scope);

}  // namespace valkyr::valhall

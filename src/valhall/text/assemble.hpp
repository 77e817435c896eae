// Assembler: turns assembly text into instructions and machine words.
// SPDX-License-Identifier: MIT
//
// A file has one instruction a line. Blank lines and lines whose first character other than a blank
// is '#' are skipped. A line may begin with labels:
//
//     loop: FADD.f32 r0, r0, 0x3F800000
//           BRANCHZ.reconverge r1.h0, offset:loop
//
// A label is a letter or '_' followed by letters, digits and '_', then ':'. Where an immediate
// counts instructions (offset of BRANCHZ, target of BLEND) the name of a label may stand for the
// number. The syntax of an instruction is described in README.md of this folder.
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "valhall/isa/instr.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace valkyr::valhall {

/// Reads one instruction; blanks around it are allowed, labels and comments are not.
/// The result is legal: encode() succeeds on it.
/// errors   Syntax, Semantic, OutOfRange or BadEncoding, with the column (line 1), naming the
///          instruction, the operand and the rule
VALKYR_API Result<Instr> parse_instr(std::string_view text);

/// parse_instr, then encode.
VALKYR_API Result<uint64_t> assemble_line(std::string_view text);

/// The words of a file, or its errors.
struct Assembly {
    std::vector<uint64_t> words;  ///< up to the first error, if there are errors
    std::vector<uint32_t> lines;  ///< per word: the line it stands on, 1 = first
    std::vector<Error> errors;    ///< in the order of the lines; empty = success
};

/// Assembles a whole file; goes on after errors until there are `max_errors` of them. Time and
/// memory are linear in the length of the text.
VALKYR_API Assembly assemble(std::string_view text, size_t max_errors = 100);

}  // namespace valkyr::valhall

// TGSI parser: turns a text into a Shader, or finds all its errors with their places.
// SPDX-License-Identifier: MIT
//
// Accepts what Mesa prints and what Mesa's own parser accepts (docs/rules/tgsi.md has the grammar).
// Time is linear in the text, memory is bounded by the limits, never by numbers in the text.
// The parser checks grammar and limits; meaning is the verifier's (verifier.hpp).
#pragma once

#include "base/cancellation.hpp"
#include "base/export.hpp"
#include "base/result.hpp"
#include "tgsi/limits.hpp"
#include "tgsi/shader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::tgsi {

struct ParseResult {
    /// Complete if there are no errors; otherwise what could be read.
    Shader shader;
    /// In order of the text; at most limits.errors. Codes: Syntax, OutOfRange.
    std::vector<Error> errors;

    [[nodiscard]] bool ok() const { return errors.empty(); }
};

/// Parses a text up to its end or its first zero byte. After an error it goes on with the next
/// line, so that one call reports several errors. When cancelled it ends before a statement, with
/// an error Cancelled.
VALKYR_API ParseResult parse(std::string_view text,
                             const Limits& limits = {},
                             Cancellation cancellation = {});

/// An error as "name:line:column: error: text", the offending line and a caret under the column,
/// each ended by a newline. Long lines are cut around the column.
VALKYR_API std::string
format_error(const Error& error, std::string_view text, const std::string& file_name);

/// Formats all errors, one after the other.
VALKYR_API std::string format_errors(const std::vector<Error>& errors,
                                     std::string_view text,
                                     const std::string& file_name);

}  // namespace valkyr::tgsi

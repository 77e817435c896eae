// ISA reference: prints the tables of src/valhall/isa as text, JSON and HTML.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/isa.hpp"

#include <optional>
#include <string>
#include <vector>

namespace valkyr::app {

/// One instruction for a terminal: syntax, meaning, picture of the word, fields, example.
std::string isa_page(const valhall::OpInfo& info);

/// One line an instruction: name, unit, opcodes, title; of one unit, or of all units.
std::string isa_list(std::optional<valhall::Unit> unit);

/// The whole set: instructions with their fields and values, constants, specials.
std::string isa_json();

/// The whole set as one self-contained page.
std::string isa_html();

/// Names of instructions that contain the text, regardless of case.
std::vector<std::string> isa_suggestions(std::string_view text);

}  // namespace valkyr::app

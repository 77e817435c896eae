// A compiled shader as one HTML page: text, Valhall words and host code, linked line by line.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/recompiler.hpp"
#include "valhall/isa/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A self-contained page with three columns. Pointing at a line marks the corresponding lines of
/// the other columns; a click keeps the mark. The cost of a word or line is its host instructions
/// and their bytes.
/// name    of the source, for the title
/// lines   host code of the program, in order of their offsets
std::string list_html(const valhall::Program& program,
                      const std::vector<jit::HostLine>& lines,
                      std::string_view source,
                      std::string_view name);

}  // namespace valkyr::app

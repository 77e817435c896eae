// A compiled shader as one HTML page: text, Valhall words and host code, linked line by line.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/recompiler.hpp"
#include "valhall/isa/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A page that needs nothing beside itself. Three columns; pointing at a line of one marks what
/// belongs to it in the others, a click keeps the mark. The cost of a word or line is the number of
/// host instructions and their bytes.
/// name    of the source, for the title
/// lines   host code of the program, in order of their offsets
std::string list_html(const valhall::Program& program,
                      const std::vector<jit::HostLine>& lines,
                      std::string_view source,
                      std::string_view name);

}  // namespace valkyr::app

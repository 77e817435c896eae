// Filetest: reads a shader and its directives (lines that begin with a semicolon).
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::test {

struct FileTest {
    std::string name;    ///< of the file
    std::string shader;  ///< directives blanked: line numbers stay
    std::vector<std::string> directives;

    /// The first directive that begins with this text; null if there is none.
    [[nodiscard]] const std::string* find(std::string_view directive) const;
    /// The size of shared memory that the directives state; all else is the default.
    [[nodiscard]] valhall::CompileOptions options() const;
};

/// The files of a directory that have the directive `test`, by name.
std::vector<FileTest> read_filetests(const std::filesystem::path& directory, std::string_view test);

/// Checks a directive "<prefix>: part" (searched from `at`, the end of the match before),
/// "<prefix>-COUNT n: part" or "<prefix>-NOT: part" against a text.
void check_text(const std::string& directive,
                std::string_view prefix,
                const std::string& text,
                size_t& at);

/// Checks "EVAL IN[0]=(1,2,3,4) CONST[0]=(..) -> OUT[0]=(..)" on both engines. Numbers are C floats
/// (also 0x1p-3, inf, nan), or words with the suffix u. Other directives are ignored.
void check_values(const tgsi::Shader& shader, const std::string& directive);

}  // namespace valkyr::test

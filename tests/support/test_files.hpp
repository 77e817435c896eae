// Test files: finds shaders and case files in the repository and in outside folders.
// SPDX-License-Identifier: MIT
//
// Only this file reads the environment variables that name outside folders (tests/README.md lists
// them). A variable that names no folder is an error, not an empty set.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::test {

/// Reads a file; its path is relative to the working directory.
/// errors  throws std::runtime_error: unreadable
std::string read_file(const std::string& path);

/// The *.tgsi files below a folder whose names end in one of `endings`, sorted by path.
/// errors  throws std::filesystem::filesystem_error: no such folder
std::vector<std::string> shader_files(const std::string& folder,
                                      std::span<const std::string_view> endings = {});

/// The shaders of the repository's examples, benchmarks and conformance scenes.
std::vector<std::string> repository_shaders(std::span<const std::string_view> endings = {});

/// The shaders below the folder VALKYR_TGSI_CORPUS; empty without that variable.
/// errors  throws std::filesystem::filesystem_error: no such folder
std::vector<std::string> corpus_shaders(std::span<const std::string_view> endings = {});

/// The folders of Valhall case files: the repository's, and VALKYR_VALHALL_CASES if that is set.
std::vector<std::string> valhall_case_folders();

}  // namespace valkyr::test

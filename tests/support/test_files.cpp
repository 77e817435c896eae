// Test files: finds shaders and case files in the repository and in outside folders.
// SPDX-License-Identifier: MIT
#include "tests/support/test_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace valkyr::test {

namespace {

constexpr const char* kShaderFolders[] = {"examples/shaders", "bench/shaders",
                                          "tests/pictures/conformance/shaders"};

bool has_ending(const std::string& name, std::span<const std::string_view> endings) {
    return endings.empty() || std::ranges::any_of(endings, [&](std::string_view ending) {
               return name.ends_with(ending);
           });
}

/// The value of an environment variable; empty if it is not set.
std::string setting(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in)
        throw std::runtime_error("cannot read " + path);
    return text.str();
}

std::vector<std::string> shader_files(const std::string& folder,
                                      std::span<const std::string_view> endings) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".tgsi" && has_ending(entry.path().string(), endings))
            files.push_back(entry.path());
    std::ranges::sort(files);  // sorted by path
    return {files.begin(), files.end()};
}

std::vector<std::string> repository_shaders(std::span<const std::string_view> endings) {
    std::vector<std::string> files;
    for (const char* folder : kShaderFolders)
        std::ranges::copy(shader_files(folder, endings), std::back_inserter(files));
    return files;
}

std::vector<std::string> corpus_shaders(std::span<const std::string_view> endings) {
    const std::string folder = setting("VALKYR_TGSI_CORPUS");
    return folder.empty() ? std::vector<std::string>() : shader_files(folder, endings);
}

std::vector<std::string> valhall_case_folders() {
    std::vector<std::string> folders = {"tests/valhall/encodings"};
    if (const std::string folder = setting("VALKYR_VALHALL_CASES"); !folder.empty())
        folders.push_back(folder);
    return folders;
}

}  // namespace valkyr::test

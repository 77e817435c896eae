// Coverage test: checks that every TGSI opcode occurs in a shader of these tests.
// SPDX-License-Identifier: MIT
#include "tgsi/opcode_table.hpp"

#include <cctype>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace valkyr;

namespace {

/// Adds the words of a file; "\n" inside of string literals separates words, too.
void add_words(const std::filesystem::path& path, std::set<std::string>& words) {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    std::string all = text.str();
    for (size_t at = all.find("\\n"); at != std::string::npos; at = all.find("\\n", at))
        all.replace(at, 2, "  ");
    std::string word;
    for (const char c : all + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
        } else if (!word.empty()) {
            words.insert(word);
            word.clear();
        }
    }
}

}  // namespace

TEST_CASE("every opcode is lowered, or refused, by a test") {
    std::set<std::string> words;
    for (const char* directory : {"tests/valhall/compiler", "tests/filetests"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
            if (entry.is_regular_file())
                add_words(entry.path(), words);
    for (unsigned i = 0; i < tgsi::kOpcodeCount; ++i) {
        const std::string name(tgsi::opcode_info(static_cast<tgsi::Opcode>(i)).name);
        CHECK_MESSAGE(words.contains(name), name);
    }
}

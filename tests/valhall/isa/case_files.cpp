// Case files: reads the lines of encoding files.
// SPDX-License-Identifier: MIT
#include "tests/valhall/isa/case_files.hpp"

#include "valhall/text/hex_form.hpp"

#include <fstream>
#include <stdexcept>

namespace valkyr::test {

std::string Case::where() const {
    return file + ':' + std::to_string(line) + ": " + text;
}

std::vector<Case> read_text_cases(const std::string& path) {
    std::ifstream in(path);
    std::vector<Case> cases;
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line[0] != '#')
            cases.push_back({path, number, 0, line});
    }
    return cases;
}

std::vector<Case> read_word_cases(const std::string& path) {
    constexpr size_t kTextColumn = 27;
    std::vector<Case> cases = read_text_cases(path);
    for (Case& item : cases) {
        const auto word = valhall::parse_hex_form(item.text);
        if (!word.has_value() || item.text.size() < kTextColumn)
            throw std::runtime_error("malformed case at " + item.where());
        item.word = *word;
        item.text.erase(0, kTextColumn);
    }
    return cases;
}

}  // namespace valkyr::test

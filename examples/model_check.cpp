// Model check: checks the text of an OBJ file for the parser, which trusts it.
// SPDX-License-Identifier: MIT
#include "examples/model_check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace valkyr::examples {

namespace {

/// Splits a line into words.
class Words {
public:
    explicit Words(std::string_view line)
        : rest_(line) {}
    /// The next word; empty at the end.
    std::string_view next() {
        const size_t begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
        rest_.remove_prefix(begin);
        const size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }

private:
    std::string_view rest_;
};

constexpr int kMostExponent = 99;

class Checker {
public:
    explicit Checker(const ModelLimits& limits)
        : limits_(limits) {}

    /// Checks a line. Returns the number of bytes to keep, or an error without place. A comment
    /// behind numbers is cut off, because the parser would read numbers in it. Names may contain a
    /// #.
    Result<size_t> line(std::string_view text) {
        const std::string_view statement = text.substr(0, text.find('#'));
        Words words(statement);
        const std::string_view kind = words.next();
        if (kind == "v" || kind == "vn" || kind == "vt") {
            int64_t& count = kind == "v" ? places_ : kind == "vn" ? normals_ : texture_places_;
            VALKYR_TRY_VOID(numbers(words, kind == "vt" ? 1 : 3, count, text));
            return statement.size();
        }
        if (kind == "f") {
            VALKYR_TRY_VOID(face(words));
            return statement.size();
        }
        if (kind == "mtllib")
            VALKYR_TRY_VOID(libraries(Words(text)));
        const bool named = kind == "o" || kind == "g" || kind == "usemtl" || kind == "mtllib";
        return named || kind == "s" ? text.size() : 0;
    }

    [[nodiscard]] bool has_faces() const { return triangles_ > 0; }

private:
    static Error syntax(std::string text) { return {Errc::Syntax, {}, std::move(text)}; }

    static Result<void> number(std::string_view word) {
        double value = 0;
        const std::string_view digits = word.front() == '+' ? word.substr(1) : word;
        const char* last = digits.data() + digits.size();
        const auto [end, error] = std::from_chars(digits.data(), last, value);
        const std::string quoted = "'" + std::string(word.substr(0, 40)) + "'";
        if (error == std::errc::invalid_argument || end != last)
            return syntax(quoted + " is not a number");
        if (error != std::errc() || !std::isfinite(static_cast<float>(value)))
            return syntax(quoted + " is not a finite number");
        // The parser multiplies by the power of ten: zero times an infinite power would be NaN.
        int exponent = 0;
        const size_t e = std::min(digits.find_first_of("eE"), digits.size() - 1) + 1;
        const size_t sign = e < digits.size() && digits[e] == '+' ? 1 : 0;
        if (std::from_chars(digits.data() + e + sign, last, exponent).ec ==
                std::errc::result_out_of_range ||
            std::abs(exponent) > kMostExponent)
            return syntax(quoted + " has too large an exponent");
        return {};
    }

    /// Checks for at least `least` finite numbers and counts the statement.
    static Result<void> numbers(Words& words, size_t least, int64_t& count, std::string_view text) {
        size_t found = 0;
        for (std::string_view word = words.next(); !word.empty(); word = words.next(), found++)
            VALKYR_TRY_VOID(number(word));
        if (found < least)
            return syntax("'" + std::string(text.substr(0, 40)) + "' has " + std::to_string(found) +
                          " numbers, " + std::to_string(least) + " are needed");
        count++;
        return {};
    }

    /// Counts the names behind "mtllib".
    Result<void> libraries(Words words) {
        words.next();
        while (!words.next().empty())
            libraries_++;
        if (libraries_ > limits_.libraries)
            return Error{Errc::OutOfRange,
                         {},
                         "more than " + std::to_string(limits_.libraries) +
                             " names of material libraries"};
        return {};
    }

    Result<void> face(Words& words) {
        constexpr size_t kMostCorners = 255;  // the parser counts them in a byte
        size_t corners = 0;
        for (std::string_view word = words.next(); !word.empty(); word = words.next(), corners++)
            VALKYR_TRY_VOID(corner(word));
        if (corners < 3)
            return syntax("a face has " + std::to_string(corners) + " corners, 3 are needed");
        if (corners > kMostCorners)
            return Error{Errc::OutOfRange,
                         {},
                         "a face has " + std::to_string(corners) + " corners, the most are 255"};
        triangles_ += corners - 2;
        if (triangles_ > limits_.triangles)
            return Error{Errc::OutOfRange,
                         {},
                         "more than " + std::to_string(limits_.triangles) + " triangles"};
        return {};
    }

    /// Checks place, place/texture, place//normal or place/texture/normal.
    Result<void> corner(std::string_view word) {
        const std::array<std::pair<const char*, int64_t>, 3> known = {
            {{"vertex", places_}, {"texture coordinate", texture_places_}, {"normal", normals_}}};
        std::string_view rest = word;
        for (size_t i = 0; i < 3; i++) {
            const size_t slash = std::min(rest.find('/'), rest.size());
            const std::string_view digits = rest.substr(0, slash);
            const bool last = slash == rest.size();
            if (!digits.empty())
                VALKYR_TRY_VOID(index(digits, known[i].first, known[i].second));
            else if (i != 1 || last)
                break;
            if (last)
                return {};
            rest.remove_prefix(slash + 1);
        }
        return syntax("'" + std::string(word.substr(0, 40)) + "' is not a corner of a face");
    }

    static Result<void> index(std::string_view digits, const char* what, int64_t count) {
        int64_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error == std::errc::invalid_argument || end != digits.data() + digits.size())
            return syntax("'" + std::string(digits.substr(0, 40)) + "' is not an index");
        if (error != std::errc() || value == 0 || value > count || value < -count)
            return Error{Errc::OutOfRange,
                         {},
                         "there is no " + std::string(what) + " " +
                             std::string(digits.substr(0, 40)) + ": " + std::to_string(count) +
                             " come before this face"};
        return {};
    }

    const ModelLimits& limits_;
    int64_t places_ = 0;
    int64_t normals_ = 0;
    int64_t texture_places_ = 0;
    size_t libraries_ = 0;
    size_t triangles_ = 0;
};

/// Makes \n the only line end. The parser also ends lines at \r: both must agree on line numbers.
void end_lines_alike(std::string& text) {
    for (size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
        text[at] = at + 1 < text.size() && text[at + 1] == '\n' ? ' ' : '\n';
}

}  // namespace

Result<std::string>
check_model_text(std::string text, const ModelLimits& limits, const Progress& progress) {
    Checker checker(limits);
    std::replace(text.begin(), text.end(), '\0', ' ');
    end_lines_alike(text);
    uint32_t number = 1;
    for (size_t begin = 0; begin < text.size(); number++) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        Result<size_t> stays = checker.line(std::string_view(text).substr(begin, end - begin));
        if (!stays.has_value())
            return Error{stays.error().code, SourcePos{number, 0}, stays.error().text};
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin + *stays),
                  text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
        if (progress && number % 65536 == 0)
            progress("checking", static_cast<double>(begin) / static_cast<double>(text.size()));
        begin = end + 1;
    }
    if (!checker.has_faces())
        return Error{Errc::InvalidState, {}, "the model has no faces"};
    return text;
}

}  // namespace valkyr::examples
